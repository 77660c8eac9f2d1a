import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { HeadContradicted, headFile, openHead, readHead, signHead, signNewRecords } from './audit-head.ts'
import { verifyTrail, type Finding } from './audit-verify.ts'
import { record } from './audit.ts'
import { openDatabase, type Db } from './db.ts'
import { startSigningHeads } from './housekeeping.ts'
import { deriveKeys } from './keys.ts'
import { migrate } from './migrate.ts'
import { createDatabase } from './testing/databases.ts'

const keys = deriveKeys(randomBytes(32))
const folders: string[] = []
let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
let close: () => Promise<void>

beforeAll(async () => {
  database = await createDatabase()
  ;({ db, close } = openDatabase(database.url, { auditKey: keys.audit }))
})
afterAll(async () => {
  await close()
  await database.drop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
afterEach(() => void vi.useRealTimers())

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-head-'))
  folders.push(folder)
  return folder
}

const act = (on = db) =>
  on.transaction().execute((tx) => record(tx, { act: 'signed-out', accountId: crypto.randomUUID(), actor: 'customer' }))

async function findingsWith(folder: string, on = db) {
  const findings: Finding[] = []
  const own = readHead(keys, folder)
  const heads = { known: own ? [own] : [], now: () => readHead(keys, folder) }
  await on.transaction().execute((tx) => verifyTrail(tx, keys.audit, heads, (finding) => findings.push(finding)))
  return findings
}

test('OPS-5 R84 a head is signed: whoever has it can check it without a secret, and no other is taken for ours', async () => {
  await act()
  const text = await signHead(db, keys, newFolder())
  const { head, publicKey, signature } = JSON.parse(text) as { head: object; publicKey: string; signature: string }
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  const signed = (one: object) =>
    verify(null, Buffer.from(`Sygnet audit head\n${JSON.stringify(one)}`), key, Buffer.from(signature, 'base64'))
  expect(signed(head)).toBe(true)
  expect(signed({ ...head, ordinal: 2 })).toBe(false)

  expect(openHead(keys, text)).toEqual(head)
  expect(() => openHead(keys, text.replace('"ordinal":1', '"ordinal":2'))).toThrow(HeadContradicted)
  const foreign = await signHead(db, deriveKeys(randomBytes(32)), newFolder())
  expect(() => openHead(keys, foreign)).toThrow(HeadContradicted)
})

test('OPS-5 R84 a trail whose end was cut off gets no new head: the one that proves it stays', async () => {
  const folder = newFolder()
  await act()
  await signHead(db, keys, folder)
  const before = readFileSync(headFile(folder), 'utf8')
  const { rows } = await database.owner.query<{ chain: string; seq: string }>(
    'delete from audit where id in (select id from audit order by id desc limit 2) returning chain, seq',
  )
  expect(rows).toHaveLength(2)
  await expect(signHead(db, keys, folder)).rejects.toThrow(HeadContradicted)
  expect(readFileSync(headFile(folder), 'utf8')).toBe(before)
  expect((await findingsWith(folder)).map(({ what }) => what)).toEqual(['cut off'])

  // A process that goes on writing shows what no head had signed yet.
  await act()
  expect((await findingsWith(folder)).map(({ what }) => what)).toEqual(['missing'])
})

test('OPS-5 R84 two that sign into one folder at once leave one whole, newest head', async () => {
  const folder = newFolder()
  await Promise.all(Array.from({ length: 6 }, () => signHead(db, keys, folder)))
  expect(readHead(keys, folder)!.ordinal).toBe(6)
  expect(readdirSync(folder)).toEqual(['audit-head.json'])
})

test('OPS-5 R84 R125 a node signs a head when it starts, every minute in which something was recorded, and when it stops', async () => {
  const folder = newFolder()
  const reported: unknown[] = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const signing = await startSigningHeads(db, keys, folder, (error) => reported.push(error))
  expect(readHead(keys, folder)!.ordinal).toBe(1)
  for (const ordinal of [2, 3]) {
    await act()
    vi.advanceTimersByTime(59_000)
    expect(readHead(keys, folder)!.ordinal).toBe(ordinal - 1)
    vi.advanceTimersByTime(1_000)
    await expect.poll(() => readHead(keys, folder)!.ordinal).toBe(ordinal)
  }
  // Two nodes that have nothing to do do not sign what the other one has signed, for ever.
  const other = newFolder()
  await signHead(db, keys, other)
  await signNewRecords(db, keys, folder)
  await signNewRecords(db, keys, other)
  expect([readHead(keys, folder)!.ordinal, readHead(keys, other)!.ordinal]).toEqual([3, 1])
  await signing.stop()
  expect(readHead(keys, folder)!.ordinal).toBe(4)
  writeFileSync(headFile(folder), 'junk')
  await (await startSigningHeads(db, keys, folder, (error) => reported.push(error))).stop()
  expect(reported).toHaveLength(2)
})

test('OPS-5 R125 the newest records are missed within a minute of their removal, by the node itself and by whoever verifies', async () => {
  const folder = newFolder()
  const reported: unknown[] = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const signing = await startSigningHeads(db, keys, folder, (error) => reported.push(error))
  await act()
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => readHead(keys, folder)!.ordinal).toBe(2)
  const { rowCount } = await database.owner.query(
    `delete from audit where (chain, seq) in (select chain, seq from audit where act = 'signed-out' order by id desc limit 1)
      or id > (select max(id) from audit where act = 'signed-out')`,
  )
  expect(rowCount).toBeGreaterThan(0)
  expect((await findingsWith(folder)).map(({ what }) => what)).toContain('cut off')
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => reported).toEqual([expect.any(HeadContradicted)])
  await signing.stop()
})

