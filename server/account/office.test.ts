import { expect, onTestFinished, test } from 'vitest'
import * as account from '../../contract/account.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { limits } from '../../contract/limits.ts'
import { sendPhoneConfirmation } from '../../contract/phone-confirmation.ts'
import { unblockCustomer } from '../../contract/provider/provider-api.ts'
import { register } from '../../contract/registration.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { logger } from '../platform/observability/log.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestPortal, samplePerson, type TestPortal } from '../testing/portal-nodes.ts'
import {
  askForReset,
  browsersElsewhere,
  isBlocked,
  openBrowser,
  passPassword,
  signInAs,
  smsCode,
  stepUp,
  type Person,
  spendMailedLink,
  type TestBrowser,
} from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
import { wrongCodesKey } from '../platform/authentication/account-block.ts'
import { charge } from '../platform/rate-limits/rate-limits.ts'
import { accountIdOf } from '../platform/authentication/testing/account-id.ts'

const portal = await openPortal({ nodes: 2 })

const away = browsersElsewhere(portal)
const enter = (browser: TestBrowser, code: string) => browser.call(account.enterSignInCode, { body: { code } })
const wrongOf = (code: string, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0')

/** Signs in with typing errors first; false when the right code, too, is refused. */
async function signInWithErrors(person: Person, errors: number, browser = away()) {
  const { answer } = await passPassword(portal, person, browser)
  if (answer.status !== 200) return false
  const right = smsCode(portal, person.phone)
  for (let n = 1; n <= errors; n++) expect((await enter(browser, wrongOf(right, n))).problem.code).toBe('code-wrong')
  return (await enter(browser, right)).status === 200
}

test('R120 R20 typing errors that a right code follows do not add up: a dozen a day block nobody', async () => {
  const person = await addCustomer(portal)
  for (let i = 0; i < 4; i++) expect(await signInWithErrors(person, 4)).toBe(true)
  // Nor on one device, with attempts that ended at the fifth.
  const otherCustomer = await addCustomer(portal)
  const device = await signInAs(portal, otherCustomer, away())
  for (let i = 0; i < 3; i++) {
    await device.call(account.signOut)
    await passPassword(portal, otherCustomer, device)
    const right = smsCode(portal, otherCustomer.phone)
    for (let n = 1; n <= 5; n++) await enter(device, wrongOf(right, n))
    expect(await signInWithErrors(otherCustomer, 0, device)).toBe(true)
  }
})

test('R120 R20 the owner’s right codes give a guesser nothing: ten guesses in a day are judged', async () => {
  const person = await addCustomer(portal)
  let judged = 0
  for (let round = 0; round < 4; round++) {
    const { browser, answer } = await passPassword(portal, person, away())
    const right = answer.status === 200 ? smsCode(portal, person.phone) : '000000'
    for (let n = 1; n <= 4; n++)
      if (/^code-(?:wrong|void)$/.test((await enter(browser, wrongOf(right, n))).problem.code)) judged++
    await signInWithErrors(person, 1)
  }
  expect(judged).toBeLessThanOrEqual(limits.code.wrongPerPurpose.limit)
})

test('R118 R120 who has the password and guesses codes locks strangers out, not the owner’s known device', async () => {
  const person = await addCustomer(portal)
  const owner = await signInAs(portal, person, away())
  await owner.call(account.signOut)
  for (let i = 0; i < 3; i++) {
    const { browser, answer } = await passPassword(portal, person, away())
    if (answer.status !== 200) break
    for (let n = 1; n <= 5; n++) await enter(browser, wrongOf(smsCode(portal, person.phone), n))
  }
  expect((await passPassword(portal, person, away())).answer.problem.code).toBe('too-many-attempts')
  expect(await signInWithErrors(person, 2, owner)).toBe(true)
})

test('R118 R20 a hundred wrong codes are the end for strangers only, until a new password', async () => {
  const [person, otherCustomer] = [await addCustomer(portal), await addCustomer(portal)]
  const owner = await signInAs(portal, person, away())
  const object = await accountIdOf(portal, person)
  for (const victim of [person, otherCustomer]) {
    // All but the last are of earlier days.
    const key = wrongCodesKey(await accountIdOf(portal, victim))
    for (let n = 1; n < limits.code.wrongWithoutSuccess; n++) await charge(portal.db, portal.portal.keys, key)
    const { browser } = await passPassword(portal, victim, away())
    await enter(browser, wrongOf(smsCode(portal, victim.phone)))
    await portal.clock.advance(86_401)
    expect((await passPassword(portal, victim, away())).answer.problem.code).toBe('too-many-attempts')
  }
  owner.cookie = undefined
  expect(await signInWithErrors(person, 2, owner)).toBe(true)
  expect((await owner.call(startStepUp, { body: { purpose: 'add-passkey', object } })).status).toBe(200)
  // What the owner did gives strangers nothing.
  expect((await passPassword(portal, person, away())).answer.problem.code).toBe('too-many-attempts')

  const newPassword = 'Nowe-Haslo-2027?'
  await askForReset(portal, person.email, away())
  expect((await spendMailedLink(portal, person.email, away(), newPassword)).status).toBe(204)
  expect(await signInWithErrors({ ...person, password: newPassword }, 0)).toBe(true)
  expect((await away().call(unblockCustomer, { params: { customer: otherCustomer.id } })).status).toBe(200)
  expect(await signInWithErrors(otherCustomer, 0)).toBe(true)
})

test('R118 R25 strangers who have the password do not spend the SMS of a known device', async () => {
  const [person, otherCustomer] = [await addCustomer(portal), await addCustomer(portal)]
  const owner = await signInAs(portal, person, away())
  const another = await signInAs(portal, otherCustomer, away())
  const object = await accountIdOf(portal, person)
  await portal.clock.advance(86_401)
  for (let i = 0; i < limits.code.sendsPerRecipient.limit; i++)
    expect((await passPassword(portal, person, away())).answer.status).toBe(200)
  expect((await passPassword(portal, person, away())).answer.problem.code).toBe('sends-spent')
  owner.cookie = undefined
  expect(await signInWithErrors(person, 0, owner)).toBe(true)
  expect((await owner.call(startStepUp, { body: { purpose: 'add-passkey', object } })).status).toBe(200)
  // The owner's own are bounded as well.
  const answers = []
  for (let i = 0; i < limits.code.sendsPerRecipient.limit; i++)
    answers.push((await passPassword(portal, person, owner)).answer.status)
  expect(answers).toContain(429)

  const { browser } = await passPassword(portal, otherCustomer, away())
  for (let n = 1; n < limits.code.sends; n++) {
    await portal.clock.advance(limits.code.resendAfter)
    expect((await browser.call(account.resendSignInCode)).status).toBe(200)
  }
  expect((await passPassword(portal, otherCustomer, away())).answer.problem.code).toBe('sends-spent')
  another.cookie = undefined
  expect(await signInWithErrors(otherCustomer, 0, another)).toBe(true)
})

test('R120 R22 right codes at once give back no more than their own entries', async () => {
  const person = await addCustomer(portal)
  const guesser = await passPassword(portal, person, away())
  for (let n = 1; n <= 4; n++) await enter(guesser.browser, wrongOf(smsCode(portal, person.phone), n))
  const { browser } = await passPassword(portal, person, away())
  const code = smsCode(portal, person.phone)
  await fireTogether(
    portal,
    Array.from({ length: 20 }, () => shotOf(account.enterSignInCode, { body: { code } }, { cookie: browser.cookie })),
  )
  const { rows } = await portal.owner.query(
    `select cardinality(spent) as n from budgets where name = 'code-entries sign-in' order by forget_at desc limit 1`,
  )
  expect(rows[0].n).toBe(4)
})

test('R120 R25 codes that nobody enters count for the address: thirty in a day for all customers', async () => {
  const address = '192.0.2.201'
  const { limit } = limits.code.sendsPerAddress
  const begin = async (person: Person) => passPassword(portal, person, openBrowser(portal, { address }))
  // Messages to numbers that nobody has confirmed are counted separately.
  const form = registrationForm()
  const registering = openBrowser(portal, { address })
  await registering.call(register, { body: form })
  await portal.deliver()
  await spendMailedLink(portal, form.email, registering)
  expect((await registering.call(sendPhoneConfirmation)).status).toBe(200)
  const first = await begin(await addCustomer(portal))
  await portal.clock.advance(limits.code.resendAfter)
  expect((await first.browser.call(account.resendSignInCode)).status).toBe(200)
  for (let i = 2; i < limit; i++) expect((await begin(await addCustomer(portal))).answer.status).toBe(200)
  expect((await begin(await addCustomer(portal))).answer.problem.code).toBe('sends-spent')
})

test('AUT-10 R25 codes that are entered stop nobody: eleven sign-ins a day with two actions each', async () => {
  const person = await addCustomer(portal)
  const device = away()
  const object = await accountIdOf(portal, person)
  // More messages than an address, or a number, gets without an entered code.
  for (let i = 0; i < 11; i++) {
    await passPassword(portal, person, device)
    expect((await enter(device, smsCode(portal, person.phone))).status).toBe(200)
    for (const purpose of ['add-passkey', 'export-data'] as const)
      expect((await stepUp(portal, device, person, purpose, object)).status).toBe(200)
    await device.call(account.signOut)
    await portal.clock.advance(1800)
  }
})

const { wrongPerAddress, wrongPerSubnet } = limits.signIn
const guess = (login: string, address: string) =>
  shotOf(account.signIn, { body: { login, password: 'Wiosna-2026-Wiosna!' } }, { address })
async function fire(shots: ReturnType<typeof guess>[]) {
  const hits = []
  // No more at once than the queue of hashes takes (R18).
  for (let from = 0; from < shots.length; from += 50)
    hits.push(...(await fireTogether(portal, shots.slice(from, from + 50))))
  return hits
}
const judged = (hits: Awaited<ReturnType<typeof fire>>) =>
  hits.filter(({ problem }) => problem.code === 'login-refused').length
/** The alarms about the networks from which the guesses of a test come. */
const alarms = async () =>
  (await auditEntries(portal, { action: 'alarm-raised' }))
    .map(({ details }) => details)
    .filter(({ about }) => /^10\.[234]0\./.test(String(about)))

test('R28 one guess at each of many accounts is stopped, is an alarm, and locks no one out', async () => {
  const owners = await Promise.all(Array.from({ length: 20 }, () => addCustomer(portal)))
  const strangers = Array.from({ length: 340 }, () => samplePerson())
  const logins = [...owners, ...strangers].map(({ login }) => login)
  // Fifty addresses of ten networks; the same again from addresses of one network.
  const spread = await fire(
    logins.slice(0, 120).map((login, i) => guess(login, `10.20.${i % 10}.${Math.floor(i / 10) % 5}`)),
  )
  expect(judged(spread)).toBe(120)
  expect(await alarms()).toEqual([])
  const narrow = await fire(logins.map((login, i) => guess(login, `10.30.1.${i % 50}`)))
  expect(judged(narrow)).toBe(wrongPerSubnet.limit)
  const single = await fire(logins.slice(0, wrongPerAddress.limit + 30).map((login) => guess(login, '10.40.1.1')))
  expect(judged(single)).toBe(wrongPerAddress.limit)
  for (const { problem } of single) expect(problem.code).toMatch(/^(login-refused|bot-check-required)$/)
  expect(narrow.some(({ status }) => status === 429)).toBe(true)
  for (const { status, headers } of narrow)
    if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  await expect.poll(async () => (await alarms()).length).toBe(2)
  expect(await alarms()).toEqual([
    { name: 'sign-in-spraying', about: '10.30.1.0/24' },
    { name: 'sign-in-spraying', about: '10.40.1.0/24' },
  ])
  for (const owner of owners) expect(await isBlocked(portal, owner)).toBe(false)
  for (const owner of owners.slice(0, 3)) expect((await passPassword(portal, owner)).answer.status).toBe(200)
})

test('R28 R17 the owner on a known device signs in from the very network that sprays', async () => {
  const owner = await addCustomer(portal)
  const address = '10.50.1.1'
  const browser = await signInAs(portal, owner, openBrowser(portal, { address }))
  await fire(Array.from({ length: wrongPerAddress.limit + 5 }, () => guess(samplePerson().login, address)))
  const right = { login: owner.login, password: owner.password }
  const unknown = await openBrowser(portal, { address }).call(account.signIn, { body: right })
  expect(unknown.problem.code).toBe('bot-check-required')
  expect((await browser.call(account.signIn, { body: right })).status).toBe(200)
})

test('R28 right passwords do not count as a network’s wrong ones, however many sign in there', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => addCustomer(portal)))
  const address = '10.60.1.1'
  for (let i = 0; i < wrongPerAddress.limit - 1; i++) await fire([guess(samplePerson().login, address)])
  for (const person of people)
    expect((await passPassword(portal, person, openBrowser(portal, { address }))).answer.status).toBe(200)
  expect(judged(await fire([guess(samplePerson().login, address)]))).toBe(1)
  const { login, password } = people[0]!
  const unknown = () => openBrowser(portal, { address }).call(account.signIn, { body: { login, password } })
  expect((await unknown()).problem.code).toBe('bot-check-required')
  await portal.clock.advance(wrongPerAddress.window)
  expect((await unknown()).status).toBe(200)
})

