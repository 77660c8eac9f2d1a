import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../pki/testing/peer-programs.ts'
import { findPositionAt } from '../server/platform/audit/audit-list.ts'
import { addAuditEntry } from '../server/platform/audit/audit.ts'
import { connect, type Db } from '../server/platform/database/database.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { findAccountId } from '../server/testing/database-state.ts'
import { createClock, createDatabase } from '../server/testing/databases.ts'
import { makeCustomer } from '../server/testing/test-customers.ts'
import { operatorLogin } from './environment.ts'
import { openCommand, runInProcess } from './testing/sygnet-command.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Db
let close: () => Promise<void>
let folder: string

beforeEach(async () => {
  database = await createDatabase()
  folder = mkdtempSync(join(tmpdir(), 'sygnet-command-'))
  const master = randomBytes(32)
  writeFileSync(join(folder, 'master.key'), master.toString('base64'))
  ;({ db, close } = connect(database.url, { auditKey: (await loadKeys(database.url, [master])).audit }))
})
afterEach(async () => {
  await close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const sygnet = (args: string[], environment: Record<string, string> = {}) =>
  runInProcess(args, { DATABASE_URL: database.url, DATA_DIR: folder, ...environment })

/** Adds an entry without an account, as the system does. */
const add = (details: { actorName?: string } = {}) =>
  db
    .transaction()
    .execute((tx) => addAuditEntry(tx, { action: 'signed-out', accountId: null, actor: 'system', details }))

test('OPS-5 R84 the command signs a head, verifies the trail, and fails with each finding', async () => {
  for (let n = 0; n < 5; n++) await add()
  const { rows } = await database.owner.query<{ chain: string }>('select chain from audit group by 1')
  const { chain } = rows[0]!

  const headless = await sygnet(['audit', 'verify'])
  expect(headless).toMatchObject({ code: 1, err: '' })
  expect(headless.out).toMatch(/There is no head in .*\nSo the check could not detect entries cut off the end\./)
  expect(headless.out).toContain('5 entries in 1 chains: nothing found.')

  const head = await sygnet(['audit', 'head'])
  expect(head).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`"${chain}",5,`) })
  const saved = join(folder, 'kept.json')
  writeFileSync(saved, head.out)
  const whole = /^6 entries in 2 chains: nothing found\.\nCompared with head 1 of 20\S+Z\.\n$/
  expect(await sygnet(['audit', 'verify'])).toEqual({ code: 0, out: expect.stringMatching(whole), err: '' })
  // As after a restore onto another machine: only the saved head is there.
  const elsewhere = { DATA_DIR: testFolder(), MASTER_KEY_FILE: join(folder, 'master.key') }
  expect(await sygnet(['audit', 'verify', '--head', saved], elsewhere)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/nothing found\.\nCompared with head 1 of 20\S+Z\.\nThere is no head in /),
  })

  const day = new Date().toISOString().slice(0, 10)
  for (const [of, counted] of [
    [day, /^6 entries in 2 chains: nothing found\./],
    ['2001-01-01', /^0 entries in 0 chains: nothing found\./],
  ] as const)
    expect((await sygnet(['audit', 'verify', '--day', of])).out).toMatch(counted)
  for (const none of ['monday', '2027-02-29', '2027-13-01']) {
    const err = expect.stringContaining(`'${none}' is invalid. It must be a day such as 2027-01-31.`) as string
    expect(await sygnet(['audit', 'verify', '--day', none])).toMatchObject({ code: 2, err })
  }

  await database.owner.query(`update audit set act = 'x' where seq = 2`)
  await database.owner.query('delete from audit where seq >= 4')
  const found = await sygnet(['audit', 'verify', '--head', saved])
  expect(found.code).toBe(1)
  for (const line of [`${chain} 2: was changed`, `${chain} 4–5: cut off the end`, '4 entries in 2 chains: 2 findings.'])
    expect(found.out).toContain(line)
  expect(await sygnet(['audit', 'head'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`no longer has ${chain} 5`),
  })
})

