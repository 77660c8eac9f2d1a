import { sql, type RawBuilder } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { ServiceAuthorisation, ServiceRequirement } from '../../contract/service-authorisation.ts'
import type { LiveSession } from '../platform/authentication/session.ts'
import { hashesToSign } from '../platform/pdf/remote-signing.ts'
import type { ObjectToSign, Portal, ReadyToSign } from '../platform/portal.ts'
import type { SigningCredential } from '../platform/ports.ts'
import { countSending, findAuthorisation, releaseSending, type Authorisation } from './authorisation-store.ts'

const { sends, resendAfter } = limits.signing

/** Returns what a credential requires of the customer beyond the portal's code; undefined if nothing. */
export function requirementOf({ authorisation }: SigningCredential): ServiceRequirement | undefined {
  if (authorisation.kind === 'none' || authorisation.kind === 'elsewhere') return undefined
  return authorisation.kind === 'codes' ? authorisation : { kind: 'redirect', otp: 'none', pin: false }
}

/** Writes hashes as `service_authorisations.hash` has them: in hexadecimal, separated by commas. */
export const hashesText = (ready: Pick<ReadyToSign, 'attributes' | 'credential'>) =>
  hashesToSign(ready)
    .map((hash) => Buffer.from(hash).toString('hex'))
    .join(',')

export const hashesIn = (text: string) => text.split(',').map((hex) => new Uint8Array(Buffer.from(hex, 'hex')))

/** Has the service send its code; undefined if it is too early, or no sending is left. */
export async function sendOtp({ db, ports }: Portal, id: string, credential: SigningCredential) {
  const counted = await countSending(db, id)
  if (!counted) return undefined
  const sent = (await ports.remoteSigning?.sendOtp(credential)) ?? 'unreachable'
  if (sent !== 'sent') await releaseSending(db, id)
  return sent
}

/** Finds the open authorisation of an object as it is now in this session, for a page that was reloaded. */
export async function findOpenAuthorisation(
  { db }: Portal,
  session: LiveSession,
  object: ObjectToSign,
  binding: string,
) {
  const found = await findAuthorisation(db, session, { object, binding })
  return found ? authorisationOf(found) : null
}

export function authorisationOf(row: Authorisation): ServiceAuthorisation {
  const { id, kind, otp, pin, otpSends, otpSentAt, expiresAt, now } = row
  const resendAt = otpSentAt ? new Date(otpSentAt.getTime() + resendAfter * 1000) : now
  return {
    id,
    kind,
    otp,
    pin,
    sentAt: otpSentAt?.toISOString() ?? null,
    resendAt: resendAt.toISOString(),
    sendsLeft: Math.max(0, sends - otpSends),
    expiresAt: expiresAt.toISOString(),
  }
}

/**
 * Returns the SQL condition that a suspension or revocation is requested. It has no `exists`: for a page of cases, PostgreSQL would read
 * all open requests once, instead of one for each row by its index.
 */
const isRequestedOf = (reference: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`
  (select true from status_requests q where ${reference} = ${id} and q.state = 'requested' and q.change <> 'resume') is true`

/** Returns the SQL condition that the suspension or revocation of a signature is requested, and not decided yet (STP-8). */
export const isBeingStopped = (signature: RawBuilder<unknown>) => isRequestedOf(sql`q.signature_id`, signature)

/** A valid signature or seal `s` with a key at the signing service. */
export const isInCloud = sql`
  s.product = 'app' and s.status = 'good' and s.valid_from <= portal_now() and s.valid_to > portal_now()`

/** The suspension or revocation of the signature or seal `s` is requested, and not decided yet (STP-8). */
export const isStopping = sql`(${isBeingStopped(sql`s.id`)} or ${isRequestedOf(sql`q.seal_id`, sql`s.id`)})`

/** One that can sign: valid, and not about to be stopped. */
export const signsInCloud = sql`${isInCloud} and not ${isStopping}`
