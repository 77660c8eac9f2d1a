import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { readDer } from '../../pki/asn1/der.ts'
import { TimeStampResp } from '../../pki/timestamps/timestamp-structures.ts'
import { timestampLogin } from '../../provider/demonstration/demonstration-timestamps.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { copyDemonstration } from '../testing/filled-demonstration.ts'
import { freePort } from '../testing/free-port.ts'
import { killStarted, startMain as start } from '../testing/main-process.ts'

const root = join(import.meta.dirname, '../..')

const running = new Set<ChildProcess>()
const folders: string[] = []

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  killStarted()
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-start-'))
  folders.push(folder)
  return folder
}

/** A data folder with a filled demonstration; the tests share one, since filling takes time. */
let filled: string | undefined
async function filledFolder() {
  if (filled) return filled
  const folder = newFolder()
  const portal = start({ PORT: String(await freePort()), DATA_DIR: folder })
  await portal.until('/demo/messages')
  portal.child.kill('SIGTERM')
  await portal.exit
  return (filled = folder)
}

/** A free port, at which a portal does not fill such a folder again, as it would at another address. */
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

/** What the demonstration's timestamp authority answers to a request without a password, and with the one it prints. */
async function stampTime(port: string) {
  const { login, password } = timestampLogin
  const send = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/tsa`, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', ...headers },
      // For a digest of SHA-256 (RFC 3161 §2.4.1).
      body: Buffer.from(`30360201013031300d060960864801650304020105000420${'ab'.repeat(32)}`, 'hex'),
    })
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  const answer = Buffer.from(await (await send({ authorization })).arrayBuffer())
  const status = readDer(answer, TimeStampResp).status.status
  return [(await send({})).status, status === 0 ? 'granted' : status]
}

test('OPS-1 TSP-4 CHK-12 the portal starts on an empty folder, stamps time, judges by its own trusted lists, prints where everything is, and starts again on what it made', async () => {
  const folder = newFolder()
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
  expect(await stampTime(port)).toEqual([401, 'granted'])
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
  expect(await stampTime(port)).toEqual([401, 'granted'])
  second.child.kill('SIGINT')
  expect(await second.exit).toBe(0)
  expect(processesOn(folder)).toEqual([])
  filled = folder
})

test('OPS-1 a data folder that is in use is reported in a sentence, and one whose portal was killed is used again', async () => {
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

test('OPS-1 a data folder that cannot be written is reported in a sentence', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const portal = start({ PORT: String(await freePort()), DATA_DIR: join(file, 'below') })
  expect(await portal.exit).toBe(2)
  expect(portal.output()).toMatch(
    /^The data folder \S+ cannot be written to \(\w+\)\. Choose another one with DATA_DIR\.\n$/,
  )
})

test('OPS-13 the start warns of a key that it does not know, and goes on', async () => {
  const file = join(newFolder(), 'sygnet.json')
  writeFileSync(file, JSON.stringify({ PROT: 1, DATA_DIR: 'sygnet.json/below' }))
  const portal = start({ PORT: String(await freePort()), SYGNET_CONFIG: file })
  expect(await portal.exit).toBe(2)
  expect(portal.output()).toMatch(/^Warning: PROT in the file .* did you mean PORT\?\nThe data folder .*\n$/)
})

test('OPS-1 a taken port is reported in a sentence, before anything is touched', async () => {
  const folder = newFolder()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  const portal = start({ PORT: String(port), DATA_DIR: folder })
  expect(await portal.exit).toBe(1)
  taken.close()
  expect(portal.output()).toMatch(/^The port is taken: .*PORT=\d+ npm start\.\n$/)
  expect(existsSync(join(folder, 'postgres'))).toBe(false)
})

test('OPS-1 a port that browsers refuse to open is reported in a sentence, before anything is touched', async () => {
  const folder = newFolder()
  const portal = start({ PORT: '4190', DATA_DIR: folder })
  expect(await portal.exit).toBe(1)
  expect(portal.output()).toBe(
    'Browsers refuse to open port 4190, because it belongs to another service. Choose another port, as in PORT=3001 npm start.\n',
  )
  expect(readdirSync(folder)).toEqual([])
})

test('OPS-1 OPS-3 a database that a newer version migrated is left alone, and one out of reach is named', async () => {
  const { settings, owner, drop } = await copyDemonstration()
  onTestFinished(drop)
  await owner.query(`insert into migrations (name, sha256) values ('9999-the-future.sql', 'x')`)
  const old = start(settings)
  expect(await old.exit).toBe(2)
  expect(old.output()).toMatch(
    /^The database was migrated by a newer version of Sygnet \(it knows 9999-the-future\.sql\)\..*\n$/,
  )

  const away = start({ ...settings, DATABASE_URL: `postgres://x@127.0.0.1:${await freePort()}/x` })
  expect(await away.exit).toBe(1)
  expect(away.output()).toBe('The database cannot be reached (ECONNREFUSED). Check DATABASE_URL.\n')
})

test('OPS-6 R95 figures are read at a port of their own, traces go to the collector, and a node says that it goes before it does', async () => {
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
  expect((await get(port, '/metrics'))[0]).toBe(404)
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
  running.add(child)
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
  // Each request is two lines of the log.
  for (let i = 0; i < 20; i++) expect(await readiness()).toBe(200)
  child.kill('SIGTERM')
  expect(await gone).toBe(0)
})

test('SGN-1 a signing service that does not fit ends the start with its reason; one that is silent is a warning', async () => {
  const folder = await filledFolder()
  const info = { specs: '1.0.4.0', methods: [] }
  await using service = await listenOnLoopback((_, response) => response.end(JSON.stringify(info)))
  const settings = {
    PORT: await knownPort(folder),
    DATA_DIR: folder,
    DEMONSTRATION_PUBLIC: 'on',
    CSC_CLIENT_ID: 'sygnet-portal',
    CSC_CLIENT_SECRET: 'Jr5cQ0wZ8uT1xV7n',
    TSA_URL: 'http://127.0.0.1:9/tsa',
  }
  const unsuitable = start({ ...settings, CSC_URL: `${service.url}/csc/v2` })
  expect(await unsuitable.exit).toBe(2)
  expect(unsuitable.output()).toContain(
    'CSC_URL cannot be used: the signing service implements version 1.0.4.0 of the CSC API, not 2.\n',
  )
  const silent = start({ ...settings, CSC_URL: `http://127.0.0.1:${await freePort()}/csc/v2` })
  await silent.until('/demo/messages')
  expect(silent.output()).toContain('"problem":"unreachable","msg":"the signing service cannot be used"')
  const answer = await fetch(`http://127.0.0.1:${settings.PORT}/readyz`)
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready', unavailable: ['signing-service'] }])
  silent.child.kill('SIGTERM')
  expect(await silent.exit).toBe(0)
})
