import { expect, onTestFinished, test } from 'vitest'
import { clockOf, createDatabaseBefore } from '../../testing/databases.ts'
import { migrate } from '../database/migrate.ts'

test('OPS-20 R97 the indexes of the lists are built for each month of an earlier version, again after an interruption, and later months have them', async () => {
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
         where i.indrelid = 'audit'::regclass and c.relname in ('audit_by_number', 'audit_by_act') order by 1`,
      )
    ).rows
  // As a node leaves it that was stopped while it built an index.
  await owner.query('create index audit_before_by_number on audit_before (id, at)')
  await owner.query(`update pg_index set indisvalid = false where indexrelid = 'audit_before_by_number'::regclass`)
  await migrate(url)
  const all = async () => [
    { name: 'audit_by_act', valid: true, n: await months() },
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
