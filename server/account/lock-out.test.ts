import { expect, test } from 'vitest'
import { enterSignInCode, readSession, signIn } from '../../contract/account.ts'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { setPassword } from '../../contract/password-link.ts'
import { limits } from '../../contract/limits.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import * as testing from '../testing/browser.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'

const portal = await openPortal({ nodes: 2 })

const home = '192.0.2.77'
const atHome = () => testing.openBrowser(portal, { address: home })
const notices = ({ email }: testing.Person) =>
  portal.mails.filter(({ to, subject }) => to === email && /zablokowane|blocked/.test(subject))

/** Wrong passwords for one login from many networks, a hundred at a time through both nodes. */
async function storm({ login }: testing.Person, addresses: number, triesEach: number) {
  const shots = Array.from({ length: addresses * triesEach }, (_, i) => {
    const n = i % addresses
    return shotOf(
      signIn,
      { body: { login, password: `Wrong-Password-${i}!`, botProof: crypto.randomUUID() } },
      { address: `10.${n >> 8}.${n & 255}.7` },
    )
  })
  for (let from = 0; from < shots.length; from += 100) await fireTogether(portal, shots.slice(from, from + 100))
  await portal.deliver()
}

/** Every count of codes and of messages sent with them. */
const codeCounts = async () =>
  (
    await portal.owner.query(
      `select name, key, spent, locked_until from budgets where name ~ '^(code|sms)-' order by name, key`,
    )
  ).rows as unknown[]

async function resetAtHome({ email }: testing.Person, newPassword: string) {
  await atHome().call(requestPasswordReset, { body: { email, locale: 'pl', botProof: crypto.randomUUID() } })
  await portal.deliver()
  const password = { newPassword, repeatPassword: newPassword }
  return atHome().call(setPassword, { body: { token: testing.linkToken(portal, email), password } })
}

test('R17 AUT-4 pauses at other addresses do not block the owner at theirs', async () => {
  const person = await testing.makeCustomer(portal)
  await storm(person, 1, 8)
  await storm(person, 2, 4)
  // The one address is paused, and the other one is on the way there.
  const paused = await testing.openBrowser(portal, { address: '10.0.0.7' }).call(signIn, {
    body: { login: person.login, password: person.password, botProof: crypto.randomUUID() },
  })
  expect(paused.status).toBe(429)
  const owner = await testing.signInAs(portal, person, atHome())
  expect((await owner.call(readSession)).status).toBe(200)
  expect(notices(person)).toEqual([])
})

test.runIf(exhaustive)(
  'R17 R12 AUT-4 a thousand wrong passwords from five hundred addresses: the owner stays signed in, has one mail, and gets back in by one reset',
  async () => {
    const person = await testing.makeCustomer(portal)
    const newPassword = 'Nowe-Haslo-2027?'
    const signedIn = await testing.signInAs(portal, person, atHome())
    const before = await codeCounts()
    await storm(person, 500, 2)
    expect(await testing.isBlocked(portal, person)).toBe(true)
    expect(await codeCounts()).toEqual(before)
    expect(notices(person)).toHaveLength(1)
    expect((await signedIn.call(readSession)).status).toBe(200)
    const { answer: right } = await testing.passPassword(portal, person, atHome())
    expect(right.problem.code).toBe('account-blocked')
    expect((await resetAtHome(person, newPassword)).status).toBe(204)
    const { browser, answer } = await testing.passPassword(portal, { ...person, password: newPassword }, atHome())
    expect(answer.status).toBe(200)
    expect(
      (await browser.call(enterSignInCode, { body: { code: testing.smsCode(portal, person.phone) } })).status,
    ).toBe(200)
  },
)

test('AUT-4 R17 an owner is notified of the block once a day, however often it happens', async () => {
  const person = await testing.makeCustomer(portal)
  for (let round = 0; round < 3; round++) {
    await storm(person, 10, 2)
    expect(await testing.isBlocked(portal, person)).toBe(true)
    expect((await resetAtHome(person, `Nowe-Haslo-202${round}?`)).status).toBe(204)
  }
  expect(notices(person)).toHaveLength(1)
  await portal.clock.advance(limits.signIn.block.window + 1)
  await storm(person, 10, 2)
  expect(notices(person)).toHaveLength(2)
})

test('AUT-4 the mail of a block says in the owner’s language what happened, and leads to the reset', async () => {
  for (const [locale, subject, link] of [
    ['pl', 'Sygnet: konto zostało zablokowane', 'https://portal.example/password-reset'],
    ['en', 'Sygnet: your account was blocked', 'https://portal.example/en/password-reset'],
  ] as const) {
    const person = await testing.makeCustomer(portal, { locale })
    await storm(person, 10, 1)
    expect(notices(person)).toMatchObject([{ subject, text: expect.stringContaining(`:\n${link}\n`) }])
  }
})
