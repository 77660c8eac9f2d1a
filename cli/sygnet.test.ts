import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Server, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { signIn } from '../contract/account.ts'
import { clientScopes } from '../contract/provider/client-keys.ts'
import { getCustomer } from '../contract/provider/provider-api.ts'
import { issueClientKey, revokeClientKey } from '../server/client-keys/client-key-store.ts'
import { makeCustomer, openBrowser, signInAs, type Person } from '../server/testing/browser.ts'
import { createDatabase } from '../server/testing/databases.ts'
import { freePort } from '../server/testing/free-port.ts'
import { openTestProvider } from '../server/testing/provider.ts'
import { addCustomer } from '../server/testing/samples/ready-customers.ts'
import { makeSeal } from '../server/testing/samples/sample-seals.ts'
import { giveTimestamps } from '../server/testing/samples/sample-timestamps.ts'
import { openVoucherCase } from '../server/testing/samples/sample-vouchers.ts'
import { openCommand } from './testing/sygnet-command.ts'
import { exhaustive } from '../server/testing/breadth.ts'

let command: Awaited<ReturnType<typeof openCommand>>
beforeAll(async () => {
  command = await openCommand()
})
afterAll(() => command.close())

const attempt = (login: string, password: string, address: string) =>
  openBrowser(command.portal, { address }).call(signIn, { body: { login, password, botProof: crypto.randomUUID() } })

async function block({ login }: Person) {
  for (let i = 0; i < 10; i++) await attempt(login, 'Wrong-Password-1!', `198.18.1.${i}`)
}

async function unblocked({ login }: Person) {
  const { rows } = await command.portal.owner.query(
    `select actor from audit join accounts a on a.id = account_id where a.login = $1 and act = 'account-unblocked' order by audit.id`,
    [login],
  )
  return rows as unknown[]
}

test('AUT-4 OPS-5 the operator unblocks an account, which keeps its password; an audit entry is added and its count is reset', async () => {
  const { portal, sygnet } = command
  const person = await makeCustomer(portal)
  await block(person)
  expect((await attempt(person.login, person.password, '198.18.2.1')).problem.code).toBe('account-blocked')
  const run = () => sygnet(['account', 'unblock', person.email.toUpperCase()])
  expect(await run()).toEqual({ code: 0, out: '1 account unblocked\n', err: '' })
  // One typing mistake does not block it again.
  expect((await attempt(person.login, 'Wrong-Password-1!', '198.18.2.2')).problem.code).toBe('login-refused')
  const browser = await signInAs(portal, person)
  expect(browser.cookie).toBeDefined()
  expect(await unblocked(person)).toEqual([{ actor: 'operator' }])
  expect(await run()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('No blocked account') })
  expect(await unblocked(person)).toHaveLength(1)
})

test('AUT-4 without the portal’s key, or with unknown arguments, the command changes nothing', async () => {
  const { portal, folder, sygnet } = command
  const person = await makeCustomer(portal)
  await block(person)
  const noKey = await sygnet(['account', 'unblock', person.login], { MASTER_KEY_FILE: undefined })
  expect(noKey).toMatchObject({ code: 2, out: '', err: expect.stringContaining('There is no master key') })
  for (const args of [['account', 'unblock'], ['account', 'block', person.login], ['account'], []])
    expect(await sygnet(args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('account unblock') })
  expect(await sygnet(['account', 'unblock', person.login], { DATABASE_URL: '' })).toMatchObject({ code: 2 })
  expect(readdirSync(folder)).not.toContain('master.key')
  expect(await unblocked(person)).toEqual([])
  expect((await attempt(person.login, person.password, '198.18.2.3')).problem.code).toBe('account-blocked')
})

test('R123 with the login of requests no client key is created, and the command names the setting', async () => {
  const { portal, sygnet } = command
  const { owner, databaseUrl } = portal
  await owner.query(`drop role if exists sygnet_command_test`)
  await owner.query(`create role sygnet_command_test login password 'requests' in role sygnet_app`)
  onTestFinished(async () => void (await owner.query('drop role sygnet_command_test')))
  const url = Object.assign(new URL(databaseUrl), { username: 'sygnet_command_test', password: 'requests' }).href
  const made = await sygnet(['client-key', 'create', 'crm', '--scope', 'customers:read'], { DATABASE_URL: url })
  expect(made).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Set DATABASE_OWNER_URL') })
})

