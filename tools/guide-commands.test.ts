import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { masterKeys } from '../server/data-directory.ts'
import { listenOnLoopback } from '../server/ports/loopback-server.ts'
import { startS3 } from '../server/ports/loopback-s3.ts'
import { copyDemonstration } from '../server/testing/filled-demonstration.ts'
import { samplePdf } from '../server/testing/provider.ts'

// A whole portal starts, and thirty commands are processes of their own.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = join(import.meta.dirname, '..')
const guides = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)]
const textOf = (guide: string) => readFileSync(join(root, guide), 'utf8')

type Block = { guide: string; lines: string[] }

/** What stands between fences of a language, without the indent of a list that it is in. */
function blocksOf(guide: string, ...languages: string[]): Block[] {
  const blocks: Block[] = []
  let open: { language: string; indent: number; lines: string[] } | undefined
  for (const line of textOf(guide).split('\n')) {
    const [, indent, language] = /^( *)```(\w*)$/.exec(line) ?? []
    if (indent === undefined) open?.lines.push(line.slice(open.indent))
    else if (!open) open = { language: language!, indent: indent.length, lines: [] }
    else {
      if (languages.includes(open.language)) blocks.push({ guide, lines: open.lines })
      open = undefined
    }
  }
  return blocks
}

/** Says where things are, and is what a reader changes. */
const isSettings = ({ lines }: Block) => lines.every((line) => line.startsWith('export '))

/** What each command of the guides prints when it is run as it stands there. */
const prints: [guide: string, begins: string, pattern: RegExp][] = [
  ['docs/guides/integrate.md', 'umask 077', /^$/],
  ['docs/guides/integrate.md', 'curl -sS "$SYGNET_URL/api/openapi.json"', /^\{"openapi":"3\.1/],
  [
    'docs/guides/integrate.md',
    'curl -sS -H @"$SYGNET_KEY_FILE.header" "$SYGNET_URL/provider/v1/client-key"',
    /"name":"trial".*\{.*"login":"anna\.nowak".*"state":"invited"/s,
  ],
  [
    'docs/guides/integrate.md',
    'echo \'{"customer":"c-9002"',
    /^\{"created":1,"updated":0,"unchanged":0,"refused":\[\]\}$/,
  ],
  [
    'docs/guides/integrate.md',
    'npm run -s sygnet -- customers import',
    /^1 lines: 0 created, 0 updated, 1 unchanged, 0 refused\.$/,
  ],
  [
    'docs/guides/integrate.md',
    'curl -sS -H @"$SYGNET_KEY_FILE.header" "$SYGNET_URL/provider/v1/events',
    /^\{"items":\[\{.*"next":\d+\}$/,
  ],
  [
    'docs/guides/integrate.md',
    'curl -sS -H @"$SYGNET_KEY_FILE.header" -X PUT',
    /^\{"url":"https:\/\/events\.provider\.example\/sygnet".*"secret":"whsec_/,
  ],
  [
    'docs/guides/integrate.md',
    'npm run -s sygnet -- webhooks put',
    /^crm {2}https:.*\ninvoices {2}https:\/\/events\.provider\.example\/invoices {2}every event {2}\d+ waiting {2}0 given up.*\n0 events to be sent again\n1 webhook removed$/,
  ],
  [
    'docs/guides/integrate.md',
    "curl -sS -H 'Content-Type: application/json' -d '{}' \"$CSC_URL/info\"",
    /"specs":"2\..*signatures\/signHash/s,
  ],
  ['docs/guides/integrate.md', 'printf \'{"signedDocument"', /^\{"indication":"of the stand-in"\}$/],
  ['docs/guides/integrate.md', 's3() {', /^200$/],
  ['docs/guides/integrate.md', 'curl -sS "$SYGNET_URL/" | grep', /^<title>[^<]+ Wawel ID$/],
  [
    'docs/guides/provider.md',
    'npm run -s sygnet -- client-key create crm',
    /^sygnet_\S{43}\n[^]* crm {2}.*\nsygnet_\S{43}\n[23] keys revoked$/,
  ],
  [
    'docs/guides/provider.md',
    'npm run -s sygnet -- health',
    /^http:\/\/127\.0\.0\.1:\d+ answers in .*\ncustomer +c-17\n[^]*1 unchanged[^]*\{"id":"order-2881-1".*\n[^]*Exit codes:/,
  ],
  ['docs/guides/blocked-accounts.md', 'npm run -s sygnet -- account unblock', /^1 account unblocked$/],
  ['docs/guides/sms-gateway.md', "printf 'header", /^HTTP\/1\.1 200 OK/],
  [
    'docs/guides/house.md',
    'npm run -s sygnet -- audit head',
    /^\d+ records in \d+ chains: nothing found\.\nCompared with head/,
  ],
  ['docs/guides/operate.md', 'umask 077', /^$/],
  ['docs/guides/operate.md', 'node_modules/.bin/node cli/sygnet.ts client-key create', /^$/],
  [
    'docs/guides/operate.md',
    'node_modules/.bin/node cli/sygnet.ts audit verify',
    /^\d+ records in \d+ chains: nothing found\./,
  ],
  [
    'docs/guides/keys.md',
    'npm run -s sygnet -- keys rotate',
    /^\d+ values sealed anew\. Everything is under the master key [0-9a-f]{16} now\.$/,
  ],
]

/** What no test runs, and why. */
const notRun: [guide: string, begins: string, why: string][] = [
  [
    'README.md',
    'npm start',
    'installs and builds; tools/setup.test.ts and server/main.test.ts run its two halves, and bench/starts.ts the whole',
  ],
  ['README.md', 'npm run spec', 'tools/spec.test.ts runs it'],
  [
    'docs/guides/configure.md',
    'SYGNET_CONFIG=',
    'needs a mail server and a gateway; tools/configuration-guide.test.ts reads the file',
  ],
  ['docs/guides/contribute.md', 'npm run dev', 'does not end'],
  ['docs/guides/contribute.md', 'npm test -- server/software', 'a test does not start the tests'],
  ['docs/guides/contribute.md', 'npm run check', 'is what runs beside the tests, and takes as long'],
  ['docs/guides/integrate.md', 'BRAND_FILE=', 'does not end; the portal of this test is started with these settings'],
  [
    'docs/guides/operate.md',
    'useradd',
    'makes a user of the machine, and installs; tools/setup.test.ts runs the third line',
  ],
]

const stage = mkdtempSync(join(tmpdir(), 'sygnet-guides-'))
const closers: (() => Promise<unknown>)[] = []
let portal: ChildProcess
/** Where the database of the portal is; the embedded one is where `.data` is. */
let database: { DATABASE_URL: string }
let environment: Record<string, string>
let dss: Awaited<ReturnType<typeof listenOnLoopback>>
let gateway: Awaited<ReturnType<typeof listenOnLoopback>>

/** The project as a folder of its own, in which commands may leave what they make. */
beforeAll(async () => {
  // The embedded database of root has to be reached by nobody.
  chmodSync(stage, 0o755)
  for (const name of readdirSync(root))
    if (!['.data', '.git'].includes(name)) symlinkSync(join(root, name), join(stage, name))
  const { settings, directory, drop } = await copyDemonstration()
  symlinkSync(directory, join(stage, '.data'))
  database = { DATABASE_URL: settings.DATABASE_URL }
  portal = spawn(process.execPath, ['server/main.ts'], {
    cwd: stage,
    env: {
      PATH: process.env['PATH'],
      ...settings,
      BRAND_FILE: 'docs/examples/wawel-brand.json',
      WEBHOOK_HOSTS: 'events.provider.example',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise((resolve) => portal.once('exit', resolve))
  closers.push(async () => {
    portal.kill('SIGTERM')
    await gone
    await drop()
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    portal.stdout!.on('data', (chunk: Buffer) => (said += chunk).includes('/demo/messages') && resolve())
    portal.once('exit', (code) => reject(new Error(`The portal ended with ${code}: ${said}`)))
  })

  dss = await listenOnLoopback((_, response) => response.end('{"indication":"of the stand-in"}'))
  gateway = await listenOnLoopback((_, response) => response.end())
  const s3 = await startS3()
  closers.push(...[dss, gateway, s3].map((one) => () => one[Symbol.asyncDispose]()))
  writeFileSync(join(stage, 's3-secret'), s3.secretAccessKey)
  writeFileSync(join(stage, 'sms-token'), 'token-of-the-gateway')
  writeFileSync(join(stage, 'signed.pdf'), samplePdf)
  writeFileSync(join(stage, 'sygnet.json'), JSON.stringify({ DATA_DIR: '.data' }))
  const origin = `http://127.0.0.1:${settings.PORT}`
  environment = {
    SYGNET_URL: origin,
    SYGNET_KEY_FILE: '.data/trial.key',
    CSC_URL: `${origin}/csc/v2`,
    SIGNATURE_DSS_URL: dss.url,
    S3_URL: s3.url(),
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY_FILE: 's3-secret',
    SMS_URL: gateway.url,
    SMS_TOKEN_FILE: 'sms-token',
    ACCOUNT: 'anna.nowak',
  }
})
afterAll(async () => {
  for (const close of closers) await close()
  rmSync(stage, { recursive: true, force: true })
})

