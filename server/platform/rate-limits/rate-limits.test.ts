import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPortal } from '../../testing/open-portal.ts'
import type { RateLimit } from './rate-limit-table.ts'
import { charge, findNextFreeTry, settle, type LimitKey } from './rate-limits.ts'

const portal = await openPortal({ nodes: 2 })

const rateLimits: RateLimit[] = [
  { name: 'one-locking', limit: 1, window: 60, locks: true },
  { name: 'three-sliding', limit: 3, window: 100 },
  { name: 'five-locking', limit: 5, window: 900, locks: true },
  { name: 'two-for-a-day', limit: 2, window: 86_400 },
]

/** Makes a plain sliding window: `limit` tries within the last `window` seconds; the last try of a locking one locks it for as long. */
function plainWindow({ limit, window, locks }: RateLimit) {
  const ms = window * 1000
  let tries: number[] = []
  let lockedUntil = 0
  const live = (now: number) => tries.filter((at) => now - at < ms)
  const wait = (now: number) => {
    const counted = live(now)
    const slides = counted.length >= limit ? counted.at(-limit)! + ms - now : 0
    return Math.max(0, Math.ceil(Math.max(slides, lockedUntil - now) / 1000))
  }
  return {
    wait,
    /** Spends a try, and returns the tries that are left; undefined if there was none. */
    spend(now: number) {
      if (wait(now) > 0) return undefined
      tries = [...live(now), now]
      lockedUntil = locks && tries.length === limit ? now + ms : 0
      return limit - tries.length
    },
    refund(times: number) {
      if (tries.length) lockedUntil = 0
      tries = tries.slice(0, Math.max(0, tries.length - times))
    },
  }
}

const actions = { one: 12, two: 6, each: 4, 'through a gate': 6, refund: 2, clear: 1, wait: 2 }

const step = fc.record({
  action: fc.constantFrom(
    ...Object.entries(actions).flatMap(([action, weight]) => Array.from({ length: weight }, () => action)),
  ),
  nth: fc.nat(rateLimits.length - 1),
  key: fc.nat(1),
  // Just before, at and after the end of each window, and in between.
  pauseMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(90_000) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...rateLimits.flatMap(({ window }) => [-1, 0, 1].map((by) => window * 1000 + by))),
    },
  ),
})

test('R16 R20 a rate limit behaves like a plain sliding window, with locks and refunds', async () => {
  const { db } = portal
  const { keys } = portal.portal
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const run = crypto.randomUUID()
      const counted = rateLimits.map((rateLimit) =>
        ['0', '1'].map((key) => ({ key: [rateLimit, run, key] as LimitKey, model: plainWindow(rateLimit) })),
      )
      let now = Date.UTC(2027, 0, 1)
      await portal.clock.stopAt(new Date(now))
      for (const { action, nth, key, pauseMs } of steps) {
        if (pauseMs) await portal.clock.stopAt(new Date((now += pauseMs)))
        const [first, next] = [counted[nth]![key]!, counted[(nth + 1) % counted.length]![key]!]
        const [wait, nextWait] = [first.model.wait(now), next.model.wait(now)]
        const both = [first.key, next.key]
        const charging = {
          one: () => charge(db, keys, first.key),
          two: () => charge(db, keys, both),
          each: () => charge(db, keys, both, { areIndependent: true }),
          'through a gate': () => charge(db, keys, first.key, { gates: [next.key] }),
        }[action]
        if (charging) {
          const isRefused = wait > 0 || (action !== 'one' && nextWait > 0)
          // All are charged, or none. A gate is only checked.
          const spent = action === 'two' || action === 'each' ? [first, next] : [first]
          const left = isRefused && action !== 'each' ? undefined : spent.map(({ model }) => model.spend(now))
          expect(await charging()).toMatchObject({
            ok: !isRefused,
            ...(left && { left }),
            ...(isRefused && { refused: wait ? first.key : next.key, retryAfter: wait || nextWait }),
          })
        } else if (action === 'wait')
          expect((await findNextFreeTry(db, keys, both))?.seconds ?? 0).toBe(Math.max(wait, nextWait))
        else if (action === 'clear') {
          await settle(db, keys, { clear: first.key })
          first.model.refund(Infinity)
        } else {
          await settle(db, keys, { refund: [first.key, first.key], clear: next.key })
          first.model.refund(2)
          next.model.refund(Infinity)
        }
      }
    }),
    { numRuns: 40 },
  )
})

/** Charges at once on both nodes. */
const charges = (times: number, limitKeysOf: (i: number) => LimitKey[]) =>
  Promise.all(
    Array.from({ length: times }, (_, i) => charge(portal.nodes[i % 2]!.db, portal.portal.keys, limitKeysOf(i))),
  )

test('R16 R78 two nodes allow exactly as many tries as the limit, however many come at once', async () => {
  await portal.clock.advance(0)
  const key = crypto.randomUUID()
  for (const rateLimit of rateLimits) {
    const spent = await charges(60, () => [[rateLimit, key]])
    const left = spent.flatMap((charged) => (charged.ok ? charged.left : []))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rateLimit.limit }, (_, i) => i))
    expect(spent.every((charged) => charged.ok || charged.retryAfter > 0)).toBe(true)
  }
})

test('R16 R20 several limits charged together each allow no more than their attempts', async () => {
  const small: RateLimit = { name: 'b-small', limit: 4, window: 900, locks: true }
  const large: RateLimit = { name: 'a-large', limit: 9, window: 900, locks: true }
  const both = (i: number): LimitKey[] => [
    [small, String(i % 3)],
    [large, 'shared'],
  ]
  const spent = await charges(90, both)
  const won = [0, 1, 2].map((nth) => spent.filter(({ ok }, i) => ok && i % 3 === nth).length)
  for (const count of won) expect(count).toBeLessThanOrEqual(4)
  // Refusals have used up nothing: all tries that were not allowed are still there.
  let all = won.reduce((sum, count) => sum + count)
  expect(all).toBeLessThanOrEqual(9)
  for (let i = 0; i < 60; i++) if ((await charge(portal.db, portal.portal.keys, both(i))).ok) all++
  expect(all).toBe(9)
})

test('R16 a try refunded while others wait allows one more try, not several', async () => {
  const limitKey: LimitKey = [{ name: 'room-for-one', limit: 5, window: 900, locks: true }, 'x']
  await charges(5, () => [limitKey])
  await settle(portal.db, portal.portal.keys, { refund: limitKey })
  expect((await charges(20, () => [limitKey])).filter(({ ok }) => ok)).toHaveLength(1)
})

test('R26 R86 the table of rate limits names nobody: its keys do not contain the numbers and addresses', async () => {
  const rateLimit: RateLimit = { name: 'nameless', limit: 3, window: 60 }
  // Parts are separated, so that no two lists of parts share a limit.
  for (const key of [['+48501502503'], ['+48501502', '503']])
    await charge(portal.db, portal.portal.keys, [rateLimit, ...key])
  const { rows } = await sql<{ key: Buffer; used: number }>`
    select key, cardinality(spent) as used from rate_limits where name = 'nameless'`.execute(portal.db)
  expect(rows.map(({ used }) => used)).toEqual([1, 1])
  for (const { key } of rows) expect(key.toString('latin1')).not.toContain('501502')
})
