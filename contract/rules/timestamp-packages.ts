import { atWarsawClock, warsawDay } from './warsaw-time.ts'

/**
 * What a timestamp account may spend (TSP-2), by the same rules for the authority that counts and the pages that show.
 * `spent` of a recurring package counts from `countedFrom`; an older count is void, so nobody has to refill anything.
 */
export type TimestampPackage = {
  id: string
  startsAt: Date
  /** The moment from which it is no longer valid; null is without end. */
  endsAt: Date | null
  spent: number
} & (
  | { kind: 'recurring'; size: number; refillDay: number; countedFrom: Date }
  | { kind: 'one-time'; size: number }
  | { kind: 'unlimited' }
)

/** The package that the next timestamp is taken from, as it is afterwards; undefined when there is nothing left. */
export function spendOne(packages: readonly TimestampPackage[], at: Date): TimestampPackage | undefined {
  const first = inTurn(packages, at).find((one) => remainingOf(one, at) > 0)
  if (first?.kind !== 'recurring') return first && { ...first, spent: first.spent + 1 }
  const countedFrom = countingFrom(first, at)
  return { ...first, spent: spentOf(first, at) + 1, countedFrom }
}

/** The packages that are valid at a moment, in the order in which they are spent. */
export const inTurn = <P extends TimestampPackage>(packages: readonly P[], at: Date): P[] =>
  packages.filter((one) => isValid(one, at)).toSorted(inSpendingOrder(at))

function isValid({ startsAt, endsAt }: TimestampPackage, at: Date) {
  return startsAt <= at && (endsAt === null || at < endsAt)
}

/** Infinity for a package without a limit. */
export function remainingOf(one: TimestampPackage, at: Date) {
  return one.kind === 'unlimited' ? Infinity : Math.max(0, one.size - spentOf(one, at))
}

function spentOf(one: TimestampPackage, at: Date) {
  return one.kind === 'recurring' && one.countedFrom < countingFrom(one, at) ? 0 : one.spent
}

/** Never earlier than what is counted already, so that a clock set back refills nothing. */
function countingFrom({ refillDay, countedFrom }: TimestampPackage & { kind: 'recurring' }, at: Date) {
  const refilled = refillBefore(refillDay, at)
  return refilled > countedFrom ? refilled : countedFrom
}

const kindsInOrder = ['recurring', 'one-time', 'unlimited']

/** defaults.md: recurring, one-time by nearest end, one-time without end, unlimited; of equals, what is lost soonest. */
function inSpendingOrder(at: Date) {
  return (a: TimestampPackage, b: TimestampPackage) =>
    kindsInOrder.indexOf(a.kind) - kindsInOrder.indexOf(b.kind) ||
    compare(lostAt(a, at), lostAt(b, at)) ||
    compare(a.id, b.id)
}

function compare<T extends number | string>(a: T, b: T) {
  return a < b ? -1 : a > b ? 1 : 0
}

/** When what is left now will be gone, spent or not. */
function lostAt(one: TimestampPackage, at: Date) {
  const end = one.endsAt?.getTime() ?? Infinity
  return one.kind === 'recurring' ? Math.min(end, refillAfter(one.refillDay, at).getTime()) : end
}

/** The newest refill up to and at a moment: its day of the month at 00:00 in Warsaw, or the month's last day if it is shorter. */
export function refillBefore(day: number, at: Date) {
  const { year, month } = monthInWarsaw(at)
  const ofThisMonth = refillIn(year, month, day)
  return ofThisMonth <= at ? ofThisMonth : refillIn(year, month - 1, day)
}

/** The next refill after a moment. */
export function refillAfter(day: number, at: Date) {
  const { year, month } = monthInWarsaw(at)
  const ofThisMonth = refillIn(year, month, day)
  return ofThisMonth > at ? ofThisMonth : refillIn(year, month + 1, day)
}

/** Months are counted from 0, and may lie a year before or after. */
function refillIn(year: number, month: number, day: number) {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const calendarDay = new Date(Date.UTC(year, month, Math.min(day, lastDay))).toISOString().slice(0, 10)
  return atWarsawClock(`${calendarDay}T00:00:00`)
}

function monthInWarsaw(at: Date) {
  const [year, month] = warsawDay(at).split('-').map(Number) as [number, number]
  return { year, month: month - 1 }
}
