import { expect, test } from 'vitest'
import { signOut } from '../../contract/account.ts'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import { limits } from '../../contract/limits.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { linkToken, makeCustomer, browsersElsewhere, openBrowser, signInAs, type Person } from '../testing/browser.ts'

const portal = await openPortal({ nodes: 2 })

const stranger = browsersElsewhere(portal)
const resets = ({ email }: Person) =>
  portal.mails.filter(({ to, subject }) => to === email && subject === 'Sygnet: ustaw nowe hasło')

/** Asks for a reset, which always gets the same answer; returns how many mails it caused. */
async function requestReset(person: Person, browser = stranger()) {
  const before = resets(person).length
  const body = { email: person.email, locale: 'pl' as const, botProof: crypto.randomUUID() }
  expect((await browser.call(requestPasswordReset, { body })).status).toBe(204)
  await portal.deliver()
  return resets(person).length - before
}
const isGood = async (token: string) => (await stranger().call(checkPasswordLink, { body: { token } })).status === 200
const put = (token: string, newPassword = 'Nowe-Haslo-2027?') =>
  stranger().call(setPassword, { body: { token, password: { newPassword, repeatPassword: newPassword } } })

test('R119 strangers’ requests do not use up the owner’s: the mail comes from a known device, and from a fresh network', async () => {
  const person = await makeCustomer(portal)
  const owner = await signInAs(portal, person, stranger())
  await owner.call(signOut)
  const away = stranger()
  for (let i = 0; i < 6; i++) await requestReset(person, away)
  for (let i = 0; i < 3; i++) await requestReset(person)
  expect(await requestReset(person)).toBe(1)
  for (let i = 0; i < 40; i++) await requestReset(person)
  for (let i = 0; i < limits.reset.perAccount.limit; i++) expect(await requestReset(person, owner)).toBe(1)
  expect(await requestReset(person, owner)).toBe(0)
})

test.runIf(exhaustive)(
  'R119 R17 strangers cannot flood a mailbox: three mails an hour by one network and one in twenty minutes beyond, and by many a bounded number a day, of which one is always fresh',
  async () => {
    const person = await makeCustomer(portal)
    const browser = stranger()
    const byOne = []
    for (let i = 0; i < 8; i++) byOne.push(await requestReset(person, browser))
    expect(byOne).toEqual([1, 1, 1, 1, 0, 0, 0, 0])
    let mails = 4
    let sinceMail = 0
    // A request a minute for hours, each from a network of its own.
    const minutes = 240
    for (let minute = 0; minute < minutes; minute++) {
      await portal.clock.advance(60)
      const sent = await requestReset(person)
      mails += sent
      sinceMail = sent ? 0 : sinceMail + 1
      expect(sinceMail).toBeLessThan(limits.reset.spaced.window / 60)
      if (minute % 10 === 0) expect(await isGood(linkToken(portal, person.email))).toBe(true)
    }
    expect(mails).toBeLessThanOrEqual(limits.reset.byStrangers.limit + (minutes * 60) / limits.reset.spaced.window + 1)
  },
)

test('R119 who asks from the owner’s own network does not use up the owner’s: a link that works is always in the mailbox', async () => {
  const person = await makeCustomer(portal)
  const here = () => openBrowser(portal, { address: '192.0.2.77' })
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 2; i++) await requestReset(person, here())
    await portal.clock.advance(limits.reset.spaced.window / 2)
    await requestReset(person, here())
    expect(await isGood(linkToken(portal, person.email))).toBe(true)
    expect(resets(person).length).toBeLessThanOrEqual(2 * (round + 2))
    await portal.clock.advance(limits.reset.spaced.window / 2)
  }
  expect(await requestReset(person, here())).toBe(1)
  expect(await isGood(linkToken(portal, person.email))).toBe(true)
})

test('R119 R11 a stranger who asks every minute ends none of the owner’s links; the one that is used ends all others', async () => {
  const person = await makeCustomer(portal)
  await requestReset(person)
  const owners = linkToken(portal, person.email)
  const theirs = []
  for (let minute = 0; minute < 20; minute++) {
    await portal.clock.advance(60)
    if (await requestReset(person)) theirs.push(linkToken(portal, person.email))
  }
  expect(new Set(theirs).size).toBeGreaterThan(2)
  expect(await isGood(owners)).toBe(true)
  expect((await put(owners)).status).toBe(204)
  for (const token of theirs) expect((await put(token, 'Inne-Haslo-2028?')).problem.code).toBe('link-expired')
})

test('R119 R11 nor does a stranger who asks for a customer without a password end the invitation', async () => {
  const person = await makeCustomer(portal)
  await portal.owner.query('update accounts set password_hash = null where login = $1', [person.login])
  const invitation = async () => {
    await stranger().call(requestPasswordReset, {
      body: { email: person.email, locale: 'pl', botProof: crypto.randomUUID() },
    })
    await portal.deliver()
    return linkToken(portal, person.email)
  }
  const [first, second] = [await invitation(), await invitation()]
  expect(first).not.toBe(second)
  expect(await isGood(first)).toBe(true)
})

test('R119 R120 an address whose requests are used up does not block a known device there, and links that were used cost it nothing', async () => {
  const [anna, jan] = [await makeCustomer(portal), await makeCustomer(portal)]
  const address = '192.0.2.55'
  const here = () => openBrowser(portal, { address })
  const owner = await signInAs(portal, anna, here())
  await owner.call(signOut)
  const request = (person: Person, browser = here()) =>
    browser.call(requestPasswordReset, {
      body: { email: person.email, locale: 'pl', botProof: crypto.randomUUID() },
    })
  for (let i = 0; i < limits.reset.perAddress.limit; i++) expect((await request(jan)).status).toBe(204)
  expect((await request(anna)).status).toBe(429)
  expect(await requestReset(anna, owner)).toBe(1)
  await portal.clock.advance(limits.reset.perAddress.window)
  for (let i = 0; i < limits.reset.perAddress.limit + 2; i++) {
    const person = await makeCustomer(portal)
    expect(await requestReset(person, here())).toBe(1)
    const password = { newPassword: 'Nowe-Haslo-2027?', repeatPassword: 'Nowe-Haslo-2027?' }
    const token = linkToken(portal, person.email)
    expect((await here().call(setPassword, { body: { token, password } })).status).toBe(204)
  }
})
