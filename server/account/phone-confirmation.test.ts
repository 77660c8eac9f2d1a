import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { readSession, resendSignInCode, sendSignInCode, signIn } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import * as confirmation from '../../contract/phone-confirmation.ts'
import { putCustomer } from '../../contract/provider/provider-api.ts'
import { register } from '../../contract/registration.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import * as testing from '../testing/browser.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
import { auditedActions } from '../testing/audit-entries.ts'

const portal = await openPortal({ nodes: 2 })

const day = 86_400
let now = Date.UTC(2028, 2, 1, 12)
const pass = (seconds: number) => portal.clock.stopAt(new Date((now += seconds * 1000)))
beforeEach(() => pass(2 * day))

let addresses = 0
const freshAddress = () => `203.0.113.${(addresses++ % 250) + 1}`
let numbers = 0
const freshNumber = () => `+48502${String(100_000 + numbers++)}`

/** An account whose mailbox is proven, and whose number nobody has confirmed; the browser has passed the password. */
async function claim(phone: string): Promise<{ browser: testing.TestBrowser; email: string }> {
  const browser = testing.openBrowser(portal, { address: freshAddress() })
  const body = registrationForm({ phone })
  await browser.call(register, { body })
  await portal.deliver()
  const password = { newPassword: testing.goodPassword, repeatPassword: testing.goodPassword }
  await browser.call(setPassword, { body: { token: testing.linkToken(portal, body.email), password } })
  return { browser, email: body.email }
}

const textsTo = (phone: string) => portal.texts.filter(({ to }) => to === phone)

/** Everything that makes the portal send a code to the number of an account. */
async function pullMessages(browser: testing.TestBrowser, login: string) {
  await browser.call(signIn, { body: { login, password: testing.goodPassword } })
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
  const victim = await testing.makeCustomer(portal, { phone: freshNumber() })
  for (let i = 0; i < 10; i++) {
    const { browser, email } = await claim(victim.phone)
    await pullMessages(browser, email)
  }
  expect(textsTo(victim.phone)).toHaveLength(2)
  const owner = await testing.signInAs(portal, victim)
  expect((await owner.call(readSession)).status).toBe(200)
})

/** Signs the account of a claim in by password alone, on a browser of its own. */
async function passPassword(email: string) {
  const browser = testing.openBrowser(portal, { address: freshAddress() })
  const answer = await browser.call(signIn, { body: { login: email, password: testing.goodPassword } })
  return { browser, answer }
}
const wrong = (code: string) => (code === '123456' ? '654321' : '123456')
const isConfirmed = async (email: string) =>
  (
    await sql<{ phoneConfirmed: boolean }>`select phone_confirmed from accounts where email = ${email}`.execute(
      portal.db,
    )
  ).rows[0]!.phoneConfirmed

test('REG-6 R115 after the password the number is shown masked, nothing is sent without a request, and the right code signs in; from then on codes are for signing in', async () => {
  const phone = freshNumber()
  const body = registrationForm({ phone })
  const browser = testing.openBrowser(portal, { address: freshAddress() })
  await browser.call(register, { body })
  await portal.deliver()
  const token = testing.linkToken(portal, body.email)
  expect((await browser.call(checkPasswordLink, { body: { token } })).body.confirmsPhone).toBe(true)
  const password = { newPassword: testing.goodPassword, repeatPassword: testing.goodPassword }
  expect((await browser.call(setPassword, { body: { token, password } })).status).toBe(204)
  const masked = `+48 ••• ••• ${phone.slice(-3)}`
  expect((await browser.call(confirmation.readPhoneConfirmation)).body).toEqual({ phone: masked, sent: null })
  // Half a sign-in opens nothing, and no code of another kind goes to a number that is only claimed.
  expect((await browser.call(readSession)).status).toBe(401)
  expect((await browser.call(sendSignInCode)).problem.code).toBe('phone-unconfirmed')
  await portal.deliver()
  expect(textsTo(phone)).toEqual([])

  const sent = await browser.call(confirmation.sendPhoneConfirmation)
  expect(sent.body).toMatchObject({ phone: masked, sent: { to: masked, ordinal: 1, sendsLeft: 1 } })
  await portal.deliver()
  expect(textsTo(phone)[0]!.text).toContain('do potwierdzenia numeru')
  expect((await browser.call(confirmation.readPhoneConfirmation)).body.sent).toMatchObject({ id: sent.body.sent!.id })
  const code = testing.smsCode(portal, phone)
  expect((await browser.call(confirmation.confirmPhone, { body: { code: wrong(code) } })).problem.code).toBe(
    'code-wrong',
  )
  expect(await isConfirmed(body.email)).toBe(false)
  const done = await browser.call(confirmation.confirmPhone, { body: { code } })
  expect(done.body.customer.email).toBe(body.email)
  expect((await browser.call(readSession)).status).toBe(200)
  expect(await auditedActions(portal, { login: body.email })).toContain('phone-confirmed')

  const later = await passPassword(body.email)
  expect(later.answer.body).toMatchObject({ channel: 'sms', to: masked })
  for (const call of [
    confirmation.sendPhoneConfirmation,
    confirmation.resendPhoneConfirmation,
    confirmation.readPhoneConfirmation,
  ])
    expect((await later.browser.call(call)).problem.code).toBe('state-passed')
  const number = { phone: freshNumber() }
  expect((await later.browser.call(confirmation.correctUnconfirmedPhone, { body: number })).problem.code).toBe(
    'state-passed',
  )
})

