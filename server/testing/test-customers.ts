import * as account from '../../contract/account.ts'
import { setPassword } from '../../contract/password-link.ts'
import { changePassword, requestPasswordReset } from '../../contract/passwords.ts'
import { confirmPhone, sendPhoneConfirmation } from '../../contract/phone-confirmation.ts'
import * as provider from '../../contract/provider/provider-customers.ts'
import type { StepUpPurpose } from '../../contract/step-up-purpose.ts'
import { enterStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { samplePerson, type TestPortal } from './portal-nodes.ts'
import { linkToken, smsCode } from './sent-messages.ts'

export const goodPassword = 'Dobre-Haslo-2026!'

/** Returns the form fields for a new password: the password and its repetition. */
export const bothFields = (newPassword: string) => ({ newPassword, repeatPassword: newPassword })

/** Sets a password by a link. */
export const spendLink = (browser: TestBrowser, token: string, newPassword = goodPassword) =>
  browser.call(setPassword, { body: { token, password: bothFields(newPassword) } })

/** Sets a password by the newest link that was mailed to an address. */
export const spendMailedLink = (portal: TestPortal, email: string, browser: TestBrowser, newPassword = goodPassword) =>
  spendLink(browser, linkToken(portal, email), newPassword)

export const replacePassword = (browser: TestBrowser, currentPassword: string, newPassword: string) =>
  browser.call(changePassword, { body: { currentPassword, ...bothFields(newPassword) } })

/** Asks for a link that sets another password, and sends its mail. */
export async function askForReset(portal: TestPortal, email: string, browser: TestBrowser) {
  const answer = await browser.call(requestPasswordReset, {
    body: { email, locale: 'pl', botProof: crypto.randomUUID() },
  })
  await portal.deliver()
  return answer
}

/** Puts a customer as the provider, by default a new one. */
export const putPerson = (
  portal: TestPortal,
  body: provider.ProviderCustomer,
  customer: string = `c-${crypto.randomUUID()}`,
) => openBrowser(portal).call(provider.putCustomer, { params: { customer }, body })

export type Person = provider.ProviderCustomer & { id: string; password: string }

/** Creates a customer as the provider, and sets the password through the invitation. */
export async function makeCustomer(portal: TestPortal, over: Parameters<typeof samplePerson>[0] = {}): Promise<Person> {
  const person = samplePerson(over)
  const id = `c-${crypto.randomUUID()}`
  await putPerson(portal, person, id)
  await portal.deliver()
  await spendMailedLink(portal, person.email, openBrowser(portal))
  return { ...person, id, password: goodPassword }
}

export async function isBlocked({ owner }: TestPortal, { login }: Pick<Person, 'login'>): Promise<boolean | undefined> {
  const { rows } = await owner.query('select blocked_at is not null as blocked from accounts where login = $1', [login])
  return rows[0]?.blocked
}

export async function passPassword(portal: TestPortal, person: Person, browser = openBrowser(portal)) {
  const body = { login: person.login, password: person.password }
  let answer = await browser.call(account.signIn, { body })
  // Our page solves the bot check when it is required.
  if (answer.problem.code === 'bot-check-required')
    answer = await browser.call(account.signIn, { body: { ...body, botProof: crypto.randomUUID() } })
  await portal.deliver()
  return { browser, answer }
}

/** Enters the code of the newest SMS, by which a sign-in is finished. */
export const enterSmsCode = (portal: TestPortal, browser: TestBrowser, { phone }: Pick<Person, 'phone'>) =>
  browser.call(account.enterSignInCode, { body: { code: smsCode(portal, phone) } })

/** Signs a customer in with the password and the code of the SMS. */
export async function signInAs(
  portal: TestPortal,
  person: Person,
  browser = openBrowser(portal),
): Promise<TestBrowser> {
  const { answer } = await passPassword(portal, person, browser)
  if ((answer.body as account.AfterPassword).channel === 'confirm-phone') {
    await confirmOwnPhone(portal, person.phone, browser)
    return browser
  }
  if (!('id' in answer.body)) {
    // A customer with a passkey gets a code only on request.
    await browser.call(account.sendSignInCode)
    await portal.deliver()
  }
  await enterSmsCode(portal, browser, person)
  return browser
}

/** Confirms the number of an account that was registered; the browser has passed the password. */
export async function confirmOwnPhone(portal: TestPortal, phone: string, browser: TestBrowser) {
  await browser.call(sendPhoneConfirmation)
  await portal.deliver()
  return browser.call(confirmPhone, { body: { code: smsCode(portal, phone) } })
}

/** Confirms an action with the SMS code of a step-up. */
export async function stepUp(
  portal: TestPortal,
  browser: TestBrowser,
  person: Person,
  purpose: StepUpPurpose,
  object?: string,
) {
  const sent = await browser.call(startStepUp, { body: { purpose, object, by: 'sms' } })
  await portal.deliver()
  return browser.call(enterStepUpCode, {
    params: { id: sent.body.id },
    body: { code: smsCode(portal, person.phone) },
  })
}
