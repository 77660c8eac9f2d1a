import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { exhaustive } from '../../testing/breadth.ts'
import { freePort, operatorEnvironment } from '../../testing/processes.ts'
import { connect } from './database.ts'
import { startPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { inspectDatabase, migrate } from './migrate.ts'
import { canLeaveRole, createRequestsLogin, requireMembership } from './requests-login.ts'

// A server for each test, since roles belong to a whole server, and production nodes as processes.
const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'sygnet-rights-'))
let server: EmbeddedPostgres
beforeAll(() => {
  chmodSync(folder, 0o755)
  const brand = JSON.parse(readFileSync(join(root, 'docs/examples/wawel-brand.json'), 'utf8')) as {
    mark?: string
    icons?: object
  }
  delete brand.mark
  delete brand.icons
  writeFileSync(join(folder, 'brand.json'), JSON.stringify(brand))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(async () => {
  server = await startPostgres(join(folder, 'postgres'), { fsync: 'off' })
})
afterEach(async () => {
  await server.stop()
  rmSync(join(folder, 'postgres'), { recursive: true })
})

const urlOf = (login: string, password: string, database: string) =>
  Object.assign(new URL(server.url), { username: login, password, pathname: `/${database}` }).href

const asAdministrator = (...statements: string[]) => asAdministratorOf('postgres', ...statements)

/** Runs statements as the server's administrator, one at a time: a database is created outside of any transaction. */
async function asAdministratorOf(database: string, ...statements: string[]) {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(server.url), { pathname: `/${database}` }).href,
  })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Whether the last node said that its login can do more than its role. */
let warned: boolean

/** Makes the node say what becomes of a call that is not the gateway's, when a signal asks. */
const caller = `process.on('SIGUSR2', () => import('node:http')
  .then(({ get }) => get('http://127.0.0.1:1').on('error', () => {}))
  .then(() => 'it has called', (error) => error.message).then(console.error))`
/** Result of that call in the last node. */
let outsideCallResult: string