/** A database as the version before the chains left it, with some records. */
async function databaseFromBefore() {
  const name = `audit_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(inject('postgres'))
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(`create database ${name}`)
  url.pathname = `/${name}`
  const owner = new pg.Client({ connectionString: url.href })
  await owner.connect()
  await owner.query(
    'create table migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  for (const file of ['0001-accounts.sql', '0002-signatures.sql']) {
    const text = readFileSync(join(import.meta.dirname, 'migrations', file), 'utf8')
    await owner.query(text)
    await owner.query('insert into migrations (name, sha256) values ($1, $2)', [
      file,
      createHash('sha256').update(text).digest('hex'),
    ])
  }
  await owner.query(
    `insert into audit (act, account_id, actor, address, details) select 'signed-out', gen_random_uuid(), 'customer', '192.0.2.1', jsonb_build_object('n', n, 'text', 'ąę"' || n) from generate_series(1, 50) n`,
  )
  return {
    url: url.href,
    owner,
    async drop() {
      await owner.end()
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

test('OPS-5 R84 records from before the chains are one chain, whose end the first head fixes', async () => {
  const old = await databaseFromBefore()
  await migrate(old.url)
  const opened = openDatabase(old.url, { auditKey: keys.audit })
  try {
    const folder = newFolder()
    await signHead(opened.db, keys, folder)
    await act(opened.db)
    expect(await findingsWith(folder, opened.db)).toEqual([])
    const chain = '00000000-0000-0000-0000-000000000000'
    expect(readHead(keys, folder)!.ends).toEqual([[chain, 50, expect.stringMatching(/^[0-9a-f]{64}$/)]])
    // What anybody can do who has read the migration: the chain is whole again, but no longer the one that was signed.
    const rehash = (id: string, seq: number) =>
      old.owner.query(
        `update audit set mac = sha256(previous || convert_to(jsonb_build_array(chain, seq, id, at at time zone 'UTC', act, account_id, actor, address, details)::text, 'UTF8'))
         where chain = $1 and seq = $2`,
        [id, seq],
      )
    await old.owner.query(`update audit set act = 'x' where chain = $1 and seq = 20`, [chain])
    expect(await findingsWith(folder, opened.db)).toEqual([{ chain, from: 20, to: 20, what: 'changed' }])
    await old.owner.query(`update audit set act = 'signed-out' where chain = $1 and seq = 20`, [chain])
    await old.owner.query(`update audit set act = 'x' where chain = $1 and seq = 50`, [chain])
    await rehash(chain, 50)
    expect(await findingsWith(folder, opened.db)).toEqual([{ chain, from: 50, to: 50, what: 'unlike the head' }])
  } finally {
    await opened.close()
    await old.drop()
  }
})
