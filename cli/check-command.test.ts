import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { smtpServer } from '../server/adapters/loopback/loopback-mail-server.ts'
import { startS3 } from '../server/adapters/loopback/loopback-s3.ts'
import { listenAsScanner } from '../server/adapters/loopback/loopback-scanner.ts'
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { clockOf, createDatabase, createDatabaseBefore } from '../server/testing/databases.ts'
import { freePort } from '../server/testing/free-port.ts'
import { killStarted, startMain } from '../server/testing/main-process.ts'
import { operatorEnvironment } from '../server/testing/operator-environment.ts'
import { makeSelfSigned } from '../server/testing/self-signed.ts'
import { openSigningAlone } from '../server/testing/signing.ts'
import { runInProcess } from './testing/sygnet-command.ts'
import { exhaustive } from '../server/testing/breadth.ts'

const folder = mkdtempSync(join(tmpdir(), 'sygnet-check-'))
const brand = join(folder, 'brand.json')
writeFileSync(brand, JSON.stringify(demonstrationBrand))
const master = randomBytes(32)
const { signing, close: closeSigning } = await openSigningAlone()
let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
  await loadKeys(database.url, [master])
})
afterEach(killStarted)
afterAll(async () => {
  await closeSigning()
  await database.drop()
  rmSync(folder, { recursive: true })
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

/** The findings by the name of their check, and the exit code. */
async function check(over: Overrides = {}, ...args: string[]) {
  const { code, out } = await runInProcess(['check', '--json', ...args], environment(over))
  const findings = JSON.parse(out) as Finding[]
  return { code, of: Object.fromEntries(findings.map(({ name, status, text }) => [name, `${status}: ${text}`])) }
}

/** A database of the test's server that nobody has migrated. */
async function emptyDatabase(options = '') {
  const name = `check_${randomBytes(6).toString('hex')}`
  const administrator = new pg.Client({ connectionString: inject('postgres') })
  await administrator.connect()
  await administrator.query(`create database ${name} template template0 ${options}`)
  onTestFinished(async () => {
    await administrator.query(`drop database ${name} with (force)`)
    await administrator.end()
  })
  return Object.assign(new URL(inject('postgres')), { pathname: `/${name}` }).href
}

test('OPS-17 every error of the configuration is listed with its key; nothing else is tested then', async () => {
  const over = { PORT: 'x', SMTP_URL: undefined, SMS_TOKEN: 'changeme', BRAND_FILE: undefined }
  const { code, out } = await runInProcess(['check', '--json'], environment(over))
  expect(code).toBe(2)
  const findings = JSON.parse(out) as Finding[]
  expect(new Set(findings.map(({ name, status }) => `${name} ${status}`))).toEqual(new Set(['configuration failed']))
  expect(new Set(findings.flatMap(({ keys }) => keys))).toEqual(new Set(Object.keys(over)))
})

test('OPS-13 OPS-17 a key that the portal does not know is a warning, and one that is nearly a key an error', async () => {
  const file = join(folder, 'sygnet.json')
  const configured = environment({ PATH: undefined })
  const configurationIn = async (content: object, over: Overrides = {}) => {
    writeFileSync(file, JSON.stringify({ ...configured, ...content }))
    const { code, out } = await runInProcess(['check', '--json'], { SYGNET_CONFIG: file, ...over })
    const findings = (JSON.parse(out) as Finding[]).filter(({ name }) => name === 'configuration')
    return { code, findings: findings.map(({ status, text }) => `${status}: ${text}`) }
  }
  expect((await configurationIn({ SCANNER: 'x' }, { MALWARE_SCANER: 'x' })).findings).toEqual([
    'ok: Every value is valid.',
    expect.stringMatching(/^warning: SCANNER in the file/),
    expect.stringMatching(/^warning: MALWARE_SCANER in the environment .* MALWARE_SCANNER\?$/),
  ])
  // A warning stays one where there is an error too.
  const mistyped = { MALWARE_SCANER: '127.0.0.1:3310' }
  expect(await configurationIn({ ...mistyped, SCANNER: 'x' })).toEqual({
    code: 2,
    findings: [expect.stringMatching(/^warning: SCANNER /), expect.stringMatching(/^failed: MALWARE_SCANER /)],
  })
  expect(await configurationIn(mistyped)).toEqual({
    code: 2,
    findings: [
      expect.stringMatching(/^failed: MALWARE_SCANER in the file .*MALWARE_SCANNER is not set: correct the name\.$/),
    ],
  })
})

test('OPS-17 with services that work, every check is ok; a test mail and a test message arrive, and no object stays', async () => {
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
    MALWARE_SCANNER: scanner.at,
    REVOCATION_FETCH: 'off',
    CA_STATUS_URL: dss.url,
    CA_STATUS_TOKEN: randomBytes(32).toString('hex'),
  })
  const ended = await runInProcess(['check', '--mail', 'operator@mail.example', '--sms', '+48600100200'], configured)
  expect(ended).toMatchObject({ code: 0, err: '' })
  const lines = ended.out.trimEnd().split('\n')
  const expected: [string, string, RegExp][] = [
    ['configuration', 'ok', /./],
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
    // The longest name, which decides where the second column begins.
    ['certificate status', 'not tested', /CA_STATUS_URL/],
  ]
  expect(lines).toHaveLength(expected.length)
  expected.forEach(([name, status, text], index) => {
    const [line, shownName, shownStatus, shownText] = /^(.{18}) {2}(.{10}) {2}(.*)$/.exec(lines[index]!) ?? []
    expect([line, shownName?.trim(), shownStatus?.trim()]).toEqual([lines[index], name, status])
    expect(shownText).toMatch(text)
  })
  expect(mailServer.arrived.map(({ to }) => to)).toEqual([['operator@mail.example']])
  expect(gateway.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { to: '+48600100200', text: 'A test message of portal.example' },
  ])
  const left = readdirSync(join(configured.DATA_DIR, 'documents'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
})

test('OPS-17 each fault is one sentence with its remedy, and the check ends with 1', async () => {
  const { file: _, ...certificate } = makeSelfSigned(folder)
  await using mailServer = await smtpServer({ ...certificate, disabledCommands: [] })
  await using refusing = await listenOnLoopback((_request, response) => response.writeHead(403).end())
  const nobody = `http://127.0.0.1:${await freePort()}`
  const { code, of } = await check(
    {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      SMS_URL: refusing.url,
      CSC_URL: `${nobody}/csc/v2`,
      CSC_CLIENT_ID: 'portal',
      CSC_CLIENT_SECRET: randomBytes(16).toString('hex'),
      TSA_URL: signing.tsa.url,
      TSA_LOGIN: signing.tsa.login,
      TSA_PASSWORD: randomBytes(16).toString('hex'),
      SIGNATURE_DSS_URL: refusing.url,
      S3_URL: `${refusing.url}/portal`,
      S3_ACCESS_KEY_ID: 'portal',
      S3_SECRET_ACCESS_KEY: randomBytes(16).toString('hex'),
      MALWARE_SCANNER: `127.0.0.1:${await freePort()}`,
      MASTER_KEY: randomBytes(32).toString('base64'),
    },
    '--sms',
    '+48600100200',
  )
  expect(code).toBe(1)
  expect(of).toMatchObject({
    database: expect.stringMatching(/^ok: /),
    'master key': expect.stringMatching(/^failed: The database belongs to another master key\. /),
    mail: 'failed: The certificate of the mail server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): set NODE_EXTRA_CA_CERTS to the file of its issuer.',
    SMS: 'failed: The SMS gateway refused the token (HTTP 403): check SMS_TOKEN.',
    documents: expect.stringMatching(/^failed: PutObject was answered with 403, .*: check S3_URL/),
    'signing service': expect.stringMatching(
      /^failed: No connection to the signing service \(ECONNREFUSED\): check CSC_URL/,
    ),
    timestamps: 'failed: HTTP 401 from the timestamp authority: check TSA_LOGIN and TSA_PASSWORD.',
    DSS: 'failed: HTTP 403 from DSS, without a usable answer: check SIGNATURE_DSS_URL.',
    'malware scanner': expect.stringMatching(/^failed: The scanner does not answer: check MALWARE_SCANNER/),
  })
})

test('OPS-17 a service that no harmless call can test is listed as not tested, with its setting', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  const token = randomBytes(16).toString('hex')
  const { of } = await check({
    APP_ACTIVATION: 'service',
    APP_ACTIVATION_URL: nobody,
    APP_ACTIVATION_TOKEN: token,
    TIMESTAMP_PASSWORD_URL: nobody,
    TIMESTAMP_PASSWORD_TOKEN: token,
    COUNTRY_LOOKUP_URL: `${nobody}/{ip}`,
    TRACES_URL: nobody,
  })
  expect(of).toMatchObject({
    'app activation': expect.stringMatching(/^not tested: APP_ACTIVATION_URL /),
    passwords: expect.stringMatching(/^not tested: TIMESTAMP_PASSWORD_URL /),
    'country lookup': expect.stringMatching(/^not tested: COUNTRY_LOOKUP_URL /),
    traces: expect.stringMatching(/^not tested: TRACES_URL /),
  })
})

