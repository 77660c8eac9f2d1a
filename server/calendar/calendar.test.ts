import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeLocale } from '../../contract/account.ts'
import { makeCalendarAddress, readCalendar, readCalendarFile, revokeCalendarAddress } from '../../contract/calendar.ts'
import { downloadDataExport, requestDataExport } from '../../contract/data-export.ts'
import { limits } from '../../contract/limits.ts'
import { blockCustomer, unblockCustomer } from '../../contract/provider/provider-customers.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import { wholeSeconds } from '../../pki/asn1/der.ts'
import { remindOfSignatures } from '../signatures/signature-reminders.ts'
import { readAuditedActions } from '../testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { sendTogether, preparedCall } from '../testing/burst.ts'
import { momentOf, parseCalendar, textOf } from '../testing/calendar-reader.ts'
import { findAccountId } from '../testing/database-state.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { now, sampleIdentification } from '../testing/portal-nodes.ts'
import { requestRaw } from '../testing/raw-http.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { openDraft } from '../testing/samples/sample-renewals.ts'
import { insertStepUp, makeSeal } from '../testing/samples/sample-seals.ts'
import { giveTimestampAccount, giveTimestampPackage } from '../testing/samples/sample-timestamps.ts'
import type { Person } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

let today: Date
/** Returns the instant a number of days after the tests begin. */
const inDays = (days: number) => new Date(wholeSeconds(today).getTime() + days * dayMs)

beforeAll(async () => {
  today = await now(portal.db)
  await portal.clock.stopAt(today)
})

/** Adds a customer with a calendar address. */
async function makeOwner(over: Parameters<typeof addCustomer>[1] = {}) {
  const person = await addCustomer(portal, over)
  const browser = await signInDirectly(portal, person)
  return { person, browser, address: await makeAddress(browser) }
}

async function makeAddress(browser: TestBrowser) {
  const { status, body } = await browser.call(makeCalendarAddress)
  expect(status).toBe(200)
  return body.address
}

const tokenOf = (address: string) => address.split('/').at(-2)!

let networks = 0
/** Opens an external program, which has only the address. */
const program = (node = 0) => openBrowser(portal, { address: `203.0.113.${++networks % 250}`, node })
const read = (address: string, { from = program(), headers = {}, method = 'GET' } = {}) =>
  from.raw(method, new URL(address).pathname, undefined, headers)

/** Reads the properties of the calendar, and its events, in the order of the file. */
async function calendarAt(address: string, node = 0) {
  const answer = await read(address, { from: program(node) })
  expect(answer.status).toBe(200)
  const { properties, parts } = parseCalendar(Buffer.from(await answer.arrayBuffer()))
  const events = parts.flatMap((event) => {
    const propertyOf = (name: string) => event.properties.find((property) => property.name === name)!
    if (event.name !== 'VEVENT') return []
    return {
      summary: textOf(propertyOf('SUMMARY').value).replaceAll('\u00a0', ' '),
      start: momentOf(propertyOf('DTSTART')),
      uid: propertyOf('UID').value,
      url: propertyOf('URL')?.value,
      alarms: event.parts.map((alarm) => alarm.properties.find(({ name }) => name === 'TRIGGER')!.value),
    }
  })
  return { properties, parts: parts.map(({ name }) => name), events }
}

/** Returns the summaries of the events and their days from today. */
const endsIn = async (address: string) =>
  (await calendarAt(address)).events.map(({ summary, start }) => [
    summary,
    Math.round((start.getTime() - inDays(0).getTime()) / dayMs),
  ])

const activeSeal = (person: Person, role: 'admin' | 'user', to: Date, organisation: string) =>
  makeSeal(portal, provider, [{ person, role, status: 'active' }], { from: inDays(-100), to, organisation })

