import { limits } from '../../contract/limits.ts'
import { daysLeft } from './format.ts'

/** A renewal may start this many days before the end (defaults.md, renewal window). */
const renewalWindowDays = 90
const day = 86_400_000

/** Where a certificate stands on its time axis. `share` is the part of its life that has passed, from 0 to 1. */
export function validityOf({ validFrom, validTo }: { validFrom: string; validTo: string }, now: number) {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  const days = daysLeft(validTo, now)
  const opensAt = to - renewalWindowDays * day
  return {
    days,
    share: Math.min(1, Math.max(0, (now - from) / Math.max(1, to - from))),
    /** Amber at 60 days, strong at 14 (defaults.md, badges). */
    urgency: days <= limits.badge.strongDays ? 'strong' : days <= limits.badge.amberDays ? 'amber' : 'none',
    renewalOpensAt: new Date(opensAt),
    renewable: now >= opensAt && now < to,
  } as const
}
