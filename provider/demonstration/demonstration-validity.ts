import type { Period } from '../../contract/enums.ts'
import { addDays, addYears, atWarsawClock, warsawDay } from '../../contract/rules/warsaw-time.ts'

/** A validity relative to today, so that it stays current. */
export type DemonstrationValidity = { period: Period; endsIn: number; startsIn?: number }

/** Uses whole days from today in Warsaw and fixed times, so that filling twice on one day gives the same. */
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
