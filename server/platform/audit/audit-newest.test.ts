import { afterAll, expect, test, onTestFinished } from 'vitest'
import { createDatabase } from '../../testing/databases.ts'
import { connect } from '../database/database.ts'
import { listEntriesAfter, findNumbersWithin, findNumberBefore } from './audit-list.ts'
import { readEntriesBefore, readPagesBefore, findPairs, findRange } from './audit-newest.ts'

const { url, owner, drop } = await createDatabase()
afterAll(drop)
// One entry each minute: codes of customers, each tenth a reading by a key, each thousandth one by a member of the staff.
await owner.query(
  `insert into audit (id, chain, seq, at, act, actor, account_id, details, previous, mac) overriding system value
   select n, md5('')::uuid, n, timestamptz '2026-01-01Z' + make_interval(mins => n),
     case when n % 1000 = 0 then 'desk-customer-read' when n % 10 = 0 then 'data-read' else 'code-sent' end,
     case when n % 1000 = 0 or n = 5 then 'staff' when n % 10 = 0 then 'provider' else 'customer' end,
     md5((n % 100)::text)::uuid,
     case when n = 1000 then '{"actorName": "Jan Kot", "reason": "7"}' when n % 1000 = 0 then '{"actorName": "Ewa Lis"}'
       when n % 10 = 0 then '{"actorName": "crm"}' else '{}' end::jsonb,
     '\\x00', '\\x00'
   from generate_series(1, 100000) n`,
)
await owner.query('analyze audit')
const { db, close } = connect(url)
afterAll(close)
const whole = { after: 0, before: 100_001 }

test('DSK-13 R240 a page examines 20,000 entries at most, whatever is filtered, and the next one goes on there', async () => {
  const examined = 20_000
  const read = (filters: object, range = whole) => readEntriesBefore(db, filters, range, { size: 50, examined })
  const newest = await read({})
  expect(newest.entries.map(({ position }) => position)).toEqual(Array.from({ length: 50 }, (_, i) => 100_000 - i))
  expect(newest.next).toMatchObject({ before: 99_951, isFull: true })

  // One entry of them all, and no index for both filters.
  const rare = { actor: 'staff', action: 'code-sent' } as const
  const first = await read(rare)
  expect(first.entries).toEqual([])
  expect(first.next?.isFull).toBe(false)
  expect(first.next!.before).toBeGreaterThan(70_000)
  const second = await read(rare, { ...whole, before: first.next!.before })
  expect(second.entries).toEqual([])
  expect(second.next!.before).toBeLessThan(first.next!.before)
  const last = await read(rare, { ...whole, before: 10_000 })
  expect([last.entries.map(({ position }) => position), last.next]).toEqual([[5], undefined])

  // Names have an index, also those in another case.
  const named = await read({ name: 'jan kot' })
  expect(named.entries.map(({ position }) => position)).toEqual([1000])
  expect(named.next).toBeUndefined()
  expect((await read({ name: 'EWA LIS' })).entries).toHaveLength(50)
  expect((await read({ name: 'nobody' })).entries).toEqual([])
  const account = newest.entries[0]!.account!
  const own = await read({ account, action: 'data-read' })
  expect(own.entries.length).toBe(50)
  expect(new Set(own.entries.map(({ account: of }) => of))).toEqual(new Set([account]))
})

test('DSK-13 a time has its entries, each once, over all pages', async () => {
  const times = { since: '2026-01-10T00:00:00.000Z', until: '2026-01-10T05:00:00.000Z' }
  let range = await findRange(db, times, 100_000)
  const seen: number[] = []
  for (let pages = 0; pages < 10; pages++) {
    const { entries, next } = await readEntriesBefore(db, times, range, { size: 50, examined: 120 })
    seen.push(...entries.map(({ position }) => position))
    if (!next) break
    range = { ...range, before: next.before }
  }
  expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => 9 * 1440 + 299 - i))
})

test('DSK-15 R240 the pages of a file end where too many entries would be examined', async () => {
  const read = async (filters: object, short: number) => {
    const found: unknown[] = []
    for await (const page of readPagesBefore(db, filters, whole, { size: 1000, examined: 20_000, short }))
      found.push(page?.length)
    return found
  }
  expect(await read({ actor: 'staff' }, 10)).toEqual([20, 20, 20, 20, 21])
  expect(await read({ actor: 'staff' }, 2)).toEqual([20, 20, 20, undefined])
})

test('DSK-16 pairs of somebody and a customer, with counts and reasons, of the newest readings', async () => {
  const actions = ['desk-customer-read', 'data-read'] as const
  const { rows } = await findPairs(db, actions, {}, whole, { pairs: 50, examined: 20_000 })
  expect(rows[0]).toMatchObject({ actor: 'staff', actorName: 'Ewa Lis', times: 99, actions: ['desk-customer-read'] })
  expect(rows.reduce((sum, { times }) => sum + times, 0)).toBe(10_000)
  const one = await findPairs(db, actions, { name: 'Jan Kot' }, whole, { pairs: 50, examined: 20_000 })
  expect(one.rows).toMatchObject([{ actorName: 'Jan Kot', times: 1, reasons: ['7'] }])
  expect(one.readTo).toBeUndefined()
  expect((await findPairs(db, actions, {}, whole, { pairs: 50, examined: 100 })).readTo).toBeInstanceOf(Date)
})

test('OPS-20 OPS-7 entries of a time are found without reading those before and after it', async () => {
  const database = await createDatabase()
  onTestFinished(database.drop)
  // One each minute, in the order of time but for each tenth.
  await database.owner.query(
    `insert into audit (id, chain, seq, at, act, actor, previous, mac) overriding system value
     select n, md5('')::uuid, n, timestamptz '2026-01-01Z' + make_interval(mins => n - case when n % 10 = 0 then 15 else 0 end), 'alarm-raised', 'system', '\\x00', '\\x00'
     from generate_series(1, 30000) n`,
  )
  const connected = connect(database.url)
  onTestFinished(connected.close)
  const all = { after: 0, end: 30_000 }
  const times = { since: '2026-01-10T00:00:00.000Z', until: '2026-01-10T01:00:00.000Z' }
  const { after, end } = await findNumbersWithin(connected.db, times, all)
  expect(end - after).toBeLessThan(4000)
  const entries = await listEntriesAfter(connected.db, times, { ...all, size: 1000 })
  const inHour = 'select id from audit where at >= $1 and at < $2 order by id'
  const { rows } = await database.owner.query<{ id: string }>(inHour, [times.since, times.until])
  expect(entries.map(({ position }) => position)).toEqual(rows.map(({ id }) => Number(id)))
  expect(rows.length).toBe(60)
  expect(await findNumberBefore(connected.db, times, 30_000, 10)).toBe(Number(rows.at(-11)!.id))
  const [before, later] = ['2025-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']
  expect(await findNumbersWithin(connected.db, { since: before, until: later }, all)).toEqual(all)
  expect(await listEntriesAfter(connected.db, { since: later }, { ...all, size: 10 })).toEqual([])
})
