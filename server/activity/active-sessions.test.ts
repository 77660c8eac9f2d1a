import { beforeEach, expect, test } from 'vitest'
import { enterSignInCode, extendSession, readSession } from '../../contract/account.ts'
import { listSessions, revokeOtherSessions, revokeSession } from '../../contract/activity.ts'
import { backgroundHeader } from '../../contract/endpoint.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { smsCode } from '../testing/sent-messages.ts'
import { makeCustomer, passPassword, signInAs, type Person } from '../testing/test-customers.ts'

const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const asked: string[] = []
const portal = await openPortal({
  nodes: 2,
  settings: manySends,
  ports: {
    country: {
      async lookUp(address) {
        asked.push(address)
        return address.startsWith('192.0.2.') ? '1;DE' : undefined
      },
    },
  },
})

const start = Date.now()
const at = (seconds: number) => portal.clock.stopAt(new Date(start + seconds * 1000))
beforeEach(async () => {
  asked.length = 0
  await at(0)
})

const from = (person: Person, address: string) => signInAs(portal, person, openBrowser(portal, { address }))

const revocationsOf = ({ login }: Person) => auditEntries(portal, { login, action: 'session-revoked' })

test('AUT-9 a customer sees where they are signed in: device, place where known, since when and the last use, the own session first', async () => {
  const person = await makeCustomer(portal)
  const otherBrowser = await from(person, '192.0.2.9')
  const browser = openBrowser(portal, { address: '198.51.100.77' })
  await at(60)
  const { login, password } = person
  await browser.raw('POST', '/api/sign-in', { login, password }, { 'user-agent': chromeOnWindows })
  await portal.deliver()
  await browser.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })
  await at(120)
  // Background requests of the page do not count as use (R6), and a half sign-in is not a session.
  await otherBrowser.raw('GET', listSignatures.path, undefined, { [backgroundHeader]: '1' })
  await passPassword(portal, person)
  const { items } = (await browser.call(listSessions, {}, 1)).body
  const instant = (seconds: number) => new Date(start + seconds * 1000).toISOString()
  expect(items).toMatchObject([
    {
      isOwn: true,
      device: { browser: 'chrome', system: 'windows' },
      address: '198.51.100.77',
      country: null,
      startedAt: instant(60),
      usedAt: instant(120),
    },
    {
      isOwn: false,
      device: { browser: null, system: null },
      address: '192.0.2.9',
      country: 'DE',
      startedAt: instant(0),
      usedAt: instant(0),
    },
  ])
  await at(180)
  await otherBrowser.call(listSignatures)
  expect((await browser.call(listSessions)).body.items[1]!.usedAt).toBe(instant(180))
  // A known country is not looked up again, nor that of a customer who does not open the page.
  expect(asked.toSorted()).toEqual(['192.0.2.9', '198.51.100.77', '198.51.100.77'])
})

test('AUT-9 R40 a session that is ended from another is dead at once on both nodes, and audited; no one else can end it', async () => {
  const person = await makeCustomer(portal)
  const [browser, lost] = [await from(person, '192.0.2.1'), await from(person, '192.0.2.2')]
  const stranger = await signInAs(portal, await makeCustomer(portal))
  const id = (await browser.call(listSessions)).body.items.find(({ isOwn }) => !isOwn)!.id
  const end = (by: typeof browser, node = 0) => by.call(revokeSession, { params: { id } }, node)
  expect((await end(stranger)).status).toBe(404)
  expect((await lost.call(readSession)).status).toBe(200)
  expect((await end(browser, 1)).status).toBe(204)
  for (const node of [0, 1]) {
    expect((await lost.call(listSignatures, {}, node)).status).toBe(401)
    expect((await lost.call(extendSession, {}, node)).status).toBe(401)
  }
  expect((await end(browser)).status).toBe(404)
  expect(await revocationsOf(person)).toMatchObject([{ details: { session: id } }])
  expect((await browser.call(listSessions)).body.items).toHaveLength(1)
})

test('AUT-9 all others are ended in one call, pending sign-ins with their codes too; the caller’s session stays', async () => {
  const person = await makeCustomer(portal)
  const browser = await from(person, '192.0.2.1')
  const otherSessions = [await from(person, '192.0.2.2'), await from(person, '192.0.2.3')]
  const { browser: half } = await passPassword(portal, person)
  const code = smsCode(portal, person.phone)
  const stranger = await signInAs(portal, await makeCustomer(portal))
  expect((await browser.call(revokeOtherSessions, {}, 1)).status).toBe(204)
  for (const session of otherSessions) expect((await session.call(readSession)).status).toBe(401)
  expect((await half.call(enterSignInCode, { body: { code } })).status).toBe(401)
  for (const alive of [browser, stranger]) expect((await alive.call(readSession)).status).toBe(200)
  expect(await revocationsOf(person)).toHaveLength(2)
  // With nothing left to end the call succeeds, and is not audited.
  expect((await browser.call(revokeOtherSessions)).status).toBe(204)
  expect(await revocationsOf(person)).toHaveLength(2)
})

test('AUT-9 R87 the outside service is called at most so often an hour; without an answer the country is unknown', async () => {
  const person = await makeCustomer(portal)
  const browser = await from(person, '198.51.100.5')
  for (let i = 0; i < 32; i++) expect((await browser.call(listSessions, {}, i % 2)).status).toBe(200)
  expect(asked).toHaveLength(30)
  expect((await browser.call(listSessions)).body.items[0]!.country).toBeNull()
})
