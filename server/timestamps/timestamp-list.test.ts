import { expect, test, onTestFinished } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { reportTimestampUsage } from '../../contract/provider/provider-timestamps.ts'
import * as contract from '../../contract/timestamps.ts'
import { readAuditedActions } from '../testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestPortal } from '../testing/portal-nodes.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { signInDirectly, addCustomer } from '../testing/samples/ready-customers.ts'
import { makeOwner } from '../testing/samples/sample-seals.ts'
import { giveTimestampAccount, giveTimestampPackage } from '../testing/samples/sample-timestamps.ts'
import { stepUp } from '../testing/test-customers.ts'

/** The passwords that reached the timestamp server, and its answer. */
const passwordsSet: [account: string, password: string][] = []
let answer: 'changed' | 'refused' | 'unreachable' = 'changed'
const setPassword = async (account: string, password: string) => {
  passwordsSet.push([account, password])
  return answer
}
const portal = await openPortal({ ports: { timestampAccounts: { setPassword } } })
const noon = new Date('2026-11-21T12:00:00.000Z')
await portal.clock.stopAt(noon)

/** Creates a customer with a timestamp account. */
async function makeAccount() {
  const { person, browser } = await makeOwner(portal)
  const { id, account } = await giveTimestampAccount(portal, person.id)
  const give = (over: Parameters<typeof giveTimestampPackage>[2] = {}) => giveTimestampPackage(portal, account, over)
  return { person, browser, params: { id }, account, give }
}

const recurring = {
  kind: 'recurring',
  size: 20_000,
  refillDay: 1,
  spent: 7520,
  countedFrom: '2026-10-31T23:00:00.000Z',
} as const

test('TSP-1 an account is listed with login, authentication, server address, status, and what remains of the package in use', async () => {
  const { person, browser } = await makeOwner(portal)
  const { id, account } = await giveTimestampAccount(portal, person.id, { login: 'tsa-zrodlo-01' })
  const other = { login: 'tsa-archiwum', authentication: 'cms', serverUrl: 'https://tsa.example/cms' } as const
  const inactive = await giveTimestampAccount(portal, person.id, { ...other, status: 'inactive' })
  for (const over of [
    recurring,
    { size: 5000, endsAt: '2027-12-31T23:00:00.000Z' },
    { size: 1000, spent: 1000, endsAt: '2026-06-01T10:00:00.000Z' },
    { size: 1000, startsAt: '2027-02-01T10:00:00.000Z' },
    { size: 1000, startsAt: '2026-12-01T10:00:00.000Z', status: 'inactive' },
    { size: 1000, startsAt: '2026-12-24T10:00:00.000Z' },
  ] as const)
    await giveTimestampPackage(portal, account, over)
  const { body } = await browser.call(contract.listTimestampAccounts)
  expect(body).toEqual({
    items: [
      {
        id,
        login: 'tsa-zrodlo-01',
        authentication: 'basic',
        serverUrl: 'https://tsa.example/rfc3161',
        status: 'active',
        canChangePassword: true,
        packages: 6,
        current: {
          id: expect.any(String),
          kind: 'recurring',
          status: 'active',
          reason: null,
          size: 20_000,
          remaining: 12_480,
          startsAt: '2026-01-01T00:00:00.000Z',
          endsAt: null,
          refillsAt: '2026-11-30T23:00:00.000Z',
        },
        remaining: 17_480,
        nextPackageAt: '2026-12-24T10:00:00.000Z',
      },
      {
        id: inactive.id,
        ...other,
        status: 'inactive',
        canChangePassword: false,
        packages: 0,
        current: null,
        remaining: 0,
        nextPackageAt: null,
      },
    ],
    next: null,
  })
})