test('OPS-17 a clock that differs from that of the database is a warning', async () => {
  const clock = clockOf(database.owner)
  await clock.advance(300)
  onTestFinished(() => clock.advance(-300))
  const { code, of } = await check()
  expect([code, of['clock']]).toEqual([
    1,
    expect.stringMatching(
      /^warning: The clock of this machine is (?:299|30[01]) seconds behind the database’s: synchronise both by NTP\.$/,
    ),
  ])
})

test.runIf(exhaustive)('OPS-17 a start logs as warnings what the check finds, in the same words', async () => {
  const { url, owner, drop } = await createDatabase()
  onTestFinished(async () => {
    killStarted()
    await drop()
  })
  await clockOf(owner).advance(300)
  const nobody = `http://127.0.0.1:${await freePort()}`
  const over = { DATABASE_URL: url, DATA_DIR: mkdtempSync(join(folder, 'started-')), SIGNATURE_DSS_URL: nobody }
  const node = startMain(environment({ ...over, PORT: String(await freePort()), LOG_LEVEL: 'info' }))
  await node.until('the checks of the start are done')
  const problems = node
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string; check: string; problem: string })
    .filter(({ msg }) => msg === 'the start found a problem')
    .map(({ level, check: name, problem }) => [level, name, problem])
  const { of } = await check(over)
  const found = Object.entries(of).flatMap(([name, finding]) => {
    const [, status, text] = /^(warning|failed): (.*)$/.exec(finding) ?? []
    return status ? [[40, name, name === 'clock' ? expect.stringMatching(/^The clock of this machine is /) : text]] : []
  })
  expect(problems).toEqual(found)
  expect(found.map(([, name]) => name)).toEqual(expect.arrayContaining(['clock', 'mail', 'DSS']))
})

