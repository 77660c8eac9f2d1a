import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { testFile, testFolder } from '../../pki/testing/peer-programs.ts'
import { startS3 } from '../adapters/loopback/loopback-s3.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { makeDatabaseDirectory } from '../platform/configuration/data-directory.ts'
import { startPostgres } from '../platform/database/embedded-postgres.ts'
import { migrate, withClient } from '../platform/database/migrate.ts'
import { createDatabase } from '../testing/databases.ts'
import { copyDemonstration } from '../testing/filled-demonstration.ts'
import { folderOfFile } from '../testing/open-portal.ts'
import { freePort, killStarted, startMain as start } from '../testing/processes.ts'

const root = join(import.meta.dirname, '../..')

afterEach(killStarted)

/** The data folder of a demonstration, which the first test fills and all share, since filling takes time. */
const shared = folderOfFile()
let isFilled = false
async function filledFolder() {
  if (isFilled) return shared
  const portal = start({ PORT: String(await freePort()), DATA_DIR: shared })
  await portal.until('/demo/messages')
  portal.child.kill('SIGTERM')
  await portal.exit
  isFilled = true
  return shared
}

/** Finds a free port and marks the folder as filled for it, because a portal would fill the folder again at another address. */
async function knownPort(folder: string) {
  const port = String(await freePort())
  const mark = join(folder, 'demonstration.json')
  writeFileSync(mark, readFileSync(mark, 'utf8').replace(/\d+$/, port))
  return port
}

/** Processes that have the folder in their command line: the database's. */
const processesOn = (folder: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-D ${folder}`))

test('OPS-1 the portal starts on an empty folder, and again on what it made', async () => {
  const folder = shared
  const [port, metricsPort] = [String(await freePort()), String(await freePort())]
  const first = start({ PORT: port, DATA_DIR: folder, METRICS_PORT: metricsPort })
  await first.until('/demo/messages')
  expect(first.output()).toContain(`http://127.0.0.1:${port}`)
  expect(first.output()).toMatch(/password Demo-\S{9,}/)
  expect(first.output()).toContain('malgorzata')
  const api = await fetch(`http://127.0.0.1:${port}/api/openapi.json`)
  expect(await api.json()).toMatchObject({ openapi: '3.1.0' })
  const messages = (await (await fetch(`http://127.0.0.1:${port}/demo/messages.json`)).json()) as object[]
  expect(Object.keys(messages[0]!)).toEqual(['channel', 'to', 'subject', 'text', 'sentAt'])
  const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  await expect.poll(figures, { timeout: 30_000 }).toContain('sygnet_trusted_lists_total{outcome="new"} 2\n')
  first.child.kill('SIGTERM')
  expect(await first.exit).toBe(0)
  expect(processesOn(folder)).toEqual([])
  expect(existsSync(join(folder, 'sygnet.pid'))).toBe(false)

  const second = start({ PORT: port, DATA_DIR: folder })
  await second.until('/demo/messages')
  // Nobody is invited twice.
  expect(await (await fetch(`http://127.0.0.1:${port}/demo/messages.json`)).json()).toEqual([])
  second.child.kill('SIGINT')
  expect(await second.exit).toBe(0)
  expect(processesOn(folder)).toEqual([])
  isFilled = true
})

test('OPS-1 a data folder in use is reported, and one whose portal was killed is used again', async () => {
  const folder = await filledFolder()
  const port = await knownPort(folder)
  const first = start({ PORT: port, DATA_DIR: folder })
  await first.until('/demo/messages')
  const rejected = start({ PORT: String(await freePort()), DATA_DIR: folder })
  expect(await rejected.exit).toBe(1)
  expect(rejected.output()).toMatch(/^The data folder \S+ is in use by another Sygnet \(process \d+\)\..*\n$/)
  first.child.kill('SIGKILL')
  await first.exit

  const second = start({ PORT: port, DATA_DIR: folder })
  await second.until('/demo/messages')
  second.child.kill('SIGTERM')
  expect(await second.exit).toBe(0)
  expect(processesOn(folder)).toEqual([])
})

test('OPS-1 of an embedded database that cannot be migrated, the message says which folder to move away', async () => {
  const folder = testFolder()
  const database = await startPostgres(makeDatabaseDirectory(folder))
  await migrate(database.url)
  await withClient(database.url, (client) => client.query(`update migrations set sha256 = 'other'`))
  await database.stop()
  const portal = start({ PORT: String(await freePort()), DATA_DIR: folder })
  expect(await portal.exit).toBe(2)
  expect(portal.output()).toMatch(
    /^The migration 0001-.* database\. For a new one, move .* away, or choose .* DATA_DIR\.\n$/,
  )
  expect(portal.output()).toContain(` move ${folder} `)
})

test('OPS-1 OPS-13 a data folder that cannot be written ends the start, after the warnings of the configuration', async () => {
  const file = testFile(JSON.stringify({ PROT: 1, DATA_DIR: 'sygnet.json/below' }), 'sygnet.json')
  const portal = start({ PORT: String(await freePort()), SYGNET_CONFIG: file })
  expect(await portal.exit).toBe(2)
  expect(portal.output()).toMatch(
    /^Warning: PROT in the file .* did you mean PORT\?\nThe data folder \S+ cannot be written to \(\w+\)\. Choose another one with DATA_DIR\.\n$/,
  )
})

