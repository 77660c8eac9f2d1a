import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { limits } from '../../../contract/limits.ts'
import type { Assertion, VisitorAssertion } from '../../../contract/passkey-sign-in.ts'
import type { AssertionOptions } from '../../../contract/passkeys.ts'
import type { StepUpPurpose } from '../../../contract/step-up-purpose.ts'
import { ApiError } from '../api-error.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { type Db, type Tx, query, readDatabaseTime } from '../database/database.ts'
import { mac, sameBytes, type Keys } from '../encryption/keys.ts'
import type { Portal } from '../portal.ts'
import { charge, settle, type LimitKey } from '../rate-limits/rate-limits.ts'
import type { Settings } from '../settings.ts'
import { newToken } from './session.ts'

// Passkeys as the second factor (AUT-8), and the parts that all uses of passkeys share. A device signs the challenge of one operation. The
// challenge is deleted before the answer is judged, so it counts once over all nodes.

/** What a device confirms by its signature: a session, a purpose and an object (R2). */
export type PasskeyOperation = {
  accountId: string
  sessionId: string
  purpose: 'sign-in' | 'register-passkey' | StepUpPurpose
  object: string
}

/**
 * Returns the relying party of the keys and the origin where they may be used (WebAuthn §5.1.2). The relying party must be a name, so the
 * demonstration at 127.0.0.1 uses localhost.
 */
export function relyingParty({ publicUrl, isDemonstration }: Settings): { id: string; origin: string } {
  const { hostname, port, origin } = new URL(publicUrl)
  if (isDemonstration && hostname === '127.0.0.1') return { id: 'localhost', origin: `http://localhost:${port}` }
  return { id: hostname, origin }
}

/** Returns the requirements for the response of a device: to this challenge, for this site, after it verified its user. */
export function expectationsOf(settings: Settings, challenge: string) {
  const { id, origin } = relyingParty(settings)
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
}

export async function hasPasskeys(db: Db, accountId: string): Promise<boolean> {
  return query(db).finds(sql`select from passkeys where account_id = ${accountId} limit 1`)
}

export type Credential = { id: string; type: 'public-key'; transports: string[] }

/** Lists the credential ids of an account's passkeys. */
export async function listPasskeyCredentials(db: Db, accountId: string): Promise<Credential[]> {
  const rows = await query(db).all(sql<Pick<StoredPasskey, 'credentialId' | 'transports'>>`
    select credential_id, transports from passkeys where account_id = ${accountId}`)
  return rows.map((row) => ({
    id: row.credentialId.toString('base64url'),
    type: 'public-key',
    transports: row.transports,
  }))
}

/** Draws a new challenge for an operation, which replaces an earlier one. */
export async function drawChallenge(db: Db, { sessionId, purpose, object }: PasskeyOperation): Promise<string> {
  const challenge = randomBytes(32)
  await query(db).run(sql`
    insert into passkey_challenges (session_id, purpose, object, challenge, expires_at)
    values (${sessionId}, ${purpose}, ${object}, ${challenge}, portal_now() + make_interval(secs => ${limits.passkeys.challengeLife}))
    on conflict (session_id, purpose, object) do update set challenge = excluded.challenge, expires_at = excluded.expires_at`)
  return challenge.toString('base64url')
}

/** Deletes and returns the challenge of an operation, for one answer; undefined if it has expired. */
export async function takeChallenge(db: Db, { sessionId, purpose, object }: PasskeyOperation) {
  const row = await query(db).first(sql<{ challenge: Buffer; isAlive: boolean }>`
    delete from passkey_challenges where session_id = ${sessionId} and purpose = ${purpose} and object = ${object}
    returning challenge, expires_at > portal_now() as is_alive`)
  return row?.isAlive ? row.challenge.toString('base64url') : undefined
}

/** Returns the options with which the browser asks the device; undefined if the account has no passkey. */
export async function createAssertionOptions(
  { db, settings }: Portal,
  operation: PasskeyOperation,
): Promise<AssertionOptions | undefined> {
  const allowCredentials = await listPasskeyCredentials(db, operation.accountId)
  if (!allowCredentials.length) return undefined
  return {
    challenge: await drawChallenge(db, operation),
    rpId: relyingParty(settings).id,
    allowCredentials,
    userVerification: 'required',
    timeout: limits.passkeys.challengeLife * 1000,
  }
}

/** A correct signature, to be counted by `usePasskey` in the transaction that it confirms. */
export type VerifiedAssertion = { passkeyId: string; accountId: string; counter: number }

/** Verifies an answer: signed by a key of this account, for this operation and origin, after the device verified its user. */
export async function verifyAssertion(
  portal: Portal,
  operation: PasskeyOperation,
  assertion: Assertion,
): Promise<VerifiedAssertion> {
  const { db, keys } = portal
  const { accountId, purpose } = operation
  const challenge = await takeChallenge(db, operation)
  const found = await findPasskey(db, assertion.id)
  const key = found?.accountId === accountId ? found : undefined
  const counter = challenge && key ? await verifySignature(portal.settings, challenge, key, assertion) : undefined
  if (key && counter !== undefined) return { passkeyId: key.id, accountId, counter }
  const charged = await charge(db, keys, ['passkey-tries', accountId])
  if (!charged.ok) throw new ApiError('too-many-attempts', { retryAfter: charged.retryAfter })
  await db.transaction().execute((tx) =>
    addAuditEntry(tx, {
      action: 'passkey-refused',
      accountId,
      actor: 'customer',
      details: { purpose, ...(key && { passkey: key.id }) },
    }),
  )
  throw new ApiError('passkey-refused')
}

