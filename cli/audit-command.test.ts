import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record } from '../server/audit.ts'
import { openDatabase, type Db } from '../server/db.ts'
import { openKeys } from '../server/open-keys.ts'
import { createDatabase } from '../server/testing/databases.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
let close: () => Promise<void>
let folder: string

beforeAll(async () => {
  database = await createDatabase()
  folder = mkdtempSync(join(tmpdir(), 'sygnet-command-'))
  const master = randomBytes(32)
  writeFileSync(join(folder, 'master.key'), master.toString('base64'))
  ;({ db, close } = openDatabase(database.url, { auditKey: (await openKeys(database.url, [master])).audit }))
})
afterAll(async () => {
  await close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function sygnet(args: string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'sygnet.ts'), ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/sygnet/compiled'),
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      ...environment,
    },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('OPS-5 R84 the command prints a signed head, verifies the trail, and fails with the place of what it finds', async () => {
  for (let n = 0; n < 5; n++)
    await db.transaction().execute((tx) => record(tx, { act: 'signed-out', accountId: null, actor: 'system' }))
  const { rows } = await database.owner.query<{ chain: string }>('select chain from audit group by 1')
  const { chain } = rows[0]!

  const headless = sygnet(['audit', 'verify'])
  expect(headless).toMatchObject({ status: 1, stderr: '' })
  expect(headless.stdout).toMatch(/There is no head in .*\nSo records cut off the end were not looked for\./)
  expect(headless.stdout).toContain('5 records in 1 chains: nothing found.')

  const head = sygnet(['audit', 'head'])
  expect(head).toMatchObject({ status: 0, stderr: '' })
  expect(head.stdout).toContain(`"${chain}",5,`)
  const kept = join(folder, 'kept.json')
  writeFileSync(kept, head.stdout)

  const clean = sygnet(['audit', 'verify'])
  expect(clean).toMatchObject({ status: 0, stderr: '' })
  expect(clean.stdout).toMatch(/^6 records in 2 chains: nothing found\.\nCompared with head 1 of 20\S+Z\.\n$/)
  // As after a restore onto a machine of its own: what was kept is compared with, and nothing is amiss.
  const elsewhere = mkdtempSync(join(tmpdir(), 'sygnet-elsewhere-'))
  const keyFile = join(folder, 'master.key')
  const restored = sygnet(['audit', 'verify', '--head', kept], { DATA_DIR: elsewhere, MASTER_KEY_FILE: keyFile })
  expect(restored).toMatchObject({ status: 0, stderr: '' })
  expect(restored.stdout).toMatch(/nothing found\.\nCompared with head 1 of 20\S+Z\.\nThere is no head in /)
  rmSync(elsewhere, { recursive: true })

  await database.owner.query(`update audit set act = 'x' where seq = 2`)
  await database.owner.query('delete from audit where seq >= 4')
  const found = sygnet(['audit', 'verify', '--head', kept])
  expect(found.status).toBe(1)
  expect(found.stdout).toContain(`${chain} 2: was changed`)
  expect(found.stdout).toContain(`${chain} 4–5: cut off the end`)
  expect(found.stdout).toContain('4 records in 2 chains: 2 findings.')
  expect(sygnet(['audit', 'head'])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`no longer has ${chain} 5`),
  })
})

test('OPS-5 R84 a head that is not ours, a folder without the key and a wrong word are told in a sentence', () => {
  const forged = join(folder, 'forged.json')
  writeFileSync(
    forged,
    JSON.stringify({ head: { folder: 'x', ordinal: 1, at: '', ends: [] }, publicKey: '', signature: '' }),
  )
  expect(sygnet(['audit', 'verify', '--head', forged])).toEqual({
    status: 1,
    stdout: '',
    stderr: `${forged} cannot be used: The head is not signed by this portal.\n`,
  })
  const empty = mkdtempSync(join(tmpdir(), 'sygnet-empty-'))
  expect(sygnet(['audit', 'verify'], { DATA_DIR: empty }).stderr).toBe(
    `There is no master key in ${empty}. Set SYGNET_CONFIG, DATA_DIR, MASTER_KEY_FILE or MASTER_KEY as the portal has it.\n`,
  )
  rmSync(empty, { recursive: true })
  expect(sygnet(['audit', 'burn']).status).toBe(2)
})