/** Starts a production node, checks whether it is ready, and stops it. Returns its output if it did not start. */
async function startNode(urls: { DATABASE_URL: string; DATABASE_OWNER_URL?: string }) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const imported = `data:text/javascript,${encodeURIComponent(caller)}`
  const child = spawn(process.execPath, ['--import', imported, join(root, 'server/main.ts')], {
    env: {
      ...operatorEnvironment(),
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/sygnet/compiled'),
      ...urls,
      LOG_LEVEL: 'info',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATA_DIR: mkdtempSync(join(folder, 'node-')),
      MASTER_KEY: randomBytes(32).toString('base64'),
      BRAND_FILE: join(folder, 'brand.json'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  await new Promise<void>((resolve) => {
    child.stdout.on('data', () => said.includes('the checks of the start are done') && resolve())
    void gone.then(() => resolve())
  })
  if (child.exitCode !== null) return said
  warned = said.includes('can leave its role')
  child.kill('SIGUSR2')
  outsideCallResult = String((await once(child.stderr, 'data'))[0]).trim()
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(String)
  child.kill('SIGTERM')
  expect(await gone).toBe(0)
  return typeof answer === 'string' ? answer : answer.status
}

/** Tries what an injected statement would do after leaving the role in each possible way. */
async function refuseEverything(client: pg.Client) {
  for (const escape of [
    'reset role',
    `select set_config('role', 'none', false)`,
    `select set_config('role', session_user, false)`,
  ]) {
    await client.query(escape)
    for (const statement of [
      `select set_config('role', 'sygnet_owner', false)`,
      `select set_config('role', 'portal', false)`,
      `copy (select 1) to program 'id'`,
      `select pg_read_file('/etc/passwd')`,
      `update secrets set encrypted = 'x'`,
      'delete from secrets',
      `update provider_keys set scopes = '{}'`,
      `insert into provider_keys (key_hash, name) values ('x', 'mine')`,
      'delete from provider_keys',
    ])
      expect([
        escape,
        statement,
        await client.query(statement).then(
          () => 'done',
          ({ message }) => String(message),
        ),
      ]).toEqual([escape, statement, expect.stringMatching(/permission denied|does not exist/)])
  }
}

test('OPS-3 OPS-17 the statements that a check names give the logins what they lack', async () => {
  const password = randomBytes(12).toString('hex')
  await asAdministrator(
    `create role "Bare-1" login password '${password}'`,
    `create role guest login password '${password}'`,
    'create database bare',
  )
  const [owner, guest] = [urlOf('Bare-1', password, 'bare'), urlOf('guest', password, 'bare')]
  const statementsOf = async (refused: Promise<unknown>) => {
    const message = await refused.then(String, (error: Error) => error.message)
    expect(message).toContain('Run once as an administrator, in this database: ')
    return message.split('this database: ')[1]!
  }
  const forOwner = await statementsOf(inspectDatabase(owner))
  expect(forOwner).toBe(
    'grant create on schema public to "Bare-1"; create role sygnet_app nologin; grant sygnet_app to "Bare-1";',
  )
  expect(await statementsOf(requireMembership(guest, '"Bare-1"'))).toBe(
    'create role sygnet_app nologin; grant sygnet_app to guest;',
  )
  await requireMembership(owner, '"Bare-1"')
  await asAdministratorOf('bare', forOwner)
  const { login, isEmpty } = await inspectDatabase(owner)
  expect([login, isEmpty]).toEqual(['"Bare-1"', true])
  const forGuest = await statementsOf(requireMembership(guest, login))
  expect(forGuest).toBe('grant sygnet_app to guest;')
  await asAdministratorOf('bare', forGuest)
  await requireMembership(guest, login)
  await migrate(owner)
})

test('OPS-3 OPS-17 R73 where another login owns the tables, its address is named and no right', async () => {
  const password = randomBytes(12).toString('hex')
  await asAdministrator(
    'create role sygnet_app nologin',
    `create role owner login password '${password}'`,
    `create role requests login password '${password}'`,
    'grant sygnet_app to owner, requests',
    'create database two owner owner',
  )
  const [owner, requests] = [urlOf('owner', password, 'two'), urlOf('requests', password, 'two')]
  await migrate(owner)
  const sentence =
    /^The database login requests does not own the table \w+, which belongs to owner\. Set DATABASE_OWNER_URL to the login of the owner of all tables\.$/
  await expect(inspectDatabase(requests)).rejects.toThrow(sentence)
  // As after a remedy that does not help.
  await asAdministratorOf('two', 'grant create on schema public to requests')
  await expect(inspectDatabase(requests)).rejects.toThrow(sentence)
  await expect(migrate(requests)).rejects.toThrow(sentence)
  expect(await inspectDatabase(owner)).toMatchObject({ isEmpty: false, missing: 0 })
})

test('OPS-3 R73 R263 a login that may create roles, as on managed servers, creates the role of the requests', async () => {
  const password = randomBytes(12).toString('hex')
  await asAdministrator(
    `create role master login createdb createrole password '${password}'`,
    'create database managed owner master',
  )
  const url = urlOf('master', password, 'managed')
  expect([await startNode({ DATABASE_URL: url }), warned]).toEqual([200, true])
  expect(outsideCallResult).toBe('Only the gateway makes HTTP calls.')
  // Again, on what is there now.
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select rolsuper or rolcreaterole or rolcanlogin as more from pg_roles where rolname = 'sygnet_app'`,
  )
  expect(rows).toEqual([{ more: false }])
  await client.end()
})

test('OPS-3 R73 a login that may not create roles works once the administrator has created the role', async () => {
  const password = randomBytes(12).toString('hex')
  await asAdministrator(
    'create role sygnet_app nologin',
    `create role plain login password '${password}'`,
    'create database plain owner plain',
    // A schema of somebody else's, in which it may make tables.
    `create role lodger login password '${password}'`,
    'create database lodging',
  )
  await expect(migrate(urlOf('plain', password, 'plain'))).rejects.toThrow(
    'Run once as an administrator, in this database: grant sygnet_app to plain;',
  )
  await asAdministrator('grant sygnet_app to plain', 'grant sygnet_app to lodger')
  await migrate(urlOf('plain', password, 'plain'))
  await expect(migrate(urlOf('lodger', password, 'lodging'))).rejects.toThrow(
    'Run once as an administrator, in this database: grant create on schema public to lodger;',
  )
  await asAdministratorOf('lodging', 'grant create on schema public to lodger')
  await migrate(urlOf('lodger', password, 'lodging'))
})

test.runIf(exhaustive)('OPS-3 R73 the statements of the guide make what a node with two logins needs', async () => {
  const guide = readFileSync(join(root, 'docs/guides/operate.md'), 'utf8')
  const [, sql] = /```sql\n([^]*?)```/.exec(guide)!
  const password = randomBytes(12).toString('hex')
  await asAdministrator(...sql!.replaceAll('PASSWORD', password).trim().split('\n'))
  const urls = {
    DATABASE_URL: urlOf('sygnet', password, 'sygnet'),
    DATABASE_OWNER_URL: urlOf('sygnet_owner', password, 'sygnet'),
  }
  expect([await startNode(urls), warned]).toEqual([200, false])
  const client = new pg.Client({ connectionString: urls.DATABASE_URL })
  await client.connect()
  await expect(client.query('create table mine (a int)')).rejects.toThrow('permission denied')
  await expect(client.query('delete from audit')).rejects.toThrow('permission denied')
  await refuseEverything(client)
  await client.end()
})

test('R123 the embedded database has a login of its own for requests, which can do nothing more', async () => {
  await migrate(server.url)
  const url = await createRequestsLogin(
    urlOf('portal', new URL(server.url).password, 'postgres'),
    join(folder, 'requests'),
  )
  // Again, as at the next start.
  expect(await createRequestsLogin(server.url, join(folder, 'requests'))).toBe(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set role sygnet_app')
  await refuseEverything(client)
  await client.end()
  for (const [login, may] of [
    [url, false],
    [server.url, true],
  ] as const) {
    const { db, close } = connect(login, { connections: 1 })
    expect([login, await canLeaveRole(db)]).toEqual([login, may])
    await close()
  }
})
