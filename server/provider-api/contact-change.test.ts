import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSession, requestPasswordReset } from '../../contract/account.ts'
import { putCustomer } from '../../contract/provider-api.ts'
import { openTestPortal, somebody, type TestPortal } from '../test-app.ts'
import { deliveredTo, makeCustomer, openBrowser, passPassword, signInAs, type Person } from '../test-browser.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ nodes: 2 })
})
afterAll(() => portal.close())

const askForReset = async (email: string) => {
  await openBrowser(portal).call(requestPasswordReset, {
    body: { email, locale: 'pl', botProof: crypto.randomUUID() },
  })
  await portal.deliver()
}
const put = ({ id, password: _, ...person }: Person, over: Partial<Person> = {}) =>
  openBrowser(portal).call(putCustomer, { params: { customer: id }, body: { ...person, ...over } })
const resetLinks = async (email: string) =>
  (await deliveredTo(portal, email)).filter(({ text }) => text.includes('/setup-password/'))

test('R116 a key that changes e-mail and phone takes no account over: the owner is told, sessions end, and no reset leaves in time', async () => {
  const victim = await makeCustomer(portal)
  const browser = await signInAs(portal, victim)
  const { browser: halfway } = await passPassword(portal, victim)
  const attacker = somebody()
  const before = [portal.mails.length, portal.texts.length]
  expect((await put(victim, { email: attacker.email, phone: attacker.phone })).status).toBe(200)
  await portal.deliver()
  const mails = portal.mails.slice(0, portal.mails.length - before[0]!)
  const texts = portal.texts.slice(0, portal.texts.length - before[1]!)
  expect([mails.map(({ to }) => to), texts.map(({ to }) => to)]).toEqual([[victim.email], [victim.phone]])
  expect((await browser.call(readSession)).status).toBe(401)
  expect((await halfway.raw('POST', '/api/sign-in/code', { code: '000000' })).status).toBe(401)
  await askForReset(attacker.email)
  expect(await resetLinks(attacker.email)).toEqual([])
})
