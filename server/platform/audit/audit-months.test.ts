import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../../../pki/testing/peer-programs.ts'
import { collectFindings } from '../../testing/audit-entries.ts'
import { untilWaiting } from '../../testing/concurrency.ts'
import { countRows } from '../../testing/database-state.ts'
import { createClock, createDatabase } from '../../testing/databases.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal-nodes.ts'
import { appRole, connect, type Db } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { deriveKeys } from '../encryption/keys.ts'
import { auditMonthsJob } from '../operations/background-reports.ts'
import { tidyUp } from '../operations/tidying.ts'
import { detachMonths, OverlappingMonthsError } from './audit-detach.ts'
import { readHead, signHead } from './audit-head.ts'
import type { AuditPeriod } from './audit-verify.ts'
import { addAuditEntry } from './audit.ts'

// Of each test: months pass in it.
let portal: TestPortal
beforeEach(async () => {
  portal = await openTestPortal()
})
afterEach(() => portal.close())

const addEntry = (db: Db) =>
  db
    .transaction()
    .execute((tx) => addAuditEntry(tx, { action: 'signed-out', accountId: null, actor: 'system', details: { n: 1 } }))

/** Creates a database and connects to it as a node and as its owner. */
async function openTrail(connections = 1) {
  const { owner, url, drop } = await createDatabase()
  const keys = deriveKeys(randomBytes(32))
  const node = connect(url, { auditKey: keys.audit, connections })
  const operator = connect(url, { auditKey: keys.audit, connections, asOwner: true })
  onTestFinished(async () => {
    await Promise.all([node.close(), operator.close()])
    await drop()
  })
  const detachBefore = (month: Date) => operator.db.transaction().execute((tx) => detachMonths(tx, month))
  return {
    owner,
    keys,
    db: node.db,
    operator: operator.db,
    folder: testFolder(),
    clock: createClock(owner),
    detachBefore,
  }
}

const today = new Date()
/** Returns the name of the table of the month that begins so many months from now. */
const tableOf = (months: number) => `audit_${firstOfMonth(months).toISOString().slice(0, 7).replace('-', '_')}`
const firstOfMonth = (months: number, ms = 0) =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1) + ms)
/** Time after every month of a test. */
const never = new Date('2999-01-01')

async function verified(db: Db, key: Buffer, period?: AuditPeriod) {
  const { records, findings } = await collectFindings(db, key, period && { period })
  return { records, findings: findings.map(({ from, to, what }) => ({ from, to, what })) }
}

const makeMonths = () => auditMonthsJob.run(portal.portal, () => {})

/** Lists the tables of the trail with their numbers of entries. */
async function tables({ owner }: Pick<TestPortal, 'owner'> = portal) {
  const { rows } = await owner.query<{ name: string; entries: number }>(
    `select c.relname as name, (select count(*)::int from audit where tableoid = c.oid) as entries
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit'::regclass order by c.oid`,
  )
  return rows
}

test('OPS-7 R84 a day of the trail is verified alone, up to its neighbours', async () => {
  const { owner, keys, db, clock } = await openTrail()
  for (const day of [1, 2, 2, 2, 3, 3]) {
    await clock.stopAt(new Date(`2026-03-0${day}T12:00:00Z`))
    await addEntry(db)
  }
  const second = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') }
  const after = async (...statements: string[]) => {
    await owner.query('create table kept as table audit')
    for (const statement of statements) await owner.query(statement)
    const { findings } = await verified(db, keys.audit, second)
    await owner.query('delete from audit; insert into audit select * from kept; drop table kept')
    return findings
  }
  expect(await verified(db, keys.audit, second)).toEqual({ records: 3, findings: [] })
  expect(await after(`update audit set act = 'x' where seq = 3`)).toEqual([{ from: 3, to: 3, what: 'changed' }])
  // In the middle, at the beginning and at the end of the day.
  for (const seq of [3, 2, 4])
    expect(await after(`delete from audit where seq = ${seq}`)).toContainEqual({ from: seq, to: seq, what: 'missing' })
  // What is two entries away belongs to another day.
  expect(await after(`update audit set act = 'x' where seq = 6`)).toEqual([])
  expect(await after(`delete from audit where seq in (1, 6)`)).toEqual([{ from: 1, to: 1, what: 'missing' }])
})

