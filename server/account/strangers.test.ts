import { expect, test } from 'vitest'
import { enterSignInCode, readSession, signIn, signOut } from '../../contract/account.ts'
import { changePassword, requestPasswordReset } from '../../contract/passwords.ts'
import { setPassword } from '../../contract/password-link.ts'
import { blockCustomer } from '../../contract/provider/provider-api.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import * as testing from '../testing/browser.ts'

const portal = await openPortal({ nodes: 2 })

const wrong = 'Wrong-Password-1!'
const newPassword = 'Nowe-Haslo-2027?'
const proof = () => crypto.randomUUID()
const stranger = testing.browsersElsewhere(portal)

/** Ten wrong passwords from as many networks, each with a proof of the bot check. */
async function attack({ login }: testing.Person) {
  for (let i = 0; i < 10; i++)
    await stranger().call(signIn, { body: { login, password: `${wrong}${i}`, botProof: proof() } })
  expect(await testing.isBlocked(portal, { login })).toBe(true)
}

/** A browser in which the owner has been signed in before. */
async function knownBrowser(person: testing.Person) {
  const browser = await testing.signInAs(portal, person, stranger())
  await browser.call(signOut)
  return browser
}

const enterCode = (browser: ReturnType<typeof stranger>, { phone }: testing.Person) =>
  browser.call(enterSignInCode, { body: { code: testing.smsCode(portal, phone) } })

test('R118 AUT-4 strangers block strangers: the known device signs in with its password meanwhile, and stays known', async () => {
  const person = await testing.makeCustomer(portal)
  const owner = await knownBrowser(person)
  await attack(person)
  const right = { login: person.login, password: person.password, botProof: proof() }
  expect((await stranger().call(signIn, { body: right })).problem.code).toBe('account-blocked')
  for (let i = 0; i < 2; i++) {
    expect((await owner.call(signIn, { body: right })).status).toBe(200)
    await portal.deliver()
    expect((await enterCode(owner, person)).status).toBe(200)
    expect((await owner.call(readSession)).status).toBe(200)
    await owner.call(signOut)
  }
  // What the owner does gives strangers nothing.
  expect((await stranger().call(signIn, { body: { ...right, botProof: proof() } })).problem.code).toBe(
    'account-blocked',
  )
})

test('R118 R12 after the owner’s reset strangers block again within minutes, and the device of the reset is not theirs to lock out', async () => {
  const person = await testing.makeCustomer(portal)
  await attack(person)
  const owner = stranger()
  await owner.call(requestPasswordReset, { body: { email: person.email, locale: 'pl', botProof: proof() } })
  await portal.deliver()
  const password = { newPassword, repeatPassword: newPassword }
  const token = testing.linkToken(portal, person.email)
  expect((await owner.call(setPassword, { body: { token, password } })).status).toBe(204)
  await attack(person)
  const { answer } = await testing.passPassword(portal, { ...person, password: newPassword }, owner)
  expect(answer.status).toBe(200)
  expect((await enterCode(owner, person)).status).toBe(200)
})

test('R118 the device on which the password was changed stays the owner’s, and no other one', async () => {
  const person = await testing.makeCustomer(portal)
  const [here, elsewhere] = [await testing.signInAs(portal, person, stranger()), await knownBrowser(person)]
  const body = { currentPassword: person.password, newPassword, repeatPassword: newPassword }
  expect((await here.call(changePassword, { body })).status).toBe(204)
  await attack(person)
  const enter = (browser: typeof here) =>
    browser.call(signIn, { body: { login: person.login, password: newPassword, botProof: proof() } })
  expect((await enter(elsewhere)).problem.code).toBe('account-blocked')
  expect((await enter(here)).status).toBe(200)
})

test('R118 R17 ten wrong passwords in a day on the known device make it an unknown device and block', async () => {
  const person = await testing.makeCustomer(portal)
  const [owner, otherDevice] = [await knownBrowser(person), await knownBrowser(person)]
  const body = { login: person.login, password: wrong, botProof: proof() }
  const enterWrong = () => owner.call(signIn, { body: { ...body, botProof: proof() } })
  for (let i = 0; i < 5; i++) expect((await enterWrong()).problem.code).toBe('login-refused')
  expect((await enterWrong()).status).toBe(429)
  await portal.clock.advance(900)
  for (let i = 0; i < 5; i++) expect((await enterWrong()).problem.code).toBe('login-refused')
  expect(await testing.isBlocked(portal, person)).toBe(true)
  await portal.clock.advance(900)
  const right = { login: person.login, password: person.password, botProof: proof() }
  expect((await owner.call(signIn, { body: right })).problem.code).toBe('account-blocked')
  expect((await otherDevice.call(signIn, { body: { ...right, botProof: proof() } })).status).toBe(200)
})

test('R118 the provider’s block refuses known devices too, also on top of the strangers’', async () => {
  for (const attacked of [false, true]) {
    const person = await testing.makeCustomer(portal)
    const owner = await knownBrowser(person)
    if (attacked) await attack(person)
    expect((await owner.call(blockCustomer, { params: { customer: person.id } })).status).toBe(200)
    const right = { login: person.login, password: person.password, botProof: proof() }
    expect((await owner.call(signIn, { body: right })).problem.code).toBe('account-blocked')
    await portal.deliver()
    const notices = portal.mails.filter(({ to, subject }) => to === person.email && subject.includes('zablokowane'))
    expect(notices.some(({ text }) => text.includes('zablokowała Twoje konto'))).toBe(true)
  }
})

test('R118 R14 a name under attack requires the bot check of every stranger at once, whether or not it has an account; a known device is exempt', async () => {
  const person = await testing.makeCustomer(portal)
  const owner = await knownBrowser(person)
  const seen: Record<string, string[]> = {}
  for (const { login } of [person, samplePerson()]) {
    const codes = []
    for (let i = 0; i < 10; i++)
      codes.push((await stranger().call(signIn, { body: { login, password: `${wrong}${i}` } })).problem.code)
    seen[login] = codes
  }
  const [refused, needed] = ['login-refused', 'bot-check-required']
  for (const codes of Object.values(seen))
    expect(codes).toEqual([...Array.from({ length: 3 }, () => refused), ...Array.from({ length: 7 }, () => needed)])
  expect(await testing.isBlocked(portal, person)).toBe(false)
  expect((await owner.call(signIn, { body: { login: person.login, password: wrong } })).problem.code).toBe(refused)
  expect((await owner.call(signIn, { body: { login: person.login, password: person.password } })).status).toBe(200)
  // A day later it is quiet again.
  await portal.clock.advance(86_401)
  expect((await stranger().call(signIn, { body: { login: person.login, password: wrong } })).problem.code).toBe(refused)
})
