import { describe, expect, test } from 'vitest'
import * as providerTimestamps from '../../contract/provider/provider-timestamps.ts'
import { openBrowser } from '../testing/browser.ts'
import { runOnAllNodes } from '../testing/concurrency.ts'
import { readDatabase } from '../testing/database-state.ts'
import { openPortal } from '../testing/open-portal.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import {
  giveTimestampAccount,
  giveTimestampPackage,
  sampleTimestampAccount,
  sampleTimestampPackage,
} from '../testing/samples/sample-timestamps.ts'
import { notifyOfEnds } from './package-notices.ts'

const portal = await openPortal({ nodes: 2 })
const noon = new Date('2026-11-21T12:00:00.000Z')
await portal.clock.stopAt(noon)

const provider = () => openBrowser(portal)
const report = (body: Partial<providerTimestamps.TimestampUsage>, node = 0) =>
  provider().call(providerTimestamps.reportTimestampUsage, { body: { days: [], packages: [], ...body } }, node)
const packageState = async (name: string) =>
  (await provider().call(providerTimestamps.getTimestampPackage, { params: { package: name } })).body
const newId = (kind: string) => `${kind}-${crypto.randomUUID()}`
const putAccount = (account: string, body: ReturnType<typeof sampleTimestampAccount>) =>
  provider().call(providerTimestamps.putTimestampAccount, { params: { account }, body })
const putPackage = (name: string, body: ReturnType<typeof sampleTimestampPackage>, node = 0) =>
  provider().call(providerTimestamps.putTimestampPackage, { params: { package: name }, body }, node)

const usageOf = async (account: string) => {
  const rows = await portal.rows(
    `select day::text, spent from timestamp_usage u join timestamp_accounts a on a.id = u.timestamp_account_id
     where a.provider_id = $1 order by day`,
    [account],
  )
  return rows.map(({ day, spent }) => [day, spent])
}

async function makeAccount(over: Parameters<typeof giveTimestampPackage>[2] = {}) {
  const person = await addCustomer(portal)
  const { account } = await giveTimestampAccount(portal, person.id)
  return { person, account, name: await giveTimestampPackage(portal, account, over) }
}