test('TSP-5 accounts without timestamps come first, then those with few left, then the other active and the inactive ones; state and login find them', async () => {
  const { person, browser } = await makeOwner(portal)
  const give = async (login: string, status: 'active' | 'inactive', left?: number) => {
    const { account } = await giveTimestampAccount(portal, person.id, { login, status })
    if (left !== undefined)
      await giveTimestampPackage(portal, account, { kind: 'one-time', size: 100, spent: 100 - left })
  }
  await give('b-full', 'active', 100)
  await give('a-off', 'inactive', 5)
  await give('z-none', 'active')
  await give('y-empty', 'active', 0)
  await give('x-low', 'active', 10)
  await give('c-enough', 'active', 11)
  const listed = async (query: { state?: contract.TimestampState; search?: string } = {}) =>
    (await browser.call(contract.listTimestampAccounts, { query })).body.items.map(({ login }) => login)
  expect(await listed()).toEqual(['y-empty', 'z-none', 'x-low', 'b-full', 'c-enough', 'a-off'])
  expect(await listed({ state: 'empty' })).toEqual(['y-empty', 'z-none'])
  expect(await listed({ state: 'low' })).toEqual(['x-low'])
  expect(await listed({ state: 'active' })).toEqual(['b-full', 'c-enough'])
  expect(await listed({ state: 'inactive' })).toEqual(['a-off'])
  expect(await listed({ search: ' Empty ' })).toEqual(['y-empty'])
  expect(await listed({ search: 'e', state: 'active' })).toEqual(['c-enough'])
  expect((await browser.raw('GET', '/api/timestamps?state=full')).status).toBe(400)
})

test('TSP-2 packages have type, status and its reason, size, remaining timestamps and validity: active ones in the order of spending, then the newest', async () => {
  const { browser, params, give } = await makeAccount()
  await give({ kind: 'unlimited', size: null, spent: 5 })
  await give({ size: 10 })
  await give({ size: 20, endsAt: '2027-01-01T00:00:00.000Z' })
  await give(recurring)
  await give({ size: 30, spent: 30, startsAt: '2026-02-01T00:00:00.000Z' })
  await give({ size: 40, startsAt: '2026-03-01T00:00:00.000Z', endsAt: noon.toISOString() })
  await give({ size: 50, startsAt: '2026-11-21T12:00:00.001Z' })
  await give({ size: 60, startsAt: '2026-04-01T00:00:00.000Z', status: 'inactive' })
  const { items, next, now } = (await browser.call(contract.listTimestampPackages, { params })).body
  expect(items.map(({ kind, status, reason, size, remaining }) => [kind, status, reason, size, remaining])).toEqual([
    ['recurring', 'active', null, 20_000, 12_480],
    ['one-time', 'active', null, 20, 20],
    ['one-time', 'active', null, 10, 10],
    ['unlimited', 'active', null, null, null],
    ['one-time', 'inactive', 'not-yet-valid', 50, 50],
    ['one-time', 'inactive', 'withdrawn', 60, 60],
    ['one-time', 'inactive', 'expired', 40, 40],
    ['one-time', 'inactive', 'used-up', 30, 0],
  ])
  expect([next, now]).toEqual([null, noon.toISOString()])
})

test('TSP-2 old packages are listed by twenty, each once', async () => {
  const { browser, params, give } = await makeAccount()
  for (let n = 0; n < 22; n++) await give({ spent: 100, startsAt: `2026-01-${10 + (n >> 1)}T00:00:00.000Z` })
  await give()
  const first = (await browser.call(contract.listTimestampPackages, { params })).body
  const second = (await browser.call(contract.listTimestampPackages, { params, query: { cursor: first.next! } })).body
  expect([first.items.length, second.items.length, second.next]).toEqual([21, 2, null])
  expect(new Set([...first.items, ...second.items].map((item) => item.id)).size).toBe(23)
})

test('TSP-2 a recurring package is full again at 00:00 in Warsaw on its day, without a report by the provider', async () => {
  const { person, give } = await makeAccount()
  await give({ ...recurring, size: 100, refillDay: 31, spent: 100 })
  const remainingAt = async (at: string) => {
    await portal.clock.stopAt(new Date(at))
    const browser = await signInDirectly(portal, person)
    return (await browser.call(contract.listTimestampAccounts)).body.items[0]!.remaining
  }
  expect(await remainingAt('2026-11-29T22:59:59.999Z')).toBe(0)
  expect(await remainingAt('2026-11-29T23:00:00.000Z')).toBe(100)
  await portal.clock.stopAt(noon)
})

