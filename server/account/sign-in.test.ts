import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  enterSignInCode,
  extendSession,
  readSession,
  resendSignInCode,
  signIn,
  signOut,
} from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { openTestPortal, type TestPortal } from '../test-app.ts'
import { makeCustomer, openBrowser, passPassword, signInAs, smsCode } from '../test-browser.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ nodes: 2 })
})
afterAll(() => portal.close())

test('AUT-1 AUT-2 a customer signs in with login or e-mail and password, then the SMS code', async () => {
  const person = await makeCustomer(portal)
  for (const login of [person.login, person.email, person.login.toUpperCase(), ` ${person.email} `]) {
    const browser = openBrowser(portal)
    const sent = await browser.call(signIn, { body: { login, password: person.password } })
    expect(sent).toMatchObject({ status: 200, body: { channel: 'sms', ordinal: 1, sendsLeft: 2 } })
    await portal.deliver()
    const session = await browser.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })
    expect(session).toMatchObject({ status: 200, body: { customer: { login: person.login, surname: person.surname } } })
    expect(await browser.call(readSession)).toMatchObject({ status: 200, body: { customer: { email: person.email } } })
  }
})

test('AUT-1 VAL-1 VAL-3 empty fields are named with their own problems', async () => {
  const answer = await openBrowser(portal).call(signIn, { body: { login: ' ', password: '' } })
  expect(answer.status).toBe(400)
  expect(answer.problem).toMatchObject({
    code: 'invalid-input',
    fields: [
      { name: 'login', problem: 'login-required' },
      { name: 'password', problem: 'password-required' },
    ],
  })
})

test('AUT-3 a wrong login and a wrong password get the same answer', async () => {
  const person = await makeCustomer(portal)
  const wrongPassword = await openBrowser(portal).call(signIn, {
    body: { login: person.login, password: 'Wrong-Password-1!' },
  })
  const wrongLogin = await openBrowser(portal).call(signIn, {
    body: { login: 'nobody-at-all', password: person.password },
  })
  expect(wrongPassword.status).toBe(422)
  expect(wrongPassword.problem).toEqual(wrongLogin.problem)
  expect(wrongPassword.problem.code).toBe('login-refused')
})

test('AUT-2 a wrong code says so, tells the entries left from the third on, and the fifth ends the attempt', async () => {
  const person = await makeCustomer(portal)
  const { browser } = await passPassword(portal, person)
  const right = smsCode(portal, person.phone)
  const wrong = right === '000000' ? '000001' : '000000'
  const answers = []
  for (let i = 0; i < 5; i++) answers.push((await browser.call(enterSignInCode, { body: { code: wrong } })).problem)
  expect(answers.map(({ code, entriesLeft }) => [code, entriesLeft])).toEqual([
    ['code-wrong', undefined],
    ['code-wrong', undefined],
    ['code-wrong', 2],
    ['code-wrong', 1],
    ['code-void', undefined],
  ])
  expect((await browser.call(enterSignInCode, { body: { code: right } })).problem.code).toBe('code-void')
})

test('AUT-2 R25 a new code can be sent after a minute, three times in all, and voids the one before', async () => {
  const person = await makeCustomer(portal)
  const { browser } = await passPassword(portal, person)
  const first = smsCode(portal, person.phone)
  const early = await browser.call(resendSignInCode)
  expect(early).toMatchObject({ status: 429, problem: { code: 'resend-too-early' } })
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0)
  for (const ordinal of [2, 3]) {
    await portal.clock.advance(limits.code.resendAfter)
    expect(await browser.call(resendSignInCode)).toMatchObject({ status: 200, body: { ordinal } })
    await portal.deliver()
  }
  await portal.clock.advance(limits.code.resendAfter)
  expect((await browser.call(resendSignInCode)).problem.code).toBe('sends-spent')
  const last = smsCode(portal, person.phone)
  if (first !== last)
    expect((await browser.call(enterSignInCode, { body: { code: first } })).problem.code).toBe('code-wrong')
  expect((await browser.call(enterSignInCode, { body: { code: last } })).status).toBe(200)
})

test('AUT-6 sign-out ends the session on the server, for every copy of the cookie', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  const other = openBrowser(portal, { node: 1 })
  other.cookie = browser.cookie
  expect((await other.call(readSession)).status).toBe(200)
  expect((await browser.call(signOut)).status).toBe(204)
  expect(await other.call(readSession)).toMatchObject({ status: 401, problem: { code: 'signed-out' } })
})

test('R4 every rise of privilege gives a new token, and the old one is dead', async () => {
  const person = await makeCustomer(portal)
  const browser = openBrowser(portal)
  browser.cookie = `__Host-sygnet=${'p'.repeat(43)}`
  const tokens = [browser.cookie]
  await passPassword(portal, person, browser)
  tokens.push(browser.cookie)
  await browser.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })
  tokens.push(browser.cookie)
  await browser.call(extendSession)
  expect(new Set([...tokens, browser.cookie]).size).toBe(4)
  for (const token of tokens) {
    const thief = openBrowser(portal, { node: 1 })
    thief.cookie = token
    expect((await thief.call(readSession)).status).toBe(401)
  }
  expect((await browser.call(readSession)).status).toBe(200)
})
