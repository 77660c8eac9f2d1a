import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fileFolder } from '../pki/testing/peer-programs.ts'
import { smtpServer } from '../server/adapters/loopback/loopback-mail-server.ts'
import { startS3 } from '../server/adapters/loopback/loopback-s3.ts'
import { listenAsScanner } from '../server/adapters/loopback/loopback-scanner.ts'
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { documentCheck } from '../server/checks/document-check.ts'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { readConfiguration } from '../server/platform/configuration/configuration.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { version } from '../server/platform/observability/version.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { createClock, createDatabase } from '../server/testing/databases.ts'
import { freePort, operatorEnvironment, killStarted, startMain } from '../server/testing/processes.ts'
import { makeSelfSigned } from '../server/testing/proxies.ts'
import { openSigningAlone } from '../server/testing/signing.ts'
import { runInProcess } from './testing/sygnet-command.ts'

const folder = fileFolder()
const brand = join(folder, 'brand.json')
writeFileSync(brand, JSON.stringify(demonstrationBrand))
const master = randomBytes(32)
const { signing, close: closeSigning } = await openSigningAlone()
let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
  await loadKeys(database.url, [master])
})
afterAll(async () => {
  await closeSigning()
  await database.drop()
})

type Overrides = Record<string, string | undefined>
let directories = 0
function environment(over: Overrides = {}) {
  const directory = join(folder, `data-${directories++}`)
  mkdirSync(directory)
  return {
    ...operatorEnvironment(),
    DATA_DIR: directory,
    DATABASE_URL: database.url,
    MASTER_KEY: master.toString('base64'),
    BRAND_FILE: brand,
    ...over,
  }
}

type Finding = { name: string; status: string; text: string; keys: string[] }

/** Runs the check, and returns the findings by the name of their check, and the exit code. */
async function check(over: Overrides = {}, ...args: string[]) {
  const { code, out } = await runInProcess(['check', '--json', ...args], environment(over))
  const findings = JSON.parse(out) as Finding[]
  const of = Object.fromEntries(findings.map(({ name, status, text }) => [name, `${status}: ${text}`]))
  return { code, findings, of }
}

test('OPS-13 OPS-17 every error of the configuration is listed with its key, and nothing tested', async () => {
  const over = { PORT: 'x', SMTP_URL: undefined, SMS_TOKEN: 'changeme', BRAND_FILE: undefined }
  const { code, findings } = await check({ ...over, MALWARE_SCANER: 'x' })
  expect(code).toBe(2)
  const [unknown, ...others] = findings
  const text = expect.stringMatching(/^MALWARE_SCANER in the environment .* MALWARE_SCANNER\?$/) as string
  expect(unknown).toMatchObject({ name: 'configuration', status: 'warning', text })
  expect(new Set(others.map(({ name, status }) => `${name} ${status}`))).toEqual(new Set(['configuration failed']))
  expect(new Set(others.flatMap(({ keys }) => keys))).toEqual(new Set(Object.keys(over)))
})