test('OPS-1 OPS-17 a port or an address that cannot be used is reported before anything is touched', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const takenPort = (taken.address() as { port: number }).port
  const open = { DEMONSTRATION_PUBLIC: 'on' }
  for (const [over, code, reason] of [
    [{ PORT: takenPort }, 1, `The port ${takenPort} of PORT is taken: .* set PORT to another port`],
    [{ PORT: 4190 }, 2, 'Browsers refuse to open port 4190, .*: set PORT to another port'],
    [{ HOST: '192.0.2.1', ...open }, 2, '192\\.0\\.2\\.1 is not an address of this machine: set HOST to one .*'],
    [
      { METRICS_PORT: 9464, METRICS_HOST: '192.0.2.1', ...open },
      2,
      '192\\.0\\.2\\.1 is not .*: set METRICS_HOST to one .*',
    ],
  ] as const) {
    const folder = testFolder()
    const texts = Object.entries(over).map(([key, value]) => [key, String(value)])
    const portal = start({ PORT: String(await freePort()), DATA_DIR: folder, ...Object.fromEntries(texts) })
    expect(await portal.exit).toBe(code)
    expect(portal.output()).toMatch(new RegExp(`^${reason}\\.\\n$`))
    expect(readdirSync(folder)).toEqual([])
  }
})

test('OPS-1 two demonstration nodes that start on one empty database both start', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const master = testFile(randomBytes(32).toString('base64'))
  const bucket = await startS3()
  onTestFinished(() => bucket.stop())
  const nodes = []
  for (let i = 0; i < 2; i++)
    nodes.push(
      start({
        DEMONSTRATION_PUBLIC: 'on',
        DATABASE_URL: database.url,
        MASTER_KEY_FILE: master,
        S3_URL: bucket.url(),
        S3_REGION: bucket.region,
        S3_ACCESS_KEY_ID: bucket.accessKeyId,
        S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
        DATA_DIR: testFolder(),
        PORT: String(await freePort()),
      }),
    )
  for (const node of nodes) await node.until('/demo/messages')
})

test('OPS-3 a database out of reach, or that does not exist, is named', async () => {
  const { settings, drop } = await copyDemonstration()
  onTestFinished(drop)
  const away = start({ ...settings, DATABASE_URL: `postgres://x@127.0.0.1:${await freePort()}/x` })
  expect(await away.exit).toBe(1)
  expect(away.output()).toBe('The database cannot be reached (ECONNREFUSED). Check DATABASE_URL.\n')
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const nowhere = Object.assign(new URL(database.url), { pathname: '/nowhere' }).href
  const misnamed = start({ ...settings, DATABASE_URL: nowhere })
  expect(await misnamed.exit).toBe(1)
  expect(misnamed.output()).toMatch(/^The database does not exist: .*\. Check DATABASE_URL\.\n$/)
})

test('OPS-6 R95 figures have a port of their own, and a node says that it goes before it does', async () => {
  await using collector = await listenOnLoopback((_, response) => response.end('{}'))
  const folder = await filledFolder()
  const [port, metricsPort] = [await knownPort(folder), String(await freePort())]
  const portal = start({
    PORT: port,
    DATA_DIR: folder,
    METRICS_PORT: metricsPort,
    TRACES_URL: `${collector.url}/v1/traces`,
    STOP_DELAY_SECONDS: '20',
  })
  await portal.until('/demo/messages')
  const get = async (at: string, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${at}${path}`)
    return [answer.status, await answer.text()] as const
  }
  expect(await get(port, '/readyz')).toEqual([200, '{"status":"ready"}'])
  expect((await get(metricsPort, '/metrics'))[1]).toMatch(
    /^sygnet_http_request_duration_seconds_count\{method="GET",route="\/readyz",status="2xx"\} 1$/m,
  )
  portal.child.kill('SIGTERM')
  // Polled, because the signal takes a moment to arrive.
  let answer: readonly [number, string]
  do answer = await get(port, '/readyz')
  while (answer[0] === 200)
  expect(answer).toEqual([503, '{"status":"not-ready","reason":"stopping"}'])
  expect((await get(port, '/'))[0]).toBe(200)
  portal.child.kill('SIGTERM')
  expect(await portal.exit).toBe(0)
  // The remaining traces were sent at the end.
  expect(collector.received.some(({ body }) => body.includes('GET /readyz'))).toBe(true)
})

test.each([
  ['whose disk is full', () => openSync('/dev/full', 'w')],
  ['without a reader', () => 'pipe' as const],
])('R96 a log %s takes nothing from the portal', async (_, output) => {
  const port = String(await freePort())
  const out = output()
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: port, DATA_DIR: await filledFolder(), LOG_LEVEL: 'info' },
    stdio: ['ignore', out, out],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (typeof out === 'number') closeSync(out)
  const readiness = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(() => (child.exitCode === null ? readiness() : 'gone'), { timeout: 60_000 }).toBe(200)
  // Each request is a line of the log.
  for (let i = 0; i < 20; i++) expect(await readiness()).toBe(200)
  child.kill('SIGTERM')
  expect(await gone).toBe(0)
})