test('TSP-4 usage is listed by day for thirty days of the Polish calendar, and for earlier periods by their last day', async () => {
  const { person, browser, params, account } = await makeAccount()
  const days = [
    { account, day: '2026-11-21', spent: 7 },
    { account, day: '2026-10-23', spent: 3 },
    { account, day: '2026-10-22', spent: 2 },
  ]
  await openBrowser(portal).call(reportTimestampUsage, { body: { days, packages: [] } })
  const read = async (until?: string) =>
    (await browser.call(contract.readTimestampUsage, { params, ...(until && { query: { until } }) })).body
  const newest = await read()
  expect([newest.days.length, newest.today, newest.hasEarlier]).toEqual([30, '2026-11-21', true])
  expect(newest.days.filter(({ spent }) => spent)).toEqual([
    { day: '2026-10-23', spent: 3 },
    { day: '2026-11-21', spent: 7 },
  ])
  const before = await read('2026-10-22')
  expect([before.days.at(-1), before.days[0]!.day, before.hasEarlier]).toEqual([
    { day: '2026-10-22', spent: 2 },
    '2026-09-23',
    false,
  ])
  // Future days are not shown.
  expect((await read('2999-01-01')).days).toEqual(newest.days)
  await portal.clock.stopAt(new Date('2026-11-21T23:00:00.000Z'))
  const late = await signInDirectly(portal, person)
  expect((await late.call(contract.readTimestampUsage, { params })).body.today).toBe('2026-11-22')
  await portal.clock.stopAt(noon)
})

test('HOM-3 the summary names active accounts with a package at a tenth or less, or with nothing left, and no other accounts', async () => {
  const { person, browser } = await makeOwner(portal)
  const give = async (login: string, over: Parameters<typeof giveTimestampPackage>[2], status?: 'inactive') => {
    const { account } = await giveTimestampAccount(portal, person.id, { login, ...(status ? { status } : {}) })
    await giveTimestampPackage(portal, account, over)
  }
  await give('a-enough', { size: 1000, spent: 899 })
  await give('b-low', { size: 1000, spent: 900 })
  await give('c-empty', { size: 1000, spent: 1000 })
  await give('d-off', { size: 1000, spent: 990 }, 'inactive')
  await give('e-long-over', { size: 1000, spent: 990, endsAt: '2026-10-22T11:59:59.000Z' })
  await give('f-just-over', { size: 1000, endsAt: '2026-11-20T00:00:00.000Z' })
  const { body } = await browser.call(contract.summariseTimestamps)
  expect([body.active, body.inactive, body.remaining]).toEqual([5, 1, 201])
  expect(body.attention.map(({ account, low }) => [account.login, low && low.remaining])).toEqual([
    ['c-empty', null],
    ['f-just-over', null],
    ['b-low', 100],
  ])
})

test('TSP-4 VAL-1 days too long ago are refused to customers and to the provider, and cause no server error', async () => {
  const { browser, params, account } = await makeAccount()
  for (const until of ['0000-01-01', '0001-01-01', '1999-12-31']) {
    const days = [{ account, day: until, spent: 1 }]
    const answers = [
      await browser.call(contract.readTimestampUsage, { params, query: { until } }),
      await openBrowser(portal).call(reportTimestampUsage, { body: { days, packages: [] } }),
    ]
    for (const { problem } of answers) expect(problem).toMatchObject({ status: 400, code: 'invalid-input' })
  }
  const first = await browser.call(contract.readTimestampUsage, { params, query: { until: '2000-01-01' } })
  expect([first.status, first.body.hasEarlier]).toEqual([200, false])
})

const secret = 'Kanarek-Znaczniki-7'
const change = (browser: TestBrowser, id: string, newPassword = secret, repeatPassword = newPassword) =>
  browser.call(contract.changeTimestampPassword, { params: { id }, body: { newPassword, repeatPassword } })

async function makeAccountOwner() {
  const owner = await makeOwner(portal)
  return { ...owner, ...(await giveTimestampAccount(portal, owner.person.id)) }
}

const actionsOf = async (timestampAccount: string) =>
  (await readAuditedActions(portal, { details: { timestampAccount } })).filter((action) =>
    action.startsWith('timestamp-password'),
  )

test('TSP-3 AUT-7 R2 the password is set behind an SMS code made for this account, reaches the timestamp server, and is in the audit trail', async () => {
  const { person, browser, id, account } = await makeAccountOwner()
  const otherAccount = await giveTimestampAccount(portal, person.id, { login: 'tsa-02' })
  expect(await change(browser, id)).toMatchObject({ status: 403, problem: { code: 'step-up-required' } })
  await stepUp(portal, browser, person, 'timestamp-password', otherAccount.id)
  expect((await change(browser, id)).status).toBe(403)
  const own = () => passwordsSet.filter(([of]) => of === account)
  expect(own()).toEqual([])
  await stepUp(portal, browser, person, 'timestamp-password', id)
  expect((await change(browser, id)).status).toBe(204)
  expect(own()).toEqual([[account, secret]])
  expect(await actionsOf(id)).toEqual(['timestamp-password-asked', 'timestamp-password-changed'])
})

