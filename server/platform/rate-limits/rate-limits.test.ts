import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  resetStreak,
  refund,
  secondsUntilFree,
  chargeAttempt,
  chargeAll,
  type RateLimit,
  type LimitKey,
} from './rate-limits.ts'
import { openPortal } from '../../testing/open-portal.ts'

const portal = await openPortal({ nodes: 2 })

const rateLimits: RateLimit[] = [
  { name: 'one-locking', limit: 1, window: 60, locks: true },
  { name: 'three-sliding', limit: 3, window: 100 },
  { name: 'five-locking', limit: 5, window: 900, locks: true },
  { name: 'two-for-a-day', limit: 2, window: 86_400 },
]

/** A plain sliding window: `limit` tries within the last `window` seconds; the last try of a locking one locks it for as long. */
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
    spend(now: number) {
      const retryAfter = wait(now)
      if (retryAfter > 0) return { ok: false, retryAfter }
      tries = [...live(now), now]
      lockedUntil = locks && tries.length === limit ? now + ms : 0
      return { ok: true, used: tries.length, left: limit - tries.length }
    },
    refund() {
      if (tries.pop() !== undefined) lockedUntil = 0
    },
    clear() {
      tries = []
      lockedUntil = 0
    },
    wait,
  }
}

type Step = {
  what: 'spend' | 'spend two' | 'spend through a gate' | 'refund' | 'clear' | 'wait'
  limit: number
  key: number
  pauseMs: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant('spend' as const) },
    { weight: 6, arbitrary: fc.constant('spend two' as const) },
    { weight: 6, arbitrary: fc.constant('spend through a gate' as const) },
    { weight: 2, arbitrary: fc.constant('refund' as const) },
    { weight: 1, arbitrary: fc.constant('clear' as const) },
    { weight: 2, arbitrary: fc.constant('wait' as const) },
  ),
  limit: fc.nat(rateLimits.length - 1),
  key: fc.nat(1),
  // Just before, at and after the end of each window, and in between.
  pauseMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(90_000) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...rateLimits.flatMap(({ window }) => [window * 1000 - 1, window * 1000, window * 1000 + 1]),
      ),
    },
  ),
})