test('OPS-17 a command on the database ends as the portal does: with 2 for wrong settings, with 3 while there is no database', async () => {
  const { portal, folder, sygnet } = command
  const list = async (over: Record<string, string | undefined>) => {
    const { code, out, err } = await sygnet(['client-key', 'list'], over)
    expect(out).toBe('')
    return [code, err]
  }
  const otherKey = { MASTER_KEY_FILE: undefined, MASTER_KEY: randomBytes(32).toString('base64') }
  expect(await list(otherKey)).toEqual([2, expect.stringMatching(/^The database belongs to another master key\. /)])
  expect(await list({ MASTER_KEY_FILE: join(folder, 'nope') })).toEqual([
    2,
    expect.stringMatching(/^The master key cannot be read from .*nope \(ENOENT\)\.\n$/),
  ])
  const away = `postgres://x:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}/x`
  expect(await list({ DATABASE_URL: portal.databaseUrl, DATABASE_OWNER_URL: away })).toEqual([
    3,
    'The database cannot be reached (ECONNREFUSED). Check DATABASE_OWNER_URL.\n',
  ])
  const nowhere = Object.assign(new URL(portal.databaseUrl), { pathname: '/nowhere' }).href
  expect(await list({ DATABASE_URL: nowhere })).toEqual([
    2,
    'The database does not exist: database "nowhere" does not exist. Check DATABASE_URL.\n',
  ])
  const { url: unmigrated, drop } = await createDatabase('template0')
  onTestFinished(drop)
  expect(await list({ DATABASE_URL: unmigrated })).toEqual([
    2,
    expect.stringMatching(/^The database does not have the tables of this portal: .* Check DATABASE_URL, /),
  ])
})

test('R170 a new key has a name that looks like no other and like no id; a key that has another name works on', async () => {
  const { portal, sygnet } = command
  const { id } = await issueClientKey(portal.ownerDb, { name: 'Old CRM ', scopes: ['seals:read'] })
  const create = (name: string) => sygnet(['client-key', 'create', name, '--scope', 'seals:read'])
  const names = async () =>
    (JSON.parse((await sygnet(['client-key', 'list', '--json'])).out) as { name: string }[]).map(({ name }) => name)
  const before = await names()
  for (const name of ['CRM', 'crm ', ' crm', 'c\trm', 'crm\n', '-crm', 'c'.repeat(65), 'klucz-ż', id])
    expect([name, await create(name)]).toEqual([
      name,
      expect.objectContaining({ code: 2, out: '', err: expect.stringMatching(/NAME has up to 64|Unknown option/) }),
    ])
  expect(await names()).toEqual(before)
  const longest = `9${'a.b_c-'.repeat(11)}`.slice(0, 64)
  expect(await create(longest)).toMatchObject({ code: 0 })
  expect(await sygnet(['client-key', 'rotate', 'Old CRM '])).toMatchObject({ code: 0 })
  for (const name of ['Old CRM ', id, longest])
    expect(await sygnet(['client-key', 'revoke', name])).toMatchObject({ code: 0 })
})

test('SIG-7 SEA-8 OPS-4 a signature and a seal are shown with product, period and PSD2 roles', async () => {
  const { portal, sygnet } = command
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal)
  const { providerId } = await provider.give(person, { product: 'card', period: '30_days' })
  const signature = await sygnet(['signatures', 'show', providerId])
  expect(signature).toMatchObject({ code: 0, err: '' })
  expect(signature.out).toMatch(/^product +card$/m)
  expect(signature.out).toMatch(/^period +30_days$/m)
  expect(signature.out).not.toContain('certificate')
  const psd2 = { roles: ['PSP_IC' as const], authority: { name: 'KNF', id: 'PL-PFSA' } }
  const seal = await makeSeal(portal, provider, [], { product: 'psd2-card', period: '1_day', psd2 })
  const shown = await sygnet(['seals', 'show', seal.providerId, '--json'])
  expect(JSON.parse(shown.out)).toMatchObject({ product: 'psd2-card', period: '1_day', psd2, chain: expect.any(Array) })
  expect(await sygnet(['seals', 'show', 'nothing'])).toMatchObject({
    code: 1,
    err: 'The portal knows no seal nothing.\n',
  })
})

