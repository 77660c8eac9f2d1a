import { expect, test } from 'vitest'
import { readSession, signIn, signOut } from '../../contract/account.ts'
import { changePassword } from '../../contract/passwords.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import { limits } from '../../contract/limits.ts'
import { blockCustomer, inviteCustomer, putCustomer } from '../../contract/provider/provider-api.ts'
import { deviceCookie } from '../platform/authentication/devices.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import * as testing from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { watchWork } from '../testing/work-watch.ts'

const portal = await openPortal({ nodes: 2 })

const wrong = 'Wrong-Password-1!'
const newPassword = 'Nowe-Haslo-2027?'
/** Where the owner is, and the attacker too: one household, one office, one carrier. */
const shared = '192.0.2.77'
const at = (address: string) => testing.openBrowser(portal, { address })
const stranger = testing.browsersElsewhere(portal)

type Login = Pick<testing.Person, 'login'>
const body = ({ login }: Login, password = wrong) => ({ body: { login, password, botProof: crypto.randomUUID() } })
const enter = (browser: testing.TestBrowser, person: Login, password = wrong, node?: number) =>
  browser.call(signIn, body(person, password), node)
/** Ten wrong passwords from as many networks, each with a proof of the bot check. */
async function attack(person: Login) {
  for (let i = 0; i < 10; i++) await enter(stranger(), person, `${wrong}${i}`)
  expect(await testing.isBlocked(portal, person)).toBe(true)
}
/** A browser in which the owner has been signed in before. */
async function knownBrowser(person: testing.Person, browser = stranger()) {
  await testing.signInAs(portal, person, browser)
  await browser.call(signOut)
  return browser
}
const enterCode = (browser: testing.TestBrowser, person: testing.Person) =>
  testing.enterSmsCode(portal, browser, person)
/** Sets a new password by the link of a mail. */
async function reset({ email }: testing.Person, browser: testing.TestBrowser, password = newPassword) {
  await testing.askForReset(portal, email, browser)
  expect((await testing.spendMailedLink(portal, email, browser, password)).status).toBe(204)
}
const notices = ({ email }: testing.Person) =>
  portal.mails.filter(({ to, subject }) => to === email && /zablokowane|blocked/.test(subject))
/** What counts as spent by these limits. */
const spentOf = async (pattern: string) =>
  (
    await portal.owner.query('select name, key, spent, locked_until from budgets where name ~ $1 order by 1, 2', [
      pattern,
    ])
  ).rows as unknown[]

test('R118 AUT-4 strangers block strangers: the known device signs in, and stays known', async () => {
  const person = await addCustomer(portal)
  const [owner, signedIn] = [await knownBrowser(person), await testing.signInAs(portal, person, stranger())]
  const codes = await spentOf('^(code|sms)-')
  await attack(person)
  expect(await spentOf('^(code|sms)-')).toEqual(codes)
  expect((await signedIn.call(readSession)).status).toBe(200)
  expect((await enter(stranger(), person, person.password)).problem.code).toBe('account-blocked')
  for (let i = 0; i < 2; i++) {
    expect((await enter(owner, person, person.password)).status).toBe(200)
    await portal.deliver()
    expect((await enterCode(owner, person)).status).toBe(200)
    expect((await owner.call(readSession)).status).toBe(200)
    await owner.call(signOut)
  }
  // What the owner does gives strangers nothing.
  expect((await enter(stranger(), person, person.password)).problem.code).toBe('account-blocked')
})

test('R12 R118 a reset opens a blocked account, and strangers cannot lock out its device', async () => {
  const person = await testing.makeCustomer(portal)
  const owner = at('203.0.113.2')
  for (let i = 0; i < 5; i++) await enter(owner, person)
  await attack(person)
  await reset(person, owner)
  // A typing mistake does not block it again, but an attack does.
  expect((await enter(stranger(), person)).problem.code).toBe('login-refused')
  expect((await enter(stranger(), person, newPassword)).status).toBe(200)
  await portal.deliver()
  await attack(person)
  const { answer } = await testing.passPassword(portal, { ...person, password: newPassword }, owner)
  expect(answer).toMatchObject({ status: 200, body: { channel: 'sms' } })
  expect((await owner.call(readSession)).status).toBe(401)
  expect((await enterCode(owner, person)).status).toBe(200)
})

