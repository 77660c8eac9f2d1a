import { randomBytes } from 'node:crypto'
import type { VisitorAssertion } from '../contract/passkey-sign-in.ts'
import { limits } from '../contract/limits.ts'
import { spend, type Budget } from './budgets.ts'
import { now, type Db } from './db.ts'
import { mac, sameBytes, type Keys } from './keys.ts'
import { counterOf, type Judged } from './passkey-challenges.ts'
import type { Portal } from './portal.ts'
import { newToken } from './session.ts'

/**
 * Challenges for visitors whom nobody knows yet (R121). Each login page asks for one, so none is stored: a challenge is its
 * end, a nonce, and a MAC over both and the token in the visitor's cookie. Pages of one browser share the cookie.
 */
export const visitorCookie = '__Host-sygnet-passkey'

const endBytes = 6
const nonceBytes = 16

/** Each is answered once, on whichever node. */
const answers: Budget = { name: 'passkey-sign-in', limit: 1, window: limits.passkeys.challenge }

const timeOf = async (db: Db) => (await db.selectNoFrom(now.as('at')).executeTakeFirstOrThrow()).at.getTime()

const macOf = (keys: Keys, token: string, head: Buffer) => mac(keys.passkey, token, head.toString('hex'))

const isToken = (token: string | undefined): token is string => /^[\w-]{43}$/.test(token ?? '')

export async function drawVisitorChallenge(
  { db, keys }: Portal,
  visitor: string | undefined,
): Promise<{ token: string; challenge: string }> {
  const token = isToken(visitor) ? visitor : newToken()
  const end = Buffer.alloc(endBytes)
  end.writeUIntBE((await timeOf(db)) + limits.passkeys.challenge * 1000, 0, endBytes)
  const head = Buffer.concat([end, randomBytes(nonceBytes)])
  return { token, challenge: Buffer.concat([head, macOf(keys, token, head)]).toString('base64url') }
}

/** Whether a challenge is ours, for this visitor, still open, and answered for the first time. */
async function takeVisitorChallenge({ db, keys }: Portal, visitor: string | undefined, challenge: string) {
  const bytes = Buffer.from(challenge, 'base64url')
  const head = bytes.subarray(0, endBytes + nonceBytes)
  if (!visitor || head.length < endBytes + nonceBytes) return false
  if (!sameBytes(bytes.subarray(head.length), macOf(keys, visitor, head))) return false
  if (head.readUIntBE(0, endBytes) <= (await timeOf(db))) return false
  return (await spend(db, keys, answers, head.toString('hex'))).ok
}

/** What the device was asked to sign, as the browser says. */
function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** The account's own id, which says nothing of the person (WebAuthn §14.6.1). */
export const userHandleOf = (accountId: string) =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')

/** Judges what a device has signed for a visitor: by a passkey of the account that it names, here, after it verified its user. */
export async function judgeVisitor(
  portal: Portal,
  visitor: string | undefined,
  { userHandle, ...assertion }: VisitorAssertion,
): Promise<Judged | Partial<Pick<Judged, 'passkey' | 'accountId'>>> {
  const challenge = challengeIn(assertion.clientDataJSON)
  const isOurs = await takeVisitorChallenge(portal, visitor, challenge)
  const key = await portal.db
    .selectFrom('passkeys')
    .select(['id', 'account_id', 'credential_id', 'public_key', 'counter'])
    .where('credential_id', '=', Buffer.from(assertion.id, 'base64url'))
    .executeTakeFirst()
  if (!key) return {}
  const who = { passkey: key.id, accountId: key.account_id }
  const isTheirs = isOurs && userHandle === userHandleOf(key.account_id)
  const counter = isTheirs ? await counterOf(portal.settings, challenge, key, assertion) : undefined
  return counter === undefined ? who : { ...who, counter }
}
