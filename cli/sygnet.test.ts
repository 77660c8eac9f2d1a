import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { Server, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { clientScopes } from '../contract/provider/client-keys.ts'
import { blockCustomer, getCustomer } from '../contract/provider/provider-customers.ts'
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { issueClientKey, revokeClientKey } from '../server/client-keys/client-keys.ts'
import { publishKnownKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { version } from '../server/platform/observability/version.ts'
import { auditEntries } from '../server/testing/audit-entries.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { openBrowser } from '../server/testing/browser.ts'
import { createDatabase } from '../server/testing/databases.ts'
import { closingWithFile } from '../server/testing/open-portal.ts'
import { freePort } from '../server/testing/processes.ts'
import { openTestProvider } from '../server/testing/provider.ts'
import { addCustomer } from '../server/testing/samples/ready-customers.ts'
import { makeSeal } from '../server/testing/samples/sample-seals.ts'
import { giveTimestamps } from '../server/testing/samples/sample-timestamps.ts'
import { openVoucherCase, sampleVoucher } from '../server/testing/samples/sample-vouchers.ts'
import { makeCustomer, signInAs, type Person } from '../server/testing/test-customers.ts'
import { openCommand } from './testing/sygnet-command.ts'

const command = await closingWithFile(openCommand, ({ close }) => close())

/** Returns the actors who have unblocked an account, according to the audit trail. */
const unblockedBy = async ({ login }: Person) =>
  (await auditEntries(command.portal, { login, action: 'account-unblocked' })).map(({ actor }) => actor)

const linesOf = ({ out }: { out: string }) => out.split('\n').filter(Boolean)
const refused = (code: number, message: RegExp) => ({ code, out: '', err: expect.stringMatching(message) as string })

test('AUT-4 OPS-5 the operator unblocks an account, with an audit entry', async () => {
  const person = await makeCustomer(command.portal)
  await openBrowser(command.portal).call(blockCustomer, { params: { customer: person.id } })
  const run = () => command.sygnet(['account', 'unblock', person.email.toUpperCase()])
  expect(await run()).toEqual({ code: 0, out: '1 account unblocked\n', err: '' })
  expect((await signInAs(command.portal, person)).cookie).toBeDefined()
  expect(await run()).toEqual(refused(1, /^No blocked account/))
  expect(await unblockedBy(person)).toEqual(['operator'])
})

test('R123 with the login of requests no client key is created, and the setting is named', async () => {
  const { owner, databaseUrl } = command.portal
  await owner.query(`create role sygnet_command_test login password 'requests' in role sygnet_app`)
  onTestFinished(async () => void (await owner.query('drop role sygnet_command_test')))
  const url = Object.assign(new URL(databaseUrl), { username: 'sygnet_command_test', password: 'requests' }).href
  const words = ['client-key', 'create', 'crm', '--scope', 'customers:read']
  expect(await command.sygnet(words, { DATABASE_URL: url })).toEqual(refused(2, /Set DATABASE_OWNER_URL/))
})

test('OPS-17 a command ends with 2 for wrong settings, with 3 while there is no database', async () => {
  const { portal, folder, sygnet } = command
  const away = `postgres://x:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}/x`
  const nowhere = Object.assign(new URL(portal.databaseUrl), { pathname: '/nowhere' }).href
  const { url: unmigrated, drop } = await createDatabase('template0')
  onTestFinished(drop)
  const otherKey = { MASTER_KEY_FILE: undefined, MASTER_KEY: randomBytes(32).toString('base64') }
  for (const [over, code, message] of [
    [otherKey, 2, /^The database belongs to another master key\. /],
    [
      { MASTER_KEY_FILE: undefined },
      2,
      /^There is no master key in .* DATA_DIR, MASTER_KEY_FILE or MASTER_KEY to the /,
    ],
    [{ MASTER_KEY_FILE: join(folder, 'nope') }, 2, /^The master key cannot be read from .*nope \(ENOENT\): correct /],
    [{ DATABASE_OWNER_URL: away }, 3, /^The database cannot be reached \(ECONNREFUSED\)\. Check DATABASE_OWNER_URL\./],
    [{ DATABASE_URL: nowhere }, 2, /^The database does not exist: .* "nowhere" .* Check DATABASE_URL\.\n$/],
    [{ DATABASE_URL: unmigrated }, 2, /^The database does not have the tables of this portal: .* Check DATABASE_URL, /],
    [{ DATABASE_URL: '' }, 2, /./],
  ] as const)
    expect([over, await sygnet(['client-key', 'list'], over)]).toEqual([over, refused(code, message)])
  // No key was made in place of the one that is missing.
  expect(readdirSync(folder)).not.toContain('master.key')
})

test('R82 no key is rotated while a running node does not know the new one', async () => {
  const { databaseUrl, masterKey, portal } = command.portal
  const node = new pg.Client({ connectionString: databaseUrl })
  await node.connect()
  onTestFinished(() => node.end())
  await publishKnownKeys(node, portal.keys)
  const MASTER_KEY_FILE = join(command.folder, 'new-keys')
  writeFileSync(MASTER_KEY_FILE, [randomBytes(32), masterKey].map((key) => key.toString('base64')).join('\n'))
  const message = /^1 running node does not know the master key [0-9a-f]{16} .* Nothing was changed\./
  expect(await command.sygnet(['keys', 'rotate'], { MASTER_KEY_FILE })).toEqual(refused(1, message))
})

test('R170 a new key has a name that looks like no other and like no id; others keep theirs', async () => {
  const { portal, sygnet } = command
  const { id } = await issueClientKey(portal.ownerDb, { name: 'Old CRM ', scopes: ['seals:read'] })
  const create = (name: string) => sygnet(['client-key', 'create', name, '--scope', 'seals:read'])
  const before = await sygnet(['client-key', 'list'])
  for (const name of ['CRM', 'crm ', ' crm', 'c\trm', 'crm\n', '-crm', 'c'.repeat(65), 'klucz-ż', id])
    expect([name, await create(name)]).toEqual([name, refused(2, /It must be a name of up to 64|Unknown option/)])
  expect(await sygnet(['client-key', 'list'])).toEqual(before)
  const longest = `9${'a.b_c-'.repeat(11)}`.slice(0, 64)
  expect(await create(longest)).toMatchObject({ code: 0 })
  expect(await sygnet(['client-key', 'rotate', 'Old CRM '])).toMatchObject({ code: 0 })
  for (const name of ['Old CRM ', id, longest])
    expect(await sygnet(['client-key', 'revoke', name])).toMatchObject({ code: 0 })
})

test('PRV-7 SEA-8 signatures, seals and timestamp accounts are shown and listed with filters', async () => {
  const { portal, sygnet } = command
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal)
  const day = await provider.give(person, { product: 'file', period: '1_day' })
  const year = await provider.give(person, { product: 'card', period: '1_year' })
  const member = { person, role: 'admin', status: 'active' } as const
  const psd2 = { roles: ['PSP_IC' as const], authority: { name: 'KNF', id: 'PL-PFSA' } }
  const seal = await makeSeal(portal, provider, [member], { product: 'psd2-card', period: '2_year', psd2 })
  const { providerTimestampAccount } = await giveTimestamps(portal, person.id)

  const signature = await sygnet(['signatures', 'show', year.providerId])
  expect(signature.out).toMatch(/^product +card\n(?:.*\n)*period +1_year$/m)
  expect(signature.out).not.toContain('certificate')
  const shown = JSON.parse((await sygnet(['seals', 'show', seal.providerId, '--json'])).out) as object
  expect(shown).toMatchObject({ product: 'psd2-card', period: '2_year', psd2, chain: expect.any(Array) })
  expect(await sygnet(['seals', 'show', 'nothing'])).toEqual(refused(1, /^The portal knows no seal nothing\.\n$/))

  const listed = async (what: string, ...filters: string[]) =>
    linesOf(await sygnet([what, 'list', ...filters, '--customer', person.id]))
  const ids = async (what: string, ...filters: string[]) =>
    (await listed(what, ...filters)).map((line) => line.replace(/  .*/, '')).toSorted()
  for (const [words, found] of [
    ['signatures', [day.providerId, year.providerId].toSorted()],
    ['signatures --period 1_day', [day.providerId]],
    ['signatures --product card --status good', [year.providerId]],
    ['signatures --status revoked', []],
    ['seals --product psd2-card --period 2_year', [seal.providerId]],
    ['seals --period 1_year', []],
    ['timestamp-accounts --status active', [providerTimestampAccount]],
    ['timestamp-accounts --status inactive', []],
  ] as const) {
    const [what, ...filters] = words.split(' ')
    expect([words, await ids(what!, ...filters)]).toEqual([words, found])
  }
  const [line = ''] = await listed('signatures', '--period', '1_day', '--json')
  expect(JSON.parse(line)).toMatchObject({ signature: day.providerId, customer: person.id, period: '1_day' })
  const periods = /'5_years' is invalid\. Allowed choices are 1_day, 30_days, 1_year, 2_year, 3_year\.\n/
  expect(await sygnet(['seals', 'list', '--period', '5_years'])).toEqual(refused(2, periods))
  // A list of several pages.
  await sql`insert into signatures select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'provider_id', 'copy-' || n, 'certificate_index', sha256(n::text::bytea)))).*
      from signatures s, generate_series(1, 100) n where provider_id = ${day.providerId}`.execute(portal.ownerDb)
  expect(new Set(await ids('signatures')).size).toBe(102)
})

test('OPS-4 R80 a client key is created with scopes and an expiry, listed, rotated and revoked by its name', async () => {
  const { folder, sygnet } = command
  const scopes = ['--scope', 'customers:write', '--scope', 'all:read']
  const made = await sygnet(['client-key', 'create', 'crm', '--days', '2', ...scopes])
  expect(made.out).toMatch(/^sygnet_[\w-]{43}\n$/)
  expect(made.err).toMatch(/ends 20\S+Z\. It is not shown again\.\n$/)
  const list = async () => (await sygnet(['client-key', 'list'])).out
  expect(await list()).toMatch(/until \d{4}-\S+ {2}20\/s {2}crm {2}all:read\n/)
  expect(await list()).not.toContain(made.out.trim())
  const file = join(folder, 'new-key')
  const rotated = await sygnet(['client-key', 'rotate', 'crm', '--overlap', '0', '--to', file, '--json'])
  const { id, expiresAt } = JSON.parse(rotated.out) as Record<string, string>
  expect([rotated.code, id, expiresAt]).toEqual([0, expect.any(String), expect.any(String)])
  expect(readFileSync(file, 'utf8')).toMatch(/^sygnet_[\w-]{43}\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const health = (of: string) => sygnet(['health', '--json'], { SYGNET_KEY_FILE: of })
  expect(JSON.parse((await health(file)).out)).toMatchObject({ key: { name: 'crm', perSecond: 20 } })
  writeFileSync(join(folder, 'old-key'), made.out)
  expect(await health(join(folder, 'old-key'))).toMatchObject({ code: 1, err: expect.stringContaining('has expired') })
  const taken = /^There is a key called crm already\. Rotate or revoke it, or choose another name\.\n$/
  expect(await sygnet(['client-key', 'create', 'crm', '--scope', 'all:read'])).toEqual(refused(1, taken))
  const revoke = () => sygnet(['client-key', 'revoke', 'crm'])
  expect(await revoke()).toEqual({ code: 0, out: `Key ${id} revoked\n`, err: '' })
  expect(await list()).toMatch(/revoked \d{4}-\S+ {2}20\/s {2}crm/)
  expect(await health(file)).toMatchObject({ code: 1, err: expect.stringContaining('revoked') })
  // The ended key before it.
  expect(await revoke()).toMatchObject({ code: 0 })
  expect(await revoke()).toMatchObject({ code: 1, out: '' })
  expect(await sygnet(['client-key', 'rotate', 'crm'])).toMatchObject({ code: 1, out: '' })
  expect(await sygnet(['client-key', 'create', 'writer', '--scope', 'all:write'])).toMatchObject({ code: 0 })
  expect(await list()).toMatch(/ {2}writer {2}all:write\n/)
  for (const args of [
    ['--days', '0', '--scope', 'seals:read'],
    ['--scope', 'everything:write'],
    // Nothing is written by it.
    ['--scope', 'masked-customers:write'],
    [],
  ])
    expect(await sygnet(['client-key', 'create', 'crm', ...args])).toMatchObject({ code: 2, out: '' })
})

test('OPS-4 R80 no key is created, and none ends, if the file for it cannot be made', async () => {
  const { folder, sygnet } = command
  const create = (name: string, to: string) =>
    sygnet(['client-key', 'create', name, '--scope', 'seals:read', '--to', to])
  const file = join(folder, 'shop-key')
  const list = async () => (await sygnet(['client-key', 'list'])).out
  expect(await create('shop', file)).toMatchObject({ code: 0, out: '' })
  const [kept, before] = [readFileSync(file, 'utf8'), await list()]
  const rotate = ['client-key', 'rotate', 'shop', '--overlap', '0', '--to', file]
  expect(await sygnet(rotate)).toEqual(
    refused(1, /shop-key cannot be written: the file already exists\. Nothing was changed\.\n$/),
  )
  expect(await create('till', join(folder, 'absent', 'key'))).toMatchObject({ code: 1, out: '' })
  // As with a variable that is not set.
  expect(await create('till', '')).toEqual(refused(2, /^--to has an empty value\.\n$/))
  expect(await sygnet(['account', 'unblock', ''])).toEqual(
    refused(2, /^An argument of sygnet account unblock has an empty value\.\n$/),
  )
  expect([readFileSync(file, 'utf8'), await list()]).toEqual([kept, before])
  // A refused call leaves no file.
  expect(await create('shop', join(folder, 'none'))).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(folder)).not.toContain('none')
})

test('OPS-4 Ctrl+C while the database does not answer ends a command, and leaves no empty file', async () => {
  const { folder, start } = command
  const connected = Promise.withResolvers<void>()
  const silent = new Server(() => connected.resolve()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const file = join(folder, 'never')
  const { child, ended } = start(['client-key', 'create', 'never', '--scope', 'seals:read', '--to', file], {
    DATABASE_URL: `postgres://portal@127.0.0.1:${port}/portal`,
    DATABASE_OWNER_URL: undefined,
  })
  await connected.promise
  expect(existsSync(file)).toBe(true)
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ out: '', err: expect.stringContaining('Stopped before a secret was saved') })
  expect([child.signalCode, existsSync(file)]).toEqual(['SIGINT', false])
})