test('OPS-17 with services that work every check is ok; test messages arrive, no object stays', async () => {
  await using mailServer = await smtpServer()
  await using gateway = await listenOnLoopback((_, response) => response.writeHead(202).end())
  await using dss = await listenOnLoopback(({ body }, response) => {
    const { signedDocument } = JSON.parse(body) as { signedDocument: { name: string; bytes: string } }
    const isPdf = Buffer.from(signedDocument.bytes, 'base64').toString('latin1').startsWith('%PDF-')
    const SimpleReport = { DocumentName: signedDocument.name, SignaturesCount: isPdf ? 0 : 1 }
    response.end(JSON.stringify({ SimpleReport }))
  })
  const scanner = await listenAsScanner((_, socket) => socket.end('stream: OK\0'))
  onTestFinished(scanner.close)
  const configured = environment({
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMS_URL: gateway.url,
    CSC_URL: signing.service.url,
    CSC_CLIENT_ID: signing.service.clientId,
    CSC_CLIENT_SECRET: signing.service.clientSecret,
    TSA_URL: signing.tsa.url,
    TSA_LOGIN: signing.tsa.login,
    TSA_PASSWORD: signing.tsa.password,
    SIGNATURE_DSS_URL: dss.url,
    FEATURES_OFF: 'file-check file-signing',
    MALWARE_SCANNER: scanner.at,
    REVOCATION_FETCH: 'off',
    CA_STATUS_URL: dss.url,
    CA_STATUS_TOKEN: randomBytes(32).toString('hex'),
  })
  const ended = await runInProcess(['check', '--mail', 'operator@mail.example', '--sms', '+48600100200'], configured)
  expect(ended).toMatchObject({ code: 0, err: '' })
  const findings = ended.out
    .trimEnd()
    .split('\n')
    // The longest name decides where the second column begins.
    .map((line) => /^(?=.{18} {2})(\S(?: ?\S)*) +(ok|warning|not tested) +(.*)$/.exec(line)?.slice(1))
  expect(findings).toEqual(
    [
      ['configuration', 'ok', /./],
      ['ports', 'ok', /can listen/],
      ['database', 'ok', /^PostgreSQL \d+.* with UTF8; all migrations are applied\.$/],
      // The test's login is an administrator.
      ['database login', 'warning', /DATABASE_OWNER_URL/],
      ['clock', 'ok', /agree/],
      ['master key', 'ok', /decrypts/],
      ['mail', 'ok', /accepted the test mail/],
      ['SMS', 'ok', /accepted the test message/],
      ['documents', 'ok', /takes, returns and deletes/],
      ['signing service', 'ok', /./],
      ['timestamps', 'ok', /./],
      ['trust anchors', 'ok', /DSS/],
      ['revocation', 'not tested', /REVOCATION_FETCH/],
      ['DSS', 'ok', /./],
      ['malware scanner', 'ok', /./],
      ['certificate status', 'not tested', /CA_STATUS_URL/],
    ].map(([name, status, text]) => [name, status, expect.stringMatching(text!)]),
  )
  expect(mailServer.arrived.map(({ to }) => to)).toEqual([['operator@mail.example']])
  expect(gateway.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { to: '+48600100200', text: 'A test message of portal.example' },
  ])
  const left = readdirSync(join(configured.DATA_DIR, 'documents'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
})

test('OPS-17 each fault is one sentence with its remedy; what cannot be tested is listed', async () => {
  const { file: _, ...certificate } = makeSelfSigned(folder)
  await using mailServer = await smtpServer({ ...certificate, disabledCommands: [] })
  await using refusing = await listenOnLoopback((_request, response) => response.writeHead(403).end())
  const nobody = `http://127.0.0.1:${await freePort()}`
  const secret = randomBytes(16).toString('hex')
  const faulty = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMS_URL: refusing.url,
    CSC_URL: `${nobody}/csc/v2`,
    CSC_CLIENT_ID: 'portal',
    CSC_CLIENT_SECRET: secret,
    TSA_URL: signing.tsa.url,
    TSA_LOGIN: signing.tsa.login,
    TSA_PASSWORD: randomBytes(16).toString('hex'),
    SIGNATURE_DSS_URL: refusing.url,
    FEATURES_OFF: 'file-check file-signing',
    S3_URL: `${refusing.url}/portal`,
    S3_ACCESS_KEY_ID: 'portal',
    S3_SECRET_ACCESS_KEY: randomBytes(16).toString('hex'),
    MALWARE_SCANNER: `127.0.0.1:${await freePort()}`,
    MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const untested = {
    APP_ACTIVATION: 'service',
    APP_ACTIVATION_URL: nobody,
    APP_ACTIVATION_TOKEN: secret,
    TIMESTAMP_PASSWORD_URL: nobody,
    TIMESTAMP_PASSWORD_TOKEN: secret,
    COUNTRY_LOOKUP_URL: `${nobody}/{ip}`,
    TRACES_URL: nobody,
  }
  const clock = createClock(database.owner)
  await clock.advance(300)
  onTestFinished(() => clock.advance(-300))
  const { code, of } = await check({ ...faulty, ...untested }, '--sms', '+48600100200')
  expect(code).toBe(1)
  for (const [name, finding] of [
    ['database', /^ok: /],
    ['clock', /^warning: .* is (?:299|30[01]) seconds behind the database’s: synchronise both by NTP\.$/],
    ['master key', /^failed: The database belongs to another master key\. /],
    [
      'mail',
      /^failed: .* is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): set NODE_EXTRA_CA_CERTS to the file of its issuer\.$/,
    ],
    ['SMS', /^failed: The SMS gateway refused the token \(HTTP 403\): check SMS_TOKEN\.$/],
    ['documents', /^failed: PutObject was answered with 403, .*: check S3_URL/],
    ['signing service', /^failed: No connection to the signing service \(ECONNREFUSED\): check CSC_URL/],
    ['timestamps', /^failed: HTTP 401 from the timestamp authority: check TSA_LOGIN and TSA_PASSWORD\.$/],
    ['DSS', /^failed: HTTP 403 from DSS, without a usable answer: check SIGNATURE_DSS_URL\.$/],
    ['malware scanner', /^failed: The scanner does not answer: check MALWARE_SCANNER/],
    ['app activation', /^not tested: APP_ACTIVATION_URL /],
    ['passwords', /^not tested: TIMESTAMP_PASSWORD_URL /],
    ['country lookup', /^not tested: COUNTRY_LOOKUP_URL /],
    ['traces', /^not tested: TRACES_URL /],
  ] as const)
    expect([name, of[name]]).toEqual([name, expect.stringMatching(finding)])
})

