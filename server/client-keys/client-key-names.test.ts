import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../platform/database/migrate.ts'
import { createDatabaseBefore } from '../testing/databases.ts'

test('R170 keys that an earlier version created with one name stay valid, and get names of their own', async () => {
  const { url, owner, drop } = await createDatabaseBefore('0043')
  onTestFinished(drop)
  await owner.query(`
    insert into provider_keys (key_hash, name, created_at, expires_at, revoked_at) values
      ('1', 'crm', now() - interval '3 days', now() - interval '1 day', null),
      ('2', 'crm', now() - interval '2 days', now() + interval '1 day', null),
      ('3', 'crm', now() - interval '1 day', null, null),
      ('4', 'crm', now(), null, now()),
      ('5', 'shop', now(), null, null)`)
  const before = await owner.query(
    `select key_hash, expires_at, revoked_at, scopes from provider_keys order by key_hash`,
  )
  await migrate(url)
  const after = await owner.query(
    `select key_hash, expires_at, revoked_at, scopes from provider_keys order by key_hash`,
  )
  expect(after.rows).toEqual(before.rows)
  const { rows } = await owner.query<{ name: string; id: string; replaced: boolean }>(
    `select name, id, replaced_at is not null as replaced from provider_keys order by key_hash`,
  )
  expect(rows.map(({ name, replaced }) => [name, replaced])).toEqual([
    ['crm', true],
    [`crm ${rows[1]!.id.slice(0, 8)}`, false],
    ['crm', false],
    ['crm', false],
    ['shop', false],
  ])
})