test('PRV-7 signatures, seals and timestamp accounts are listed with filters, for people and for programs', async () => {
  const { portal, sygnet } = command
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal)
  const day = await provider.give(person, { product: 'file', period: '1_day' })
  const year = await provider.give(person, { product: 'card', period: '1_year' })
  const member = { person, role: 'administrator', status: 'active' } as const
  const seal = await makeSeal(portal, provider, [member], { product: 'card', period: '2_years' })
  const { providerTimestampAccount } = await giveTimestamps(portal, person.id)
  const listed = async (...argv: string[]) => {
    const { out, ...rest } = await sygnet([...argv, '--customer', person.id])
    expect(rest).toEqual({ code: 0, err: '' })
    return out.split('\n').filter(Boolean)
  }
  const ids = async (...argv: string[]) => (await listed(...argv)).map((line) => line.replace(/  .*/, '')).toSorted()
  expect(await ids('signatures', 'list')).toEqual([day.providerId, year.providerId].toSorted())
  expect(await ids('signatures', 'list', '--period', '1_day')).toEqual([day.providerId])
  expect(await ids('signatures', 'list', '--product', 'card', '--status', 'good')).toEqual([year.providerId])
  expect(await ids('signatures', 'list', '--status', 'revoked')).toEqual([])
  const [line = ''] = await listed('signatures', 'list', '--period', '1_day', '--json')
  expect(JSON.parse(line)).toMatchObject({ signature: day.providerId, customer: person.id, period: '1_day' })
  expect(await ids('seals', 'list', '--product', 'card', '--period', '2_years')).toEqual([seal.providerId])
  expect(await ids('seals', 'list', '--period', '1_year')).toEqual([])
  expect(await ids('timestamp-accounts', 'list', '--status', 'active')).toEqual([providerTimestampAccount])
  expect(await ids('timestamp-accounts', 'list', '--status', 'inactive')).toEqual([])
  expect(await sygnet(['seals', 'list', '--period', '5_years'])).toEqual({
    code: 2,
    out: '',
    err: '--period is one of 1_day, 30_days, 1_year, 2_years, 3_years.\n',
  })
})

test('PRV-7 a list of several pages is printed whole', async () => {
  const { portal, sygnet } = command
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal)
  const { providerId } = await provider.give(person)
  await portal.owner.query(
    `insert into signatures select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'provider_id', 'copy-' || n, 'certificate_index', null))).*
      from signatures s, generate_series(1, 100) n where provider_id = $1`,
    [providerId],
  )
  const { out } = await sygnet(['signatures', 'list', '--customer', person.id])
  const listed = out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/  .*/, ''))
  const given = [providerId, ...Array.from({ length: 100 }, (_, i) => `copy-${i + 1}`)]
  expect(listed.toSorted()).toEqual(given.toSorted())
})