test('OPS-17 a mail server without TLS is a warning, and a wrong recipient of a test is refused', async () => {
  await using mailServer = await smtpServer()
  // An IPv4 address of this machine that is not written as one.
  const SMTP_URL = `smtp://[::ffff:127.0.0.1]:${mailServer.port}`
  const tested = await check({ SMTP_URL })
  const sent = await check({ SMTP_URL }, '--mail', 'operator@mail.example')
  for (const { code, of } of [tested, sent])
    expect([code, of['mail']]).toEqual([0, expect.stringMatching(/^warning: .*add \?requireTLS=true to SMTP_URL\.$/)])
  expect(sent.of['mail']).toContain('has accepted the test mail')
  expect(mailServer.arrived).toHaveLength(1)
  for (const wrong of ['--mail nobody', '--sms 600100200'])
    expect(await runInProcess(['check', ...wrong.split(' ')], environment())).toMatchObject({ code: 2, out: '' })
})

test('OPS-17 R180 a database that cannot be used is one sentence; an empty one stays empty', async () => {
  const away = `postgres://x:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}/x`
  const { of: unreachable } = await check({ DATABASE_URL: away })
  const sentence = 'failed: The database cannot be reached (ECONNREFUSED). Check DATABASE_URL.'
  expect(unreachable['database']).toBe(sentence)
  for (const name of ['database login', 'clock', 'master key'])
    expect(unreachable[name]).toMatch(/^not tested: The database cannot be used/)
  const { of: misnamed } = await check({
    DATABASE_OWNER_URL: database.url,
    DATABASE_URL: Object.assign(new URL(database.url), { pathname: '/nowhere' }).href,
  })
  expect(misnamed).toMatchObject({
    database: expect.stringMatching(/^ok: /),
    'database login': expect.stringMatching(/^failed: The database does not exist: /),
    clock: expect.stringMatching(/^not tested: /),
    'master key': expect.stringMatching(/^ok: /),
  })
  const { of: unencrypted } = await check({ DATABASE_URL: `${database.url}?sslmode=verify-full` })
  expect(unencrypted['database']).toBe(
    'failed: The database does not support TLS: turn it on there, or correct sslmode in DATABASE_URL.',
  )
  const latin = Object.assign(new URL(database.url), { pathname: '/check_latin' }).href
  await database.owner.query(`create database check_latin template template0 encoding 'LATIN2' locale 'C'`)
  onTestFinished(async () => void (await database.owner.query('drop database check_latin with (force)')))
  expect((await check({ DATABASE_URL: latin })).of['database']).toMatch(
    /^failed: The encoding of the database is LATIN2; Sygnet needs UTF8\. /,
  )
  const other = await createDatabase()
  onTestFinished(other.drop)
  for (const key of ['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL']) {
    const different = new RegExp(`^failed: DATABASE_URL and ${key} lead to different databases\\. `)
    expect((await check({ [key]: other.url })).of['database login']).toMatch(different)
  }
  const empty = await createDatabase('template0')
  onTestFinished(empty.drop)
  expect((await check({ DATABASE_URL: empty.url })).of).toMatchObject({
    database: expect.stringMatching(/^ok: .* migrations that the next start applies: \d+\.$/),
    'database login': expect.stringMatching(/^ok: .* its rights are tested after the first start\.$/),
    clock: expect.stringMatching(/^ok: /),
    'master key': expect.stringMatching(/^not tested: /),
  })
  const tables = await empty.owner.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
  expect(tables.rowCount).toBe(0)
})

