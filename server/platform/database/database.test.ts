import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readDatabase } from '../../testing/database-state.ts'
import { openPortal } from '../../testing/open-portal.ts'
import type { TestPortal } from '../../testing/portal-nodes.ts'
import { makeCustomer } from '../../testing/test-customers.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { decrypt, encrypt, type Keys } from '../encryption/keys.ts'
import { backgroundFailed } from '../observability/events.ts'
import { appRole, connect, inBackground, noticeAtCommit, onCommit, type Tx } from './database.ts'
import { column, decrypted, optional, describeRows } from './described-rows.ts'
import { wordsCondition } from './text-search.ts'

let tables: string[]
const portal = await openPortal()
beforeAll(async () => {
  await makeCustomer(portal)
  const rows = await portal.rows(`select tablename from pg_tables where schemaname = 'public'`)
  tables = rows.map(({ tablename }) => tablename)
})

/** Runs a statement in the pool that answers requests; returns the error code, or undefined if the database obeyed. */
async function refusal(db: TestPortal['db'], statement: string): Promise<string | undefined> {
  try {
    await sql.raw(statement).execute(db)
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

const insufficientPrivilege = '42501'

/** Returns everything that an injected statement might try on a table. */
const attacks = (table: string) => [
  `drop table ${table}`,
  `drop table ${table} cascade`,
  `truncate ${table}`,
  `truncate ${table} cascade`,
  `alter table ${table} add column extra text`,
  `alter table ${table} disable trigger all`,
  `alter table ${table} rename to gone`,
  `alter table ${table} owner to ${appRole}`,
  `create index on ${table} ((1))`,
  `create trigger t before insert on ${table} for each row execute function suppress_redundant_updates_trigger()`,
  `create rule r as on insert to ${table} do instead nothing`,
  `create policy p on ${table}`,
]

test('R114 inside a transaction nothing uses a second connection, not even in a helper; afterwards it may', async () => {
  const { db } = portal
  const readAccounts = async () => (await sql`select id from accounts`.execute(db)).rows
  const helper = async () => (await readAccounts()).length
  const refused = /must use its tx/
  await expect(db.transaction().execute(() => readAccounts())).rejects.toThrow(refused)
  await expect(db.transaction().execute(helper)).rejects.toThrow(refused)
  await expect(db.transaction().execute(() => db.transaction().execute(async () => {}))).rejects.toThrow(refused)
  await expect(db.transaction().execute(() => sql`select 1`.execute(db))).rejects.toThrow(refused)
  // The transaction's own statements, work that was left to the time after it, and what it does not wait for.
  let later: Promise<unknown> | undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  await db.transaction().execute(async (tx) => {
    await sql`select id from accounts`.execute(tx)
    later = promise.then(readAccounts)
    await inBackground(db, readAccounts)
  })
  resolve()
  expect(await later).not.toEqual([])
})

test('R93 a listener that fails after the commit leaves the result and the other listeners alone', async () => {
  const { db } = portal
  const heard: string[] = []
  onTestFinished(backgroundFailed.subscribe(() => heard.push('failure')))
  onTestFinished(
    onCommit(db, 'test', () => {
      throw new Error('A listener failed.')
    }),
  )
  onTestFinished(onCommit(db, 'test', () => heard.push('notice')))
  const result = await db.transaction().execute(async (tx) => {
    noticeAtCommit(tx, 'test')
    return 'done'
  })
  expect([result, heard]).toEqual(['done', ['failure', 'notice']])
})

test('R84 a transaction that goes on after a failed statement is undone, and says so', async () => {
  const { db } = portal
  const going = db.transaction().execute(async (tx) => {
    await sql`update accounts set locale = 'en'`.execute(tx)
    await sql`select 1 / ${0}::int`.execute(tx).catch(() => {})
  })
  await expect(going).rejects.toThrow()
  expect((await sql`select locale from accounts where locale = 'en'`.execute(db)).rows).toEqual([])
})

test('R84 R85 R91 after failures the chain and the connection of a transaction are used again', async () => {
  const { db, close } = connect(portal.owner.options.connectionString!, {
    connections: 1,
    auditKey: portal.portal.keys.audit,
  })
  onTestFinished(close)
  const backend = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
  const before = await backend()
  const entry = { action: 'signed-out', accountId: null, actor: 'system' } as const
  const add = (work: (tx: Tx) => Promise<unknown> = async () => {}) =>
    db.transaction().execute(async (tx) => {
      await Promise.all([addAuditEntry(tx, entry), addAuditEntry(tx, entry)])
      await work(tx)
    })
  await add()
  await expect(add((tx) => sql`select 1 / ${0}::int`.execute(tx))).rejects.toMatchObject({ code: '22012' })
  await add()
  const { rows } = await sql<{ chains: number }>`
    select count(distinct chain)::int as chains from audit where act = 'signed-out'`.execute(db)
  expect(rows).toEqual([{ chains: 1 }])
  expect(await backend()).toBe(before)
})

test('R84 work that a transaction did not wait for changes nothing after it', async () => {
  const { db } = portal
  let late: Promise<unknown> | undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  await db.transaction().execute(async (tx) => {
    late = promise.then(() => sql`update accounts set locale = 'en'`.execute(tx))
  })
  resolve()
  await expect(late).rejects.toThrow()
  expect((await sql`select id from accounts where locale = 'en'`.execute(db)).rows).toEqual([])
})

test('R91 a connection whose statement failed stays open', async () => {
  const { db, connections, close } = connect(portal.owner.options.connectionString!, { connections: 1 })
  await expect(sql`select 1 / ${0}::int`.execute(db)).rejects.toMatchObject({ code: '22012' })
  expect(connections()).toEqual({ open: 1, idle: 1, waiting: 0 })
  await close()
})

test('R91 a connection that cannot be opened at all fails each read', async () => {
  const url = new URL(portal.owner.options.connectionString!)
  url.search = '?sslmode=verify-full&sslrootcert=/absent.pem'
  const { db, close } = connect(url.href, { connections: 1 })
  for (let i = 0; i < 2; i++) await expect(sql`select id from accounts`.execute(db)).rejects.toThrow('absent.pem')
  await close()
})

test('R97 a statement whose result changed shape in a migration fails only once per connection', async () => {
  const { db, close } = connect(portal.owner.options.connectionString!, { connections: 1 })
  await portal.owner.query(`create table shape (a int); grant select on shape to ${appRole}`)
  const read = (from: typeof db) => sql`select * from shape where ${1}::int = 1`.execute(from)
  const alone = () => read(db)
  const inTransaction = () => db.transaction().execute(read)
  for (const [i, query] of [alone, inTransaction].entries()) {
    await query()
    await portal.owner.query(`alter table shape add column b${i} int`)
    await expect(query()).rejects.toMatchObject({ code: '0A000' })
    expect((await query()).rows).toEqual([])
  }
  await close()
  await portal.owner.query('drop table shape')
})

describe('R73 requests run under a role that owns nothing', () => {
  test('R73 it is that role, in every connection of the pool', async () => {
    const { rows } = await sql<{ me: string }>`select current_user as me`.execute(portal.db)
    expect(rows).toEqual([{ me: appRole }])
    const owned = await portal.owner.query(
      'select 1 from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = $1',
      [appRole],
    )
    expect(owned.rowCount).toBe(0)
  })

  test('R73 it can neither drop, change, empty nor bend a table', async () => {
    expect(tables.length).toBeGreaterThan(10)
    const before = await readDatabase(portal)
    for (const table of tables)
      for (const statement of attacks(table))
        expect([statement, await refusal(portal.db, statement)]).toEqual([statement, insufficientPrivilege])
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('R73 R84 audit entries can be added, but neither changed nor removed', async () => {
    const before = await readDatabase(portal)
    for (const statement of [
      'delete from audit where false',
      `update audit set act = 'x'`,
      'delete from migrations where false',
      `update migrations set name = 'x'`,
      `insert into migrations (name, sha256) values ('9999-x.sql', 'x')`,
      `select setval(pg_get_serial_sequence('audit', 'id'), 1)`,
    ])
      expect([statement, await refusal(portal.db, statement)]).toEqual([statement, insufficientPrivilege])
    const copying = 'insert into audit overriding system value select * from audit limit 1'
    expect(await refusal(portal.db, copying)).toBe('23505')
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('R73 it can make nothing of its own, change no time, read no file and run no program', async () => {
    const statements = [
      'create table mine (a int)',
      'create schema mine',
      'create function mine() returns int language sql as $$ select 1 $$',
      `create or replace function portal_now() returns timestamptz language sql stable as $$ select timestamptz '2000-01-01' $$`,
      'drop function portal_now()',
      'drop schema public cascade',
      `create role mine login superuser`,
      `alter role ${appRole} superuser`,
      `create extension dblink`,
      `copy (select 1) to program 'id'`,
      `copy accounts from '/etc/passwd'`,
      `select pg_read_file('/etc/passwd')`,
      `select pg_ls_dir('/')`,
      `select lo_import('/etc/passwd')`,
      `alter system set fsync = off`,
    ]
    for (const statement of statements)
      expect([statement, await refusal(portal.db, statement)]).toEqual([statement, insufficientPrivilege])
  })
})

const { keys } = portal.portal
const decryptPhone = (by: Keys, id: string, encrypted: Buffer) => decrypt(by, `accounts.phone ${id}`, encrypted)
const orNull = (by: Keys, id: string, encrypted: Buffer | null) => encrypted && decryptPhone(by, id, encrypted)
const phoneOf = (id: string) => sql`${encrypt(keys, `accounts.phone ${id}`, '+48600100200')}::bytea`

test('R83 a described row has its columns, groups and decrypted values, and nothing else', async () => {
  const described = describeRows({
    id: column<string>`t.id`,
    isNew: column<boolean>`t.number > ${1}::int`,
    owner: {
      id: column<string>`t.owner`,
      contact: { phone: decrypted(decryptPhone, 'ownerId')`t.phone` },
    },
    signed: optional({ bytes: column<number | null>`t.bytes`, note: column<string>`t.note` }),
  })
  const { columns } = described
  const rows = await described(portal.db, keys).all<{ urgency: number }>(sql`
    select ${columns}, 3 as urgency
    from (values ('a', 1, 'x', ${phoneOf('x')}, 5, null), ('b', 2, 'y', ${phoneOf('y')}, null, 'n')) t (id, number, owner, phone, bytes, note)`)
  const contact = { phone: '+48600100200' }
  expect(rows).toEqual([
    { id: 'a', isNew: false, owner: { id: 'x', contact }, signed: { bytes: 5, note: null }, urgency: 3 },
    { id: 'b', isNew: true, owner: { id: 'y', contact }, signed: null, urgency: 3 },
  ])
})

test('R83 a value is decrypted only for its own row, and a missing one is null', async () => {
  const described = describeRows({ id: column<string>`id`, phone: decrypted(orNull)`phone` })
  const find = (id: string, phone: unknown) =>
    described(portal.db, keys).first(
      sql`select ${described.columns} from (values (${id}, ${phone}::bytea)) t (id, phone)`,
    )
  expect(await find('a', phoneOf('a'))).toEqual({ id: 'a', phone: '+48600100200' })
  expect(await find('a', null)).toEqual({ id: 'a', phone: null })
  await expect(find('b', phoneOf('a'))).rejects.toThrow()
  await expect(find('a', randomBytes(40))).rejects.toThrow()
  expect(
    await described(portal.db, keys).first(sql`select ${described.columns} from accounts where false`),
  ).toBeUndefined()
})

async function isFound(text: string, typed: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${wordsCondition(sql`${text}::text`, typed)} as found`.execute(
    portal.db,
  )
  return rows[0]!.found
}

/** A name of each language as it is written, and as somebody types it who has another keyboard. */
const names = [
  ['Zażółć Gęślą Jaźń ŁÓDŹ', 'zazolc gesla jazn lodz'],
  ['Příliš Žluťoučký Kůň Ľúbivý Ďáblův Ňouma', 'prilis zlutoucky kun lubivy dabluv nouma'],
  ['Größe Süß Straße STRAẞE', 'grosse suss strasse strasse'],
  ['Œuvre Façade Hôtel Noël Élève', 'oeuvre facade hotel noel eleve'],
  ['Søren Kjærgård Ǻse', 'soren kjaergard ase'],
  ['Þórður Æðey', 'thordur aedey'],
  ['Árvíztűrő Tükörfúrógép', 'arvizturo tukorfurogep'],
  ['Ștefan Țepeș Ţară Şi Brâncuşi Ă', 'stefan tepes tara si brancusi a'],
  ['Đorđe Čapek Šćepan Žarko', 'dorde capek scepan zarko'],
  ['Ķēniņš Ģirts Ļaudis Šķūnis', 'kenins girts laudis skunis'],
  ['Žąsinas Ėglė Įvykis Ūkas Ųžs', 'zasinas egle ivykis ukas uzs'],
  ['Õun Jäääär Šokolaad', 'oun jaaaar sokolaad'],
  ['Ħal Għarb Żejtun Ċirkewwa Ġgantija', 'hal gharb zejtun cirkewwa ggantija'],
  ['Iğdır İzmir Çelik', 'igdir izmir celik'],
  ['Ŧávvi Ŋuoʒi', 'tavvi nuozi'],
  ['Ŵyn Ŷd', 'wyn yd'],
  ['Ñandú Ação Coração', 'nandu acao coracao'],
  ['ΆΝΘΡΩΠΟΣ Έλληνας', 'ανθρωποσ ελληνασ'],
  ['Йосиф Ёлка Їжак', 'иосиф елка іжак'],
  ['Stowarzyszenie Łączność – O’Brien', "stowarzyszenie lacznosc - o'brien"],
] as const

test.each(names)(
  'UIX-26 %s is found without the marks of its letters, and by its own letters',
  async (written, typed) => {
    expect(await isFound(written, typed)).toBe(true)
    expect(await isFound(typed, written)).toBe(true)
    // Both forms of Unicode are the same letters.
    expect(await isFound(written.normalize('NFD'), written.toUpperCase())).toBe(true)
  },
)

test('UIX-26 all words have to be there, in any order and apart; what is typed is never a pattern', async () => {
  const text = 'Umowa o\u00a0pieczęć Seal agreement W/2026/117 U_20%871\\'
  for (const typed of [
    '',
    ' \u00a0',
    '117 umowa',
    'AGREEMENT pieczec 117',
    'o\u202fpieczęć',
    'u_20%',
    '871\\',
    'gree eal',
  ])
    expect([typed, await isFound(text, typed)]).toEqual([typed, true])
  for (const typed of ['umowa 118', 'pieczec%117', 'u-20', 'Um_wa', '%%x', '\\u'])
    expect([typed, await isFound(text, typed)]).toEqual([typed, false])
})