type StoredPasskey = {
  id: string
  accountId: string
  credentialId: Buffer
  publicKey: Buffer
  /** A bigint, which the driver reads as text. */
  counter: string
  transports: string[]
}

/** Finds the passkey with a credential id, in any account. */
export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | undefined> {
  return query(db).first(sql<StoredPasskey>`
    select id, account_id, credential_id, public_key, counter, transports from passkeys
    where credential_id = ${Buffer.from(credentialId, 'base64url')}`)
}

/** Verifies a signature and returns its counter; undefined if it is not correct (WebAuthn §7.2). */
export async function verifySignature(
  settings: Settings,
  challenge: string,
  key: StoredPasskey,
  { id, ...response }: Assertion,
): Promise<number | undefined> {
  // Loaded at the first use, because it takes a tenth of a start.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      ...expectationsOf(settings, challenge),
      credential: {
        id: key.credentialId.toString('base64url'),
        publicKey: new Uint8Array(key.publicKey),
        counter: Number(key.counter),
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for every mismatch and for bytes that it cannot read.
    return undefined
  }
}

/**
 * Counts the use of a passkey, inside the transaction that it confirms. The counter must have risen, or the key may be a copy
 * (WebAuthn §6.1.1). A single statement also decides between two uses at once.
 */
export async function usePasskey(
  tx: Tx,
  { keys }: Portal,
  { passkeyId, accountId, counter }: VerifiedAssertion,
  alsoReset: readonly LimitKey[] = [],
): Promise<boolean> {
  const isNewer = await query(tx).changesOne(sql`
    update passkeys set counter = ${counter}, used_at = portal_now()
    where id = ${passkeyId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`)
  if (!isNewer) return false
  await settle(tx, keys, { clear: [['passkey-tries', accountId], ...alsoReset] })
  return true
}

// Challenges for visitors who are not identified yet (R121). Each login page asks for one, so none is stored: a challenge is its
// expiry, a nonce, and a MAC over both and the token in the visitor's cookie.

/** The cookie with the visitor's token, which all pages of a browser share. */
export const visitorCookie = '__Host-sygnet-passkey'

const expiryBytes = 6
const nonceBytes = 16

const challengeMac = (keys: Keys, token: string, head: Buffer) => mac(keys.passkey, token, head.toString('hex'))

const isToken = (token: string | undefined): token is string => /^[\w-]{43}$/.test(token ?? '')

export async function drawVisitorChallenge({ db, keys }: Portal, visitor: string | undefined) {
  const token = isToken(visitor) ? visitor : newToken()
  const expiry = Buffer.alloc(expiryBytes)
  expiry.writeUIntBE((await readDatabaseTime(db)).getTime() + limits.passkeys.challengeLife * 1000, 0, expiryBytes)
  const head = Buffer.concat([expiry, randomBytes(nonceBytes)])
  return { token, challenge: Buffer.concat([head, challengeMac(keys, token, head)]).toString('base64url') }
}

/** Uses up a challenge; true if it is ours, belongs to this visitor, has not expired, and is answered for the first time. */
async function takeVisitorChallenge({ db, keys }: Portal, visitor: string | undefined, challenge: string) {
  const bytes = Buffer.from(challenge, 'base64url')
  const head = bytes.subarray(0, expiryBytes + nonceBytes)
  if (!visitor || head.length < expiryBytes + nonceBytes) return false
  if (!sameBytes(bytes.subarray(head.length), challengeMac(keys, visitor, head))) return false
  if (head.readUIntBE(0, expiryBytes) <= (await readDatabaseTime(db)).getTime()) return false
  return (await charge(db, keys, ['passkey-sign-in', head.toString('hex')])).ok
}

const ClientData = z.object({ challenge: z.string() })

/** Returns the challenge that the device has signed, according to the browser. */
function challengeIn(clientDataJSON: string): string {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge
  } catch {
    return ''
  }
}

/** Returns the account's id as the user handle, which reveals nothing about the person (WebAuthn §14.6.1). */
export const userHandleOf = (accountId: string) =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')

/** Verifies a visitor's answer: signed by a passkey of the account that it names, for this origin, after the device verified its user. */
export async function verifyVisitorAssertion(
  portal: Portal,
  visitor: string | undefined,
  { userHandle, ...assertion }: VisitorAssertion,
): Promise<VerifiedAssertion | Partial<Pick<VerifiedAssertion, 'passkeyId' | 'accountId'>>> {
  const challenge = challengeIn(assertion.clientDataJSON)
  const isOurs = await takeVisitorChallenge(portal, visitor, challenge)
  const key = await findPasskey(portal.db, assertion.id)
  if (!key) return {}
  const owner = { passkeyId: key.id, accountId: key.accountId }
  const isTheirs = isOurs && userHandle === userHandleOf(key.accountId)
  const counter = isTheirs ? await verifySignature(portal.settings, challenge, key, assertion) : undefined
  return counter === undefined ? owner : { ...owner, counter }
}