describe('CAL-1 the address', () => {
  test('CAL-1 an address is shown when it is made, and afterwards only since when it is there', async () => {
    const person = await addCustomer(portal)
    const browser = await signInDirectly(portal, person)
    expect((await browser.call(readCalendar)).body).toEqual({ since: null })
    const address = await makeAddress(browser)
    expect(address).toMatch(/^https:\/\/portal\.example\/api\/calendar\/[\w-]{43}\/expiry\.ics$/)
    expect((await browser.call(readCalendar)).body).toEqual({ since: today.toISOString() })
    expect((await read(address)).status).toBe(200)
    expect((await browser.call(revokeCalendarAddress)).status).toBe(204)
    // There is nothing to revoke any more.
    expect((await browser.call(revokeCalendarAddress)).status).toBe(204)
    expect((await browser.call(readCalendar)).body).toEqual({ since: null })
    const actions = await readAuditedActions(portal, { login: person.login })
    const own = actions.filter((action) => action.startsWith('calendar-'))
    expect(own).toEqual(['calendar-address-made', 'calendar-address-revoked'])
  })

  test('R210 the token of an address is in no table and in no copy of data', async () => {
    const { person, browser, address } = await makeOwner()
    await insertStepUp(portal, person, 'export-data', await findAccountId(portal, person))
    expect((await browser.call(requestDataExport, { body: { locale: 'pl' } })).status).toBeLessThan(300)
    await portal.deliver()
    await read(address)
    const copy = await (await browser.raw('GET', downloadDataExport.path.replace(':format', 'json'))).text()
    expect(JSON.parse(copy)).toMatchObject({ calendarAddresses: [{ madeAt: today.toISOString() }] })
    expect(copy).not.toContain(tokenOf(address))
    const dump = await dumpDatabase(portal.owner)
    for (const form of [tokenOf(address), Buffer.from(tokenOf(address), 'base64url').toString('hex')])
      expect(findIn(dump, form)).toEqual([])
  })
})

