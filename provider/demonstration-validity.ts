import { addDays, atWarsawClock, warsawDay } from '../contract/warsaw-time.ts'

/** A validity in days from today, so that it never goes stale. */
export type DemonstrationValidity = { years: 1 | 2 | 3; endsIn: number; startsIn?: number }

/** In whole days from today in Warsaw and at set times of day, so that two fillings of one day say the same. */
export function validityOf({ years, startsIn, endsIn }: DemonstrationValidity, now: Date) {
  const at = (days: number, time: string) => atWarsawClock(`${addDays(warsawDay(now), days)}T${time}`)
  const notAfter = at(endsIn, '14:00:00')
  return { notBefore: startsIn === undefined ? yearsBefore(notAfter, years) : at(startsIn, '09:00:00'), notAfter }
}

function yearsBefore(at: Date, years: number) {
  const before = new Date(at)
  before.setUTCFullYear(at.getUTCFullYear() - years)
  return before
}
