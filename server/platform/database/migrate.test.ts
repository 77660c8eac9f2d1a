import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, inject, onTestFinished, test } from 'vitest'
import { appRole } from './database.ts'
import { UnsupportedDatabaseError, migrate } from './migrate.ts'

const server = inject('postgres')
const made: string[] = []

/** Creates an empty database, or a copy of one, and returns its owner's URL. */
async function createDatabase(template = 'template1') {
  const name = `migrate_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  made.push(name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Creates a database that this version has migrated. */
const migratedDatabase = () => createDatabase('sygnet_template')

async function onServer(statement: string) {
  await run(server, statement)
}

async function run(url: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows
  } finally {
    await client.end()
  }
}

afterEach(async () => {
  for (const name of made.splice(0)) await onServer(`drop database ${name} with (force)`)
})

/** Reads all parts of a schema, as text. */
const shapeOf = async (url: string) => ({
  columns: await run(
    url,
    `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns where table_schema = 'public' order by 1, 2`,
  ),
  indexes: await run(url, `select indexdef from pg_indexes where schemaname = 'public' order by 1`),
  rights: await run(
    url,
    `select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`,
  ),
  applied: await run(url, 'select name, sha256, applied_at from migrations order by 1'),
})

test('OPS-1 an empty database is migrated, and a second run changes nothing', async () => {
  const url = await createDatabase()
  await migrate(url)
  const shape = await shapeOf(url)
  expect(shape.applied.length).toBeGreaterThan(1)
  await migrate(url)
  expect(await shapeOf(url)).toEqual(shape)
})

test('R97 nodes that start together migrate once between them, also two databases of one server', async () => {
  const [url, other] = [await createDatabase(), await createDatabase()]
  await Promise.all([url, url, other, url, other].map((each) => migrate(each)))
  for (const each of [url, other]) {
    const { applied, ...shape } = await shapeOf(each)
    const { applied: ofTemplate, ...expected } = await shapeOf(await migratedDatabase())
    expect(shape).toEqual(expected)
    expect(applied.map(({ name }) => name)).toEqual(ofTemplate.map(({ name }) => name))
  }
})

test('R97 a database of a newer version is refused with a message and not changed', async () => {
  const url = await migratedDatabase()
  await run(url, `insert into migrations (name, sha256) values ('9999-from-the-future.sql', 'x')`)
  await run(url, `revoke all on accounts from ${appRole}`)
  const shape = await shapeOf(url)
  const refusal = await migrate(url).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UnsupportedDatabaseError)
  expect((refusal as Error).message).toBe(
    'The database was migrated by a newer version of Sygnet (it knows 9999-from-the-future.sql). Start that version, or use another database.',
  )
  expect(await shapeOf(url)).toEqual(shape)
})

test('R97 a migration that was changed after it ran is refused by name, and not run again', async () => {
  const url = await migratedDatabase()
  await run(url, `update migrations set sha256 = 'other' where name like '0001-%'`)
  const shape = await shapeOf(url)
  await expect(migrate(url)).rejects.toThrow(
    /^The migration 0001-[\w-]+\.sql differs from the one applied to this database\. Use the version that made it, or a new, empty database\.$/,
  )
  expect(await shapeOf(url)).toEqual(shape)
})

test('R97 a migration that fails half-way leaves nothing of itself, and the next start finishes it', async () => {
  const url = await createDatabase()
  // Stands where a table of the first migration should go, after others of it were made.
  await run(url, 'create table nodes (mine int)')
  await expect(migrate(url)).rejects.toThrow(/nodes/)
  const left = await run(url, `select tablename from pg_tables where schemaname = 'public' order by 1`)
  expect(left).toEqual([{ tablename: 'migrations' }, { tablename: 'nodes' }])
  expect(await run(url, 'select * from migrations')).toEqual([])
  await run(url, 'drop table nodes')
  await migrate(url)
  expect((await run(url, 'select name from migrations')).length).toBeGreaterThan(1)
})

test('OPS-1 a database of a preview before 1.0 is refused with a sentence, and not changed', async () => {
  const url = await createDatabase()
  await run(url, 'create table migrations (name text primary key, sha256 text not null)')
  await run(url, `insert into migrations values ('0001-accounts.sql', 'x')`)
  await expect(migrate(url)).rejects.toThrow(
    'The database was made by a preview of Sygnet before 1.0, from which there is no upgrade. Use a new, empty database.',
  )
  expect(await run(url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([
    { tablename: 'migrations' },
  ])
})

/** Creates a folder with this version's migrations and one more. */
function withNext(text: string) {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-migrations-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  cpSync(join(import.meta.dirname, 'migrations'), directory, { recursive: true })
  writeFileSync(join(directory, '9999-next.sql'), text)
  return directory
}

test.each([
  ['in a transaction', 'create index outbox_next on outbox (tries)', 'ShareLock'],
  [
    'outside a transaction',
    `-- outside a transaction\n\ndrop index concurrently if exists outbox_next;\n\ncreate index concurrently outbox_next on outbox (tries);`,
    'ShareUpdateExclusiveLock',
  ],
])('R97 a migration %s lets requests use its table meanwhile, and finishes when it is free', async (_, text, lock) => {
  const url = await migratedDatabase()
  const user = new pg.Client({ connectionString: url })
  await user.connect()
  const add = `insert into outbox (channel, message) values ('mail', '')`
  await user.query('begin')
  await user.query(add)
  let isDone = false
  const migrating = migrate(url, withNext(text)).then(() => (isDone = true))
  const began = () => run(url, `select from pg_locks where relation = 'outbox'::regclass and mode = $1`, [lock])
  await expect.poll(async () => (await began()).length).toBeGreaterThan(0)
  // As many requests as one likes are done while somebody keeps the table.
  for (let i = 0; i < 5; i++) await run(url, add)
  expect(isDone).toBe(false)
  await user.query('commit')
  await user.end()
  await migrating
  expect(await run(url, `select indisvalid from pg_index where indexrelid = 'outbox_next'::regclass`)).toEqual([
    { indisvalid: true },
  ])
})

test('R97 the rights of requests are those of this version, regardless of earlier ones', async () => {
  const url = await migratedDatabase()
  const { rights } = await shapeOf(url)
  await run(url, `grant update, delete, truncate on audit to ${appRole}; revoke select on accounts from ${appRole}`)
  await migrate(url)
  const audit = await run(
    url,
    `select has_table_privilege($1, 'audit', 'update') as update, has_table_privilege($1, 'audit', 'delete') as delete, has_table_privilege($1, 'audit', 'truncate') as truncate`,
    [appRole],
  )
  expect(audit).toEqual([{ update: false, delete: false, truncate: false }])
  expect((await shapeOf(url)).rights).toEqual(rights)
})
