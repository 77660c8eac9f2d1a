import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { clear, refund, secondsUntilFree, spend, spendAll, type Budget, type Claim } from './budgets.ts'
import { exhaustive } from './testing/breadth.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal({ nodes: 2 })

const budgets: Budget[] = [
  { name: 'one-locking', limit: 1, window: 60, locks: true },
  { name: 'three-sliding', limit: 3, window: 100 },
  { name: 'five-locking', limit: 5, window: 900, locks: true },
  { name: 'two-for-a-day', limit: 2, window: 86_400 },
]

/** A limit as one would say it: so many tries within the last `window` seconds; a locking one shuts for as long with the last of them. */
function plainWindow({ limit, window, locks }: Budget) {
  const ms = window * 1000
  let tries: number[] = []
  let shutUntil = 0
  const live = (now: number) => tries.filter((at) => now - at < ms)
  const wait = (now: number) => {
    const counted = live(now)
    const slides = counted.length >= limit ? counted.at(-limit)! + ms - now : 0
    return Math.max(0, Math.ceil(Math.max(slides, shutUntil - now) / 1000))
  }
  return {
    spend(now: number) {
      const retryAfter = wait(now)
      if (retryAfter > 0) return { ok: false, retryAfter }
      tries = [...live(now), now]
      shutUntil = locks && tries.length === limit ? now + ms : 0
      return { ok: true, used: tries.length, left: limit - tries.length }
    },
    refund() {
      if (tries.pop() !== undefined) shutUntil = 0
    },
    clear() {
      tries = []
      shutUntil = 0
    },
    wait,
  }
}

type Step = {
  what: 'spend' | 'spend two' | 'spend through a gate' | 'refund' | 'clear' | 'wait'
  budget: number
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
  budget: fc.nat(budgets.length - 1),
  key: fc.nat(1),
  // Around every end of a window, and in between.
  pauseMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.nat(90_000) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...budgets.flatMap(({ window }) => [window * 1000 - 1, window * 1000, window * 1000 + 1]),
      ),
    },
  ),
})

test('R16 R20 R25 a budget does what a plain sliding window does, locks, refunds and several windows included', async () => {
  const { db } = portal
  const { keys } = portal.portal
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const run = crypto.randomUUID()
      const models = budgets.map((budget) => [plainWindow(budget), plainWindow(budget)])
      let now = Date.UTC(2027, 0, 1)
      await portal.clock.stopAt(new Date(now))
      for (const { what, budget: nth, key, pauseMs } of steps) {
        if (pauseMs) await portal.clock.stopAt(new Date((now += pauseMs)))
        const budget = budgets[nth]!
        const model = models[nth]![key]!
        const parts = [run, String(key)] as const
        const other = (nth + 1) % budgets.length
        const pair = [model, models[other]![key]!] as const
        if (what === 'spend') expect(await spend(db, keys, budget, ...parts)).toEqual(model.spend(now))
        else if (what === 'spend two') {
          const claims: Claim[] = [
            [budget, ...parts],
            [budgets[other]!, ...parts],
          ]
          const refused = pair.findIndex((one) => one.wait(now) > 0)
          const expected = refused < 0 ? { ok: true } : { ok: false, refused, retryAfter: pair[refused]!.wait(now) }
          expect(await spendAll(db, keys, claims)).toMatchObject(expected)
          // All or none.
          if (refused < 0) for (const one of pair) one.spend(now)
        } else if (what === 'wait') {
          expect(await secondsUntilFree(db, keys, budget, ...parts)).toBe(model.wait(now))
        } else if (what === 'spend through a gate') {
          const refused = pair.findIndex((one) => one.wait(now) > 0)
          const expected = refused < 0 ? { ok: true } : { ok: false, refused, retryAfter: pair[refused]!.wait(now) }
          expect(await spendAll(db, keys, [[budget, ...parts]], [[budgets[other]!, ...parts]])).toMatchObject(expected)
          // The gate itself is only looked at.
          if (refused < 0) model.spend(now)
        } else if (what === 'refund') {
          await refund(db, keys, [budget, ...parts])
          model.refund()
        } else {
          await clear(db, keys, [budget, ...parts])
          model.clear()
        }
      }
    }),
    { numRuns: exhaustive ? 200 : 40 },
  )
})

test('R16 R21 R78 two nodes give out exactly as many tries as there are, however many ask at once', async () => {
  await portal.clock.advance(0)
  for (const budget of budgets) {
    const key = crypto.randomUUID()
    const spent = await Promise.all(
      Array.from({ length: 60 }, (_, i) => spend(portal.nodes[i % 2]!.db, portal.portal.keys, budget, key)),
    )
    expect(spent.filter(({ ok }) => ok)).toHaveLength(budget.limit)
    const used = spent.flatMap((one) => (one.ok ? [one.used] : []))
    expect(used.toSorted((one, other) => one - other)).toEqual(Array.from({ length: budget.limit }, (_, i) => i + 1))
    expect(spent.every((one) => one.ok || one.retryAfter > 0)).toBe(true)
  }
})

test('R16 R20 of several budgets paid together none gives out more than it has, whoever else is turned away and given back', async () => {
  const { keys } = portal.portal
  const [small, large]: [Budget, Budget] = [
    { name: 'b-small', limit: 4, window: 900, locks: true },
    { name: 'a-large', limit: 9, window: 900, locks: true },
  ]
  const keysOf = ['one', 'two', 'three']
  const paid = await Promise.all(
    Array.from({ length: 90 }, (_, i) =>
      spendAll(portal.nodes[i % 2]!.db, keys, [
        [small, keysOf[i % 3]!],
        [large, 'shared'],
      ]),
    ),
  )
  const won = keysOf.map((_, nth) => paid.filter(({ ok }, i) => ok && i % 3 === nth).length)
  for (const count of won) expect(count).toBeLessThanOrEqual(4)
  expect(won.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(9)
  // What was turned away has left nothing behind: as many as were not given out are still there.
  let later = 0
  for (let i = 0; i < 60; i++)
    if (
      (
        await spendAll(portal.db, keys, [
          [small, keysOf[i % 3]!],
          [large, 'shared'],
        ])
      ).ok
    )
      later++
  expect(won.reduce((sum, count) => sum + count) + later).toBe(9)
})

test('R16 a try that is given back while others wait makes room for one, not for more', async () => {
  const budget: Budget = { name: 'room-for-one', limit: 5, window: 900, locks: true }
  const { keys } = portal.portal
  for (let i = 0; i < 5; i++) await spend(portal.db, keys, budget, 'x')
  await refund(portal.db, keys, [budget, 'x'])
  const again = await Promise.all(
    Array.from({ length: 20 }, (_, i) => spend(portal.nodes[i % 2]!.db, keys, budget, 'x')),
  )
  expect(again.filter(({ ok }) => ok)).toHaveLength(1)
})

test('R26 R86 the table of budgets names nobody: its keys are not the numbers and addresses that they count', async () => {
  const budget: Budget = { name: 'nameless', limit: 3, window: 60 }
  await spend(portal.db, portal.portal.keys, budget, '+48501502503')
  // Parts are kept apart, so no two lists of parts share a budget.
  await spend(portal.db, portal.portal.keys, budget, '+48501502', '503')
  const { rows } = await sql<{
    key: Buffer
    used: number
  }>`select key, cardinality(spent) as used from budgets where name = 'nameless'`.execute(portal.db)
  expect(rows.map(({ used }) => used)).toEqual([1, 1])
  for (const { key } of rows) expect(key.toString('latin1')).not.toContain('501502')
})
