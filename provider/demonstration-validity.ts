const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A validity in days from today, so that it never goes stale. */
export type DemonstrationValidity = { years: 1 | 2 | 3; endsIn: number; startsIn?: number }

/** In whole days from today and at set times of day, so that two fillings of one day say the same. */
export function validityOf({ years, startsIn, endsIn }: DemonstrationValidity, now: Date) {
  const at = (days: number, hours: number) =>
    new Date((Math.floor(now.getTime() / dayMs) + days) * dayMs + hours * hourMs)
  const notAfter = at(endsIn, 13)
  return { notBefore: startsIn === undefined ? yearsBefore(notAfter, years) : at(startsIn, 8), notAfter }
}

function yearsBefore(at: Date, years: number) {
  const before = new Date(at)
  before.setUTCFullYear(at.getUTCFullYear() - years)
  return before
}