test('OPS-17 a mail server that might take mails without TLS is a warning, and a wrong address or number of a test is refused', async () => {
  await using mailServer = await smtpServer()
  // An IPv4 address of this machine that is not written as one.
  const SMTP_URL = `smtp://[::ffff:127.0.0.1]:${mailServer.port}`
  const tested = await check({ SMTP_URL })
  const sent = await check({ SMTP_URL }, '--mail', 'operator@mail.example')
  for (const { code, of } of [tested, sent])
    expect([code, of['mail']]).toEqual([0, expect.stringMatching(/^warning: .*add \?requireTLS=true to SMTP_URL\.$/)])
  expect(sent.of['mail']).toContain('has accepted the test mail')
  expect(mailServer.arrived).toHaveLength(1)
  for (const args of [
    ['--mail', 'nobody'],
    ['--sms', '600100200'],
  ])
    expect(await runInProcess(['check', ...args], environment())).toMatchObject({ code: 2, out: '' })
})

test.runIf(exhaustive)(
  'OPS-17 a database that cannot be used is one sentence; nothing is changed in an empty one',
  async () => {
    const away = `postgres://x:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}/x`
    const { of: unreachable } = await check({ DATABASE_URL: away })
    for (const name of ['database', 'database login', 'clock', 'master key'])
      expect(unreachable[name]).toBe('failed: The database cannot be reached (ECONNREFUSED). Check DATABASE_URL.')
    const latin = await emptyDatabase(`encoding 'LATIN2' locale 'C'`)
    expect((await check({ DATABASE_URL: latin })).of['database']).toMatch(
      /^failed: The encoding of the database is LATIN2; Sygnet needs UTF8\. /,
    )
    const empty = await emptyDatabase(`encoding 'UTF8'`)
    const before = await check({ DATABASE_URL: empty })
    expect(before.of['database']).toMatch(/^ok: .* migrations that the next start applies: \d+\.$/)
    expect(before.of['master key']).toMatch(/^not tested: /)
    expect(before.of['database login']).toBe(
      'ok: The database accepts the login of requests; its rights are tested after the first start.',
    )
    expect(before.of['clock']).toMatch(/^ok: /)
    const mistyped = Object.assign(new URL(empty), {
      username: 'nobody_here',
      password: randomBytes(12).toString('hex'),
    })
    const wrong = await check({ DATABASE_URL: mistyped.href, DATABASE_OWNER_URL: empty })
    expect([wrong.code, wrong.of['database login']]).toEqual([
      1,
      expect.stringMatching(/^failed: The database refused .*nobody_here.* Check DATABASE_URL\.$/),
    ])
    const client = new pg.Client({ connectionString: empty })
    await client.connect()
    const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
    expect(rows).toEqual([])
    await migrate(empty)
    await client.query(`insert into migrations (name, sha256) values ('9999-the-future.sql', 'x')`)
    await client.end()
    expect((await check({ DATABASE_URL: empty })).of['database']).toMatch(
      /^failed: The database was migrated by a newer version/,
    )
  },
)