test('R28 R78 addresses of one /64 are one address, and those of one /48 are neighbours', async () => {
  const from = (i: number) => `2001:db8:5:${(i % 8).toString(16)}:${i.toString(16)}::1`
  const hits = await fire(
    Array.from({ length: wrongPerSubnet.limit + 50 }, (_, i) => guess(samplePerson().login, from(i))),
  )
  expect(judged(hits)).toBe(wrongPerSubnet.limit)
  const fromOneNetwork = await fire(
    Array.from({ length: wrongPerAddress.limit + 20 }, (_, i) =>
      guess(samplePerson().login, `2001:db8:6:6:${i.toString(16)}::1`),
    ),
  )
  expect(judged(fromOneNetwork)).toBe(wrongPerAddress.limit)
})

test('R28 R86 an alarm that lasts is one line an hour in the log, with a network and no address', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const logging: TestPortal = await openTestPortal({
    logger: { ...(logger as object), stream },
    ports: {
      alarms: { raise: (alarm) => logging.app.log.warn({ alarm: { ...alarm, address: '10.70.1.9' } }, 'alarm') },
    },
  })
  onTestFinished(() => logging.close())
  const linesAbout = (network: string) =>
    lines.filter((line) => line.includes(network)).map((line) => JSON.parse(line) as object)
  const guesses = Array.from({ length: wrongPerAddress.limit }, () => guess(samplePerson().login, '10.70.1.9'))
  await fireTogether(logging, guesses)
  const alarm = { name: 'sign-in-spraying', about: '10.70.1.0/24' } as const
  await expect.poll(() => linesAbout('10.70.1.')).toMatchObject([{ level: 40, msg: 'alarm', alarm }])
  expect(lines.join('')).not.toContain('10.70.1.9')
  // Another network's alarm comes after this one would.
  raiseAlarm(logging.portal, alarm)
  raiseAlarm(logging.portal, { ...alarm, about: '10.71.1.0/24' })
  await expect.poll(() => linesAbout('10.71.1.')).toHaveLength(1)
  expect(linesAbout('10.70.1.')).toHaveLength(1)
  await logging.clock.advance(3601)
  raiseAlarm(logging.portal, alarm)
  await expect.poll(() => linesAbout('10.70.1.')).toHaveLength(2)
})