test('OPS-20 R172 the trail is printed in order with names, and each reading names the operator', async () => {
  const command = await openCommand()
  onTestFinished(command.close)
  const person = await makeCustomer(command.portal)
  const run = (args: string[], over = { SUDO_USER: 'anna' }) => command.sygnet(['audit', 'show', ...args], over)
  await command.sygnet(['client-key', 'create', 'crm', '--scope', 'customers:read'], { SUDO_USER: 'anna' })
  const id = await findAccountId(command.portal, person)
  const lines = ({ out }: { out: string }) => out.split('\n').filter(Boolean)
  const line = new RegExp(`^\\d{4}-\\S+Z  provider test  +customer-created  +${id}  \\S+ +client=`)
  for (const name of [person.login, id, person.id]) expect(lines(await run(['--account', name]))[0]).toMatch(line)

  const entries = lines(await run(['--json'])).map((text) => JSON.parse(text) as Record<string, unknown>)
  const positions = entries.map(({ position }) => Number(/^(\d+)-[0-9a-f]{16}$/.exec(String(position))?.[1]))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  // Whoever runs the tests may have logged in.
  const actorName = operatorLogin({ SUDO_USER: 'anna' })
  const made = { action: 'client-key-made', actor: 'operator', actorName }
  expect(entries).toContainEqual(expect.objectContaining(made))
  const newest = lines(await run(['--json', '--limit', '1'], { SUDO_USER: 'jan' })).map((text) => JSON.parse(text))
  const read = { action: 'data-read', actor: 'operator', details: { read: 'audit', found: entries.length } }
  expect(newest).toMatchObject([{ ...read, actorName }])

  expect(lines(await run(['--action', 'client-key-made']))).toHaveLength(1)
  expect(await run(['--until', '2001-01-01'])).toEqual({ code: 0, out: '', err: '' })
  expect(lines(await run(['--since', '2001-01-01', '--json'])).length).toBeGreaterThanOrEqual(entries.length)
  expect((await run(['--since', '2001-01-31T10:30Z'])).code).toBe(0)
  expect(await run(['--account', 'nobody'])).toEqual({ code: 1, out: '', err: 'No account is called nobody.\n' })
  const noTime = /^Option '--since <time>' argument '.*' is invalid\. It must be a time such as /
  for (const [args, message] of [
    ...['monday', '2027-02-31', '2027-01-31T10:30', '5', '0000-01-01'].map(
      (time) => [['--since', time], noTime] as const,
    ),
    [['--since', '2027-01-31', '--until', '2027-01-31'], /^--since must be earlier than --until\.\n$/],
    [['--action', 'everything'], /^Option '--action <name>' .* account-unblocked/],
    [['--action', 'toString'], /^Option '--action <name>' .* account-unblocked/],
  ] as const)
    expect(await run([...args])).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) })
})

test('OPS-20 R173 a program follows the trail by positions of the API, and notices a lost one', async () => {
  const follow = async (after: string, ...args: string[]) => {
    const { code, out, err } = await sygnet(['audit', 'show', '--json', '--after', after, ...args])
    const entries = out.split('\n').filter(Boolean)
    return { code, err, entries: entries.map((line) => JSON.parse(line) as { position: string; action: string }) }
  }
  await add()
  const last = (await follow('0-0000000000000000')).entries.at(-1)!.position
  expect(await findPositionAt(db, Number(last.split('-', 1)[0]))).toBe(last)
  await add()
  const more = (await follow(last)).entries
  expect(more.map(({ action }) => action)).toEqual(['data-read', 'signed-out'])
  // Its own reading is the last entry that it causes.
  const reading = (await follow(more.at(-1)!.position)).entries
  expect(reading.map(({ action }) => action)).toEqual(['data-read'])
  expect((await follow(reading[0]!.position)).entries).toEqual([])

  const lost = `${last.slice(0, -16)}0123456789abcdef`
  const unknown = new RegExp(`^position-unknown: .*${lost}`)
  expect(await follow(lost)).toEqual({ code: 1, err: expect.stringMatching(unknown), entries: [] })
  expect((await follow('7')).code).toBe(2)
  expect((await follow(last, '--limit', '1')).code).toBe(2)

  // An entry of an open transaction would come before those that are there already.
  const opened = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  onTestFinished(() => finish.resolve())
  const open = db.transaction().execute(async (tx) => {
    await addAuditEntry(tx, { action: 'signed-out', accountId: null, actor: 'system' })
    await sql`select 1`.execute(tx)
    opened.resolve()
    await finish.promise
  })
  await opened.promise
  await add()
  expect(await follow(last)).toEqual({ code: 0, err: expect.stringContaining('A transaction is open'), entries: [] })
  finish.resolve()
  await open
})