test.runIf(exhaustive)(
  'OPS-17 R180 addresses of two portals’ databases fail the check, and end the start with 2 before anything is migrated',
  async () => {
    const production = await createDatabaseBefore('0049')
    onTestFinished(production.drop)
    const migrations = async () => (await production.owner.query('select name from migrations')).rows
    const before = await migrations()
    const over = { DATABASE_OWNER_URL: production.url, DATABASE_URL: database.url }
    const { code, of } = await check(over)
    const sentence = 'DATABASE_URL and DATABASE_OWNER_URL lead to different databases. '
    expect([code, of['database login']]).toEqual([1, expect.stringContaining(`failed: ${sentence}`)])
    const node = startMain(environment({ ...over, PORT: String(await freePort()) }))
    expect([await node.exit, node.output()]).toEqual([2, expect.stringMatching(new RegExp(`^${sentence}[^\n]+\n$`))])
    expect(await migrations()).toEqual(before)
    const pooled = await check({ DATABASE_DIRECT_URL: database.url, DATABASE_URL: production.url })
    expect(pooled.of['database login']).toMatch(/^failed: DATABASE_URL and DATABASE_DIRECT_URL lead to different/)
  },
)

test.runIf(exhaustive)(
  'OPS-17 a login that lacks a right fails the check, and ends the start with 2, with the statement that grants it',
  async () => {
    const empty = await emptyDatabase(`encoding 'UTF8'`)
    const suffix = randomBytes(6).toString('hex')
    const administrator = new pg.Client({ connectionString: empty })
    await administrator.connect()
    onTestFinished(() => administrator.end())
    const login = async (name: string) => {
      const password = randomBytes(12).toString('hex')
      await administrator.query(`create role ${name} login password '${password}'`)
      onTestFinished(async () => {
        await administrator.query(`drop owned by ${name} cascade`)
        await administrator.query(`drop role ${name}`)
      })
      return Object.assign(new URL(empty), { username: name, password }).href
    }
    const [owner, requests] = [`owner_${suffix}`, `requests_${suffix}`]
    const urls = { DATABASE_OWNER_URL: await login(owner), DATABASE_URL: await login(requests) }
    const start = async () => {
      const node = startMain(environment({ ...urls, PORT: String(await freePort()) }))
      return [await node.exit, node.output()]
    }
    const ofOwner = `The database login ${owner} lacks a right. Run once as an administrator, in this database: grant create on schema public to ${owner}; grant sygnet_app to ${owner};`
    expect((await check(urls)).of['database']).toBe(`failed: ${ofOwner}`)
    expect(await start()).toEqual([2, `${ofOwner}\n`])
    await administrator.query(`grant create on schema public to ${owner}; grant sygnet_app to ${owner}`)
    const ofRequests = `The database login ${requests} lacks a right. Run once as an administrator, in this database: grant sygnet_app to ${requests};`
    const { of } = await check(urls)
    expect([of['database'], of['database login']]).toEqual([expect.stringMatching(/^ok: /), `failed: ${ofRequests}`])
    expect(await start()).toEqual([2, `${ofRequests}\n`])
    await administrator.query(`grant sygnet_app to ${requests}`)
    expect((await check(urls)).of['database login']).toMatch(/^ok: /)
  },
)

