import { expect, test } from 'vitest'
import { endsSoon, validityOf } from './validity.ts'

const twoYears = { validFrom: '2024-12-03T13:20:00.000Z', validTo: '2026-12-03T13:20:00.000Z' }
const at = (instant: string) => validityOf(twoYears, Date.parse(instant))

test('SIG-1 the days left are those of the Polish calendar', () => {
  expect(at('2026-11-21T22:59:00.000Z').days).toBe(12)
  // 0:01 in Poland, still the day before in UTC.
  expect(at('2026-11-21T23:01:00.000Z').days).toBe(11)
  expect(at('2026-12-03T01:00:00.000Z').days).toBe(0)
})

test.each([
  ['2026-10-03T10:00:00.000Z', 'none'],
  ['2026-10-04T10:00:00.000Z', 'amber'],
  ['2026-11-18T10:00:00.000Z', 'amber'],
  ['2026-11-19T10:00:00.000Z', 'strong'],
])('SIG-1 on %s the badge is %s', (now, urgency) => {
  expect(at(now).urgency).toBe(urgency)
})

test('SIG-4 renewal opens 90 days before the end and closes with it', () => {
  expect(at('2026-09-04T13:19:59.000Z').renewable).toBe(false)
  expect(at('2026-09-04T13:20:00.000Z').renewable).toBe(true)
  expect(at('2026-12-03T13:20:00.000Z').renewable).toBe(false)
  expect(at('2026-01-01T00:00:00.000Z').renewalOpensAt.toISOString()).toBe('2026-09-04T13:20:00.000Z')
})

test('SIG-1 what is left of the validity runs from all to nothing and not beyond', () => {
  expect(at('2024-01-01T00:00:00.000Z').left).toBe(1)
  expect(at('2025-12-03T13:20:00.000Z').left).toBeCloseTo(0.5, 2)
  expect(at('2027-01-01T00:00:00.000Z').left).toBe(0)
})

test('SIG-7 the last day is announced also in the first half of the validity', () => {
  const validity = (validTo: string) =>
    validityOf({ validFrom: '2026-11-01T00:00:00.000Z', validTo }, Date.parse('2026-11-01T06:00:00.000Z'))
  const [today, tomorrow] = [validity('2026-11-01T22:59:59.000Z'), validity('2026-11-02T22:59:59.000Z')]
  expect([today.urgency, endsSoon(today), endsSoon(tomorrow), endsSoon({ urgency: 'amber', days: 60 })]).toEqual([
    'none',
    true,
    false,
    true,
  ])
})

test('SIG-7 an end is not urgent in the first half of the validity', () => {
  const urgencyAt = (validTo: string, now: string) =>
    validityOf({ validFrom: '2026-11-01T00:00:00.000Z', validTo }, Date.parse(now)).urgency
  const month = '2026-12-01T00:00:00.000Z'
  expect(urgencyAt(month, '2026-11-01T00:00:00.000Z')).toBe('none')
  expect(urgencyAt(month, '2026-11-15T23:59:00.000Z')).toBe('none')
  expect(urgencyAt(month, '2026-11-16T00:00:00.000Z')).toBe('amber')
  expect(urgencyAt(month, '2026-11-18T00:00:00.000Z')).toBe('strong')
  const day = '2026-11-02T00:00:00.000Z'
  expect(urgencyAt(day, '2026-11-01T11:59:00.000Z')).toBe('none')
  expect(urgencyAt(day, '2026-11-01T12:00:00.000Z')).toBe('strong')
})