test('R16 R20 a rate limit behaves like a plain sliding window, with locks and refunds', async () => {
  const { db } = portal
  const { keys } = portal.portal
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const run = crypto.randomUUID()
      const models = rateLimits.map((rateLimit) => [plainWindow(rateLimit), plainWindow(rateLimit)])
      let now = Date.UTC(2027, 0, 1)
      await portal.clock.stopAt(new Date(now))
      for (const { what, limit: nth, key, pauseMs } of steps) {
        if (pauseMs) await portal.clock.stopAt(new Date((now += pauseMs)))
        const rateLimit = rateLimits[nth]!
        const model = models[nth]![key]!
        const parts = [run, String(key)] as const
        const next = (nth + 1) % rateLimits.length
        const pair = [model, models[next]![key]!] as const
        if (what === 'spend') expect(await chargeAttempt(db, keys, rateLimit, ...parts)).toEqual(model.spend(now))
        else if (what === 'spend two') {
          const limitKeys: LimitKey[] = [
            [rateLimit, ...parts],
            [rateLimits[next]!, ...parts],
          ]
          const refused = pair.findIndex((window) => window.wait(now) > 0)
          const expected = refused < 0 ? { ok: true } : { ok: false, refused, retryAfter: pair[refused]!.wait(now) }
          expect(await chargeAll(db, keys, limitKeys)).toMatchObject(expected)
          // All are charged, or none.
          if (refused < 0) for (const window of pair) window.spend(now)
        } else if (what === 'wait') {
          expect(await secondsUntilFree(db, keys, rateLimit, ...parts)).toBe(model.wait(now))
        } else if (what === 'spend through a gate') {
          const refused = pair.findIndex((window) => window.wait(now) > 0)
          const expected = refused < 0 ? { ok: true } : { ok: false, refused, retryAfter: pair[refused]!.wait(now) }
          expect(await chargeAll(db, keys, [[rateLimit, ...parts]], [[rateLimits[next]!, ...parts]])).toMatchObject(
            expected,
          )
          // The gate itself is only checked.
          if (refused < 0) model.spend(now)
        } else if (what === 'refund') {
          await refund(db, keys, [rateLimit, ...parts])
          model.refund()
        } else {
          await resetStreak(db, keys, [rateLimit, ...parts])
          model.clear()
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('R16 R78 two nodes allow exactly as many tries as the limit, however many come at once', async () => {
  await portal.clock.advance(0)
  for (const rateLimit of rateLimits) {
    const key = crypto.randomUUID()
    const spent = await Promise.all(
      Array.from({ length: 60 }, (_, i) => chargeAttempt(portal.nodes[i % 2]!.db, portal.portal.keys, rateLimit, key)),
    )
    expect(spent.filter(({ ok }) => ok)).toHaveLength(rateLimit.limit)
    const used = spent.flatMap((charged) => (charged.ok ? [charged.used] : []))
    expect(used.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rateLimit.limit }, (_, i) => i + 1))
    expect(spent.every((charged) => charged.ok || charged.retryAfter > 0)).toBe(true)
  }
})

test('R16 R20 several limits charged together each allow no more than their attempts', async () => {
  const { keys } = portal.portal
  const [small, large]: [RateLimit, RateLimit] = [
    { name: 'b-small', limit: 4, window: 900, locks: true },
    { name: 'a-large', limit: 9, window: 900, locks: true },
  ]
  const keysOf = ['one', 'two', 'three']
  const charges = await Promise.all(
    Array.from({ length: 90 }, (_, i) =>
      chargeAll(portal.nodes[i % 2]!.db, keys, [
        [small, keysOf[i % 3]!],
        [large, 'shared'],
      ]),
    ),
  )
  const won = keysOf.map((_, nth) => charges.filter(({ ok }, i) => ok && i % 3 === nth).length)
  for (const count of won) expect(count).toBeLessThanOrEqual(4)
  expect(won.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(9)
  // Refusals have used up nothing: all tries that were not allowed are still there.
  let later = 0
  for (let i = 0; i < 60; i++)
    if (
      (
        await chargeAll(portal.db, keys, [
          [small, keysOf[i % 3]!],
          [large, 'shared'],
        ])
      ).ok
    )
      later++
  expect(won.reduce((sum, count) => sum + count) + later).toBe(9)
})

test('R16 a try refunded while others wait allows one more try, not several', async () => {
  const rateLimit: RateLimit = { name: 'room-for-one', limit: 5, window: 900, locks: true }
  const { keys } = portal.portal
  for (let i = 0; i < 5; i++) await chargeAttempt(portal.db, keys, rateLimit, 'x')
  await refund(portal.db, keys, [rateLimit, 'x'])
  const again = await Promise.all(
    Array.from({ length: 20 }, (_, i) => chargeAttempt(portal.nodes[i % 2]!.db, keys, rateLimit, 'x')),
  )
  expect(again.filter(({ ok }) => ok)).toHaveLength(1)
})

test('R26 R86 the table of rate limits names nobody: its keys do not contain the numbers and addresses', async () => {
  const rateLimit: RateLimit = { name: 'nameless', limit: 3, window: 60 }
  await chargeAttempt(portal.db, portal.portal.keys, rateLimit, '+48501502503')
  // Parts are separated, so that no two lists of parts share a limit.
  await chargeAttempt(portal.db, portal.portal.keys, rateLimit, '+48501502', '503')
  const { rows } = await sql<{
    key: Buffer
    used: number
  }>`select key, cardinality(spent) as used from budgets where name = 'nameless'`.execute(portal.db)
  expect(rows.map(({ used }) => used)).toEqual([1, 1])
  for (const { key } of rows) expect(key.toString('latin1')).not.toContain('501502')
})