test('R12 R118 changing the password opens a blocked account, and keeps that device known alone', async () => {
  const person = await addCustomer(portal)
  const [here, elsewhere] = [await testing.signInAs(portal, person, stranger()), await knownBrowser(person)]
  await attack(person)
  const change = { currentPassword: person.password, newPassword, repeatPassword: newPassword }
  expect((await here.call(changePassword, { body: change })).status).toBe(204)
  expect((await here.call(readSession)).status).toBe(401)
  expect(await enter(stranger(), person, newPassword)).toMatchObject({ status: 200, body: { channel: 'sms' } })
  await attack(person)
  expect((await enter(elsewhere, person, newPassword)).problem.code).toBe('account-blocked')
  expect((await enter(here, person, newPassword)).status).toBe(200)
})

test('R118 R17 a known device has five attempts of its own; ten wrong in a day make it unknown', async () => {
  const person = await addCustomer(portal)
  const [owner, otherDevice] = [await knownBrowser(person, at(shared)), await knownBrowser(person)]
  const ofNetworks = await spentOf('^sign-in-(address|subnet)$')
  for (let i = 0; i < 5; i++) expect((await enter(owner, person, wrong, i % 2)).problem.code).toBe('login-refused')
  expect((await enter(owner, person, person.password)).status).toBe(429)
  expect(await spentOf('^sign-in-(address|subnet)$')).toEqual(ofNetworks)
  // The same person at another browser there is not blocked by it.
  expect((await enter(at(shared), person, person.password)).status).toBe(200)
  await portal.clock.advance(900)
  for (let i = 0; i < 5; i++) expect((await enter(owner, person)).problem.code).toBe('login-refused')
  expect(await testing.isBlocked(portal, person)).toBe(true)
  await portal.clock.advance(900)
  expect((await enter(owner, person, person.password)).problem.code).toBe('account-blocked')
  expect((await enter(otherDevice, person, person.password)).status).toBe(200)
})

test('R118 R12 the provider’s block refuses known devices too, for days, whatever strangers did', async () => {
  for (const attacked of [false, true]) {
    const person = await addCustomer(portal)
    const owner = await knownBrowser(person)
    if (attacked) await attack(person)
    const { id, password, ...particulars } = person
    const params = { customer: id }
    expect((await owner.call(blockCustomer, { params })).status).toBe(200)
    expect((await enter(owner, person, password)).problem.code).toBe('account-blocked')
    await portal.deliver()
    expect(notices(person).some(({ text }) => text.includes('zablokowała Twoje konto'))).toBe(true)
    await owner.call(putCustomer, { params, body: particulars })
    expect((await owner.call(inviteCustomer, { params })).problem.code).toBe('already-active')
    await portal.clock.advance(2 * 86_400)
    for (const browser of [owner, stranger()])
      expect((await enter(browser, person, password)).problem.code).toBe('account-blocked')
  }
})

