import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { VisitorAssertion } from '../../../contract/passkey-sign-in.ts'
import { limits } from '../../../contract/limits.ts'
import { charge } from '../rate-limits/rate-limits.ts'
import { databaseTime } from '../database/database.ts'
import { mac, sameBytes, type Keys } from '../encryption/keys.ts'
import { verifySignature, findPasskey, type VerifiedAssertion } from './passkey-challenges.ts'
import type { Portal } from '../portal.ts'
import { newToken } from './session.ts'

/**
 * Challenges for visitors who are not identified yet (R121). Each login page asks for one, so none is stored: a challenge is its
 * expiry, a nonce, and a MAC over both and the token in the visitor's cookie. All pages of a browser share the cookie.
 */
export const visitorCookie = '__Host-sygnet-passkey'

const expiryBytes = 6
const nonceBytes = 16

const challengeMac = (keys: Keys, token: string, head: Buffer) => mac(keys.passkey, token, head.toString('hex'))

const isToken = (token: string | undefined): token is string => /^[\w-]{43}$/.test(token ?? '')

export async function drawVisitorChallenge({ db, keys }: Portal, visitor: string | undefined) {
  const token = isToken(visitor) ? visitor : newToken()
  const expiry = Buffer.alloc(expiryBytes)
  expiry.writeUIntBE((await databaseTime(db)).getTime() + limits.passkeys.challenge * 1000, 0, expiryBytes)
  const head = Buffer.concat([expiry, randomBytes(nonceBytes)])
  return { token, challenge: Buffer.concat([head, challengeMac(keys, token, head)]).toString('base64url') }
}

/** Whether a challenge is ours, belongs to this visitor, has not expired, and is answered for the first time. */
async function takeVisitorChallenge({ db, keys }: Portal, visitor: string | undefined, challenge: string) {
  const bytes = Buffer.from(challenge, 'base64url')
  const head = bytes.subarray(0, expiryBytes + nonceBytes)
  if (!visitor || head.length < expiryBytes + nonceBytes) return false
  if (!sameBytes(bytes.subarray(head.length), challengeMac(keys, visitor, head))) return false
  if (head.readUIntBE(0, expiryBytes) <= (await databaseTime(db)).getTime()) return false
  return (await charge(db, keys, ['passkey-sign-in', head.toString('hex')])).ok
}

const ClientData = z.object({ challenge: z.string() })

/** The challenge that the device has signed, according to the browser. */
function challengeIn(clientDataJSON: string): string {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge
  } catch {
    return ''
  }
}

/** The account's id, which reveals nothing about the person (WebAuthn §14.6.1). */
export const userHandleOf = (accountId: string) =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')

/** Verifies a visitor's answer: signed by a passkey of the account that it names, for this origin, after the device verified its user. */
export async function verifyVisitorAssertion(
  portal: Portal,
  visitor: string | undefined,
  { userHandle, ...assertion }: VisitorAssertion,
): Promise<VerifiedAssertion | Partial<Pick<VerifiedAssertion, 'passkey' | 'accountId'>>> {
  const challenge = challengeIn(assertion.clientDataJSON)
  const isOurs = await takeVisitorChallenge(portal, visitor, challenge)
  const key = await findPasskey(portal.db, assertion.id)
  if (!key) return {}
  const owner = { passkey: key.id, accountId: key.accountId }
  const isTheirs = isOurs && userHandle === userHandleOf(key.accountId)
  const counter = isTheirs ? await verifySignature(portal.settings, challenge, key, assertion) : undefined
  return counter === undefined ? owner : { ...owner, counter }
}