test('OPS-5 R84 a forged head is refused with a message', async () => {
  const forged = join(folder, 'forged.json')
  const head = { folder: 'x', ordinal: 1, at: '', ends: [] }
  writeFileSync(forged, JSON.stringify({ head, publicKey: '', signature: '' }))
  const err = `${forged} cannot be used: The head is not signed by this portal.\n`
  expect(await sygnet(['audit', 'verify', '--head', forged])).toEqual({ code: 1, out: '', err })
})

test('OPS-7 a month without a table of its own is named, and detached once it has got one', async () => {
  expect(await sygnet(['audit', 'detach', '2001-01'])).toEqual({ code: 0, out: 'No month was detached.\n', err: '' })
  expect((await sygnet(['audit', 'detach', '2001-13'])).code).toBe(2)
  const clock = createClock(database.owner)
  const firstOf = (months: number) =>
    new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + months, 1))
  const month = (months: number) => firstOf(months).toISOString().slice(0, 7)
  const table = (months: number) => `audit_${month(months).replace('-', '_')}`
  const named = `Entries of ${month(14)} are in audit_default, because there was no table for them. They stay.\n`
  // No node has made tables for a year.
  await clock.stopAt(firstOf(14))
  await add()
  await clock.stopAt(firstOf(15))
  await database.owner.query('select make_audit_months()')
  await add()
  await clock.stopAt(firstOf(16))
  const { out } = await sygnet(['audit', 'detach', month(14)])
  expect(out).toMatch(new RegExp(`^Detached: ${table(0)}, .*, ${table(13)}\\. Dump and drop them\\.\n$`))
  expect((await sygnet(['audit', 'detach', month(15)])).out).toBe(`No month was detached.\n${named}`)
  // The chain goes on in the next month.
  expect(await sygnet(['audit', 'detach', month(16)])).toMatchObject({
    code: 1,
    err: expect.stringContaining('or in audit_default; nothing was detached.'),
  })

  const guide = readFileSync(new URL('../docs/guides/scale.md', import.meta.url), 'utf8')
  const [, move] = /```sql\n(begin;\ncreate table audit_.*?)```/s.exec(guide)!
  const ofMonth = move!
    .replaceAll('audit_2027_05', table(14))
    .replaceAll('2027-05-01', `${month(14)}-01`)
    .replaceAll('2027-06-01', `${month(15)}-01`)
  await database.owner.query(ofMonth)
  const both = `Detached: ${table(14)}, ${table(15)}. Dump and drop them.\n`
  expect(await sygnet(['audit', 'detach', month(16)])).toEqual({ code: 0, out: both, err: '' })
})

test('OPS-20 what others have chosen, such as a name, cannot give commands to the terminal', async () => {
  await add({ actorName: 'crm\u001b[2J\nforged line' })
  const { out } = await sygnet(['audit', 'show', '--action', 'signed-out', '--limit', '1'])
  expect(out).toMatch(/^20\S+Z {2}system crm \[2J forged line {2}signed-out [^\n]*\n$/)
})

test('OPS-20 entries name who has logged in, or in a container whom the environment states', () => {
  const users = testFolder()
  /**
   * Returns the operator's login for the value that the kernel reports: the number of a user, all bits for none, or nothing where it has no
   * such file.
   */
  const login = (user: number | undefined, environment: { SUDO_USER?: string; SYGNET_OPERATOR?: string } = {}) => {
    const file = join(users, String(user))
    if (user !== undefined) writeFileSync(file, `${user}`)
    return operatorLogin(environment, file)
  }
  const [none, unknown] = [2 ** 32 - 1, 4_000_000_000]
  const stated = { SYGNET_OPERATOR: 'jan' }
  expect(login(0, { SUDO_USER: 'anna', ...stated })).toBe('root')
  for (const user of [none, undefined, unknown]) {
    expect(login(user, { SUDO_USER: 'anna', ...stated })).toBe('anna')
    expect(login(user, stated)).toBe('jan')
    expect(login(user, { SYGNET_OPERATOR: 'j'.repeat(65) })).toBe('j'.repeat(64))
  }
  expect(login(unknown)).toBe(`uid ${unknown}`)
  expect(login(none, { SYGNET_OPERATOR: '' })).toBe(userInfo().username)
})
