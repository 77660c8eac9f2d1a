import { limits } from '../../contract/limits.ts'
import { daysLeft } from './format.ts'

/** A renewal may start this many days before the end (defaults.md, renewal window). */
const renewalWindowDays = 90
const day = 86_400_000

/** How much of a certificate's validity is left. `share` is the part that has passed, from 0 to 1. */
export function validityOf({ validFrom, validTo }: { validFrom: string; validTo: string }, now: number) {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  const days = daysLeft(validTo, now)
  const share = Math.min(1, Math.max(0, (now - from) / Math.max(1, to - from)))
  const opensAt = to - renewalWindowDays * day
  return {
    days,
    share,
    /** Amber at 60 days, strong at 14 (defaults.md, badges), but never in the first half (SIG-7). */
    urgency:
      share < 0.5 || days > limits.badge.amberDays ? 'none' : days > limits.badge.strongDays ? 'amber' : 'strong',
    renewalOpensAt: new Date(opensAt),
    renewable: now >= opensAt && now < to,
  } as const
}