/** Runs lines in a shell as a reader would, but ends at the first that fails. */
function run(lines: readonly string[], over: Record<string, string> = {}) {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', lines.join('\n')], {
    cwd: stage,
    env: { PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`, ...database, ...environment, ...over },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, out: said.out.trimEnd(), err: said.err })),
  )
}

const isOf =
  ({ guide, lines }: Block) =>
  ([file, begins]: readonly [string, string, unknown]) =>
    file === guide && lines[0]!.startsWith(begins)

/** All of a guide's, in their order. */
async function runGuide(guide: string, over: Record<string, string> = {}) {
  for (const block of blocksOf(guide, 'sh').filter((one) => !isSettings(one))) {
    const expected = prints.find(isOf(block))
    if (!expected) continue
    const { code, out, err } = await run(block.lines, over)
    expect({ block: block.lines, code, out, err }).toEqual({
      block: block.lines,
      code: 0,
      out: expect.stringMatching(expected[2]),
      err: expect.any(String),
    })
  }
}

const call = (method: string, path: string, body?: unknown) =>
  fetch(environment['SYGNET_URL'] + path, {
    method,
    headers: {
      authorization: `Bearer ${readFileSync(join(stage, '.data/trial.key'), 'utf8').trim()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('OPS-4 every command of the guides is run by a test, or is named with the reason why not', () => {
  const blocks = guides.flatMap((guide) => blocksOf(guide, 'sh')).filter((one) => !isSettings(one))
  const once = (block: Block) => [...prints, ...notRun].filter(isOf(block)).length === 1
  expect(blocks.filter((block) => !once(block)).map(({ guide, lines }) => `${guide}: ${lines[0]}`)).toEqual([])
  const idle = [...prints, ...notRun].filter((entry) => !blocks.some((block) => isOf(block)(entry)))
  expect(idle).toEqual([])
  // Nobody's command hides in a block of no language.
  const others = guides.flatMap((guide) => blocksOf(guide, '', 'http', 'text', 'bash', 'shell'))
  const command = /^(?:[A-Z_]+=\S+ )*(?:curl|npm|node|npx|export|openssl|sygnet|psql|pg_\w+|systemctl|cd|cp|docker) /
  expect(others.filter(({ lines }) => lines.some((line) => command.test(line)))).toEqual([])
})

test('OPS-4 OPS-5 R82 every command of the guides does what its guide says, against a portal, with nothing changed but where things are', async () => {
  const settings = guides.flatMap((guide) => blocksOf(guide, 'sh')).filter(isSettings)
  const names = settings.flatMap(({ lines }) =>
    [...lines.join(' ').matchAll(/\b([A-Z0-9_]+)=/g)].map(([, name]) => name!),
  )
  expect([...new Set(names)].toSorted()).toEqual([...Object.keys(environment), 'SYGNET_CONFIG'].toSorted())

  await runGuide('docs/guides/integrate.md')
  expect(JSON.parse(dss.received[0]!.body)).toMatchObject({ signedDocument: { bytes: samplePdf.toString('base64') } })
  const secret = readFileSync(join(stage, 'invoices.secret'), 'utf8')
  expect(secret).toMatch(/^whsec_\S+\n$/)

  const customer = (await (await call('GET', '/provider/v1/customers/c-9001')).json()) as Record<string, unknown>
  const { login, email, phone, firstName, secondName, surname, locale } = {
    ...customer,
    login: 'c-17',
    email: 'c-17@mail.example',
  } as Record<string, unknown>
  const put = await call('PUT', '/provider/v1/customers/c-17', {
    login,
    email,
    phone,
    firstName,
    secondName,
    surname,
    locale,
  })
  expect(put.status).toBe(200)
  const { codes } = JSON.parse(
    blocksOf('docs/guides/provider.md', 'json')
      .find(({ lines }) => lines[1]!.includes('"codes"'))!
      .lines.join('\n'),
  ) as { codes: object[] }
  writeFileSync(join(stage, 'orders.ndjson'), `${JSON.stringify(codes[0])}\n`)
  expect((await call('POST', '/provider/v1/customers/c-9001/block')).status).toBe(200)

  await Promise.all([
    runGuide('docs/guides/provider.md'),
    runGuide('docs/guides/blocked-accounts.md').then(() => runGuide('docs/guides/sms-gateway.md')),
    runGuide('docs/guides/house.md').then(() => runGuide('docs/guides/operate.md', { SYGNET_CONFIG: 'sygnet.json' })),
  ])
  expect(gateway.received[0]).toMatchObject({
    headers: { authorization: 'Bearer token-of-the-gateway', 'idempotency-key': 'try-1' },
    body: expect.stringContaining('"id":"try-1"'),
  })
  const drawn = { masterKey: undefined, masterKeyFile: join(stage, 'master-key') }
  expect(masterKeys(drawn, stage)[0]).toHaveLength(32)
  await runGuide('docs/guides/keys.md')

  // A node that knows the present key alone could read nothing after this.
  writeFileSync(
    join(stage, 'new-keys'),
    `${randomBytes(32).toString('base64')}\n${readFileSync(join(stage, '.data/master.key'), 'utf8')}`,
  )
  const refused = await run(['npm run -s sygnet -- keys rotate'], { MASTER_KEY_FILE: 'new-keys' })
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^1 running node does not know the master key [0-9a-f]{16}, .* Nothing was changed\./),
  })
  expect((await call('GET', '/provider/v1/customers/c-17')).status).toBe(200)
})

test('OPS-4 every call that a guide shows is one of the portal’s', async () => {
  const { paths } = (await (await call('GET', '/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const plain = (path: string) => path.replace(/(?<=\/)(?::\w+|\{\w+\}|<\w+>)/g, '{}')
  const known = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${plain(path)}`),
    ),
  )
  const shown = guides.flatMap((guide) =>
    [...textOf(guide).matchAll(/\b(GET|PUT|POST|PATCH|DELETE) +(\/(?:provider\/v1|api)\/[^\s`?]+)/g)].map(
      ([, method, path]) => `${method} ${plain(path!)}`,
    ),
  )
  expect(shown.length).toBeGreaterThan(30)
  expect(shown.filter((one) => !known.has(one) && !one.includes('…'))).toEqual([])
  expect(existsSync(join(stage, '.data'))).toBe(true)
})
