import { expect, test } from 'vitest'
import { enterSignInCode, readSession, signIn, signOut } from '../../contract/account.ts'
import { changePassword } from '../../contract/passwords.ts'
import { limits } from '../../contract/limits.ts'
import { deviceCookie } from '../platform/authentication/devices.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openBrowser, passPassword, signInAs, smsCode, type Person } from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { watchWork } from '../testing/work-watch.ts'

const portal = await openPortal({ nodes: 2 })

const wrong = 'Wrong-Password-1!'
/** Where the owner is, and the attacker too: one household, one office, one carrier. */
const shared = '192.0.2.77'
const body = ({ login }: Pick<Person, 'login'>, password = wrong) => ({
  body: { login, password, botProof: crypto.randomUUID() },
})

/** How many wrong passwords of networks are counted. */
const ofNetworks = async () =>
  (
    await portal.owner.query(
      `select coalesce(sum(cardinality(spent)), 0)::int as n from budgets where name in ('sign-in-address', 'sign-in-subnet')`,
    )
  ).rows[0].n as number

/** A browser in which the owner has been signed in before. */
async function knownBrowser(person: Person, address = shared) {
  const browser = await signInAs(portal, person, openBrowser(portal, { address }))
  await browser.call(signOut)
  return browser
}

test('R17 attempts of an address do not use up those of the owner’s device behind it', async () => {
  const person = await addCustomer(portal)
  const owner = await knownBrowser(person)
  const attack = await fireTogether(
    portal,
    Array.from({ length: 50 }, () => shotOf(signIn, body(person), { address: shared })),
  )
  expect(attack.filter(({ status }) => status === 429)).toHaveLength(45)
  const stranger = openBrowser(portal, { address: shared })
  expect((await stranger.call(signIn, body(person, person.password))).status).toBe(429)
  expect((await owner.call(readSession)).status).toBe(401)
  await passPassword(portal, person, owner)
  expect((await owner.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })).status).toBe(200)
})

test('R17 R16 a known device has five attempts of its own, and a network’s limits do not apply to it', async () => {
  const person = await addCustomer(portal)
  const owner = await knownBrowser(person)
  const before = await ofNetworks()
  for (let i = 0; i < 5; i++) expect((await owner.call(signIn, body(person), i % 2)).problem.code).toBe('login-refused')
  expect((await owner.call(signIn, body(person, person.password))).status).toBe(429)
  expect(await ofNetworks()).toBe(before)
  // The same person at another browser there is not blocked by it.
  expect((await openBrowser(portal, { address: shared }).call(signIn, body(person, person.password))).status).toBe(200)
})

test('R17 R5 the device is known by a random token of which the database has the hash, in a cookie for this host alone', async () => {
  const person = await addCustomer(portal)
  const browser = openBrowser(portal)
  await passPassword(portal, person, browser)
  expect(browser.device).toBeUndefined()
  const done = await browser.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })
  const [, set] = done.headers.getSetCookie()
  expect(set).toMatch(
    /^__Host-sygnet-device=[A-Za-z0-9_-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(limits.device.days * 86_400).toBe(15_552_000)
  const token = browser.device!.split('=')[1]!
  const { rows } = await portal.owner.query('select d::text as row from devices d')
  const kept = [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')]
  for (const { row } of rows) for (const value of kept) expect(row).not.toContain(value)
  // The contents of the table open nothing and make no device known.
  const [{ hash }] = (
    await portal.owner.query(
      `select encode(token_hash, 'hex') as hash from devices join accounts a on a.id = account_id where login = $1`,
      [person.login],
    )
  ).rows as [{ hash: string }]
  const thief = openBrowser(portal, { address: '192.0.2.80' })
  thief.device = `${deviceCookie}=${hash}`
  for (let i = 0; i < 5; i++) await thief.call(signIn, body(person))
  expect((await openBrowser(portal, { address: '192.0.2.80' }).call(signIn, body(person))).status).toBe(429)
})

test('R17 a device is known to the account that was signed in there, until its time or a new password, and by a new token each time', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const isKnown = async (device: string, { login }: Person) => {
    const browser = openBrowser(portal, { address: '192.0.2.90' })
    browser.device = device
    const { rows } = await portal.owner.query(
      `select count(*)::int as n from devices join accounts a on a.id = account_id
        where login = $1 and token_hash = sha256($2) and expires_at > portal_now()`,
      [login, Buffer.from(device.split('=')[1]!)],
    )
    return rows[0].n === 1
  }
  const browser = await signInAs(portal, anna)
  const first = browser.device!
  expect([await isKnown(first, anna), await isKnown(first, jan)]).toEqual([true, false])
  await signInAs(portal, anna, browser)
  const second = browser.device!
  expect([await isKnown(first, anna), await isKnown(second, anna)]).toEqual([false, true])
  // Another person's sign-in in the same browser ends nothing of hers.
  await signInAs(portal, jan, browser)
  expect([await isKnown(second, anna), await isKnown(browser.device!, jan)]).toEqual([true, true])
  await portal.clock.advance(limits.device.days * 86_400)
  expect(await isKnown(browser.device!, jan)).toBe(false)
  const fresh = await signInAs(portal, jan)
  const otherBrowser = await signInAs(portal, jan)
  const before = fresh.device!
  const next = 'Nowe-Haslo-2027?'
  const change = { currentPassword: jan.password, newPassword: next, repeatPassword: next }
  expect((await fresh.call(changePassword, { body: change })).status).toBe(204)
  // But for the one on which it was set (R118).
  expect([await isKnown(before, jan), await isKnown(otherBrowser.device!, jan)]).toEqual([false, false])
  expect(await isKnown(fresh.device!, jan)).toBe(true)
})

test('R17 R16 a device that is known to one account has no attempts of its own at another', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const address = '192.0.2.99'
  const annas = await knownBrowser(anna, address)
  const { device } = annas
  for (let i = 0; i < 5; i++) expect((await annas.call(signIn, body(jan))).status).toBe(422)
  expect(annas.device).toBe(device)
  expect((await openBrowser(portal, { address }).call(signIn, body(jan, jan.password))).status).toBe(429)
})

test('R14 R15 R17 with a device’s cookie, known or not, a wrong password takes the same work and answer for every account', async () => {
  const [owner, otherBrowser] = [await addCustomer(portal), await addCustomer(portal)]
  const { device } = await knownBrowser(owner)
  const take = watchWork()
  const seen = []
  for (const login of [otherBrowser.login, 'nobody-at-all']) {
    for (const cookie of [device, `${deviceCookie}=${'x'.repeat(43)}`]) {
      const browser = openBrowser(portal, { address: '192.0.2.95' })
      browser.device = cookie
      take()
      const { status, problem } = await browser.call(signIn, body({ login }))
      const { statements, hashes } = take()
      seen.push({ status, problem, statements, hashes })
    }
  }
  for (const answer of seen) expect(answer).toEqual(seen[0])
  expect(seen[0]!.statements.some((statement) => statement.includes('from devices'))).toBe(true)
})