test('OPS-4 R80 a client key is created with scopes and an expiry, listed, rotated and revoked by its name', async () => {
  const { folder, sygnet } = command
  const made = await sygnet([
    'client-key',
    'create',
    'crm',
    '--days',
    '2',
    '--scope',
    'customers:write',
    '--scope',
    'all:read',
  ])
  expect(made.out).toMatch(/^sygnet_[\w-]{43}\n$/)
  expect(made.err).toMatch(/ends 20\S+Z\. It is not shown again\.\n$/)
  const list = async () => (await sygnet(['client-key', 'list'])).out
  expect(await list()).toMatch(/until \d{4}-\S+ {2}20\/s {2}crm {2}all:read\n/)
  expect(await list()).not.toContain(made.out.trim())
  const rotated = await sygnet([
    'client-key',
    'rotate',
    'crm',
    '--overlap',
    '0',
    '--to',
    join(folder, 'new-key'),
    '--json',
  ])
  expect([rotated.code, JSON.parse(rotated.out)]).toEqual([
    0,
    { id: expect.any(String), expiresAt: expect.any(String) },
  ])
  expect(readFileSync(join(folder, 'new-key'), 'utf8')).toMatch(/^sygnet_[\w-]{43}\n$/)
  expect(statSync(join(folder, 'new-key')).mode & 0o777).toBe(0o600)
  const health = (file: string) => sygnet(['health', '--json'], { SYGNET_KEY_FILE: file })
  expect(JSON.parse((await health(join(folder, 'new-key'))).out)).toMatchObject({
    key: { name: 'crm', perSecond: 20 },
  })
  writeFileSync(join(folder, 'old-key'), made.out)
  expect(await health(join(folder, 'old-key'))).toMatchObject({ code: 1, err: expect.stringContaining('has expired') })
  expect(await sygnet(['client-key', 'create', 'crm', '--scope', 'all:read'])).toEqual({
    code: 1,
    out: '',
    err: 'There is a key called crm already. Rotate or revoke it, or choose another name.\n',
  })
  const revoked = await sygnet(['client-key', 'revoke', 'crm'])
  expect(revoked).toEqual({ code: 0, out: `Key ${JSON.parse(rotated.out).id} revoked\n`, err: '' })
  expect(await list()).toMatch(/revoked \d{4}-\S+ {2}20\/s {2}crm/)
  expect(await health(join(folder, 'new-key'))).toMatchObject({ code: 1, err: expect.stringContaining('revoked') })
  // The ended key before it.
  expect(await sygnet(['client-key', 'revoke', 'crm'])).toMatchObject({ code: 0 })
  expect(await sygnet(['client-key', 'revoke', 'crm'])).toMatchObject({ code: 1, out: '' })
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

test('OPS-4 R80 no key is created, and none ends, if the file for it cannot be made; an empty value of an option is refused', async () => {
  const { folder, sygnet } = command
  const create = (name: string, to: string) =>
    sygnet(['client-key', 'create', name, '--scope', 'seals:read', '--to', to])
  const file = join(folder, 'shop-key')
  const list = async () => (await sygnet(['client-key', 'list'])).out
  expect(await create('shop', file)).toMatchObject({ code: 0, out: '' })
  const [kept, before] = [readFileSync(file, 'utf8'), await list()]
  expect(await sygnet(['client-key', 'rotate', 'shop', '--overlap', '0', '--to', file])).toEqual({
    code: 1,
    out: '',
    err: `${file} cannot be written: the file already exists. Nothing was changed.\n`,
  })
  expect(await create('till', join(folder, 'absent', 'key'))).toMatchObject({ code: 1, out: '' })
  // As with a variable that is not set.
  expect(await create('till', '')).toEqual({ code: 2, out: '', err: '--to has an empty value.\n' })
  expect(await sygnet(['account', 'unblock', ''])).toMatchObject({ code: 2, err: expect.stringMatching(/^Expected /) })
  expect([readFileSync(file, 'utf8'), await list()]).toEqual([kept, before])
  // A refused call leaves no file.
  expect(await create('shop', join(folder, 'none'))).toMatchObject({ code: 1, out: '' })
  expect(readdirSync(folder)).not.toContain('none')
})

test('OPS-4 Ctrl+C while the database does not answer ends a command at once, and leaves no empty file for its secret', async () => {
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

test.runIf(exhaustive)(
  'OPS-4 every command has a help text, and a wrong argument is refused with a message',
  async () => {
    const { start, sygnet } = command
    const whole = await start(['--help'], { DATABASE_URL: undefined }).ended
    expect(whole).toMatchObject({ code: 0, err: '' })
    expect(await start(['customers', 'show'], {}).ended).toMatchObject({ code: 2, out: '' })
    for (const args of [['help'], ['-h']]) expect(await sygnet(args)).toEqual(whole)
    for (const args of [
      ['help', 'customers', 'show'],
      ['customers', 'show', '-h'],
    ])
      expect(await sygnet(args)).toEqual(await sygnet(['customers', 'show', '--help']))
    expect(await sygnet(['version'])).toEqual(await sygnet(['--version']))
    expect(await sygnet(['version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^sygnet \d/) })
    const commands = [...whole.out.matchAll(/^ {2}sygnet ((?:[a-z-]+ ?)+)/gm)].map(([, name]) => name!.trim())
    expect(commands.length).toBeGreaterThan(15)
    const helps = await Promise.all(commands.map((name) => sygnet([...name.split(' '), '--help'])))
    for (const [i, { code, out, err }] of helps.entries()) {
      expect([commands[i], code, err]).toEqual([commands[i], 0, ''])
      expect(out).toContain(`sygnet ${commands[i]}`)
      for (const part of ['--json', '--help', 'Exit codes:', 'Needs ']) expect(out).toContain(part)
    }
    for (const [args, message] of [
      [['customers', 'show'], /^Expected CUSTOMER: sygnet customers show CUSTOMER \[--unmasked\]\n$/],
      [['customers', 'show', 'c-1', 'c-2'], /^Expected CUSTOMER/],
      [['customers', 'show', 'c-1', '--loud'], /^Unknown option '--loud'\. See sygnet customers show --help\n$/],
      [['cases', 'list', '--status'], /^Option '--status <value>' argument missing\. See sygnet cases list --help\n$/],
      [
        ['cases', 'list', '--status', 'lost'],
        /^--status is one of in-progress, finished-successfully, finished-unsuccessfully\.\n$/,
      ],
      [['customer', 'show'], /^There is no command customer show\.\n/],
      [['--limit', '5', 'audit', 'show'], /^Options follow the command, /],
      [['messages', '--id', '1', 'list'], /^Options follow the command, /],
    ] as const)
      expect(await sygnet(args)).toEqual({ code: 2, out: '', err: expect.stringMatching(message) })
  },
)

test('OPS-4 a customer is shown, blocked, unblocked and invited by the provider’s own id, for people and for programs', async () => {
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
  expect(await unblocked(person)).toEqual([{ actor: 'provider' }])
  expect(await sygnet(['customers', 'invite', person.id])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('has already set a password'),
  })
  expect(await sygnet(['customers', 'show', 'nobody'])).toEqual({
    code: 1,
    out: '',
    err: 'The portal knows no customer nobody.\n',
  })
})

test('PRV-6 a customer is found by e-mail, login, phone and identifier, for people and for programs', async () => {
  const { portal, sygnet } = command
  const person = await makeCustomer(portal)
  for (const by of ['email', 'login', 'phone'] as const) {
    const found = await sygnet(['customers', 'find', `--${by}`, person[by]])
    expect(found).toMatchObject({ code: 0, err: '' })
    expect(found.out).toMatch(new RegExp(`^${person.id}  ${person.login}  `))
  }
  const { out } = await sygnet(['customers', 'find', '--login', person.login, '--json'])
  expect(JSON.parse(out)).toMatchObject({ customer: person.id, email: person.email })
  const byIdentifier = ['customers', 'find', '--identifier', 'PNOPL-00000000000']
  expect(await sygnet([...byIdentifier, '--unmasked'])).toEqual({ code: 1, out: '', err: '' })
  expect(await sygnet(byIdentifier)).toMatchObject({ code: 2, err: expect.stringContaining('needs --unmasked') })
  for (const wrong of [[], ['--email', person.email, '--login', person.login]])
    expect(await sygnet(['customers', 'find', ...wrong])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--email'),
    })
})

test('OPS-4 codes are created from a file and shown, and cases are listed and shown', async () => {
  const { portal, folder, sygnet } = command
  const order = (id: string) => ({
    id,
    kind: 'voucher',
    process: 'card-seal',
    customer: null,
    expiresAt: '2099-01-01T00:00:00.000Z',
  })
  const write = (lines: unknown[]) =>
    writeFileSync(join(folder, 'orders.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const ids = Array.from({ length: 250 }, (_, i) => `order-${i}`)
  write(ids.map(order))
  const make = () => sygnet(['codes', 'make', join(folder, 'orders.ndjson')])
  const made = await make()
  expect(made).toMatchObject({ code: 0, err: '' })
  const codes = made.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; code: string })
  expect(codes.map(({ id }) => id)).toEqual(ids)
  expect((await make()).out).toBe(made.out)
  expect(JSON.parse((await sygnet(['codes', 'show', 'order-7', '--json'])).out)).toMatchObject({
    code: codes[7]!.code,
    status: 'unused',
  })
  write([order('order-new'), { ...order('x'), process: 'nothing' }])
  expect(await make()).toEqual({ code: 1, out: '', err: 'Line 2 is not an order for a code. Nothing was created.\n' })
  expect((await sygnet(['codes', 'show', 'order-new'])).err).toBe('The portal knows no code order-new.\n')
  write([{ ...order('for-nobody'), customer: 'nobody' }])
  expect(await make()).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('for-nobody: the portal does not know'),
  })

  const person = await makeCustomer(portal)
  const opened = await openVoucherCase(portal, await signInAs(portal, person))
  const listed = await sygnet(['cases', 'list', '--json', '--status', 'in-progress'])
  const numbers = listed.out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { case: string }).case)
  expect(numbers).toEqual([opened.opened.number])
  expect((await sygnet(['cases', 'show', numbers[0]!])).out).toContain(person.email)
  expect(await sygnet(['cases', 'list', '--unknown'])).toEqual({ code: 0, out: '', err: '' })
})

test('OPS-4 R80 R82 every failure is reported on one line: no address, no key, an unknown key, a missing scope, no server, another server', async () => {
  const { portal, folder, files, sygnet } = command
  const person = await makeCustomer(portal)
  const run = (over: Record<string, string | undefined>) => sygnet(['customers', 'block', person.id], over)
  const { key } = await issueClientKey(portal.ownerDb, {
    name: 'reader',
    scopes: clientScopes.filter((scope) => scope.endsWith(':read')),
  })
  const gone = await issueClientKey(portal.ownerDb, { name: 'gone', scopes: clientScopes })
  await revokeClientKey(portal.ownerDb, 'gone')
  const site = createServer((_, reply) => reply.end('<h1>Hello</h1>')).listen(0, '127.0.0.1')
  onTestFinished(() => void site.close())
  await new Promise((resolve) => site.once('listening', resolve))
  const elsewhere = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  writeFileSync(join(folder, 'junk'), 'hello')
  const cases: [Record<string, string | undefined>, number, RegExp][] = [
    [{ SYGNET_URL: undefined }, 2, /^SYGNET_URL is not set\. .+$/],
    [{ SYGNET_URL: 'portal' }, 2, /^SYGNET_URL is not an address.+$/],
    [{ SYGNET_URL: 'http://portal.example' }, 2, /^SYGNET_URL must begin with https:.+$/],
    [{ SYGNET_KEY_FILE: undefined }, 2, /^SYGNET_KEY_FILE is not set.+$/],
    [{ SYGNET_KEY_FILE: join(folder, 'absent') }, 2, /^SYGNET_KEY_FILE cannot be read: there is no such file\.$/],
    [{ SYGNET_KEY_FILE: join(folder, 'junk') }, 2, /contains no client key, which is sygnet_ and 43 characters\.$/],
    [{ SYGNET_KEY: portal.clientKey }, 2, /^Set SYGNET_KEY_FILE or SYGNET_KEY, not both\.$/],
    [{ SYGNET_KEY_FILE: undefined, SYGNET_KEY: gone.key }, 1, /^The portal refuses the key: .+$/],
    [
      { SYGNET_KEY_FILE: undefined, SYGNET_KEY: key },
      1,
      /^The key may not do this: the scope customers:write is missing\.$/,
    ],
    [{ SYGNET_URL: 'http://127.0.0.1:1' }, 3, /^The portal at http:\/\/127\.0\.0\.1:1 cannot be reached: \S.+$/],
    [{ SYGNET_URL: elsewhere }, 3, /answered \(200\), but it is not the portal\. Check SYGNET_URL\.$/],
    [
      { SYGNET_URL: portal.origin.replace('127.0.0.1', 'localhost') },
      2,
      /^SYGNET_URL is not the name of the portal\.$/,
    ],
  ]
  for (const [over, code, message] of cases) {
    const answer = await run(over)
    expect([over, answer]).toEqual([over, { code, out: '', err: expect.stringMatching(/^[^\n]+\n$/) }])
    expect(answer.err.trim()).toMatch(message)
    for (const secret of [portal.clientKey, key, gone.key]) expect(answer.err).not.toContain(secret)
  }
  expect((await openBrowser(portal).call(getCustomer, { params: { customer: person.id } })).body.state).toBe('active')
  expect(readFileSync(files.client, 'utf8').trim()).toBe(portal.clientKey)
})

test('OPS-4 R80 a call with a body names the cause at a wrong address: another name of the portal, and a site that redirects, which is not followed', async () => {
  const { portal, folder, sygnet } = command
  const file = join(folder, 'customers.ndjson')
  writeFileSync(file, '{"customer":"c-1"}\n')
  const paths: (string | undefined)[] = []
  const site = createServer(({ url }, reply) => {
    paths.push(url)
    reply.writeHead(307, { location: '/followed' }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void site.close())
  await once(site, 'listening')
  const redirecting = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  for (const args of [
    ['customers', 'find', '--email', 'nobody@provider.example'],
    ['customers', 'import', file],
  ]) {
    const outcomes = [
      [portal.origin.replace('127.0.0.1', 'localhost'), 2, 'SYGNET_URL is not the name of the portal.'],
      [redirecting, 3, `${redirecting} answered (307), but it is not the portal. Check SYGNET_URL.`],
    ] as const
    for (const [url, code, message] of outcomes)
      expect(await sygnet(args, { SYGNET_URL: url })).toEqual({ code, out: '', err: expect.stringContaining(message) })
  }
  expect(paths).toHaveLength(2)
  expect(paths).not.toContain('/followed')
})