test('TSP-3 R3 the password is stored nowhere in the portal: no table has it, or a plain hash of it', async () => {
  const { person, browser, id } = await makeAccountOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  expect((await change(browser, id)).status).toBe(204)
  expect(findIn(await dumpDatabase(portal.owner), secret)).toEqual([])
  // An Idempotency-Key would keep a hash of the whole request, from which a weak password can be guessed.
  const callersSql = `select 1 from idempotency where caller <> '00000000-0000-0000-0000-000000000000'`
  expect((await portal.owner.query(callersSql)).rowCount).toBe(0)
})

test('TSP-3 VAL-3 the password has at least eight characters, an upper-case letter and a digit, no control characters, and both entries match', async () => {
  const { person, browser, id } = await makeAccountOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  const before = passwordsSet.length
  const problems = async (newPassword: string, repeatPassword = newPassword) =>
    (await change(browser, id, newPassword, repeatPassword)).problem.fields
  const rules = [{ name: 'newPassword', problem: 'password-rules' }]
  // A letter and its mark are one letter, however they were typed.
  for (const bad of ['Krotki1', 'bezduzej1', 'BezCyfry', `A1${'x'.repeat(127)}`, 'Z\u0301aczni1'])
    expect([bad, await problems(bad)]).toEqual([bad, rules])
  expect(await problems('Wiersz1\nDrugi')).toEqual([{ name: 'newPassword', problem: 'format' }])
  expect(await problems('')).toMatchObject([{ problem: 'required' }, { problem: 'required' }])
  expect(await problems('Znaczniki1', 'Znaczniki2')).toEqual([{ name: 'repeatPassword', problem: 'passwords-differ' }])
  expect(passwordsSet.length).toBe(before)
  for (const good of ['Znaczni1', 'Z\u0301naczni1', `A1${'x'.repeat(126)}`])
    expect((await change(browser, id, good)).status).toBe(204)
})

test('TSP-3 an account that authenticates by certificate, or is inactive, has no password to change', async () => {
  const { person, browser } = await makeAccountOwner()
  for (const over of [{ authentication: 'cms' }, { status: 'inactive' }] as const) {
    const { id } = await giveTimestampAccount(portal, person.id, { login: `no-${Object.keys(over)[0]!}`, ...over })
    await stepUp(portal, browser, person, 'timestamp-password', id)
    const before = passwordsSet.length
    expect(await change(browser, id)).toMatchObject({ status: 422, problem: { code: 'timestamp-password-fixed' } })
    expect([passwordsSet.length, await actionsOf(id)]).toEqual([before, []])
  }
})

test('TSP-3 ERR-5 a change that the timestamp server did not make is not reported as made', async () => {
  const { person, browser, id } = await makeAccountOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  answer = 'unreachable'
  expect(await change(browser, id)).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
  answer = 'refused'
  expect(await change(browser, id)).toMatchObject({ status: 422, problem: { code: 'timestamp-password-fixed' } })
  answer = 'changed'
  expect(await actionsOf(id)).toEqual(['timestamp-password-asked', 'timestamp-password-asked'])
})

test('TSP-3 R18 the password of an account is changed at most ten times an hour', async () => {
  const { person, browser, id } = await makeAccountOwner()
  await stepUp(portal, browser, person, 'timestamp-password', id)
  const before = passwordsSet.length
  const statuses = []
  for (let n = 0; n < limits.timestamps.password.changes.limit + 1; n++)
    statuses.push((await change(browser, id)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(204), 429])
  expect(passwordsSet.length - before).toBe(10)
})

test('TSP-3 ERR-5 without a timestamp server that takes passwords, no account offers the change', async () => {
  const closed = await openTestPortal({ ports: { timestampAccounts: undefined } })
  onTestFinished(() => closed.close())
  const person = await addCustomer(closed)
  const browser = await signInDirectly(closed, person)
  const { id } = await giveTimestampAccount(closed, person.id)
  expect((await browser.call(contract.listTimestampAccounts)).body.items[0]!.canChangePassword).toBe(false)
  await stepUp(closed, browser, person, 'timestamp-password', id)
  expect((await change(browser, id)).problem.code).toBe('timestamp-password-fixed')
})