test('OPS-7 the tables of the next months are made ahead, and an entry without one is accepted too', async () => {
  await addEntry(portal.db)
  const made = await tables()
  expect(made.find(({ name }) => name === tableOf(0))!.entries).toBeGreaterThan(0)
  expect(made.filter(({ name }) => /^audit_\d{4}_\d\d$/.test(name)).length).toBeGreaterThan(0)

  // Nobody made tables for a year.
  await portal.clock.advance(366 * 86_400)
  await addEntry(portal.db)
  expect((await tables()).find(({ name }) => name === 'audit_default')!.entries).toBeGreaterThan(0)
  await makeMonths()
  const later = (await tables()).map(({ name }) => name)
  expect(later.length).toBeGreaterThan(made.length + 9)
  await makeMonths()
  expect((await tables()).map(({ name }) => name)).toEqual(later)

  // The month with entries has no table; the next one does.
  await portal.clock.advance(32 * 86_400)
  await addEntry(portal.db)
  const filled = (await tables()).filter(({ name, entries }) => entries && /^audit_\d/.test(name))
  expect(filled.map(({ name }) => name)).toEqual([tableOf(0), expect.stringMatching(/^audit_20\d\d_\d\d$/)])
  expect((await verified(portal.db, portal.portal.keys.audit)).findings).toEqual([])
})

test('OPS-7 while something reads the trail, the cleanup works, and tables are made later', async () => {
  await makeMonths()
  await portal.clock.advance(40 * 86_400)
  const before = await tables()
  const reader = await portal.owner.connect()
  try {
    await reader.query('begin; select count(*) from audit')
    await portal.owner.query('insert into discarded_files (file) values ($1)', [`case-files/${crypto.randomUUID()}`])
    await tidyUp(portal.portal)
    expect(await countRows(portal, 'discarded_files')).toBe(0)
    await makeMonths()
    expect(await tables()).toEqual(before)
    await portal.clock.advance(80 * 86_400)
    await expect(makeMonths()).rejects.toThrow('lock timeout')
  } finally {
    await reader.query('rollback')
    reader.release()
  }
  await makeMonths()
  expect((await tables()).length).toBeGreaterThan(before.length)
})

test('OPS-7 R125 a head has the newest entry of each chain, found in as many steps over all months', async () => {
  const { owner, keys, db, folder, clock } = await openTrail()
  const steps = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await owner.query<{ steps: number }>(
      `select sum(idx_scan)::int as steps from pg_stat_user_tables where relname like 'audit%'`,
    )
    return rows[0]!.steps
  }
  const stepsOfSigning = async () => {
    await signHead(db, keys, folder)
    const before = await steps()
    await signHead(db, keys, folder)
    return (await steps()) - before
  }
  await owner.query(
    `insert into audit (chain, seq, act, actor, previous, mac)
     select md5(chain::text)::uuid, seq, 'x', 'system', '', '' from generate_series(1, 200) chain, generate_series(1, 3) seq`,
  )
  const few = await stepsOfSigning()
  expect(few).toBeGreaterThan(200)
  await clock.advance(200 * 86_400)
  // Its month has no table yet, so it goes to the default one.
  await addEntry(db)
  await clock.advance(200 * 86_400)
  await sql`select make_audit_months()`.execute(db)
  await addEntry(db)
  expect(await stepsOfSigning()).toBeLessThan(1.6 * few)

  const { rows } = await owner.query<{ chain: string; seq: number; mac: string }>(
    `select distinct on (chain) chain, seq::int, encode(mac, 'hex') as mac from audit
     where id < (select max(id) from audit) order by chain, seq desc`,
  )
  expect(rows).toHaveLength(201)
  expect(readHead(keys, folder)!.ends).toEqual(rows.map(({ chain, seq, mac }) => [chain, seq, mac]))
})

test('OPS-7 R73 R84 the role of the requests reads and adds entries through the trail only, never in its tables', async () => {
  await migrate(portal.databaseUrl)
  const rows = await portal.rows(
    `select c.relname from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) right_
     where c.relkind = 'r' and c.relname like 'audit\\_%' and has_table_privilege('${appRole}', c.oid, right_)`,
  )
  expect(rows).toEqual([])
  await expect(sql`select from audit_default`.execute(portal.db)).rejects.toThrow('permission denied')
  // The one statement of its own that makes tables is bound to the months.
  await expect(sql`create table audit_2099_01 (id int)`.execute(portal.db)).rejects.toThrow('permission denied')
})

