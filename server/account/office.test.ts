import { expect, test } from 'vitest'
import * as account from '../../contract/account.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { limits } from '../../contract/limits.ts'
import { enterPasskeySignIn } from '../../contract/passkey-sign-in.ts'
import { setPassword } from '../../contract/password-link.ts'
import { sendPhoneConfirmation } from '../../contract/phone-confirmation.ts'
import { unblockCustomer } from '../../contract/provider/provider-api.ts'
import { register } from '../../contract/registration.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import {
  goodPassword,
  linkToken,
  browsersElsewhere,
  openBrowser,
  passPassword,
  signInAs,
  smsCode,
  stepUp,
  type Person,
  type TestBrowser,
} from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { sampleAssertion } from '../testing/authenticators.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
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

test('R120 R20 typing errors that a right code follows do not add up: a dozen a day over sign-ins block nobody', async () => {
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

test('R120 R20 the owner’s right codes give a guesser nothing: ten guesses in a day are judged, however often the owner signs in', async () => {
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

test.runIf(exhaustive)(
  'R118 R20 a hundred wrong codes of strangers are the end for strangers only; a new password or the provider unblocks it for them',
  async () => {
    const [person, otherCustomer] = [await addCustomer(portal), await addCustomer(portal)]
    const owner = await signInAs(portal, person, away())
    const object = await accountIdOf(portal, person)
    for (const victim of [person, otherCustomer])
      for (let i = 0; i < 20; i++) {
        if (i % 2 === 0) await portal.clock.advance(86_401)
        const { browser } = await passPassword(portal, victim, away())
        for (let n = 1; n <= 5; n++) await enter(browser, wrongOf(smsCode(portal, victim.phone), n))
      }
    await portal.clock.advance(86_401)
    for (const victim of [person, otherCustomer])
      expect((await passPassword(portal, victim, away())).answer.problem.code).toBe('too-many-attempts')
    owner.cookie = undefined
    expect(await signInWithErrors(person, 2, owner)).toBe(true)
    const step = await owner.call(startStepUp, { body: { purpose: 'add-passkey', object } })
    expect(step.status).toBe(200)
    // What the owner did gives strangers nothing.
    expect((await passPassword(portal, person, away())).answer.problem.code).toBe('too-many-attempts')

    const newPassword = 'Nowe-Haslo-2027?'
    const asked = { email: person.email, locale: 'pl' as const, botProof: crypto.randomUUID() }
    await away().call(requestPasswordReset, { body: asked })
    await portal.deliver()
    const password = { newPassword, repeatPassword: newPassword }
    const token = linkToken(portal, person.email)
    expect((await away().call(setPassword, { body: { token, password } })).status).toBe(204)
    expect(await signInWithErrors({ ...person, password: newPassword }, 0)).toBe(true)
    expect((await away().call(unblockCustomer, { params: { customer: otherCustomer.id } })).status).toBe(200)
    expect(await signInWithErrors(otherCustomer, 0)).toBe(true)
  },
)

test('R118 R25 strangers who have the password spend their own SMS and their own pause: a known device and who is signed in get theirs', async () => {
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

test.runIf(exhaustive)(
  'R120 two hundred people behind one address sign in by SMS in a morning, and again the next day; who sprays or pumps there is slowed',
  async () => {
    const address = '192.0.2.200'
    const office = (i: number) => openBrowser(portal, { address, node: i % 2 })
    const staff: { person: Person; browser: TestBrowser }[] = []
    const howMany = 200
    while (staff.length < howMany) {
      const people = await Promise.all(Array.from({ length: 10 }, () => addCustomer(portal)))
      staff.push(...people.map((person, i) => ({ person, browser: office(i) })))
    }
    for (let morning = 0; morning < 2; morning++) {
      // Ten at a time, of whom some mistype.
      for (let from = 0; from < staff.length; from += 10) {
        const group = staff.slice(from, from + 10)
        for (const { person, browser } of group)
          expect(
            (await browser.call(account.signIn, { body: { login: person.login, password: person.password } })).status,
          ).toBe(200)
        await portal.deliver()
        for (const [i, { person, browser }] of group.entries()) {
          const right = smsCode(portal, person.phone)
          if (i % 3 === 0) await enter(browser, wrongOf(right))
          expect((await enter(browser, right)).status).toBe(200)
          await browser.call(account.signOut)
        }
      }
      await portal.clock.advance(20 * 3600)
    }
    // One of them guesses at the others' passwords: the address is slowed at its limit, and known devices go on.
    const { wrongPerAddress } = limits.signIn
    let judged = 0
    for (let i = 0; i < wrongPerAddress.limit + 10; i++) {
      const { login } = staff[i % howMany]!.person
      const { problem } = await office(i).call(account.signIn, { body: { login, password: 'Wrong-Password-1!' } })
      if (problem.code === 'login-refused') judged++
    }
    expect(judged).toBe(wrongPerAddress.limit)
    expect((await passPassword(portal, staff[7]!.person, staff[7]!.browser)).answer.status).toBe(200)
  },
  600_000,
)

test('R120 R25 codes that nobody enters count for the address: thirty in a day, resends included, for all customers together', async () => {
  const address = '192.0.2.201'
  const { limit } = limits.code.sendsPerAddress
  const begin = async (person: Person) => {
    return passPassword(portal, person, openBrowser(portal, { address }))
  }
  const first = await begin(await addCustomer(portal))
  await portal.clock.advance(limits.code.resendAfter)
  expect((await first.browser.call(account.resendSignInCode)).status).toBe(200)
  for (let i = 2; i < limit; i++)
    expect((await begin(await addCustomer(portal, samplePerson()))).answer.status).toBe(200)
  const last = await addCustomer(portal)
  expect((await begin(last)).answer.problem.code).toBe('sends-spent')
})

test.runIf(exhaustive)(
  'R120 R28 one person’s refused passkeys, wrong passwords and invented numbers do not shut the others of an office out',
  async () => {
    const person = await addCustomer(portal)
    const at = (address: string) => openBrowser(portal, { address })
    const passkeys = '192.0.2.211'
    const { limit } = limits.signIn.wrongPerAddress
    const body = { ...sampleAssertion, userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }
    for (let i = 0; i <= limit; i++) await at(passkeys).call(enterPasskeySignIn, { body })
    const login = { login: person.login, password: person.password }
    expect((await at(passkeys).call(account.signIn, { body: login })).status).toBe(200)

    // From the address's limit on every unknown device there shows that no robot is at work.
    const guesses = '198.51.100.212'
    for (let i = 0; i < limit; i++)
      await at(guesses).call(account.signIn, { body: { login: `nobody${i}`, password: 'Wrong-Password-1!' } })
    expect((await at(guesses).call(account.signIn, { body: login })).problem.code).toBe('bot-check-required')
    expect((await passPassword(portal, person, at(guesses))).answer.status).toBe(200)

    const numbers = '203.0.113.213'
    const answers: string[] = []
    for (let i = 0; i < limits.code.sendsPerAddress.limit + 1; i++) {
      const form = registrationForm({ phone: `+48504${100_000 + i}` })
      const home = away()
      await home.call(register, { body: form })
      await portal.deliver()
      const password = { newPassword: goodPassword, repeatPassword: goodPassword }
      await home.call(setPassword, { body: { token: linkToken(portal, form.email), password } })
      const here = at(numbers)
      await here.call(account.signIn, { body: { login: form.email, password: goodPassword } })
      answers.push((await here.call(sendPhoneConfirmation)).problem.code)
    }
    expect(answers.at(-1)).toBe('sends-spent')
    expect(answers.filter((code) => code !== undefined)).toHaveLength(1)
    expect((await passPassword(portal, await addCustomer(portal), at(numbers))).answer.status).toBe(200)
  },
)

test('AUT-10 R25 an administrator who signs in ten times a day and confirms two actions each time is not stopped', async () => {
  const person = await addCustomer(portal)
  const device = away()
  const object = await accountIdOf(portal, person)
  for (let i = 0; i < 10; i++) {
    await passPassword(portal, person, device)
    expect((await enter(device, smsCode(portal, person.phone))).status).toBe(200)
    for (const purpose of ['add-passkey', 'export-data'] as const)
      expect((await stepUp(portal, device, person, purpose, object)).status).toBe(200)
    await device.call(account.signOut)
    await portal.clock.advance(1800)
  }
})

test.runIf(exhaustive)(
  'AUT-10 R25 R27 who enters every code gets sixty messages a day, and who enters none gets ten',
  async () => {
    const person = await addCustomer(portal)
    const [owner, stranger] = [await signInAs(portal, person, away()), away()]
    const { sendsPerRecipient, sendsWithEntered } = limits.code
    const most = sendsPerRecipient.limit * sendsWithEntered
    let entered = 0
    for (; entered <= most; entered++) {
      await owner.call(account.signOut)
      const { answer } = await passPassword(portal, person, owner)
      if (answer.status !== 200) break
      expect((await enter(owner, smsCode(portal, person.phone))).status).toBe(200)
    }
    expect(entered).toBe(most)
    let sent = 0
    while ((await passPassword(portal, person, stranger)).answer.status === 200) sent++
    // The message of the first sign-in, on a device that was unknown then, was entered.
    expect(sent).toBe(sendsPerRecipient.limit)
  },
)
