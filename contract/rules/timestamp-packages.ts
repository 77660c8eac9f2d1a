import { atWarsawClock, warsawDay } from './warsaw-time.ts'

/**
 * Package of timestamps that an account may use (TSP-2): the same rules for the authority that counts and the pages that show it. `spent`
 * of a recurring package counts from `countedFrom`; an older count is void, so no job has to refill packages.
 */
export type TimestampPackage = {
  id: string
  startsAt: Date
  /** The moment from which it is no longer valid; null if it does not expire. */
  endsAt: Date | null
  spent: number
} & (
  | { kind: 'recurring'; size: number; refillDay: number; countedFrom: Date }
  | { kind: 'one-time'; size: number }
  | { kind: 'unlimited' }
)

/** Returns the package of the next timestamp, with that timestamp counted; undefined if nothing is left. */
export function spendOne(packages: readonly TimestampPackage[], at: Date): TimestampPackage | undefined {
  const first = sortedForSpending(packages, at).find((item) => remainingOf(item, at) > 0)
  if (first?.kind !== 'recurring') return first && { ...first, spent: first.spent + 1 }
  const countedFrom = countingFrom(first, at)
  return { ...first, spent: spentOf(first, at) + 1, countedFrom }
}

/** Returns the packages that are valid at a moment, in the order in which they are used. */
export const sortedForSpending = <P extends TimestampPackage>(packages: readonly P[], at: Date): P[] =>
  packages.filter((item) => isValid(item, at)).toSorted(inSpendingOrder(at))

function isValid({ startsAt, endsAt }: TimestampPackage, at: Date) {
  return startsAt <= at && (endsAt === null || at < endsAt)
}

/** Returns how many timestamps are left; Infinity for a package without a limit. */
export function remainingOf(item: TimestampPackage, at: Date) {
  return item.kind === 'unlimited' ? Infinity : Math.max(0, item.size - spentOf(item, at))
}

function spentOf(item: TimestampPackage, at: Date) {
  return item.kind === 'recurring' && item.countedFrom < countingFrom(item, at) ? 0 : item.spent
}

/** Returns the time from which on a package counts: never earlier than `countedFrom`, so that setting the clock back refills nothing. */
function countingFrom({ refillDay, countedFrom }: TimestampPackage & { kind: 'recurring' }, at: Date) {
  const refilled = refillBefore(refillDay, at)
  return refilled > countedFrom ? refilled : countedFrom
}

const kindsInOrder = ['recurring', 'one-time', 'unlimited']

/**
 * Orders packages as defaults.md says: recurring, one-time by nearest end, one-time without end, unlimited; among equals, the one that
 * expires or refills first.
 */
function inSpendingOrder(at: Date) {
  return (a: TimestampPackage, b: TimestampPackage) =>
    kindsInOrder.indexOf(a.kind) - kindsInOrder.indexOf(b.kind) ||
    compare(lostAt(a, at), lostAt(b, at)) ||
    compare(a.id, b.id)
}

function compare<T extends number | string>(a: T, b: T) {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the time at which the remaining timestamps are lost, by expiry or refill. */
function lostAt(item: TimestampPackage, at: Date) {
  const end = item.endsAt?.getTime() ?? Infinity
  return item.kind === 'recurring' ? Math.min(end, refillAfter(item.refillDay, at).getTime()) : end
}

/** Returns the last refill at or before a moment: its day of the month at 00:00 in Warsaw, or the month's last day if it is shorter. */
export function refillBefore(day: number, at: Date) {
  const { year, month } = monthInWarsaw(at)
  const thisMonth = refillIn(year, month, day)
  return thisMonth <= at ? thisMonth : refillIn(year, month - 1, day)
}

export function refillAfter(day: number, at: Date) {
  const { year, month } = monthInWarsaw(at)
  const thisMonth = refillIn(year, month, day)
  return thisMonth > at ? thisMonth : refillIn(year, month + 1, day)
}

/** Returns the refill in a month. Months are counted from 0; -1 and 12 are in the years before and after. */
function refillIn(year: number, month: number, day: number) {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const calendarDay = new Date(Date.UTC(year, month, Math.min(day, lastDay))).toISOString().slice(0, 10)
  return atWarsawClock(`${calendarDay}T00:00:00`)
}

function monthInWarsaw(at: Date) {
  const day = warsawDay(at)
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) - 1 }
}