test('OPS-4 OPS-18 every command has a help text, and a wrong argument is refused with a message', async () => {
  const { sygnet } = command
  const whole = await sygnet(['--help'], { DATABASE_URL: undefined })
  expect(whole).toMatchObject({ code: 0, err: '' })
  const ofShow = await sygnet(['customers', 'show', '--help'])
  for (const [words, same] of [
    ['help', whole],
    ['-h', whole],
    ['help customers show', ofShow],
    ['--json version', { code: 0, out: `sygnet ${version}\n`, err: '' }],
  ] as const)
    expect([words, await sygnet(words.split(' '))]).toEqual([words, same])
  const commands = [...whole.out.matchAll(/^ {2}sygnet ((?:[a-z-]+ ?)+)/gm)].map(([, name]) => name!.trim())
  expect(commands.length).toBeGreaterThan(15)
  for (const name of commands) {
    const { code, out, err } = await sygnet([...name.split(' '), '--help'])
    expect([name, code, err]).toEqual([name, 0, ''])
    for (const part of [`sygnet ${name}`, '--json', '--help', 'Exit codes:', 'Needs ']) expect(out).toContain(part)
  }
  // The rest of the grammar is commander's.
  for (const [words, message] of [
    ['customers show', /^Missing required argument 'customer'\n/],
    ['customers show c-1 --loud', /^Unknown option '--loud'\nSee the same command with --help\.\n$/],
    ['cases list --status lost', /'lost' is invalid\. Allowed choices are in-progress, finished-successfully, /],
    ['client-key create a --scope all:read --to --days', /^--to has the option --days as its value\.\n$/],
    ['webhooks put crm', /^Required option '--url <url>' not specified\n/],
    ['customer show', /^Unknown command 'customer'\n/],
    ['help customers shwo', /^Unknown command 'shwo'\nSee the same command with --help\.\n$/],
    ['audit', /sygnet audit verify/],
  ] as const)
    expect([words, await sygnet(words.split(' '))]).toEqual([words, refused(2, message)])
  expect(await sygnet([])).toEqual(refused(2, /account unblock/))
})

