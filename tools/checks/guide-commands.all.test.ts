import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startS3 } from '../../server/adapters/loopback/loopback-s3.ts'
import { listenOnLoopback } from '../../server/adapters/loopback/loopback-server.ts'
import { masterKeys } from '../../server/platform/configuration/data-directory.ts'
import { startFilledDemonstration } from '../../server/testing/filled-demonstration.ts'
import { samplePdf } from '../../server/testing/provider.ts'
import { makeProject, run } from '../testing/projects.ts'
import { blocksOf, isSettings, type GuideBlock } from './guide-blocks.ts'
import { root } from './source-tree.ts'

const guides = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)]

const curl = 'curl -sS -H @"$SYGNET_KEY_FILE.header"'
const position = String.raw`\d+-[0-9a-f]{16}`

/** For each guide: the beginning of each command, and its output when it is run unchanged. */
const prints: Record<string, [begins: string, pattern: RegExp][]> = {
  'docs/guides/integrate.md': [
    ['umask 077', /^$/],
    ['curl -sS "$SYGNET_URL/api/openapi.json"', /^\{"openapi":"3\.1/],
    [`${curl} "$SYGNET_URL/provider/v1/client-key"`, /"name":"trial".*\{.*"login":"anna\.nowak".*"state":"invited"/s],
    [`${curl} "$SYGNET_URL/provider/v1/signatures`, /^\{"items":\[.*"next":/],
    ['curl -sS -X PUT', /^\{"type":"urn:sygnet:problem:login-taken".*"status":422,"code":"login-taken"\}$/],
    ['echo \'{"customer":"c-9002"', /^\{"created":1,"updated":0,"unchanged":0,"refused":\[\]\}$/],
    ['sygnet customers import', /^1 lines: 0 created, 0 updated, 1 unchanged, 0 refused\.$/],
    [`${curl} "$SYGNET_URL/provider/v1/events`, /^\{"items":\[\{.*"next":\d+\}$/],
    [`${curl} -X PUT`, /^\{"url":"https:\/\/events\.provider\.example\/sygnet".*"secret":"whsec_/],
    [`${curl} "$SYGNET_URL/provider/v1/audit`, new RegExp(String.raw`^\{"items":\[\{.*"next":"${position}"\}$`)],
    [`${curl} -H 'Accept: application/x-ndjson'`, new RegExp(String.raw`^\{"position":"${position}","at":`)],
    [
      'sygnet webhooks put',
      /^crm {2}https:.*\ninvoices {2}\S+ {2}every event {2}\d+ waiting {2}0 .*\n0 events to be sent again\n1 webhook removed$/,
    ],
    ["curl -sS -H 'Content-Type: application/json' -d '{}' \"$CSC_URL/info\"", /"specs":"2\..*signatures\/signHash/s],
    ["printf 'header", /^HTTP\/1\.1 200 OK/],
    ['printf \'{"signedDocument"', /^\{"indication":"from the test server"\}$/],
    ['s3() {', /^200$/],
    ['curl -sS "$SYGNET_URL/" | grep', /^<title>[^<]+ Wawel ID$/],
  ],
  'docs/guides/provider.md': [
    ['sygnet client-key create crm', /^sygnet_\S{43}\n[^]* crm {2}.*\nsygnet_\S{43}\nKey [\w-]{36} revoked$/],
    [
      'sygnet health',
      /^http:\S+ answers in .*\ncustomer +c-17\n[^]*1 unchanged[^]*"id":"order-2881-1".*\n[^]*Exit codes:/,
    ],
  ],
  'docs/guides/accounts.md': [['bin/sygnet account unblock', /^1 account unblocked$/]],
  'docs/guides/operate.md': [
    ['# on one node, in a folder of your own\n(umask 077', /^$/],
    ['# on one node\nsygnet client-key create', /^$/],
    ['# on one node\nsygnet audit head', /^$/],
    ['# on one node\nsygnet audit show', /^20\S+Z {2}operator [^]*operator \S+ {2}client-key-made [^]* scopes=[^]*$/],
    ['# on one node\nsygnet audit verify', /^\d+ entries in \d+ chains: nothing found\.\nCompared with head/],
  ],
  'docs/guides/keys.md': [['bin/sygnet keys rotate', /^\d+ values .* master key [0-9a-f]{16}.*$/]],
}

const onMachines = 'needs root on machines with Debian, systemd, PostgreSQL and nginx'

/** For each guide: the beginning of each command that no test runs, and the reason. */
const notRun: Record<string, [begins: string, why: string][]> = {
  'README.md': [
    ['npm start', 'tools/setup.all.test.ts and server/tests/main.test.ts run its halves'],
    ['npm run spec', 'tools/checks/spec.check.test.ts runs it'],
  ],
  'docs/guides/configure.md': [
    ['SYGNET_CONFIG=', 'needs a mail server; tools/checks/generated-files.check.test.ts reads the file'],
  ],
  'docs/guides/contribute.md': [
    ['npm run dev', 'does not end'],
    ['npm test -- contract', 'a test does not start the tests'],
  ],
  'docs/guides/integrate.md': [
    ['REDOCLY_TELEMETRY=off npx', 'downloads a package; release/release.all.test.ts uses the client'],
    ['BRAND_FILE=', 'does not end; the portal of this test is started with these settings'],
  ],
  'docs/guides/release.md': [
    ['npm run release', 'installs and builds everything; release/release.all.test.ts runs its parts'],
    ["echo 'extends", 'downloads 243 packages'],
    ['cmp --verbose', 'needs a release; release/release.all.test.ts compares these bytes'],
  ],
  'docs/guides/operate.md': [
    ["# on the database's machine", onMachines],
    ['# on each node', onMachines],
    ['# on one node after another', onMachines],
    ['# on the proxy', onMachines],
    ['# on one node, once\nmkdir', onMachines],
    ['# on one node\nsygnet nginx', onMachines],
    [
      '# on a machine with Docker',
      'needs Docker, which no test has; release/deploy.check.test.ts reads the Containerfile',
    ],
    ['# with kubectl', 'needs a cluster, which no test has'],
  ],
}

/** Opens a portal, the services that commands call, and the project in a separate folder, where commands may create files. */
async function openStage() {
  const stage = makeProject({
    // As in an archive (release/release.all.test.ts).
    'bin/sygnet': '#!/bin/sh\nexec node_modules/.bin/node cli/sygnet.ts "$@"\n',
    'sms-token': 'token-of-the-gateway',
    'sygnet.json': { DATA_DIR: '.data' },
  })
  chmodSync(join(stage, 'bin/sygnet'), 0o755)
  for (const name of readdirSync(root))
    if (!['.data', '.git'].includes(name)) symlinkSync(join(root, name), join(stage, name))
  const portal = await startFilledDemonstration({
    BRAND_FILE: 'docs/examples/wawel-brand.json',
    WEBHOOK_HOSTS: 'events.provider.example',
  })
  onTestFinished(portal.stop)
  symlinkSync(portal.directory, join(stage, '.data'))
  const dss = await listenOnLoopback((_, response) => response.end('{"indication":"from the test server"}'))
  const gateway = await listenOnLoopback((_, response) => response.end())
  const s3 = await startS3()
  for (const server of [dss, gateway, s3]) onTestFinished(() => server[Symbol.asyncDispose]())
  writeFileSync(join(stage, 's3-secret'), s3.secretAccessKey)
  writeFileSync(join(stage, 'signed.pdf'), samplePdf)
  const { origin, settings } = portal
  const environment: Record<string, string> = {
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
  const PATH = `${join(stage, 'bin')}:${join(root, 'node_modules/.bin')}:${process.env['PATH']}`

  return {
    stage,
    dss,
    gateway,
    environment,
    /** Runs all commands of a guide in their order, in a shell as a reader would, but stops at the first failure. */
    async runGuide(guide: string, more: Record<string, string> = {}) {
      const env = { PATH, DATABASE_URL: settings.DATABASE_URL, ...environment, ...more }
      for (const block of commandsOf(guide))
        for (const [, pattern] of matchingRows(prints, block)) {
          const words = ['--norc', '-euo', 'pipefail', '-c', block.lines.join('\n')]
          const { exitCode, stdout, stderr } = await run('bash', words, { cwd: stage, env })
          expect({ block: block.lines, exitCode, stderr, stdout: stdout.trimEnd() }).toMatchObject({
            exitCode: 0,
            stdout: expect.stringMatching(pattern),
          })
        }
    },
    call: (method: string, path: string, body?: unknown) =>
      fetch(origin + path, {
        method,
        headers: {
          authorization: `Bearer ${readFileSync(join(stage, '.data/trial.key'), 'utf8').trim()}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

/** Finds the entries of a table whose command begins a block. */
const matchingRows = <T>(table: Record<string, [begins: string, expected: T][]>, { guide, lines }: GuideBlock) =>
  (table[guide] ?? []).filter(([begins]) => lines.join('\n').startsWith(begins))

const commandsOf = (guide: string) => blocksOf(guide, 'sh').filter((block) => !isSettings(block))

test('OPS-4 OPS-21 every command of the guides is run by a test, or a reason why not is listed', () => {
  const blocks = guides.flatMap(commandsOf)
  const found = blocks.map((block) => [
    ...matchingRows<unknown>(prints, block),
    ...matchingRows<unknown>(notRun, block),
  ])
  expect(blocks.filter((_, i) => found[i]?.length !== 1).map(({ guide, lines }) => `${guide}: ${lines[0]}`)).toEqual([])
  const unused = [prints, notRun].flatMap((table) => Object.values<[string, unknown][]>(table).flat())
  expect(unused.filter((entry) => !found.flat().includes(entry))).toEqual([])
  // No command is in a block without a language.
  const otherBlocks = guides.flatMap((guide) => blocksOf(guide, '', 'http', 'text', 'bash', 'shell'))
  const command = /^(?:[A-Z_]+=\S+ )*(?:curl|npm|node|npx|export|openssl|sygnet|psql|pg_\w+|systemctl|cd|cp|docker) /
  expect(otherBlocks.filter(({ lines }) => lines.some((line) => command.test(line)))).toEqual([])
})

test('OPS-4 OPS-5 OPS-21 every command of the guides does what its guide says, on a portal', async () => {
  const settings = guides.flatMap((guide) => blocksOf(guide, 'sh')).filter(isSettings)
  const names = settings.flatMap(({ lines }) =>
    [...lines.join(' ').matchAll(/\b([A-Z0-9_]+)=/g)].map(([, name]) => name!),
  )
  const { stage, dss, gateway, environment, runGuide, call } = await openStage()
  expect([...new Set(names)].toSorted()).toEqual([...Object.keys(environment), 'SYGNET_CONFIG'].toSorted())

  await runGuide('docs/guides/integrate.md')
  expect(JSON.parse(dss.received[0]!.body)).toMatchObject({ signedDocument: { bytes: samplePdf.toString('base64') } })
  const secret = readFileSync(join(stage, 'invoices.secret'), 'utf8')
  expect(secret).toMatch(/^whsec_\S+\n$/)

  const customer = (await (await call('GET', '/provider/v1/customers/c-9001')).json()) as Record<string, unknown>
  const fields = ['phone', 'firstName', 'secondName', 'surname', 'locale'].map((name) => [name, customer[name]])
  const put = await call('PUT', '/provider/v1/customers/c-17', {
    login: 'c-17',
    email: 'c-17@mail.example',
    ...Object.fromEntries(fields),
  })
  expect(put.status).toBe(200)
  const { codes } = JSON.parse(
    blocksOf('docs/guides/provider.md', 'json')
      .find(({ lines }) => lines[1]!.includes('"codes"'))!
      .lines.join('\n'),
  ) as { codes: object[] }
  writeFileSync(join(stage, 'orders.ndjson'), `${JSON.stringify(codes[0])}\n`)
  expect((await call('POST', '/provider/v1/customers/c-9001/block')).status).toBe(200)

  // One after the other: both make keys, which the first one lists.
  const makeKeys = async () => {
    await runGuide('docs/guides/provider.md')
    await runGuide('docs/guides/operate.md', { SYGNET_CONFIG: 'sygnet.json' })
  }
  await Promise.all([makeKeys(), runGuide('docs/guides/accounts.md')])
  expect(gateway.received[0]).toMatchObject({
    headers: { authorization: 'Bearer token-of-the-gateway', 'idempotency-key': 'try-1' },
    body: expect.stringContaining('"id":"try-1"'),
  })
  const drawn = { masterKey: undefined, masterKeyFile: join(stage, 'master-key') }
  expect(masterKeys(drawn, stage)[0]).toHaveLength(32)
  await runGuide('docs/guides/keys.md')
})