test('OPS-17 an address that the gateway refuses, or that is unknown, fails where no call is made', async () => {
  const secret = randomBytes(16).toString('hex')
  const { code, findings } = await check({
    SMS_URL: 'http://203.0.113.7/sms',
    APP_ACTIVATION: 'service',
    APP_ACTIVATION_URL: 'http://203.0.113.7/apps',
    APP_ACTIVATION_TOKEN: secret,
    TIMESTAMP_PASSWORD_URL: 'http://203.0.113.7/passwords',
    TIMESTAMP_PASSWORD_TOKEN: secret,
    CA_STATUS_URL: 'http://169.254.169.254/status',
    CA_STATUS_TOKEN: secret,
    COUNTRY_LOOKUP_URL: 'http://203.0.113.7/{ip}',
    TRACES_URL: 'http://203.0.113.7/v1/traces',
  })
  expect(code).toBe(1)
  const refused = findings.filter(({ text }) => text.startsWith('The call to the service of '))
  expect(refused.map(({ name, status, keys }) => [name, status, ...keys])).toEqual([
    ['SMS', 'failed', 'SMS_URL'],
    ['app activation', 'failed', 'APP_ACTIVATION_URL'],
    ['passwords', 'failed', 'TIMESTAMP_PASSWORD_URL'],
    ['certificate status', 'failed', 'CA_STATUS_URL'],
    ['country lookup', 'failed', 'COUNTRY_LOOKUP_URL'],
    ['traces', 'failed', 'TRACES_URL'],
  ])
  expect(refused[2]!.text).toBe(
    'The call to the service of TIMESTAMP_PASSWORD_URL failed (a call to the outside must be https): check TIMESTAMP_PASSWORD_URL.',
  )
})

test('OPS-17 a port that is taken and an address of another machine fail, unless the portal itself runs', async () => {
  await using other = await listenOnLoopback((_, response) => response.end())
  const over = { PORT: String(other.port), METRICS_PORT: '9464', METRICS_HOST: '192.0.2.1' }
  expect((await check(over)).of['ports']).toBe(
    `failed: The port ${other.port} of PORT is taken: another program listens on it. Stop that program, or set PORT to another port. 192.0.2.1 is not an address of this machine: set METRICS_HOST to one that is, or to 0.0.0.0 for all.`,
  )
  const configured = environment({ PORT: String(other.port) })
  writeFileSync(join(configured.DATA_DIR, 'sygnet.pid'), String(process.pid))
  const { out } = await runInProcess(['check', '--json'], configured)
  expect(JSON.parse(out)).toContainEqual({
    name: 'ports',
    status: 'not tested',
    text: `In use, presumably by the portal of this folder, which is running: port ${other.port} (PORT).`,
    keys: ['PORT'],
  })
})

test('OPS-17 a data folder that cannot be written and a disk that is nearly full are found', async () => {
  const below = join(brand, 'below')
  expect((await check({ DATA_DIR: below })).of['documents']).toBe(
    `failed: The data folder ${below} cannot be written to (EACCES). Choose another one with DATA_DIR.`,
  )
  const { bavail, bsize } = statfsSync(folder)
  const free = Math.floor((bavail * bsize) / 1_000_000)
  const { findings } = await check({ DISK_KEEP_FREE_MB: String(Math.floor(free * 0.75)) })
  expect(findings.find(({ name }) => name === 'documents')).toMatchObject({
    status: 'warning',
    text: expect.stringMatching(/^\S+ takes, returns and deletes an object\. The disk of \S+ has \d+ MB left, /),
    keys: ['DISK_KEEP_FREE_MB'],
  })
})

test('OPS-17 an address of the database without TLS or a check of the server is a warning', async () => {
  const port = await freePort()
  // An IPv4 address of this machine that is not written as one.
  const over = (search: string) => `postgres://x:${randomBytes(12).toString('hex')}@127.1:${port}/x?${search}`
  const found = async (DATABASE_URL: string, DATABASE_DIRECT_URL?: string) =>
    (await check({ DATABASE_OWNER_URL: database.url, DATABASE_URL, DATABASE_DIRECT_URL })).of['database']
  for (const [search, what] of [
    ['', 'not encrypted'],
    ['sslmode=disable', 'not encrypted'],
    ['sslmode=no-verify', 'encrypted, but to a server whose certificate or name is not checked'],
    ['uselibpqcompat=true&sslmode=require', 'encrypted, but to a server whose certificate or name is not checked'],
  ] as const)
    expect(await found(over(search))).toMatch(
      new RegExp(`^warning: PostgreSQL .* Connections by DATABASE_URL are ${what}: use sslmode=verify-full\\.$`),
    )
  expect(await found(over(''), over(''))).toContain('by DATABASE_URL and DATABASE_DIRECT_URL are not encrypted')
  expect(await found(over('sslmode=verify-full'))).toMatch(/^ok: /)
})

