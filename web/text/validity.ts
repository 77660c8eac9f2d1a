import { limits } from '../../contract/limits.ts'
import { daysLeft } from './format.ts'

const day = 86_400_000

/** Returns how much of a certificate's validity is left. `left` is the remaining part, from 0 to 1. */
export function validityOf({ validFrom, validTo }: { validFrom: string; validTo: string }, now: number) {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  const days = daysLeft(validTo, now)
  const left = Math.min(1, Math.max(0, (to - now) / Math.max(1, to - from)))
  const opensAt = to - limits.renewal.windowDays * day
  return {
    days,
    left,
    /** Amber at 60 days, strong at 14 (defaults.md, badges), but never in the first half (SIG-7). */
    urgency: left > 0.5 || days > limits.badge.amberDays ? 'none' : days > limits.badge.strongDays ? 'amber' : 'strong',
    renewalOpensAt: new Date(opensAt),
    renewable: now >= opensAt && now < to,
  } as const
}

/** Checks whether a badge says how soon a certificate ends: on the last day always, even in the first half of a short validity (SIG-7). */
export const endsSoon = ({ urgency, days }: Pick<ReturnType<typeof validityOf>, 'urgency' | 'days'>) =>
  urgency !== 'none' || days === 0
