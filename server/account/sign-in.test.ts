import { expect, onTestFinished, test } from 'vitest'
import { enterSignInCode, readSession, resendSignInCode, signIn } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { openPasswordHasher } from '../platform/authentication/password-hash.ts'
import { countEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { fireTimes, outcomesOf, preparedCall } from '../testing/burst.ts'
import { watchWork } from '../testing/concurrency.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { smsCode } from '../testing/sent-messages.ts'
import { enterSmsCode, passPassword, putPerson, signInAs } from '../testing/test-customers.ts'

const portal = await openPortal({ nodes: 2 })

test('AUT-1 AUT-2 a customer signs in with login or e-mail and password, then the SMS code', async () => {
  const person = await addCustomer(portal)
  for (const login of [person.login, person.email, person.login.toUpperCase(), ` ${person.email} `]) {
    const browser = openBrowser(portal)
    const sent = await browser.call(signIn, { body: { login, password: person.password } })
    expect(sent).toMatchObject({ status: 200, body: { channel: 'sms', ordinal: 1, sendsLeft: 2 } })
    await portal.deliver()
    const session = await enterSmsCode(portal, browser, person)
    expect(session).toMatchObject({ status: 200, body: { customer: { login: person.login, surname: person.surname } } })
    expect(await browser.call(readSession)).toMatchObject({ status: 200, body: { customer: { email: person.email } } })
  }
})

test('AUT-2 a wrong code is refused, from the third on with the entries left; five end it', async () => {
  const person = await addCustomer(portal)
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
  await portal.clock.advance(limits.code.resendAfter)
  expect((await browser.call(resendSignInCode)).problem.code).toBe('code-void')
  expect((await (await signInAs(portal, person)).call(readSession)).status).toBe(200)
})

test('AUT-2 R25 a new code can be sent after a minute, and voids the earlier one', async () => {
  const person = await addCustomer(portal)
  const { browser } = await passPassword(portal, person)
  const first = smsCode(portal, person.phone)
  expect((await browser.call(resendSignInCode)).problem.code).toBe('resend-too-early')
  await portal.clock.advance(limits.code.resendAfter)
  expect(await browser.call(resendSignInCode)).toMatchObject({ status: 200, body: { ordinal: 2, sendsLeft: 1 } })
  await portal.deliver()
  const last = smsCode(portal, person.phone)
  if (first !== last)
    expect((await browser.call(enterSignInCode, { body: { code: first } })).problem.code).toBe('code-wrong')
  expect((await browser.call(enterSignInCode, { body: { code: last } })).status).toBe(200)
})

/** Tries a password from an address, with a proof of the bot check if given. */
const attempt = (login: string, password: string, address: string, botProof?: string) =>
  openBrowser(portal, { address }).call(signIn, {
    body: { login, password, botProof: botProof ?? crypto.randomUUID() },
  })
const wrong = 'Wrong-Password-1!'

test('AUT-1 AUT-4 from the third attempt on the bot check is required; an attempt without a good proof is not judged and costs nothing', async () => {
  const person = await addCustomer(portal)
  const bare = () =>
    openBrowser(portal, { address: '192.0.2.1' }).call(signIn, { body: { login: person.login, password: wrong } })
  for (let i = 0; i < 2; i++) expect((await bare()).problem.code).toBe('login-refused')
  for (let i = 0; i < 10; i++) expect((await bare()).problem.code).toBe('bot-check-required')
  const proof = crypto.randomUUID()
  expect((await attempt(person.login, wrong, '192.0.2.1', proof)).problem.code).toBe('login-refused')
  // A proof counts once, and a robot's not at all.
  for (const spent of [proof, 'robot'])
    for (let i = 0; i < 5; i++)
      expect((await attempt(person.login, person.password, '192.0.2.1', spent)).problem.code).toBe('bot-check-refused')
  expect(await countEntries(portal, person, 'sign-in-refused')).toBe(3)
  expect((await attempt(person.login, person.password, '192.0.2.1')).status).toBe(200)
  // The right password ends the streak: no proof is required any more.
  expect((await bare()).problem.code).toBe('login-refused')
})

test('R16 of hundreds of passwords at once five are judged, and then not even the right one', async () => {
  const take = watchWork()
  const { login, password: right } = await addCustomer(portal)
  const shot = (password: string) =>
    preparedCall(signIn, { body: { login, password, botProof: crypto.randomUUID() } }, { address: '192.0.2.10' })
  take()
  const hits = await fireTimes(portal, 60, (i) => shot(`Wrong-Password-${i}!`))
  expect(take().hashes).toHaveLength(5)
  expect(outcomesOf(hits)).toEqual({ 'login-refused': 5, 'too-many-attempts': 55 })
  const late = await fireTimes(portal, 2, () => shot(right))
  expect(late.map(({ status }) => status)).toEqual([429, 429])
  for (const { problem, headers } of late) {
    expect(Number(headers['retry-after'])).toBe(problem.retryAfter)
    expect(problem.retryAfter).toBeGreaterThan(limits.signIn.pause.window - 60)
  }
  expect(take().hashes).toHaveLength(0)
  expect(await countEntries(portal, { login }, 'sign-in-refused')).toBe(5)
  expect(await countEntries(portal, { login }, 'sign-in-limit-reached')).toBe(1)
})

test('AUT-4 ten wrong passwords in a day block the account: revealed to the right password only, recorded once, and no code is sent', async () => {
  const person = await addCustomer(portal)
  for (let i = 0; i < 9; i++) await attempt(person.login, wrong, `192.0.2.${20 + (i % 2)}`)
  expect(await countEntries(portal, person, 'account-blocked')).toBe(0)
  for (let i = 0; i < 3; i++) await attempt(person.email, wrong, `192.0.2.${22 + i}`)
  expect(await countEntries(portal, person, 'account-blocked')).toBe(1)
  await portal.deliver()
  const sent = portal.texts.length
  const right = await attempt(person.login, person.password, '192.0.2.30')
  expect(right).toMatchObject({ status: 422, problem: { code: 'account-blocked' } })
  expect((await attempt(person.login, wrong, '192.0.2.31')).problem.code).toBe('login-refused')
  await portal.deliver()
  expect(portal.texts).toHaveLength(sent)
})

test('AUT-2 VAL-1 VAL-3 a code that is missing or malformed is refused as such and costs no entry', async () => {
  const person = await addCustomer(portal)
  const { browser } = await passPassword(portal, person)
  for (const code of ['   ', ...Array.from({ length: 5 }, () => '12345')]) {
    const problem = code.trim() ? 'code-format' : 'required'
    const { fields } = (await browser.call(enterSignInCode, { body: { code } })).problem
    expect(fields).toEqual([{ name: 'code', problem }])
  }
  const code = smsCode(portal, person.phone)
  const entered = await browser.call(enterSignInCode, { body: { code: ` ${code.slice(0, 3)}-${code.slice(3)} ` } })
  expect(entered.status).toBe(200)
})

test('R13 a password hashed under a weaker setting is hashed again at its next sign-in, and signs in before and after', async () => {
  const person = await addCustomer(portal)
  const stronger = await openPasswordHasher(portal.portal.keys.pepper, { memory: 128, passes: 1, lanes: 1 })
  const { portal: parts } = portal.nodes[0]!
  const before = parts.hasher
  parts.hasher = stronger
  onTestFinished(async () => {
    parts.hasher = before
    await stronger.close()
  })
  const stored = `select substring(password_hash from 'm=\\d+') as cost, cardinality(earlier_hashes) as earlier from accounts where login = $1`
  expect(await portal.rows(stored, [person.login])).toEqual([{ cost: 'm=64', earlier: 0 }])
  for (let i = 0; i < 2; i++) {
    expect((await passPassword(portal, person)).answer.status).toBe(200)
    expect(await portal.rows(stored, [person.login])).toEqual([{ cost: 'm=128', earlier: 0 }])
  }
})

test('R19 one account a canonical form: capitals lead to it, look-alikes to another or to none', async () => {
  const put = async (over: Parameters<typeof samplePerson>[0]) =>
    (await putPerson(portal, samplePerson(over))).problem.code
  const wide = (text: string) => text.replace(/[!-~]/g, (c) => String.fromCodePoint(c.codePointAt(0)! + 0xfee0))
  const admin = await addCustomer(portal, { login: 'admin', email: 'admin@mail.example' })
  expect(await put({ email: `admin@${wide('mail')}.example` })).toBe('login-taken')
  // Nothing else can even be requested: a login is ASCII, and so is an e-mail but for its domain.
  for (const login of [wide('admin'), '\u0430dmin', 'ad\u200bmin', 'admin@mail.example'])
    expect([login, await put({ login })]).toEqual([login, 'invalid-input'])
  for (const email of [wide('admin@mail.example'), '\u0430dmin@mail.example'])
    expect([email, await put({ email })]).toEqual([email, 'invalid-input'])

  const twin = await addCustomer(portal, { email: 'admin@m\u0430il.example' })
  for (const [login, person] of [
    [wide('Admin'), admin],
    [wide('ADMIN@MAIL.EXAMPLE'), admin],
    ['ADMIN@M\u0410IL.EXAMPLE', twin],
  ] as const) {
    const browser = await signInAs(portal, { ...person, login })
    expect((await browser.call(readSession)).body.customer).toMatchObject({ login: person.login, email: person.email })
  }
  for (const login of ['\u0430dmin', '\u0410DMIN@mail.example'])
    expect((await passPassword(portal, { ...admin, login })).answer.problem.code).toBe('login-refused')
})
