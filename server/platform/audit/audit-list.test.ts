import { expect, onTestFinished, test } from 'vitest'
import { clockOf, createDatabase, createDatabaseBefore } from '../../testing/databases.ts'
import { connect } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { entriesAfter, numbersWithin, positionBefore } from './audit-list.ts'

test('OPS-20 DSK-13 R97 the indexes of the lists are built for each month of an earlier version, again after an interruption, and later months have them', async () => {
  const { url, owner, drop } = await createDatabaseBefore('0044')
  onTestFinished(drop)
  const months = async () =>
    (await owner.query<{ n: number }>(`select count(*)::int as n from pg_inherits where inhparent = 'audit'::regclass`))
      .rows[0]!.n
  /** Per index of the trail: whether it is valid, and of how many months. */
  const built = async () =>
    (
      await owner.query<{ name: string; valid: boolean; n: number }>(
        `select c.relname as name, i.indisvalid as valid, (select count(*)::int from pg_inherits where inhparent = c.oid) as n
         from pg_index i join pg_class c on c.oid = i.indexrelid
         where i.indrelid = 'audit'::regclass and c.relname in ('audit_by_number', 'audit_by_act', 'audit_by_name') order by 1`,
      )
    ).rows
  // As a node leaves it that was stopped while it built an index.
  await owner.query('create index audit_before_by_number on audit_before (id, at)')
  await owner.query(`update pg_index set indisvalid = false where indexrelid = 'audit_before_by_number'::regclass`)
  await migrate(url)
  const all = async () => [
    { name: 'audit_by_act', valid: true, n: await months() },
    { name: 'audit_by_name', valid: true, n: await months() },
    { name: 'audit_by_number', valid: true, n: await months() },
  ]
  expect(await months()).toBeGreaterThan(2)
  expect(await built()).toEqual(await all())
  const before = await months()
  await clockOf(owner).advance(62 * 86_400)
  await owner.query('select make_audit_months()')
  expect(await months()).toBeGreaterThan(before)
  expect(await built()).toEqual(await all())
})

test('OPS-20 OPS-7 entries of a time are found without reading those before and after it', async () => {
  const { url, owner, drop } = await createDatabase()
  onTestFinished(drop)
  // One each minute, in the order of time but for each tenth.
  await owner.query(
    `insert into audit (id, chain, seq, at, act, actor, previous, mac) overriding system value
     select n, md5('')::uuid, n, timestamptz '2026-01-01Z' + make_interval(mins => n - case when n % 10 = 0 then 15 else 0 end), 'alarm-raised', 'system', '\\x00', '\\x00'
     from generate_series(1, 30000) n`,
  )
  const { db, close } = connect(url)
  onTestFinished(close)
  const all = { after: 0, end: 30_000 }
  const times = { since: '2026-01-10T00:00:00.000Z', until: '2026-01-10T01:00:00.000Z' }
  const { after, end } = await numbersWithin(db, times, all)
  expect(end - after).toBeLessThan(4000)
  const entries = await entriesAfter(db, times, { ...all, size: 1000 })
  const { rows } = await owner.query<{ id: string }>('select id from audit where at >= $1 and at < $2 order by id', [
    times.since,
    times.until,
  ])
  expect(entries.map(({ position }) => position)).toEqual(rows.map(({ id }) => Number(id)))
  expect(rows.length).toBe(60)
  expect(await positionBefore(db, times, 30_000, 10)).toBe(Number(rows.at(-11)!.id))
  expect(
    await numbersWithin(db, { since: '2025-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' }, all),
  ).toEqual(all)
  expect(await entriesAfter(db, { since: '2027-01-01T00:00:00.000Z' }, { ...all, size: 10 })).toEqual([])
})