describe('CAL-2 CAL-3 the calendar', () => {
  test('CAL-2 R211 it has the ends that are ahead or a month ago, and no others', async () => {
    const { person, address } = await makeOwner()
    // Valid, and empty.
    expect((await calendarAt(address)).parts).toEqual(['VTIMEZONE'])
    const give = (from: number, to: number, over: Parameters<typeof provider.give>[1] = {}) =>
      provider.give(person, { from: inDays(from), to: inDays(to), ...over })
    await give(-300, 60)
    await give(-300, -29, { product: 'card' })
    await give(-400, -31, { product: 'file' })
    await give(-300, 61, { status: 'revoked' })
    await give(-300, 62, { status: 'suspended', product: 'file' })
    await give(0, 1, { period: '1_day' })
    await activeSeal(person, 'admin', inDays(90), 'Łączność, sp. z o.o.')
    await activeSeal(person, 'user', inDays(91), 'Źródło')
    const { id: left } = await activeSeal(person, 'user', inDays(93), 'Cech')
    await makeSeal(portal, provider, [{ person, role: 'user', status: 'pending' }], { to: inDays(92) })
    const { account } = await giveTimestampAccount(portal, person.id)
    const pack = { startsAt: inDays(-100).toISOString(), endsAt: inDays(30).toISOString() }
    await giveTimestampPackage(portal, account, pack)
    await giveTimestampPackage(portal, account, { ...pack, spent: 100 })
    await giveTimestampPackage(portal, account, { ...pack, status: 'inactive' })
    await giveTimestampPackage(portal, account)
    const { account: closed } = await giveTimestampAccount(portal, person.id, { login: 'tsa-02', status: 'inactive' })
    await giveTimestampPackage(portal, closed, pack)
    // The access to it has ended (R40).
    await sql`update seal_users set status = 'deleted', deleted_at = portal_now()
      where seal_id = ${left}`.execute(portal.ownerDb)
    // Another customer's.
    await provider.give(await addCustomer(portal), { from: inDays(-300), to: inDays(63) })
    expect(await endsIn(address)).toEqual([
      ['Sygnet: podpis na karcie lub tokenie wygasa', -29],
      ['Sygnet: podpis w aplikacji mobilnej wygasa', 60],
      ['Sygnet: podpis w pliku wygasa', 62],
      ['Sygnet: pieczęć (Łączność, sp. z o.o.) wygasa', 90],
      ['Sygnet: pieczęć (Źródło) wygasa', 91],
      ['Sygnet: pakiet znaczników czasu (jednorazowy) wygasa', 30],
    ])
  })

  test('CAL-2 SIG-10 a signature that another one continues is not in it, and one whose renewal has begun leads there', async () => {
    const { person, browser, address } = await makeOwner()
    const first = await provider.give(person, { from: inDays(-300), to: inDays(20) })
    const uid = await openDraft(portal, first.providerId, browser)
    expect((await calendarAt(address)).events[0]!.url).toBe(`https://portal.example/renewal/${uid}`)
    await provider.give(person, { from: inDays(0), to: inDays(320) })
    expect(await endsIn(address)).toEqual([['Sygnet: podpis w aplikacji mobilnej wygasa', 320]])
  })

  test('CAL-3 it follows RFC 5545, in the language of the account', async () => {
    const { person, browser, address } = await makeOwner()
    await provider.give(person, { from: inDays(-300), to: inDays(60) })
    await activeSeal(person, 'user', inDays(90), 'A;B, C\\D')
    expect((await browser.call(changeLocale, { body: { locale: 'en' } })).status).toBeLessThan(300)
    const { properties, parts, events } = await calendarAt(address)
    expect(properties.map(({ name, value }) => [name, value])).toEqual([
      ['VERSION', '2.0'],
      ['PRODID', '-//Sygnet//PL'],
      ['NAME', 'Sygnet: expiry dates'],
      ['X-WR-CALNAME', 'Sygnet: expiry dates'],
      ['REFRESH-INTERVAL', 'PT12H'],
      ['X-PUBLISHED-TTL', 'PT12H'],
    ])
    const alarms = ['-PT168H', '-PT24H', '-PT2H']
    expect(events).toMatchObject([
      { summary: 'Sygnet: your signature in the mobile app expires', start: inDays(60), alarms },
      { summary: 'Sygnet: seal (A;B, C\\D) expires', start: inDays(90), alarms },
    ])
    expect(parts).toEqual(['VEVENT', 'VEVENT'])
  })

  test('CAL-3 SIG-5 an event keeps its UID at each read, address and language, and in a reminder', async () => {
    const { person, browser, address } = await makeOwner()
    await provider.give(person, { from: inDays(-300), to: inDays(60) })
    await activeSeal(person, 'user', inDays(90), 'Łączność')
    const uidsIn = async (at: string, node: number) => (await calendarAt(at, node)).events.map(({ uid }) => uid)
    const first = await uidsIn(address, 0)
    expect(first).toHaveLength(2)
    expect(await uidsIn(address, 1)).toEqual(first)
    expect((await browser.call(changeLocale, { body: { locale: 'en' } })).status).toBeLessThan(300)
    expect(await uidsIn(await makeAddress(browser), 0)).toEqual(first)
    await portal.clock.stopAt(inDays(54))
    await remindOfSignatures(portal.portal, (error) => expect.fail(String(error)))
    await portal.deliver()
    await portal.clock.stopAt(today)
    const mail = portal.mails.find(({ to, attachment }) => to === person.email && attachment)
    const uid = /\r\nUID:(.*)\r\n/.exec(mail!.attachment!.content.replaceAll('\r\n ', ''))![1]
    expect(first).toContain(uid)
  })

  test('CAL-3 SIG-7 no alarm is in the first half of a validity, or over already', async () => {
    const { person, address } = await makeOwner()
    await provider.give(person, { from: inDays(-1), to: inDays(11), period: '30_days' })
    await provider.give(person, { from: inDays(-300), to: inDays(0.5), product: 'file' })
    expect((await calendarAt(address)).events.map(({ alarms }) => alarms)).toEqual([['-PT2H'], ['-PT24H', '-PT2H']])
  })

  test('R212 it names nobody: no name, login, e-mail address, number or serial number', async () => {
    const { person, address } = await makeOwner({ secondName: 'Świętosława', identification: sampleIdentification })
    await provider.give(person, { from: inDays(-300), to: inDays(60) })
    await activeSeal(person, 'admin', inDays(90), 'Łączność')
    const { account } = await giveTimestampAccount(portal, person.id, { login: 'tsa-private' })
    await giveTimestampPackage(portal, account, { endsAt: inDays(30).toISOString() })
    const file = (await (await read(address)).text()).replaceAll('\r\n ', '')
    expect(file.match(/BEGIN:VEVENT/g)).toHaveLength(3)
    const { email, phone, login, firstName, surname, id } = person
    const { identificationNumber, document } = sampleIdentification
    const secrets = [email, phone, phone.slice(3), login ?? email, firstName, 'Świętosława', surname, id]
    const numbers = [identificationNumber, document.number, '44051401458', '5250001090', 'tsa-private']
    for (const secret of [...secrets, ...numbers]) expect([secret, file.includes(secret)]).toEqual([secret, false])
  })
})

