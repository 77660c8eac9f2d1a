// Calendar days and clock times in Warsaw, by which validity is counted. Node and browsers know the time zone, so no library is needed.

let clock: Intl.DateTimeFormat | undefined

/** Formats times as clocks in Warsaw show them. It is made at the first use, because the time zone takes tens of milliseconds to read. */
const clockInWarsaw = () =>
  (clock ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/Warsaw',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }))

/** Returns the local time in Warsaw, to the second: `2026-12-03T14:20:00`. */
export function warsawClock(at: Date): string {
  const parts = Object.fromEntries(
    clockInWarsaw()
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`
}

/** Returns the calendar day in Warsaw: `2026-12-03`. */
export const warsawDay = (at: Date): string => warsawClock(at).slice(0, 10)

const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/**
 * Returns the moment of a local time in Warsaw. In the hour that occurs twice in autumn, it is the first; times in the hour that is skipped
 * in spring continue from the hour before it.
 */
export function atWarsawClock(shown: string): Date {
  const asUtc = Date.parse(`${shown}Z`)
  // One hour ahead of UTC in winter, two in summer (directive 2000/84/EC).
  const summer = new Date(asUtc - 2 * hourMs)
  return warsawClock(summer) === shown ? summer : new Date(asUtc - hourMs)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** Returns the same time of day `years` later; 29 February becomes the 28th if the year has none (art. 112 of the Civil Code). */
export function addYears(at: Date, years: number): Date {
  const [day = '', time = ''] = warsawClock(at).split('T')
  const year = Number(day.slice(0, 4)) + years
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  const monthAndDay = day.slice(5) === '02-29' && !isLeap ? '02-28' : day.slice(5)
  return atWarsawClock(`${year}-${monthAndDay}T${time}`)
}

/** Returns the number of calendar days in Warsaw between two moments: 0 for today, 1 for tomorrow. */
export const daysBetween = (from: Date, to: Date): number =>
  Math.round((Date.parse(warsawDay(to)) - Date.parse(warsawDay(from))) / dayMs)
