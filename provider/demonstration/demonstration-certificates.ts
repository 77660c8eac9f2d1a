import { addDays, addYears, atWarsawClock, warsawDay } from '../../contract/rules/warsaw-time.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'
import { makeAgreement, type AgreementTerms } from '../agreements/agreement.ts'
import type { Authority } from '../authority/authority.ts'
import { sealForArchive } from '../authority/electronic-seal.ts'
import { PortalError } from '../portal-client.ts'

/** A validity relative to today, so that it stays current. */
type DemonstrationValidity = { period: Period; endsIn: number; startsIn?: number }

/** Returns a validity of whole days from today in Warsaw, at fixed times, so that filling twice on one day gives the same. */
export function validityOf({ period, startsIn, endsIn }: DemonstrationValidity, now: Date) {
  const at = (days: number, time: string) => atWarsawClock(`${addDays(warsawDay(now), days)}T${time}`)
  // One day from midnight to midnight: it is valid whenever the demonstration is filled.
  if (period === '1_day') return { notBefore: at(endsIn, '00:00:00'), notAfter: at(endsIn, '23:59:59') }
  const notAfter = at(endsIn, '14:00:00')
  if (startsIn !== undefined) return { notBefore: at(startsIn, '09:00:00'), notAfter }
  return {
    notBefore: period === '30_days' ? at(endsIn - 30, '14:00:00') : addYears(notAfter, -Number(period[0])),
    notAfter,
  }
}

/** Checks whether the portal has a revoked certificate under an id: no other can be filed there any more (PRV-1). */
export async function isRevoked(filed: Promise<{ status: string }>): Promise<boolean> {
  try {
    return (await filed).status === 'revoked'
  } catch (error) {
    if (error instanceof PortalError && error.status === 404) return false
    throw error
  }
}

type Terms = Omit<AgreementTerms, 'number' | 'concludedAt'> & { id: string; notBefore: Date }

/**
 * Makes the sealed agreement on a signature or seal of the demonstration, numbered by its year and id, and concluded at the latest when its
 * certificate begins.
 */
export async function makeSealedAgreement(authority: Authority, now: Date, { id, ...terms }: Terms) {
  const number = `TEST/${terms.notBefore.getUTCFullYear()}/${id.replace(/^demo-/, '').toUpperCase()}`
  const concludedAt = terms.notBefore < now ? terms.notBefore : now
  const agreement = await makeAgreement({ number, concludedAt, ...terms })
  return sealForArchive(agreement, authority, { reason: number, at: now })
}