test.runIf(exhaustive)('OPS-4 output without a reader ends the command quietly, a full disk with a message', () => {
  const ending = (redirection: string) => {
    const words = ['-c', `"$1" "$2" --help ${redirection}`, 'bash', process.execPath]
    const { status, stderr } = spawnSync('bash', [...words, join(import.meta.dirname, 'sygnet.ts')])
    return [status, String(stderr)]
  }
  expect(ending('| true; exit "${PIPESTATUS[0]}"')).toEqual([1, ''])
  expect(ending('> /dev/full')).toEqual([1, 'The output cannot be written: the disk is full.\n'])
})

test('OPS-4 a customer is shown, blocked, unblocked and invited by the provider’s own id', async () => {
  const { portal, sygnet } = command
  const person = await makeCustomer(portal)
  const shown = await sygnet(['customers', 'show', person.id])
  expect(shown).toMatchObject({ code: 0, err: '' })
  expect(shown.out).toMatch(new RegExp(`^customer +${person.id}\nlogin +${person.login}\n`))
  expect(shown.out).toContain(`+48 ••• ••• ${person.phone.slice(-3)}\n`)
  expect((await sygnet(['customers', 'show', person.id, '--unmasked'])).out).toContain(person.phone)
  const run = async (args: string[]) => JSON.parse((await sygnet([...args, person.id, '--json'])).out) as object
  expect(await run(['customers', 'block'])).toMatchObject({ customer: person.id, state: 'blocked' })
  expect(await run(['customers', 'unblock'])).toMatchObject({ customer: person.id, state: 'active' })
  expect(await unblockedBy(person)).toEqual(['provider'])
  expect(await sygnet(['customers', 'invite', person.id])).toEqual(refused(1, /has already set a password/))
  expect(await sygnet(['customers', 'show', 'nobody'])).toEqual(refused(1, /^The portal knows no customer nobody\.\n$/))
})