describe('R211 the end of an address', () => {
  const statuses = (address: string) =>
    Promise.all([0, 1].map((node) => read(address, { from: program(node) }).then(({ status }) => status)))

  test('R211 CAL-1 a replaced or revoked address is unknown to every node from the next request on', async () => {
    const { browser, address } = await makeOwner()
    const second = await makeAddress(browser)
    expect(await statuses(address)).toEqual([404, 404])
    expect(await statuses(second)).toEqual([200, 200])
    await browser.call(revokeCalendarAddress)
    expect(await statuses(second)).toEqual([404, 404])
    const answer = await read(second)
    expect([await answer.json(), answer.headers.get('etag')]).toMatchObject([{ code: 'not-found' }, null])
  })

  test('R211 of many replacements at once one address is left', async () => {
    const { browser } = await makeOwner()
    const { cookie } = browser
    const shots = Array.from({ length: 10 }, () => preparedCall(makeCalendarAddress, {}, { cookie }))
    const hits = await sendTogether(portal, shots)
    const addresses = hits.map(({ body }) => (body as { address: string }).address)
    expect(new Set(addresses).size).toBe(10)
    const answers = await Promise.all(addresses.map((address) => read(address).then(({ status }) => status)))
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
  })

  test('R211 the calendar of a blocked account is not there, that of one blocked for unknown devices only is', async () => {
    const { person, address } = await makeOwner()
    const { call } = openBrowser(portal)
    await sql`update accounts set blocked_at = portal_now(), blocked_for_strangers = true
      where login = ${person.login}`.execute(portal.ownerDb)
    expect(await statuses(address)).toEqual([200, 200])
    expect((await call(blockCustomer, { params: { customer: person.id } })).status).toBeLessThan(300)
    expect(await statuses(address)).toEqual([404, 404])
    expect((await call(unblockCustomer, { params: { customer: person.id } })).status).toBeLessThan(300)
    expect(await statuses(address)).toEqual([200, 200])
  })
})

describe('CAL-4 R213 programs', () => {
  test('CAL-4 a program asks by the ETag whether the calendar has changed, and may keep it', async () => {
    const { person, address } = await makeOwner()
    await provider.give(person, { from: inDays(-300), to: inDays(60) })
    const first = await read(address)
    const etag = first.headers.get('etag')!
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect(first.headers.get('set-cookie')).toBe(null)
    const head = await read(address, { method: 'HEAD' })
    const headersOf = (answer: Response) =>
      ['content-type', 'content-length', 'etag', 'cache-control'].map((name) => answer.headers.get(name))
    expect([head.status, headersOf(head), await head.text()]).toEqual([200, headersOf(first), ''])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read(address, { headers: { 'if-none-match': known } })
      expect([known, again.status, again.headers.get('etag'), await again.text()]).toEqual([known, 304, etag, ''])
      expect(again.headers.get('cache-control')).toBe('private, no-cache')
      expect(['content-type', 'content-length'].map((name) => again.headers.get(name))).toEqual([null, null])
    }
    expect((await read(`${address}?nocache=1`)).status).toBe(200)
    const host = new URL(portal.origin).host
    const path = new URL(address).pathname
    const raw = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`
    expect(await requestRaw(portal.origin, raw)).toMatchObject({ status: 304, body: '' })
    await provider.give(person, { from: inDays(-300), to: inDays(61), product: 'file' })
    const changed = await read(address, { headers: { 'if-none-match': etag } })
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
  })

  test('R213 reads of one calendar are limited, also in parallel over two nodes and from many networks', async () => {
    const { address } = await makeOwner()
    const other = await makeOwner()
    const { limit, window } = limits.calendar.reads
    const answers = await Promise.all(
      Array.from({ length: limit + 5 }, (_, i) => read(address, { from: program(i % 2) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit)
    const refused = await read(address)
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(window)
    expect((await read(other.address)).status).toBe(200)
  })

  test('R213 reads of unknown addresses are limited by network, which still reads those that it knows', async () => {
    const { address } = await makeOwner()
    const from = openBrowser(portal, { address: '192.0.2.77' })
    const guess = async (browser = from) =>
      (await browser.call(readCalendarFile, { params: { token: 'x'.repeat(43) } })).status
    const answers = await Promise.all(Array.from({ length: limits.calendar.unknown.limit + 5 }, () => guess()))
    expect(answers.filter((status) => status === 404)).toHaveLength(limits.calendar.unknown.limit)
    expect(await guess()).toBe(429)
    expect((await read(address, { from })).status).toBe(200)
    expect(await guess(openBrowser(portal, { address: '192.0.2.177' }))).toBe(404)
  })
})