test('OPS-17 an address of the database without TLS, or without a check of the server, is a warning', async () => {
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

test('OPS-17 OPS-12 the bucket is checked by an object that is removed again; one that is down, or not that of the other nodes, is named', async () => {
  await using s3 = await startS3()
  const { documentCheck } = await import('../server/checks/document-check.ts')
  const { readConfiguration } = await import('../server/platform/configuration/configuration.ts')
  const configuration = {
    ...readConfiguration(environment()),
    bucketUrl: s3.url(),
    bucketRegion: s3.region,
    bucketKeyId: s3.accessKeyId,
    bucketSecret: s3.secretAccessKey,
  }
  expect(await documentCheck(configuration).run()).toEqual({
    status: 'ok',
    text: 'The bucket takes, returns and deletes an object.',
  })
  // Another node of the database has its documents elsewhere.
  await database.owner.query('insert into documents_store (id) values (gen_random_uuid())')
  onTestFinished(() => database.owner.query('delete from documents_store').then(() => {}))
  expect(await documentCheck(configuration).run()).toMatchObject({
    status: 'failed',
    text: expect.stringMatching(
      /^The documents of this database are in another folder or bucket than the bucket of S3_URL/,
    ),
  })
  await s3.stop()
  expect(await documentCheck(configuration).run()).toMatchObject({
    status: 'failed',
    text: expect.stringMatching(/^No connection to the bucket \(ECONNREFUSED\): check S3_URL/),
  })
})

test.runIf(exhaustive)(
  'OPS-12 OPS-17 a node does not start if the other nodes have their documents elsewhere',
  async () => {
    await database.owner.query('insert into documents_store (id) values (gen_random_uuid())')
    onTestFinished(() => database.owner.query('delete from documents_store').then(() => {}))
    const node = startMain(environment({ PORT: String(await freePort()) }))
    expect([await node.exit, node.output()]).toEqual([
      2,
      expect.stringMatching(
        /^The documents of this database are in another folder or bucket than \S+documents\. [^\n]+\n$/,
      ),
    ])
  },
)

test.runIf(exhaustive)(
  'OPS-12 a node on a copy of a running node’s folder does not start, one that shares the folder does, and the copy starts once both were killed',
  async () => {
    const { url, drop } = await createDatabase()
    onTestFinished(async () => {
      killStarted()
      await drop()
    })
    const start = async (over: Overrides) => startMain({ ...over, PORT: String(await freePort()), LOG_LEVEL: 'info' })
    const original = environment({ DATABASE_URL: url })
    const first = await start(original)
    await first.until('the portal has started')
    const copy = { ...original, DATA_DIR: `${original.DATA_DIR}-copy` }
    cpSync(original.DATA_DIR, copy.DATA_DIR, { recursive: true })
    rmSync(join(copy.DATA_DIR, 'sygnet.pid'))
    const refused = await start(copy)
    const end = await refused.until('the portal has started').then(
      () => 'started',
      () => refused.exit,
    )
    expect([end, refused.output()]).toEqual([
      1,
      `Another node runs on this database with its documents in another folder than ${copy.DATA_DIR}/documents, or on another machine, so each would lack those of the other. Several nodes need one bucket (S3_URL). To replace the other node, stop it first; if its machine was lost, wait half a minute.\n`,
    ])
    // As in the composition: a folder of its own, and the documents of the other.
    const sharing = environment({ DATABASE_URL: url })
    symlinkSync(join(original.DATA_DIR, 'documents'), join(sharing.DATA_DIR, 'documents'))
    const neighbour = await start(sharing)
    await neighbour.until('the portal has started')
    for (const { child, exit } of [first, neighbour]) {
      child.kill('SIGKILL')
      await exit
    }
    await (await start(copy)).until('the portal has started')
  },
)

test.runIf(exhaustive)(
  'OPS-17 R82 a node whose master key or database can never fit ends with 2, which a supervisor does not repeat, and one sentence',
  async () => {
    const port = String(await freePort())
    const otherKey = startMain(environment({ PORT: port, MASTER_KEY: randomBytes(32).toString('base64') }))
    expect([await otherKey.exit, otherKey.output()]).toEqual([
      2,
      expect.stringMatching(/^The database belongs to another master key\. [^\n]+\n$/),
    ])
    const latin = startMain(
      environment({ PORT: port, DATABASE_URL: await emptyDatabase(`encoding 'LATIN2' locale 'C'`) }),
    )
    expect([await latin.exit, latin.output()]).toEqual([
      2,
      expect.stringMatching(/^The encoding of the database is LATIN2; Sygnet needs UTF8\. [^\n]+\n$/),
    ])
  },
)