test('R118 R14 a name under attack requires the bot check of strangers, account or not', async () => {
  const person = await addCustomer(portal)
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

test('AUT-4 R17 an owner is notified of the block once a day, with the way to the reset', async () => {
  for (const [locale, subject, link] of [
    ['pl', 'Sygnet: konto zostało zablokowane', 'https://portal.example/password-reset'],
    ['en', 'Sygnet: your account was blocked', 'https://portal.example/en/password-reset'],
  ] as const) {
    const person = await testing.makeCustomer(portal, { locale })
    for (let round = 0; round < 2; round++) {
      await attack(person)
      await reset(person, stranger(), `Nowe-Haslo-202${round}?`)
    }
    expect(notices(person)).toMatchObject([{ subject, text: expect.stringContaining(`:\n${link}\n`) }])
    await portal.clock.advance(limits.signIn.block.window + 1)
    await attack(person)
    await portal.deliver()
    expect(notices(person)).toHaveLength(2)
  }
})

test('R17 attempts of an address do not use up those of the owner’s device behind it', async () => {
  const person = await addCustomer(portal)
  const owner = await knownBrowser(person, at(shared))
  const hits = await fireTogether(
    portal,
    Array.from({ length: 50 }, () => shotOf(signIn, body(person), { address: shared })),
  )
  expect(hits.filter(({ status }) => status === 429)).toHaveLength(45)
  expect((await enter(at(shared), person, person.password)).status).toBe(429)
  expect((await owner.call(readSession)).status).toBe(401)
  await testing.passPassword(portal, person, owner)
  expect((await enterCode(owner, person)).status).toBe(200)
})

test('R17 R16 a device that is known to one account has no attempts of its own at another', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const address = '192.0.2.99'
  const annas = await knownBrowser(anna, at(address))
  const { device } = annas
  for (let i = 0; i < 5; i++) expect((await enter(annas, jan)).status).toBe(422)
  expect(annas.device).toBe(device)
  expect((await enter(at(address), jan, jan.password)).status).toBe(429)
})

test('R17 R5 a device is known by a random token of this host, of which the hash is stored', async () => {
  const person = await addCustomer(portal)
  const browser = testing.openBrowser(portal)
  await testing.passPassword(portal, person, browser)
  expect(browser.device).toBeUndefined()
  const done = await enterCode(browser, person)
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
  const thief = at('192.0.2.80')
  thief.device = `${deviceCookie}=${hash}`
  for (let i = 0; i < 5; i++) await enter(thief, person)
  expect((await enter(at('192.0.2.80'), person)).status).toBe(429)
})

test('R17 a device is known until its time or a new password, by a new token each time', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const isKnown = async (device: string, { login }: Login) => {
    const { rows } = await portal.owner.query(
      `select count(*)::int as n from devices join accounts a on a.id = account_id
        where login = $1 and token_hash = sha256($2) and expires_at > portal_now()`,
      [login, Buffer.from(device.split('=')[1]!)],
    )
    return rows[0].n === 1
  }
  const browser = await testing.signInAs(portal, anna)
  const first = browser.device!
  expect([await isKnown(first, anna), await isKnown(first, jan)]).toEqual([true, false])
  await testing.signInAs(portal, anna, browser)
  const second = browser.device!
  expect([await isKnown(first, anna), await isKnown(second, anna)]).toEqual([false, true])
  // Another person's sign-in in the same browser ends nothing of hers.
  await testing.signInAs(portal, jan, browser)
  expect([await isKnown(second, anna), await isKnown(browser.device!, jan)]).toEqual([true, true])
  await portal.clock.advance(limits.device.days * 86_400)
  expect(await isKnown(browser.device!, jan)).toBe(false)
  const fresh = await testing.signInAs(portal, jan)
  const otherBrowser = await testing.signInAs(portal, jan)
  const before = fresh.device!
  const change = { currentPassword: jan.password, newPassword, repeatPassword: newPassword }
  expect((await fresh.call(changePassword, { body: change })).status).toBe(204)
  // But for the one on which it was set (R118).
  expect([await isKnown(before, jan), await isKnown(otherBrowser.device!, jan)]).toEqual([false, false])
  expect(await isKnown(fresh.device!, jan)).toBe(true)
})

test('R14 R15 with a device’s cookie a wrong password takes the same work for every account', async () => {
  const [owner, otherBrowser] = [await addCustomer(portal), await addCustomer(portal)]
  const { device } = await knownBrowser(owner)
  const take = watchWork()
  const seen = []
  for (const login of [otherBrowser.login, 'nobody-at-all']) {
    for (const cookie of [device, `${deviceCookie}=${'x'.repeat(43)}`]) {
      const browser = at('192.0.2.95')
      browser.device = cookie
      take()
      const { status, problem } = await enter(browser, { login })
      const { statements, hashes } = take()
      seen.push({ status, problem, statements, hashes })
    }
  }
  for (const answer of seen) expect(answer).toEqual(seen[0])
  expect(seen[0]!.statements.some((statement) => statement.includes('from devices'))).toBe(true)
})