test('OPS-12 OPS-17 the check leaves nothing in the bucket, and names one that is down or other', async () => {
  await using s3 = await startS3()
  const configuration = {
    ...readConfiguration(environment()),
    s3Url: s3.url(),
    s3Region: s3.region,
    s3AccessKeyId: s3.accessKeyId,
    s3SecretAccessKey: s3.secretAccessKey,
  }
  const find = () => documentCheck(configuration).run()
  expect(await find()).toEqual({ status: 'ok', text: 'The bucket takes, returns and deletes an object.' })
  // Another node of the database has its documents elsewhere.
  await database.owner.query('insert into documents_store (id) values (gen_random_uuid())')
  onTestFinished(() => database.owner.query('delete from documents_store').then(() => {}))
  const failure = async () => {
    const { status, text } = await find()
    return `${status}: ${text}`
  }
  const elsewhere = /^failed: The documents of this database are in another folder or bucket than the bucket of S3_URL/
  expect(await failure()).toMatch(elsewhere)
  await s3.stop()
  expect(await failure()).toMatch(/^failed: No connection to the bucket \(ECONNREFUSED\): check S3_URL/)
})

describe.runIf(exhaustive)('a start', () => {
  afterEach(killStarted)
  const start = async (configured: Overrides) =>
    startMain({ LOG_LEVEL: 'info', ...configured, PORT: String(await freePort()) })

  test('OPS-17 R180 ends with 2 at addresses of two databases, before anything is migrated', async () => {
    const production = await createDatabase()
    onTestFinished(production.drop)
    // The newest one is still to be run.
    await production.owner.query('delete from migrations where name = (select max(name) from migrations)')
    const migrations = async () => (await production.owner.query('select name from migrations')).rows
    const before = await migrations()
    const node = await start(environment({ DATABASE_OWNER_URL: production.url }))
    const sentence = /^DATABASE_URL and DATABASE_OWNER_URL lead to different databases\. [^\n]+\n$/
    expect([await node.exit, node.output()]).toEqual([2, expect.stringMatching(sentence)])
    expect(await migrations()).toEqual(before)
  })

  test('OPS-6 OPS-12 OPS-17 logs what the check finds; a copy of its folder does not start beside it', async () => {
    const { url, owner, drop } = await createDatabase()
    onTestFinished(async () => {
      killStarted()
      await drop()
    })
    await createClock(owner).advance(300)
    const configured = environment({ DATABASE_URL: url, SIGNATURE_DSS_URL: `http://127.0.0.1:${await freePort()}` })
    const node = await start(configured)
    await node.until('the checks of the start are done')
    const lines = node.output().trimEnd().split('\n')
    const problems = lines
      .map((line) => JSON.parse(line) as { level: number; msg: string; check: string; problem: string })
      .filter(({ msg }) => msg === 'the start found a problem')
    const { of } = await check(configured)
    for (const name of ['mail', 'DSS']) {
      const { level, problem } = problems.find((found) => found.check === name)!
      expect([level, of[name]]).toEqual([40, `failed: ${problem}`])
    }
    expect(problems.map((found) => found.check)).toContain('clock')

    const copy = { ...configured, DATA_DIR: `${configured.DATA_DIR}-copy` }
    cpSync(configured.DATA_DIR, copy.DATA_DIR, { recursive: true })
    rmSync(join(copy.DATA_DIR, 'sygnet.pid'))
    const refused = await start(copy)
    const place = `${copy.DATA_DIR}/documents`
    expect([await refused.exit, refused.output()]).toEqual([
      1,
      expect.stringContaining(`Another node runs on this database with its documents in another folder than ${place}`),
    ])
    node.child.kill('SIGKILL')
    await node.exit
    const started = await start({ ...copy, LOG_LEVEL: undefined })
    await started.until('the portal has started')
    const [line] = started.output().split('\n')
    expect(JSON.parse(line!)).toMatchObject({ level: 30, version, msg: 'the portal has started' })
  })
})
