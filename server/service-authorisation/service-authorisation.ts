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

/** Returns how the customer authorises signatures with a key of the service, as a reply shows it. */
export const authorisingOf = (credential: SigningCredential) => ({
  requirement: requirementOf(credential) ?? null,
  asksElsewhere: credential.authorisation.kind === 'elsewhere',
})

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
