import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { refillAfter, refillBefore, remainingOf, spendOne, type TimestampPackage } from './timestamp-packages.ts'

const at = (text: string) => new Date(text)
const base = { startsAt: at('2026-01-01T00:00:00Z'), endsAt: null, spent: 0 }
const recurring = (changes: Partial<TimestampPackage & { kind: 'recurring' }> = {}): TimestampPackage => ({
  ...base,
  id: 'r',
  kind: 'recurring',
  size: 3,
  refillDay: 31,
  countedFrom: base.startsAt,
  ...changes,
})
const oneTime = (changes: Partial<TimestampPackage & { kind: 'one-time' }> = {}): TimestampPackage => ({
  ...base,
  id: 'o',
  kind: 'one-time',
  size: 3,
  ...changes,
})
const unlimited: TimestampPackage = { ...base, id: 'u', kind: 'unlimited' }

test('TSP-2 a package refills on its day at 00:00 in Warsaw, on the last day of shorter months, in both halves of the year', () => {
  const refills = (day: number, from: string, count: number) => {
    const found: string[] = []
    for (let moment = at(from); found.length < count;) {
      moment = refillAfter(day, moment)
      found.push(moment.toISOString().slice(0, 16))
    }
    return found
  }
  // Summer time begins on 29 March 2026 and ends on 25 October 2026, both at 01:00 UTC.
  expect(refills(31, '2026-01-01T00:00Z', 4)).toEqual([
    '2026-01-30T23:00',
    '2026-02-27T23:00',
    '2026-03-30T22:00',
    '2026-04-29T22:00',
  ])
  expect(refills(29, '2026-03-01T00:00Z', 2)).toEqual(['2026-03-28T23:00', '2026-04-28T22:00'])
  expect(refills(30, '2026-03-01T00:00Z', 1)).toEqual(['2026-03-29T22:00'])
  expect(refills(25, '2026-10-01T00:00Z', 2)).toEqual(['2026-10-24T22:00', '2026-11-24T23:00'])
  expect(refills(26, '2026-10-01T00:00Z', 1)).toEqual(['2026-10-25T23:00'])
  expect(refills(30, '2028-02-01T00:00Z', 1)).toEqual(['2028-02-28T23:00'])
  expect(refills(29, '2027-02-01T00:00Z', 1)).toEqual(['2027-02-27T23:00'])
  expect(refills(1, '2026-12-15T00:00Z', 1)).toEqual(['2026-12-31T23:00'])
})

test('TSP-2 the refill counts from its very moment on', () => {
  const spentUp = recurring({ spent: 3 })
  const left = (text: string) => remainingOf(spentUp, at(text))
  expect(left('2026-01-30T22:59:59.999Z')).toBe(0)
  expect(left('2026-01-30T23:00:00.000Z')).toBe(3)
  expect(refillBefore(31, at('2026-01-30T23:00:00.000Z'))).toEqual(at('2026-01-30T23:00:00.000Z'))
  expect(refillBefore(31, at('2026-01-30T22:59:59.999Z'))).toEqual(at('2025-12-30T23:00:00.000Z'))
})

test('TSP-2 what is left does not add up: a refill makes the package full, and no more', () => {
  const later = spendOne([recurring({ spent: 1 })], at('2026-05-01T00:00Z'))!
  expect([later.spent, remainingOf(later, at('2026-05-01T00:00Z'))]).toEqual([1, 2])
})

test('TSP-2 a clock set back refills nothing', () => {
  const after = at('2026-01-31T00:00Z')
  const before = at('2026-01-15T00:00Z')
  let item = recurring()
  for (const moment of [after, before, after]) item = spendOne([item], moment)!
  expect(spendOne([item], before)).toBeUndefined()
  expect(spendOne([item], after)).toBeUndefined()
})

test('TSP-2 spending goes recurring, one-time by nearest end, one-time without end, unlimited', () => {
  const now = at('2026-06-01T00:00Z')
  let packages = [
    unlimited,
    oneTime({ id: 'endless', size: 1 }),
    oneTime({ id: 'later', size: 1, endsAt: at('2026-08-01T00:00Z') }),
    oneTime({ id: 'sooner', size: 1, endsAt: at('2026-07-01T00:00Z') }),
    recurring({ id: 'at the end', size: 1, refillDay: 31 }),
    recurring({ id: 'in the middle', size: 1, refillDay: 15 }),
    oneTime({ id: 'over', endsAt: now }),
    oneTime({ id: 'to come', startsAt: at('2026-06-02T00:00Z') }),
  ]
  const order = Array.from({ length: 7 }, () => {
    const spent = spendOne(packages, now)!
    packages = packages.map((item) => (item.id === spent.id ? spent : item))
    return spent.id
  })
  expect(order).toEqual(['in the middle', 'at the end', 'sooner', 'later', 'endless', 'u', 'u'])
  expect(spendOne(packages.slice(1), now)).toBeUndefined()
})

