import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { StepUpPurpose } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import type { Assertion, AssertionOptions } from '../contract/passkeys.ts'
import { record } from './audit.ts'
import { clear, spend, type Budget, type Claim } from './budgets.ts'
import type { Db, Tx } from './db.ts'
import { Failed } from './failure.ts'
import type { Portal, Settings } from './portal.ts'

/**
 * Passkeys as the second factor (AUT-8), and what every use of one shares. What a device signs is a challenge of one operation: a
 * session, a purpose and an object (R2). It is taken out before it is looked at, so it counts once, on whichever node.
 */
export type PasskeyOperation = {
  accountId: string
  sessionId: string
  purpose: 'sign-in' | 'register-passkey' | StepUpPurpose
  object: string
}

/**
 * Wrong answers. Nobody guesses a signature, and each costs the drawing of a challenge, so they are judged first: what strangers with the
 * password have sent holds up no right one (R118). Beyond the limit nothing is recorded any more.
 */
const tries: Budget = { name: 'passkey-tries', ...limits.passkeys.tries }
const triesOf = (accountId: string): Claim => [tries, accountId]

/**
 * Whose keys they are and where they may be used (WebAuthn §5.1.2). An address is no name that keys can belong to, so
 * the demonstration, which has one unless told otherwise, takes them at its other name.
 */
export function relyingParty({ publicUrl, demonstration }: Settings): { id: string; origin: string } {
  const { hostname, port, origin } = new URL(publicUrl)
  if (demonstration && hostname === '127.0.0.1') return { id: 'localhost', origin: `http://localhost:${port}` }
  return { id: hostname, origin }
}

export async function hasPasskeys(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from passkeys where account_id = ${accountId} limit 1`.execute(db)
  return rows.length > 0
}

export type Credential = { id: string; type: 'public-key'; transports: string[] }

/** What the devices call the keys of an account. */
export async function credentialsOf(db: Db, accountId: string): Promise<Credential[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .execute()
  return rows.map((row) => ({
    id: row.credential_id.toString('base64url'),
    type: 'public-key',
    transports: row.transports,
  }))
}

/** Draws the challenge of an operation; one before it is void. */
export async function drawChallenge(db: Db, { sessionId, purpose, object }: PasskeyOperation): Promise<string> {
  const challenge = randomBytes(32)
  await sql`
    insert into passkey_challenges (session_id, purpose, object, challenge, expires_at)
    values (${sessionId}, ${purpose}, ${object}, ${challenge}, portal_now() + make_interval(secs => ${limits.passkeys.challenge}))
    on conflict (session_id, purpose, object) do update set challenge = excluded.challenge, expires_at = excluded.expires_at`.execute(
    db,
  )
  return challenge.toString('base64url')
}

/** Takes the challenge of an operation out, for one look at an answer to it. */
export async function takeChallenge(
  db: Db,
  { sessionId, purpose, object }: PasskeyOperation,
): Promise<string | undefined> {
  const { rows } = await sql<{ challenge: Buffer; alive: boolean }>`
    delete from passkey_challenges where session_id = ${sessionId} and purpose = ${purpose} and object = ${object}
    returning challenge, expires_at > portal_now() as alive`.execute(db)
  return rows[0]?.alive ? rows[0].challenge.toString('base64url') : undefined
}

/** What the browser is to ask the device for. Undefined without a passkey. */
export async function askForAssertion(
  { db, settings }: Portal,
  operation: PasskeyOperation,
): Promise<AssertionOptions | undefined> {
  const allowCredentials = await credentialsOf(db, operation.accountId)
  if (!allowCredentials.length) return undefined
  return {
    challenge: await drawChallenge(db, operation),
    rpId: relyingParty(settings).id,
    allowCredentials,
    userVerification: 'required',
    timeout: limits.passkeys.challenge * 1000,
  }
}

/** A signature that fits, to be counted by `usePasskey` in the act that it confirms. */
export type Judged = { passkey: string; accountId: string; counter: number }

/** Judges what a device has signed: by a key of this account, for this operation, here, after its user was verified. */
export async function judgeAssertion(
  portal: Portal,
  operation: PasskeyOperation,
  assertion: Assertion,
): Promise<Judged> {
  const { db, keys } = portal
  const { accountId, purpose } = operation
  const challenge = await takeChallenge(db, operation)
  const key = await db
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'public_key', 'counter'])
    .where('credential_id', '=', Buffer.from(assertion.id, 'base64url'))
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const counter = challenge && key ? await counterOf(portal.settings, challenge, key, assertion) : undefined
  if (key && counter !== undefined) return { passkey: key.id, accountId, counter }
  const paid = await spend(db, keys, ...triesOf(accountId))
  if (!paid.ok) throw new Failed('too-many-attempts', { retryAfter: paid.retryAfter })
  await db.transaction().execute((tx) =>
    record(tx, {
      act: 'passkey-refused',
      accountId,
      actor: 'customer',
      details: { purpose, ...(key && { passkey: key.id }) },
    }),
  )
  throw new Failed('passkey-refused')
}

type StoredKey = { credential_id: Buffer; public_key: Buffer; counter: string }

/** The count that a right signature tells, undefined of any other (WebAuthn §7.2). */
export async function counterOf(
  settings: Settings,
  expectedChallenge: string,
  key: StoredKey,
  { id, ...response }: Assertion,
): Promise<number | undefined> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(settings)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential: {
        id: key.credential_id.toString('base64url'),
        publicKey: new Uint8Array(key.public_key),
        counter: Number(key.counter),
      },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for whatever does not fit, and for bytes that it cannot read.
    return undefined
  }
}

/**
 * Counts the use of a passkey, inside the act that it confirms. The count must have risen, or the key may have been copied
 * (WebAuthn §6.1.1); the one statement decides also between two uses at once.
 */
export async function usePasskey(
  tx: Tx,
  { keys }: Portal,
  { passkey, accountId, counter }: Judged,
  alsoClear: readonly Claim[] = [],
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update passkeys set counter = ${counter}, used_at = portal_now()
    where id = ${passkey} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`.execute(tx)
  if (!numAffectedRows) return false
  await clear(tx, keys, triesOf(accountId), ...alsoClear)
  return true
}