test('PRV-6 a customer is found by e-mail, login, phone and identifier, as text and JSON', async () => {
  const person = await makeCustomer(command.portal)
  const find = (...words: string[]) => command.sygnet(['customers', 'find', ...words])
  const line = expect.stringMatching(new RegExp(`^${person.id}  ${person.login}  `)) as string
  for (const by of ['email', 'login', 'phone'] as const)
    expect(await find(`--${by}`, person[by])).toEqual({ code: 0, out: line, err: '' })
  const { out } = await find('--login', person.login, '--json')
  expect(JSON.parse(out)).toMatchObject({ customer: person.id, email: person.email })
  const identifier = ['--identifier', 'PNOPL-00000000000']
  expect(await find(...identifier, '--unmasked')).toEqual({ code: 1, out: '', err: '' })
  expect(await find(...identifier)).toEqual(refused(2, /needs --unmasked/))
  for (const wrong of [[], ['--email', person.email, '--login', person.login]])
    expect(await find(...wrong)).toEqual(refused(2, /--email/))
})

test('OPS-4 codes are created from a file and shown, and cases are listed and shown', async () => {
  const { portal, folder, sygnet } = command
  const file = join(folder, 'orders.ndjson')
  const order = (id: string, over: object = {}) => ({ ...sampleVoucher({ id }), ...over })
  const make = (orders: object[]) => {
    writeFileSync(file, orders.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return sygnet(['codes', 'make', file])
  }
  const orders = Array.from({ length: 250 }, (_, i) => order(`order-${i}`))
  const made = await make(orders)
  expect(made).toMatchObject({ code: 0, err: '' })
  const codes = linesOf(made).map((line) => JSON.parse(line) as { id: string; code: string })
  expect(codes.map(({ id }) => id)).toEqual(orders.map(({ id }) => id))
  expect(await make(orders)).toEqual(made)
  const shown = JSON.parse((await sygnet(['codes', 'show', 'order-7', '--json'])).out) as object
  expect(shown).toMatchObject({ code: codes[7]!.code, status: 'unused' })
  expect(await make([order('order-new'), order('x', { process: 'nothing' })])).toEqual(
    refused(1, /^Line 2 is not an order for a code\. Nothing was created\.\n$/),
  )
  expect(await sygnet(['codes', 'show', 'order-new'])).toEqual(refused(1, /^The portal knows no code order-new\.\n$/))
  const unknown = /for-nobody: the portal does not know/
  expect(await make([order('for-nobody', { customer: 'nobody' })])).toEqual(refused(1, unknown))

  const person = await makeCustomer(portal)
  const { opened } = await openVoucherCase(portal, await signInAs(portal, person))
  const listed = linesOf(await sygnet(['cases', 'list', '--json', '--status', 'in-progress']))
  expect(listed.map((line) => (JSON.parse(line) as { case: string }).case)).toEqual([opened.number])
  expect((await sygnet(['cases', 'show', opened.number])).out).toContain(person.email)
  expect(await sygnet(['cases', 'list', '--unknown'])).toEqual({ code: 0, out: '', err: '' })
})

test('OPS-4 R82 a failure of a call is one line without a key, and no redirect is followed', async () => {
  const { portal, folder, sygnet } = command
  const person = await makeCustomer(portal)
  const scopes = clientScopes.filter((scope) => scope.endsWith(':read'))
  const { key } = await issueClientKey(portal.ownerDb, { name: 'reader', scopes })
  const gone = await issueClientKey(portal.ownerDb, { name: 'gone', scopes: clientScopes })
  await revokeClientKey(portal.ownerDb, 'gone')
  await using site = await listenOnLoopback((_, reply) => reply.writeHead(307, { location: '/followed' }).end())
  writeFileSync(join(folder, 'junk'), 'hello')
  const keyOf = (SYGNET_KEY: string) => ({ SYGNET_KEY_FILE: undefined, SYGNET_KEY })
  const otherName = portal.origin.replace('127.0.0.1', 'localhost')
  const wrongAddresses = [
    [{ SYGNET_URL: site.url }, 3, /answered \(307\), but it is not the portal\. Check SYGNET_URL\.$/],
    [{ SYGNET_URL: otherName }, 2, /^SYGNET_URL is not the name of the portal\.$/],
  ] as const
  for (const [over, code, message] of [
    [{ SYGNET_URL: undefined }, 2, /^SYGNET_URL is not set\. .+$/],
    [{ SYGNET_URL: 'portal' }, 2, /^SYGNET_URL is not an address.+$/],
    [{ SYGNET_URL: 'http://portal.example' }, 2, /^SYGNET_URL must begin with https:.+$/],
    [{ SYGNET_KEY_FILE: undefined }, 2, /^SYGNET_KEY_FILE is not set.+$/],
    [{ SYGNET_KEY_FILE: join(folder, 'absent') }, 2, /^SYGNET_KEY_FILE cannot be read: there is no such file\.$/],
    [{ SYGNET_KEY_FILE: join(folder, 'junk') }, 2, /contains no client key, which is sygnet_ and 43 characters\.$/],
    [{ SYGNET_KEY: portal.clientKey }, 2, /^Set SYGNET_KEY_FILE or SYGNET_KEY, not both\.$/],
    [keyOf(gone.key), 1, /^The portal refuses the key: .+$/],
    [keyOf(key), 1, /^The key may not do this: the scope customers:write is missing\.$/],
    [{ SYGNET_URL: 'http://127.0.0.1:1' }, 3, /^The portal at http:\/\/127\.0\.0\.1:1 cannot be reached: \S.+$/],
    ...wrongAddresses,
  ] as const) {
    const answer = await sygnet(['customers', 'block', person.id], over)
    expect([over, answer]).toEqual([over, refused(code, /^[^\n]+\n$/)])
    expect(answer.err.trim()).toMatch(message)
    for (const secret of [portal.clientKey, key, gone.key]) expect(answer.err).not.toContain(secret)
  }
  // A call with a body.
  for (const [over, code, message] of wrongAddresses)
    for (const args of [
      ['customers', 'find', '--email', person.email],
      ['customers', 'import', join(folder, 'junk')],
    ])
      expect(await sygnet(args, over)).toEqual(refused(code, new RegExp(message.source, 'm')))
  expect(site.received.map(({ path }) => path)).not.toContain('/followed')
  expect(site.received).toHaveLength(3)
  expect((await openBrowser(portal).call(getCustomer, { params: { customer: person.id } })).body.state).toBe('active')
})