test('TSP-2 a package made smaller than what is spent has nothing left', () => {
  expect(remainingOf(oneTime({ size: 2, spent: 5 }), at('2026-06-01T00:00Z'))).toBe(0)
})

/** Every midnight of Warsaw in seven years, found by looking at its clock each hour. */
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw', dateStyle: 'short', timeStyle: 'short' })
const hourMs = 3_600_000
const first = Date.UTC(2023, 0, 1)
const last = Date.UTC(2030, 0, 1)
const midnights: { at: number; day: number; lastOfMonth: boolean }[] = []
for (let moment = first; moment < last; moment += hourMs) {
  const [date, time] = clock.format(moment).split(' ') as [string, string]
  if (time === '00:00') {
    const day = Number(date.slice(8))
    if (day === 1 && midnights.length > 0) midnights.at(-1)!.lastOfMonth = true
    midnights.push({ at: moment, day, lastOfMonth: false })
  }
}

/** Models the packages plainly: one purse per package, refilled completely at each of its midnights. */
function spentByModel(packages: TimestampPackage[], moments: number[]) {
  const purses = packages.map((item) => ({
    item,
    left: item.kind === 'unlimited' ? Infinity : item.size,
    refills: midnights
      .filter(
        ({ day, lastOfMonth }) =>
          item.kind === 'recurring' && (day === item.refillDay || (lastOfMonth && day < item.refillDay)),
      )
      .map((midnight) => midnight.at),
  }))
  let before = first
  return moments.map((moment) => {
    for (const purse of purses)
      if (purse.item.kind === 'recurring' && purse.refills.some((refill) => before < refill && refill <= moment))
        purse.left = purse.item.size
    before = moment
    const rank = ({ item, refills }: (typeof purses)[number]) => {
      const end = item.endsAt?.getTime() ?? Infinity
      if (item.kind === 'recurring')
        return [
          0,
          Math.min(
            end,
            refills.find((refill) => refill > moment)!,
          ),
        ] as const
      return item.kind === 'one-time' ? ([1, end] as const) : ([2, end] as const)
    }
    const open = purses.filter(
      ({ item, left }) =>
        left > 0 && item.startsAt.getTime() <= moment && !(item.endsAt && item.endsAt.getTime() <= moment),
    )
    const best = open.reduce<(typeof purses)[number] | undefined>((chosen, purse) => {
      if (!chosen) return purse
      const [a, b] = [rank(chosen), rank(purse)]
      return b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? purse : chosen
    }, undefined)
    if (best) best.left -= 1
    return best?.item.id
  })
}

test('TSP-2 over years of spending, rule and plain model take from the same packages', () => {
  const aDay = 24 * hourMs
  const inside = fc.integer({ min: first + 40 * aDay, max: last - 40 * aDay })
  // Around midnight, where refills are, as often as anywhere else.
  const moment = fc.oneof(
    inside,
    fc
      .tuple(fc.constantFrom(...midnights.slice(40, -40)), fc.integer({ min: -1, max: 1 }))
      .map(([item, by]) => item.at + by),
  )
  const validity = fc.record({
    startsAt: fc.constantFrom(first, first + 400 * aDay).map((ms) => new Date(ms)),
    endsAt: fc.option(inside.map((ms) => new Date(ms))),
  })
  const size = fc.integer({ min: 1, max: 3 })
  const kind = fc.oneof(
    fc.record({ kind: fc.constant('recurring' as const), size, refillDay: fc.integer({ min: 1, max: 31 }) }),
    fc.record({ kind: fc.constant('one-time' as const), size }),
    fc.record({ kind: fc.constant('unlimited' as const) }),
  )
  const packages = fc.array(fc.tuple(kind, validity), { minLength: 1, maxLength: 4 }).map((all) =>
    all.map(([item, valid], index): TimestampPackage => {
      const shared = { id: String(index), spent: 0, ...valid }
      return item.kind === 'recurring' ? { ...shared, ...item, countedFrom: valid.startsAt } : { ...shared, ...item }
    }),
  )
  fc.assert(
    fc.property(packages, fc.array(moment, { minLength: 1, maxLength: 40 }), (given, times) => {
      const moments = times.toSorted((a, b) => a - b)
      let held = given
      const taken = moments.map((ms) => {
        const spent = spendOne(held, new Date(ms))
        if (spent) held = held.map((item) => (item.id === spent.id ? spent : item))
        return spent?.id
      })
      expect(taken).toEqual(spentByModel(given, moments))
    }),
    { numRuns: 300 },
  )
})
