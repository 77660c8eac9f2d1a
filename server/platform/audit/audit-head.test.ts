import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testFolder } from '../../../pki/testing/peer-programs.ts'
import { collectFindings } from '../../testing/audit-entries.ts'
import { createDatabase } from '../../testing/databases.ts'
import { connect, type Db } from '../database/database.ts'
import { deriveKeys } from '../encryption/keys.ts'
import {
  HeadContradicted,
  headFile,
  openHead,
  readHead,
  signHead,
  signNewEntries,
  startSigningHeads,
} from './audit-head.ts'
import { addAuditEntry } from './audit.ts'

const keys = deriveKeys(randomBytes(32))
let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
let close: () => Promise<void>

beforeEach(async () => {
  database = await createDatabase()
  ;({ db, close } = connect(database.url, { auditKey: keys.audit }))
})
afterEach(async () => {
  vi.useRealTimers()
  await close()
  await database.drop()
})

const addEntry = () =>
  db
    .transaction()
    .execute((tx) => addAuditEntry(tx, { action: 'signed-out', accountId: crypto.randomUUID(), actor: 'customer' }))

/** Returns the findings of a verification with the head of a folder. */
async function findingsWith(folder: string) {
  const own = readHead(keys, folder)
  const heads = { known: own ? [own] : [], now: () => readHead(keys, folder) }
  return (await collectFindings(db, keys.audit, heads)).findings.map(({ what }) => what)
}

/** Signs into a folder by a clock that the test moves, and notes what is reported. */
function signingIn(folder: string) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const reported: unknown[] = []
  return { reported, start: () => startSigningHeads(db, keys, folder, (error) => reported.push(error)) }
}

test('OPS-5 R84 a head is signed: it can be checked without a secret, and any other one is refused', async () => {
  await addEntry()
  const text = await signHead(db, keys, testFolder())
  const { head, publicKey, signature } = JSON.parse(text) as { head: object; publicKey: string; signature: string }
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  const isSigned = (content: object) =>
    verify(null, Buffer.from(`Sygnet audit head\n${JSON.stringify(content)}`), key, Buffer.from(signature, 'base64'))
  expect(isSigned(head)).toBe(true)
  expect(isSigned({ ...head, ordinal: 2 })).toBe(false)

  expect(openHead(keys, text)).toEqual(head)
  expect(() => openHead(keys, text.replace('"ordinal":1', '"ordinal":2'))).toThrow(HeadContradicted)
  const foreign = await signHead(db, deriveKeys(randomBytes(32)), testFolder())
  expect(() => openHead(keys, foreign)).toThrow(HeadContradicted)
})

test('OPS-5 R84 a trail whose end was cut off gets no new head, and the head that proves it is kept', async () => {
  const folder = testFolder()
  await addEntry()
  await signHead(db, keys, folder)
  const before = readFileSync(headFile(folder), 'utf8')
  const { rows } = await database.owner.query<{ chain: string; seq: string }>(
    'delete from audit where id in (select id from audit order by id desc limit 2) returning chain, seq',
  )
  expect(rows).toHaveLength(2)
  await expect(signHead(db, keys, folder)).rejects.toThrow(HeadContradicted)
  expect(readFileSync(headFile(folder), 'utf8')).toBe(before)
  expect(await findingsWith(folder)).toEqual(['cut off'])

  // Further entries of a process show the removal of those that no head had signed yet.
  await addEntry()
  expect(await findingsWith(folder)).toEqual(['missing'])
})

test('OPS-5 R84 two processes that sign into one folder at the same time leave one complete, newest head', async () => {
  const folder = testFolder()
  await Promise.all(Array.from({ length: 6 }, () => signHead(db, keys, folder)))
  expect(readHead(keys, folder)!.ordinal).toBe(6)
  expect(readdirSync(folder)).toEqual(['audit-head.json'])
})

test('OPS-5 R84 R125 a node signs a head when it starts, every minute in which entries were added, and when it stops', async () => {
  const folder = testFolder()
  const { reported, start } = signingIn(folder)
  const signing = await start()
  expect(readHead(keys, folder)!.ordinal).toBe(1)
  for (const ordinal of [2, 3]) {
    await addEntry()
    vi.advanceTimersByTime(59_000)
    expect(readHead(keys, folder)!.ordinal).toBe(ordinal - 1)
    vi.advanceTimersByTime(1_000)
    await expect.poll(() => readHead(keys, folder)!.ordinal).toBe(ordinal)
  }
  // Two idle nodes do not sign each other's audit entries of heads for ever.
  const otherFolder = testFolder()
  await signHead(db, keys, otherFolder)
  await signNewEntries(db, keys, folder)
  await signNewEntries(db, keys, otherFolder)
  expect([readHead(keys, folder)!.ordinal, readHead(keys, otherFolder)!.ordinal]).toEqual([3, 1])
  await signing.stop()
  expect(readHead(keys, folder)!.ordinal).toBe(4)
  writeFileSync(headFile(folder), 'junk')
  await (await start()).stop()
  expect(reported).toHaveLength(2)
})

test('OPS-5 R125 the removal of the newest entries is detected within a minute, by the node itself and by a verification', async () => {
  const folder = testFolder()
  const { reported, start } = signingIn(folder)
  const signing = await start()
  await addEntry()
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => readHead(keys, folder)!.ordinal).toBe(2)
  const { rowCount } = await database.owner.query(
    `delete from audit where (chain, seq) in (select chain, seq from audit where act = 'signed-out' order by id desc limit 1)
      or id > (select max(id) from audit where act = 'signed-out')`,
  )
  expect(rowCount).toBeGreaterThan(0)
  expect(await findingsWith(folder)).toContain('cut off')
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => reported).toEqual([expect.any(HeadContradicted)])
  await signing.stop()
})