test('OPS-7 R84 months that are over are detached, the trail goes on after them, and any other removal is found', async () => {
  const { owner, keys, db, operator, folder, clock, detachBefore } = await openTrail()
  const inMonth = async (months: number) => {
    await clock.stopAt(firstOfMonth(months))
    await sql`select make_audit_months()`.execute(db)
    for (let n = 0; n < 2; n++) await addEntry(db)
  }
  const found = async () => {
    const now = () => readHead(keys, folder)
    const { findings } = await collectFindings(operator, keys.audit, { known: [now()!], now })
    return findings.map(({ what }) => what)
  }
  await inMonth(0)
  await signHead(db, keys, folder)
  for (const month of [3, 4, 5]) await inMonth(month)
  await signHead(db, keys, folder)
  // The month that is being written stays, however late the given one is.
  const names = await detachBefore(never)
  expect(names).toEqual([0, 1, 2, 3, 4].map(tableOf))
  expect(await detachBefore(never)).toEqual([])
  expect(await found()).toEqual([])
  await addEntry(db)
  await signHead(db, keys, folder)
  for (const name of names) await owner.query(`drop table ${name}`)
  expect(await found()).toEqual([])

  await owner.query('update detached_chains set seq = seq + 1')
  expect(await found()).toContain('detached')
  await owner.query('update detached_chains set seq = seq - 1')
  await owner.query(`delete from audit where act = 'audit-months-detached'`)
  expect(await found()).toEqual(expect.arrayContaining(['detached']))
})

test('OPS-7 R84 detaching waits for entries of open transactions, and a verification for the detaching', async () => {
  const { owner, keys, db, operator, clock, detachBefore } = await openTrail(2)
  // Exactly one table is detached below.
  await clock.stopAt(firstOfMonth(3))
  await sql`select make_audit_months()`.execute(db)
  expect(await detachBefore(firstOfMonth(3))).toEqual([0, 1, 2].map(tableOf))
  await addEntry(db)

  let detaching: Promise<string[]> | undefined
  await clock.stopAt(firstOfMonth(4, -500))
  await db.transaction().execute(async (tx) => {
    await addAuditEntry(tx, { action: 'signed-out', accountId: null, actor: 'system' })
    await clock.stopAt(firstOfMonth(4, 1000))
    detaching = detachBefore(firstOfMonth(4))
    await untilWaiting({ owner })
  })
  expect(await detaching).toHaveLength(1)
  await addEntry(db)
  expect(await verified(db, keys.audit)).toEqual({ records: 2, findings: [] })

  await clock.stopAt(firstOfMonth(5))
  let verifying: ReturnType<typeof verified> | undefined
  await operator.transaction().execute(async (tx) => {
    expect(await detachMonths(tx, firstOfMonth(5))).toHaveLength(1)
    verifying = verified(db, keys.audit)
    await untilWaiting({ owner })
  })
  expect(await verifying).toEqual({ records: 1, findings: [] })
})

test('OPS-7 the newest table stays, so that the next months can be made', async () => {
  const { owner, operator, clock, detachBefore } = await openTrail()
  const months = async () => (await tables({ owner })).map(({ name }) => name).filter((name) => /\d/.test(name))
  const newest = (await months()).at(-1)!
  await clock.stopAt(new Date(Date.UTC(new Date().getUTCFullYear() + 1, 11, 15)))
  await detachBefore(never)
  await sql`select make_audit_months()`.execute(operator)
  const after = await months()
  expect(after[0]).toBe(newest)
  expect(after.length).toBeGreaterThan(10)
})

test('OPS-7 R84 months are not detached if a later entry is in an earlier month', async () => {
  const { owner, operator, clock, detachBefore } = await openTrail()
  for (const months of [4, 3]) {
    await clock.stopAt(firstOfMonth(months))
    await sql`select make_audit_months()`.execute(operator)
    await addEntry(operator)
  }
  await clock.stopAt(firstOfMonth(5))
  await expect(detachBefore(firstOfMonth(4))).rejects.toThrow(OverlappingMonthsError)
  expect(await countRows({ owner }, 'detached_chains')).toBe(0)
  // Without a month between them, nothing overlaps.
  expect((await detachBefore(firstOfMonth(5))).length).toBeGreaterThan(2)
})
