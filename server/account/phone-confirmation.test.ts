import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readSession, resendSignInCode, sendSignInCode, signIn } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { setPassword } from '../../contract/password-link.ts'
import { register } from '../../contract/registration.ts'
import { openTestPortal, type TestPortal } from '../test-app.ts'
import { goodPassword, linkToken, makeCustomer, openBrowser, signInAs, type TestBrowser } from '../test-browser.ts'
import { filledIn } from '../test-registration.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ nodes: 2 })
})
afterAll(() => portal.close())

const day = 86_400
let now = Date.UTC(2028, 2, 1, 12)
const pass = (seconds: number) => portal.clock.stopAt(new Date((now += seconds * 1000)))
beforeEach(() => pass(2 * day))

let addresses = 0
const freshAddress = () => `203.0.113.${(addresses++ % 250) + 1}`
let numbers = 0
const freshNumber = () => `+48502${String(100_000 + numbers++)}`

/** An account whose mailbox is proven, and whose number nobody has confirmed; the browser has passed the password. */
async function claim(phone: string): Promise<{ browser: TestBrowser; email: string }> {
  const browser = openBrowser(portal, { address: freshAddress() })
  const body = filledIn({ phone })
  await browser.call(register, { body })
  await portal.deliver()
  const password = { newPassword: goodPassword, repeatPassword: goodPassword }
  await browser.call(setPassword, { body: { token: linkToken(portal, body.email), password } })
  return { browser, email: body.email }
}

const textsTo = (phone: string) => portal.texts.filter(({ to }) => to === phone)

/** Everything that makes the portal send a code to the number of an account. */
async function pullMessages(browser: TestBrowser, login: string) {
  await browser.call(signIn, { body: { login, password: goodPassword } })
  await browser.call(sendSignInCode)
  for (let i = 0; i < 3; i++) {
    await browser.raw('POST', '/api/phone-confirmation/send')
    await pass(limits.code.resendAfter)
    await browser.call(resendSignInCode)
    await browser.raw('POST', '/api/phone-confirmation/resend')
  }
  await portal.deliver()
}

test('R115 ten registrations with a victim’s number cause two messages at most, and the victim signs in', async () => {
  const victim = await makeCustomer(portal, { phone: freshNumber() })
  for (let i = 0; i < 10; i++) {
    const { browser, email } = await claim(victim.phone)
    await pullMessages(browser, email)
  }
  expect(textsTo(victim.phone)).toHaveLength(2)
  const owner = await signInAs(portal, victim)
  expect((await owner.call(readSession)).status).toBe(200)
})