test('REG-6 who leaves before confirming is asked to when they sign in, by password or after a reset', async () => {
  const phone = freshNumber()
  const { email } = await claim(phone)
  const { browser, answer } = await passPassword(email)
  expect([answer.status, answer.body]).toEqual([200, { channel: 'confirm-phone' }])
  expect((await testing.confirmOwnPhone(portal, phone, browser)).status).toBe(200)
  expect(textsTo(phone)).toHaveLength(1)
})

test('REG-6 a mistyped number is corrected three times a day, and a code to the earlier number confirms nothing', async () => {
  const typed = freshNumber()
  const { browser, email } = await claim(typed)
  await browser.call(confirmation.sendPhoneConfirmation)
  await portal.deliver()
  const stale = testing.smsCode(portal, typed)
  const correct = (phone: string) => browser.call(confirmation.correctUnconfirmedPhone, { body: { phone } })
  expect((await correct(typed)).problem.code).toBe('phone-unchanged')
  expect((await correct('+33612345678')).problem.code).toBe('sms-country-refused')
  const right = freshNumber()
  expect((await correct(right)).body).toMatchObject({ phone: `+48 ••• ••• ${right.slice(-3)}`, sent: { ordinal: 1 } })
  await portal.deliver()
  expect((await browser.call(confirmation.confirmPhone, { body: { code: stale } })).status).toBe(422)
  for (let i = 0; i < 2; i++) expect((await correct(freshNumber())).status).toBe(200)
  expect((await correct(freshNumber())).problem.code).toBe('too-many-attempts')
  await pass(limits.phoneConfirmation.corrections.window)
  const { browser: next } = await passPassword(email)
  expect((await next.call(confirmation.correctUnconfirmedPhone, { body: { phone: right } })).status).toBe(200)
  await portal.deliver()
  expect((await next.call(confirmation.confirmPhone, { body: { code: testing.smsCode(portal, right) } })).status).toBe(
    200,
  )
})

test('R115 R2 a number that is corrected while a code to the earlier number goes out is not confirmed by that code', async () => {
  for (let round = 0; round < 5; round++) {
    const [typed, right] = [freshNumber(), freshNumber()]
    const { browser, email } = await claim(typed)
    const otherBrowser = await passPassword(email)
    await fireTogether(portal, [
      shotOf(confirmation.sendPhoneConfirmation, {}, { cookie: browser.cookie }),
      shotOf(confirmation.correctUnconfirmedPhone, { body: { phone: right } }, { cookie: otherBrowser.browser.cookie }),
    ])
    await portal.deliver()
    for (const { text } of textsTo(typed))
      await browser.call(confirmation.confirmPhone, { body: { code: /#(\d{6})$/.exec(text)![1]! } })
    expect(await isConfirmed(email)).toBe(false)
  }
})

test('R115 of many accounts that ask in one moment for a code to one number two are served, over both nodes', async () => {
  const phone = freshNumber()
  const claims = []
  for (let i = 0; i < 10; i++) claims.push(await claim(phone))
  const hits = await fireTogether(
    portal,
    claims.map(({ browser }) =>
      shotOf(confirmation.sendPhoneConfirmation, {}, { cookie: browser.cookie, address: freshAddress() }),
    ),
  )
  await portal.deliver()
  expect(hits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    200,
    ...Array.from({ length: 8 }, () => 422),
  ])
  expect(hits.find(({ status }) => status === 422)!.problem.code).toBe('phone-sends-spent')
  expect(textsTo(phone)).toHaveLength(2)
})

test('R115 what strangers have used up comes back after a year; until then the provider confirms the owner’s number, and strangers do not disturb the owner', async () => {
  const phone = freshNumber()
  const attacker = await claim(phone)
  await pullMessages(attacker.browser, attacker.email)
  expect(textsTo(phone)).toHaveLength(2)
  const owner = await claim(phone)
  expect((await owner.browser.call(confirmation.sendPhoneConfirmation)).problem.code).toBe('phone-sends-spent')
  await pass(300 * day)
  const { browser } = await passPassword(owner.email)
  expect((await browser.call(confirmation.sendPhoneConfirmation)).problem.code).toBe('phone-sends-spent')
  // What support does once it knows who is calling.
  const stated = samplePerson({ email: owner.email, phone })
  const put = await testing.openBrowser(portal).call(putCustomer, {
    params: { customer: `c-${crypto.randomUUID()}` },
    body: stated,
  })
  expect(put.status).toBe(200)
  const person = { ...stated, id: '', password: testing.goodPassword }
  expect((await (await testing.signInAs(portal, person)).call(readSession)).status).toBe(200)
  expect(textsTo(phone)).toHaveLength(3)

  await pass(65 * day + 1)
  const later = await claim(phone)
  await pullMessages(later.browser, later.email)
  expect(textsTo(phone)).toHaveLength(5)
})

test('R115 R25 who confirms a number has its whole day of messages, however many went to it unconfirmed', async () => {
  const phone = freshNumber()
  const stranger = await claim(phone)
  await stranger.browser.call(confirmation.sendPhoneConfirmation)
  const own = await claim(phone)
  await testing.confirmOwnPhone(portal, phone, own.browser)
  for (let i = 0; i < limits.code.sendsPerRecipient.limit; i++)
    expect((await passPassword(own.email)).answer.status).toBe(200)
  expect((await passPassword(own.email)).answer.problem.code).toBe('sends-spent')
  await portal.deliver()
  expect(textsTo(phone)).toHaveLength(2 + limits.code.sendsPerRecipient.limit)
})