describe('OPS-4 accounts and packages', () => {
  test('OPS-4 TSP-1 an account is created, read back as it was put, and replaced by a later PUT', async () => {
    const person = await addCustomer(portal)
    const params = { account: newId('t') }
    const body = sampleTimestampAccount(person.id)
    expect(await putAccount(params.account, body)).toMatchObject({ status: 200, body })
    const later = { ...body, login: 'tsa-new', status: 'inactive' as const, serverUrl: 'https://tsa.example:8443/x' }
    await putAccount(params.account, later)
    expect((await provider().call(providerTimestamps.getTimestampAccount, { params })).body).toEqual(later)
  })

  test('OPS-4 TSP-2 a package is as it was put, also ten times at once, until a later PUT', async () => {
    const { account, name } = await makeAccount({ spent: 40 })
    const body = sampleTimestampPackage(account, { spent: 40 })
    const { audit: _, ...before } = await readDatabase(portal)
    const put = async (over: Parameters<typeof sampleTimestampPackage>[1] = { spent: 40 }, node = 0) =>
      (await putPackage(name, sampleTimestampPackage(account, over), node)).body
    const same = { ...body, remaining: 60 }
    const answers = await Promise.all(Array.from({ length: 10 }, (__, i) => put(undefined, i % 2)))
    expect(answers).toEqual(answers.map(() => same))
    expect(await packageState(name)).toEqual(same)
    expect(await readDatabase(portal)).toMatchObject(before)
    const bigger = { size: 500, spent: 40, endsAt: '2027-01-01T00:00:00.000Z' }
    expect(await put(bigger)).toEqual({ ...body, ...bigger, remaining: 460 })
    expect((await put({ kind: 'unlimited', size: null, spent: 41 })).remaining).toBe(null)
  })

  test('OPS-4 R34 an account and a package keep their owners, and need an existing one', async () => {
    const [first, second] = [await makeAccount(), await makeAccount()]
    const before = await readDatabase(portal)
    const refused = [
      await putAccount(first.account, sampleTimestampAccount(second.person.id)),
      await putAccount(newId('t'), sampleTimestampAccount('c-nobody')),
      await putPackage(first.name, sampleTimestampPackage(second.account)),
      await putPackage(newId('p'), sampleTimestampPackage('t-nobody')),
    ]
    for (const { problem } of refused) expect(problem).toMatchObject({ status: 404, code: 'not-found' })
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('OPS-4 an inconsistent package or an invalid address is refused at its field', async () => {
    const { person, account } = await makeAccount()
    const cases: [Parameters<typeof sampleTimestampPackage>[1], string[]][] = [
      [{ kind: 'unlimited' }, ['size']],
      [{ size: null }, ['size']],
      [{ refillDay: 1 }, ['refillDay']],
      [{ startsAt: '0000-01-01T00:00:00.000Z' }, ['startsAt']],
      [{ kind: 'recurring' }, ['refillDay', 'countedFrom']],
      [{ kind: 'recurring', refillDay: 32, countedFrom: '2026-11-01T00:00:00.000Z' }, ['refillDay']],
    ]
    for (const [over, fields] of cases) {
      const { problem } = await putPackage(newId('p'), sampleTimestampPackage(account, over))
      expect([over, problem.fields?.map(({ name }) => name)]).toEqual([over, fields])
    }
    const urls = ['tsa.example', 'https://tsa.example/?a=1', "https://tsa.example/'; rm -rf '", 'ftp://x.example']
    for (const serverUrl of urls) {
      const { problem } = await putAccount(newId('t'), sampleTimestampAccount(person.id, { serverUrl }))
      expect([serverUrl, problem.fields]).toEqual([serverUrl, [{ name: 'serverUrl', problem: 'format' }]])
    }
  })
})

describe('OPS-4 TSP-4 usage reports', () => {
  test('OPS-4 TSP-4 reports in any order, twice and over both nodes give the same counts', async () => {
    const { account, name } = await makeAccount()
    const reports = Array.from({ length: 20 }, (_, i) => ({
      days: [
        { account, day: '2026-11-20', spent: i },
        { account, day: '2026-11-21', spent: 2 * i },
      ],
      packages: [{ package: name, spent: 3 * i, countedFrom: null }],
    }))
    const order = ({ days }: (typeof reports)[number]) => (days[0]!.spent * 7) % 20
    const shuffled = [...reports, ...reports].toSorted((a, b) => order(a) - order(b))
    const answers = await Promise.all(shuffled.map((body, i) => report(body, i % 2)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await usageOf(account)).toEqual([
      ['2026-11-20', 19],
      ['2026-11-21', 38],
    ])
    expect(await packageState(name)).toMatchObject({ spent: 57, remaining: 43 })
  })

  test('OPS-4 one report may name a day and a package twice: the higher count is kept', async () => {
    const { account, name } = await makeAccount()
    const days = [5, 9, 7].map((spent) => ({ account, day: '2026-11-21', spent }))
    const packages = [5, 9, 7].map((spent) => ({ package: name, spent, countedFrom: null }))
    expect((await report({ days, packages })).status).toBe(200)
    expect(await usageOf(account)).toEqual([['2026-11-21', 9]])
    expect((await packageState(name)).spent).toBe(9)
  })

  test('OPS-4 TSP-2 a count from after a refill replaces a higher one from before it, in any order of arrival', async () => {
    const refill = (month: string) => `2026-${month}-30T23:00:00.000Z`
    const monthly = { kind: 'recurring', refillDay: 1, spent: 0, countedFrom: refill('09') } as const
    for (const order of [[0, 1] as const, [1, 0] as const]) {
      const { name } = await makeAccount(monthly)
      const counts = [
        { package: name, spent: 90, countedFrom: refill('09') },
        { package: name, spent: 2, countedFrom: refill('10') },
      ]
      for (const which of order) await report({ packages: [counts[which]!] })
      expect(await packageState(name)).toMatchObject({ spent: 2, countedFrom: refill('10') })
    }
  })

  test('OPS-4 a late PUT of a package does not undo its reported usage', async () => {
    const { account, name } = await makeAccount()
    await report({ packages: [{ package: name, spent: 30, countedFrom: null }] })
    await putPackage(name, sampleTimestampPackage(account, { spent: 10, size: 200 }))
    expect(await packageState(name)).toMatchObject({ spent: 30, size: 200, remaining: 170 })
  })

  test('OPS-4 unknown accounts and packages are named, and the rest of the report is stored', async () => {
    const { account, name } = await makeAccount()
    const { body } = await report({
      days: [
        { account: 't-unknown', day: '2026-11-21', spent: 1 },
        { account, day: '2026-11-21', spent: 4 },
      ],
      packages: [
        { package: 'p-unknown', spent: 1, countedFrom: null },
        { package: name, spent: 4, countedFrom: null },
      ],
    })
    expect(body).toEqual({ unknownAccounts: ['t-unknown'], unknownPackages: ['p-unknown'] })
    expect([await usageOf(account), (await packageState(name)).spent]).toEqual([[['2026-11-21', 4]], 4])
  })
})

describe('defaults.md: notices of packages', () => {
  const mailsTo = async (email: string) => {
    await portal.deliver()
    return portal.mails.filter(({ to }) => to === email).filter(({ subject }) => /znacznik|timestamp/i.test(subject))
  }
  const spend = (name: string, spent: number, countedFrom: string | null = null, node = 0) =>
    report({ packages: [{ package: name, spent, countedFrom }] }, node)

  test('TSP-4 the owner gets one mail at a tenth and one at nothing, however often it is reported, and in their language', async () => {
    const { person, account, name } = await makeAccount()
    await spend(name, 89)
    expect(await mailsTo(person.email)).toEqual([])
    await Promise.all(Array.from({ length: 10 }, (_, i) => spend(name, 90 + (i % 3), null, i % 2)))
    const [low, ...more] = await mailsTo(person.email)
    expect([low!.subject, more.length]).toEqual(['Sygnet: kończą się znaczniki czasu', 0])
    expect(low!.text.replaceAll('\u00a0', ' ')).toMatch(
      /pakiecie jednorazowym konta tsa-01 zostało tylko (10|9|8) z 100 znaczników/,
    )
    expect(low!.text).toContain('https://portal.example/certificates/timestamps')
    await Promise.all(Array.from({ length: 4 }, (_, i) => spend(name, 100, null, i % 2)))
    expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
      'Sygnet: pakiet znaczników czasu jest pusty',
      'Sygnet: kończą się znaczniki czasu',
    ])
    // The package grew and is running out again: it causes no second notice.
    await giveTimestampPackage(portal, account, { size: 105, spent: 100 }, name)
    expect((await mailsTo(person.email)).length).toBe(2)

    const english = await addCustomer(portal, { locale: 'en' })
    const englishAccount = await giveTimestampAccount(portal, english.id)
    const small = await giveTimestampPackage(portal, englishAccount.account)
    await giveTimestampPackage(portal, englishAccount.account, { size: 5000 })
    await spend(small, 100)
    const [empty, ...none] = await mailsTo(english.email)
    expect([empty!.subject, none.length]).toEqual(['Sygnet: a timestamp package is empty', 0])
    expect(empty!.text).toContain('other packages (5,000 left)')
    expect(empty!.text).toContain('https://portal.example/en/certificates/timestamps')
  })

  test('TSP-4 a recurring package has one notice in each of its months', async () => {
    const months = ['2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z'] as const
    const { person, name } = await makeAccount({ kind: 'recurring', refillDay: 1, countedFrom: months[0] })
    await spend(name, 95, months[0])
    await spend(name, 96, months[0])
    expect((await mailsTo(person.email)).length).toBe(1)
    await portal.clock.stopAt(new Date('2026-12-10T12:00:00.000Z'))
    await spend(name, 20, months[1])
    expect((await mailsTo(person.email)).length).toBe(1)
    await spend(name, 95, months[1])
    expect((await mailsTo(person.email)).length).toBe(2)
    await portal.clock.stopAt(noon)
  })

  test('TSP-4 no notice is sent of a package that is unlimited, withdrawn or expired, or was created with its present count', async () => {
    const { person, account } = await makeAccount({ spent: 95 })
    const quiet = [
      await giveTimestampPackage(portal, account, { kind: 'unlimited', size: null }),
      await giveTimestampPackage(portal, account, { status: 'inactive' }),
      await giveTimestampPackage(portal, account, { endsAt: '2026-11-21T11:59:59.000Z' }),
    ]
    for (const name of quiet) await spend(name, 100)
    expect(await mailsTo(person.email)).toEqual([])
  })

  test('TSP-4 thirty and seven days before the end its owner gets one mail each, however many nodes check', async () => {
    const end = '2027-03-01T11:00:00.000Z'
    const { person, account } = await makeAccount({ size: 4000, spent: 100, endsAt: end })
    // One that is spent needs no notice.
    await giveTimestampPackage(portal, account, { spent: 100, endsAt: end })
    const daysBefore = (days: number, ms = 0) => new Date(Date.parse(end) - days * 86_400_000 + ms)
    const mailsAt = async (at: Date) => {
      await portal.clock.stopAt(at)
      await runOnAllNodes(portal, notifyOfEnds)
      return (await mailsTo(person.email)).length
    }
    expect(await mailsAt(daysBefore(30, -1))).toBe(0)
    expect(await mailsAt(daysBefore(30))).toBe(1)
    expect(await mailsAt(daysBefore(20))).toBe(1)
    // A package created with less than thirty days left has a notice only a week before its end.
    await giveTimestampPackage(portal, account, { endsAt: end })
    expect(await mailsAt(daysBefore(10))).toBe(1)
    expect(await mailsAt(daysBefore(7))).toBe(3)
    expect(await mailsAt(daysBefore(0))).toBe(3)
    const [{ text, subject } = { text: '', subject: '' }] = await mailsTo(person.email)
    expect(subject).toBe('Sygnet: pakiet znaczników wkrótce wygaśnie')
    expect(text.replaceAll('\u00a0', ' ')).toContain('jest ważny do 1 marca 2027, 12:00')
    await portal.clock.stopAt(noon)
  })
})