const resets = ({ email }: testing.Person) =>
  portal.mails.filter(({ to, subject }) => to === email && subject === 'Sygnet: ustaw nowe hasło')

/** Asks for a reset, which always gets the same answer; returns how many mails it caused. */
async function requestReset(person: testing.Person, browser = stranger()) {
  const before = resets(person).length
  expect((await testing.askForReset(portal, person.email, browser)).status).toBe(204)
  return resets(person).length - before
}
const isGood = async (token: string) => (await stranger().call(checkPasswordLink, { body: { token } })).status === 200
const put = (token: string, password = newPassword) =>
  stranger().call(setPassword, { body: { token, password: { newPassword: password, repeatPassword: password } } })

test('R119 strangers’ requests use up nothing of a known device, and flood no mailbox', async () => {
  const person = await testing.makeCustomer(portal)
  const owner = await testing.signInAs(portal, person, stranger())
  await owner.call(signOut)
  const away = stranger()
  let sent = 0
  for (let i = 0; i < 6; i++) sent += await requestReset(person, away)
  for (let i = 0; i < 3; i++) sent += await requestReset(person)
  expect(await requestReset(person)).toBe(1)
  for (let i = 0; i < 40; i++) sent += await requestReset(person)
  // Nor do they flood the mailbox.
  expect(sent).toBeLessThanOrEqual(limits.reset.byStrangers.limit + limits.reset.spaced.limit)
  for (let i = 0; i < limits.reset.perAccount.limit; i++) expect(await requestReset(person, owner)).toBe(1)
  expect(await requestReset(person, owner)).toBe(0)
})

test('R119 whoever asks from the owner’s network, a link that works is always in the mailbox', async () => {
  const person = await testing.makeCustomer(portal)
  const here = () => at(shared)
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 2; i++) await requestReset(person, here())
    await portal.clock.advance(limits.reset.spaced.window / 2)
    await requestReset(person, here())
    expect(await isGood(testing.linkToken(portal, person.email))).toBe(true)
    expect(resets(person).length).toBeLessThanOrEqual(2 * (round + 2))
    await portal.clock.advance(limits.reset.spaced.window / 2)
  }
  expect(await requestReset(person, here())).toBe(1)
  expect(await isGood(testing.linkToken(portal, person.email))).toBe(true)
})

test('R119 R11 a stranger who asks every minute ends no link; the one that is used ends others', async () => {
  const person = await testing.makeCustomer(portal)
  await requestReset(person)
  const owners = testing.linkToken(portal, person.email)
  const theirs = []
  for (let minute = 0; minute < 20; minute++) {
    await portal.clock.advance(60)
    if (await requestReset(person)) theirs.push(testing.linkToken(portal, person.email))
  }
  expect(new Set(theirs).size).toBeGreaterThan(2)
  expect(await isGood(owners)).toBe(true)
  expect((await put(owners)).status).toBe(204)
  for (const token of theirs) expect((await put(token, 'Inne-Haslo-2028?')).problem.code).toBe('link-expired')
})

test('R119 R120 an address without requests left blocks no known device; used links cost nothing', async () => {
  const [anna, jan] = [await testing.makeCustomer(portal), await testing.makeCustomer(portal)]
  const here = () => at('192.0.2.55')
  const owner = await testing.signInAs(portal, anna, here())
  await owner.call(signOut)
  const request = ({ email }: testing.Person) => testing.askForReset(portal, email, here())
  for (let i = 0; i < limits.reset.perAddress.limit; i++) expect((await request(jan)).status).toBe(204)
  expect((await request(anna)).status).toBe(429)
  expect(await requestReset(anna, owner)).toBe(1)
  await portal.clock.advance(limits.reset.perAddress.window)
  for (let i = 0; i < limits.reset.perAddress.limit + 2; i++) {
    const person = await testing.makeCustomer(portal)
    expect(await requestReset(person, here())).toBe(1)
    expect((await testing.spendMailedLink(portal, person.email, here(), newPassword)).status).toBe(204)
  }
})
