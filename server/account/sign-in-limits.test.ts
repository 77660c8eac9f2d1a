import { expect, onTestFinished, test } from 'vitest'
import * as account from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { checkPasswordLink } from '../../contract/password-link.ts'
import { sendPhoneConfirmation } from '../../contract/phone-confirmation.ts'
import * as provider from '../../contract/provider/provider-customers.ts'
import { register } from '../../contract/registration.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { wrongCodesKey } from '../platform/authentication/account-block.ts'
import { deviceCookie } from '../platform/authentication/devices.ts'
import { logger } from '../platform/observability/log.ts'
import { charge } from '../platform/rate-limits/rate-limits.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import * as testBrowsers from '../testing/browser.ts'
import { fireTimes, sendTogether, preparedCall } from '../testing/burst.ts'
import { watchWork } from '../testing/concurrency.ts'
import { findAccountId } from '../testing/database-state.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestPortal, samplePerson, type TestPortal } from '../testing/portal-nodes.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
import * as sentMessages from '../testing/sent-messages.ts'
import * as testCustomers from '../testing/test-customers.ts'

const portal = await openPortal({ nodes: 2 })

const newPassword = 'Nowe-Haslo-2027?'
const at = (address: string) => testBrowsers.openBrowser(portal, { address })
const stranger = testBrowsers.browsersElsewhere(portal)

type Login = Pick<testCustomers.Person, 'login'>
const tryPassword = (browser: testBrowsers.TestBrowser, { login }: Login, password = 'Wrong-Password-1!') =>
  browser.call(account.signIn, { body: { login, password } })
const tryProven = (browser: testBrowsers.TestBrowser, { login }: Login) =>
  browser.call(account.signIn, { body: { login, password: 'Wrong-Password-1!', botProof: crypto.randomUUID() } })
const enterCode = (browser: testBrowsers.TestBrowser, code: string) =>
  browser.call(account.enterSignInCode, { body: { code } })
const wrongOf = (code: string, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0')

const resets = ({ email }: testCustomers.Person) =>
  portal.mails.filter(({ to, subject }) => to === email && subject === 'Sygnet: ustaw nowe hasło')

/** Asks for a reset; returns how many mails it caused, or why it is refused. */
async function requestReset(person: testCustomers.Person, browser: testBrowsers.TestBrowser) {
  const before = resets(person).length
  const { problem } = await testCustomers.askForReset(portal, person.email, browser)
  return problem.code ?? resets(person).length - before
}

type Act = (
  person: testCustomers.Person,
  browser: testBrowsers.TestBrowser,
) => Promise<number | string | { status: number; problem: { code?: string } }>

const signInAfter =
  (errors: number): Act =>
  async (person, browser) => {
    const { answer } = await testCustomers.passPassword(portal, person, browser)
    if (answer.status !== 200) return answer
    const right = sentMessages.smsCode(portal, person.phone)
    for (let n = 1; n <= errors; n++)
      expect((await enterCode(browser, wrongOf(right, n))).problem.code).toBe('code-wrong')
    return enterCode(browser, right)
  }

const byProvider =
  (endpoint: typeof provider.blockCustomer | typeof provider.unblockCustomer | typeof provider.inviteCustomer): Act =>
  ({ id }, browser) =>
    browser.call(endpoint, { params: { customer: id } })

/** Passwords come with a proof of the bot check, unless they are bare. */
const acts: Record<string, Act> = {
  wrong: (person, browser) => tryProven(browser, person),
  right: async (person, browser) => (await testCustomers.passPassword(portal, person, browser)).answer,
  'bare wrong': (person, browser) => tryPassword(browser, person),
  'bare right': (person, browser) => tryPassword(browser, person, person.password),
  spray: (_, browser) => tryPassword(browser, samplePerson()),
  'wrong code': ({ phone }, browser) => enterCode(browser, wrongOf(sentMessages.smsCode(portal, phone))),
  'old wrong code': async (person) =>
    (await charge(portal.db, portal.portal.keys, wrongCodesKey(await findAccountId(portal, person)))).left[0]!,
  resend: (_, browser) => browser.call(account.resendSignInCode),
  'sign-in': signInAfter(0),
  'sign-in after 1 error': signInAfter(1),
  'sign-in after 2 errors': signInAfter(2),
  'sign-in after 4 errors': signInAfter(4),
  session: (_, browser) => browser.call(account.readSession),
  'step-up begun': async (person, browser) =>
    browser.call(startStepUp, { body: { purpose: 'add-passkey', object: await findAccountId(portal, person) } }),
  'step-up': async (person, browser) =>
    testCustomers.stepUp(portal, browser, person, 'export-data', await findAccountId(portal, person)),
  'new password': ({ password }, browser) => testCustomers.replacePassword(browser, password, newPassword),
  reset: async ({ email }, browser) => {
    await testCustomers.askForReset(portal, email, browser)
    return testCustomers.spendMailedLink(portal, email, browser, newPassword)
  },
  'link request': requestReset,
  'newest link': ({ email }, browser) =>
    browser.call(checkPasswordLink, { body: { token: sentMessages.linkToken(portal, email) } }),
  'code for a registration': async (_, browser) => {
    const form = registrationForm()
    await browser.call(register, { body: form })
    await portal.deliver()
    await testCustomers.spendMailedLink(portal, form.email, browser)
    return browser.call(sendPhoneConfirmation)
  },
  block: byProvider(provider.blockCustomer),
  unblock: byProvider(provider.unblockCustomer),
  invitation: byProvider(provider.inviteCustomer),
  'same data': ({ id, password: _, ...body }, browser) =>
    browser.call(provider.putCustomer, { params: { customer: id }, body }),
}

let networks = 0

/**
 * Plays steps such as `5× neighbour: wrong (Jan) → login-refused`: how often, who, what, for which account (Anna’s
 * unless it is said), and what each gets; or the seconds that pass. Strangers come from a network each; neighbours have
 * the network of the desk, and both a new browser each time. Others keep their browser: at the desk, the device and the
 * tablet the owner signs in. Jan is another customer, everybody a new one each time, and nobody has no account.
 */
async function play(steps: string, known: Record<string, testCustomers.Person> = {}) {
  const shared = `172.16.${++networks}.7`
  const kept: Record<string, testBrowsers.TestBrowser> = { desk: at(shared) }
  const people: Record<string, testCustomers.Person> = { nobody: { ...samplePerson(), id: '', password: '' }, ...known }
  for (const step of steps.split(/[;\n]/).flatMap((text) => text.trim() || [])) {
    const [, seconds, times = '1', who = '', what = '', whose = 'Anna', outcome] =
      /^(?:(\d+) s|(?:(\d+)× )?([\w, ]+): (.+?)(?: \((\w+)\))?(?: → (.+))?)$/.exec(step)!
    if (seconds) await portal.clock.advance(Number(seconds))
    else
      for (const actor of Array.from({ length: Number(times) }, () => who.split(', ')).flat()) {
        const person = whose === 'everybody' ? await addCustomer(portal) : (people[whose] ??= await addCustomer(portal))
        const browser =
          actor === 'stranger' ? stranger() : actor === 'neighbour' ? at(shared) : (kept[actor] ??= stranger())
        const got = await acts[what]!(person, browser)
        const seen = typeof got === 'object' ? (got.problem.code ?? got.status) : got
        if (outcome !== undefined) expect([step, String(seen)]).toEqual([step, outcome])
        if (seen === 204 && /new password|reset/.test(what)) person.password = newPassword
      }
  }
}

const attack = '10× stranger: wrong → login-refused; stranger: right → account-blocked'
const pause = `${limits.signIn.pause.window} s`
const day = '86401 s'

test('R118 AUT-4 strangers block strangers: the known device signs in, and stays known', () =>
  play(`
    device, tablet: sign-in → 200; ${attack}; tablet: session → 200
    2× device: sign-in → 200; stranger: right → account-blocked
  `))

test('R12 R118 a reset opens a blocked account, and strangers cannot lock out its device', () =>
  // A typing mistake does not block it again, but an attack does.
  play(`
    5× device: wrong → login-refused; ${attack}; device: reset → 204
    stranger: wrong → login-refused; stranger: right → 200; ${attack}
    device: right → 200; device: session → signed-out; device: sign-in → 200
  `))

test('R12 R118 changing the password opens a blocked account, and keeps that device known alone', () =>
  play(`
    device, tablet: sign-in → 200; ${attack}; device: new password → 204; device: session → signed-out
    stranger: right → 200; ${attack}; tablet: right → account-blocked; device: right → 200
  `))

test('R118 R17 a known device has five attempts of its own; ten wrong in a day make it unknown', () =>
  // The same person at another browser there is not blocked by it.
  play(`
    desk, tablet: sign-in → 200; 5× desk: wrong → login-refused; desk: right → too-many-attempts
    neighbour: right → 200; ${pause}; 5× desk: wrong → login-refused; ${pause}
    desk: right → account-blocked; tablet: right → 200
  `))

test('R118 R12 the provider’s block refuses known devices too, with or without an attack', async () => {
  for (const attacked of ['', attack]) {
    const Anna = await addCustomer(portal)
    await play(`device: sign-in → 200; ${attacked}; provider: block → 200; device: right → account-blocked`, { Anna })
    const opens = `provider: same data; provider: invitation → already-active; 172800 s`
    await play(`device: sign-in → account-blocked; ${opens}; device, stranger: right → account-blocked`, { Anna })
  }
})

test('R118 R14 a name under attack requires the bot check of strangers, account or not', () =>
  play(`
    device: sign-in → 200
    3× stranger: bare wrong → login-refused; 7× stranger: bare wrong → bot-check-required
    3× stranger: bare wrong (nobody) → login-refused; 7× stranger: bare wrong (nobody) → bot-check-required
    device: bare wrong → login-refused; device: bare right → 200; stranger: right → 200
    ${day}; stranger: bare wrong → login-refused
  `))

test('R17 attempts of an address do not use up those of the owner’s device behind it', () =>
  play(`
    desk: sign-in → 200; 5× neighbour: wrong → login-refused; 20× neighbour: wrong → too-many-attempts
    neighbour: right → too-many-attempts; desk: sign-in → 200
  `))

test('R17 R16 a device that is known to one account has no attempts of its own at another', () =>
  play(`
    desk: sign-in → 200; 5× desk: wrong (Jan) → login-refused
    neighbour: right (Jan) → too-many-attempts; desk: sign-in → 200
  `))

test('AUT-4 R16 five wrong passwords pause the account for the address, for a quarter of an hour', () =>
  play(`
    5× neighbour: wrong → login-refused; neighbour: right → too-many-attempts; stranger: right → 200
    840 s; neighbour: right → too-many-attempts; 61 s; neighbour: right → 200
  `))

test('AUT-4 wrong passwords expire after a day or a complete sign-in, not a right password', () =>
  play(`
    9× stranger: wrong → login-refused; ${day}; 9× stranger: wrong → login-refused; stranger: sign-in → 200
    9× stranger: wrong → login-refused; stranger: right → 200
    stranger: wrong → login-refused; stranger: right → account-blocked
  `))

test('R120 R20 typing errors that a right code follows do not add up: a dozen a day block nobody', async () => {
  // Nor on one device, with attempts that ended at the fifth.
  const fifth = 'device: right → 200; 4× device: wrong code → code-wrong; device: wrong code → code-void'
  await play('4× stranger: sign-in after 4 errors → 200')
  await play(`device: sign-in → 200; ${`${fifth}; device: sign-in → 200;`.repeat(3)}`)
})

test('R120 R20 the owner’s right codes give a guesser nothing: ten guesses in a day are judged', async () => {
  const round = 'guesser: right → 200; 4× guesser: wrong code → code-wrong; stranger: sign-in after 1 error → 200;'
  await play(`
    ${round.repeat(2)} guesser: right → 200; 2× guesser: wrong code → code-wrong
    guesser: wrong code → too-many-attempts; stranger: right → too-many-attempts
  `)
})

test('R118 R120 a guesser of codes with the password locks strangers out, not the known device', async () => {
  const fifth = 'guesser: right → 200; 4× guesser: wrong code → code-wrong; guesser: wrong code → code-void;'
  await play(`
    device: sign-in → 200; ${fifth.repeat(2)}
    stranger: right → too-many-attempts; device: sign-in after 2 errors → 200
  `)
})

test('R118 R20 a hundred wrong codes are the end for strangers only, until a new password', async () => {
  const hundred = `
    ${limits.code.wrongWithoutSuccess - 1}× guesser: old wrong code; guesser: right → 200
    guesser: wrong code → code-wrong; ${day}; stranger: right → too-many-attempts
  `
  await play(`
    device: sign-in → 200; ${hundred}; device: sign-in after 2 errors → 200; device: step-up begun → 200
    stranger: right → too-many-attempts; stranger: reset → 204; stranger: sign-in → 200
  `)
  await play(`${hundred}; provider: unblock → 200; stranger: sign-in → 200`)
})

test('R118 R25 strangers who have the password do not spend the SMS of a known device', async () => {
  const { sendsPerRecipient, resendAfter } = limits.code
  // The owner's own are bounded as well.
  await play(`
    device: sign-in → 200; ${day}; ${sendsPerRecipient.limit}× stranger: right → 200; stranger: right → sends-spent
    device: sign-in → 200; device: step-up begun → 200
    ${sendsPerRecipient.limit - 1}× device: right → 200; device: right → sends-spent
  `)
  await play(`
    tablet: sign-in → 200; guesser: right → 200; ${`${resendAfter} s; guesser: resend → 200;`.repeat(2)}
    stranger: right → sends-spent; tablet: sign-in → 200
  `)
})

test('R12 a reset does not clear the count of wrong codes', () =>
  play(`
    guesser: right → 200; 5× guesser: wrong code; guesser: right → 200; 5× guesser: wrong code
    device: reset → 204; stranger: right → too-many-attempts
  `))

test('R120 R25 codes that nobody enters count for the address: thirty in a day for all customers', () =>
  // Messages to numbers that nobody has confirmed are counted separately.
  play(`
    neighbour: code for a registration → 200; desk: right → 200; ${limits.code.resendAfter} s; desk: resend → 200
    ${limits.code.sendsPerAddress.limit - 2}× neighbour: right (everybody) → 200
    neighbour: right (everybody) → sends-spent
  `))

// More messages than an address, or a number, gets without an entered code.
test('AUT-10 R25 codes that are entered stop nobody: eleven sign-ins a day with two actions each', () =>
  play('device: sign-in → 200; 2× device: step-up → 200; 1800 s;'.repeat(11)))

test('R28 R17 the owner on a known device signs in from the very network that sprays', () =>
  play(`
    desk: sign-in → 200; ${limits.signIn.wrongPerAddress.limit}× neighbour: spray → login-refused
    neighbour: bare right → bot-check-required; desk: bare right → 200
  `))

test('R28 R118 right passwords and known devices do not count as a network’s failures', () =>
  play(`
    desk: sign-in → 200; ${limits.signIn.wrongPerAddress.limit - 1}× neighbour: spray → login-refused
    5× neighbour: right → 200; 4× desk: wrong → login-refused; neighbour: spray → login-refused
    neighbour: bare right → bot-check-required; ${limits.signIn.wrongPerAddress.window} s; neighbour: bare right → 200
  `))

const { perAccount, perAddress, byStrangers } = limits.reset

// One more than the limit, since a link that works must always be there.
test('R119 strangers’ requests use up nothing of a known device, and flood no mailbox', () =>
  play(`
    device: sign-in → 200; ${perAccount.limit + 1}× tablet: link request → 1; 2× tablet: link request → 0
    ${byStrangers.limit - perAccount.limit}× stranger: link request → 1; 20× stranger: link request → 0
    ${perAccount.limit}× device: link request → 1; device: link request → 0
  `))

test('R119 requests from the owner’s network leave a link that works in the mailbox', async () => {
  const Anna = await addCustomer(portal)
  const round = '2× neighbour: link request; 600 s; neighbour: link request; neighbour: newest link → 200; 600 s;'
  await play(`${round.repeat(6)} neighbour: link request → 1; neighbour: newest link → 200`, { Anna })
  expect(resets(Anna).length).toBeLessThanOrEqual(15)
})

test('R119 R120 an address without requests left blocks no known device; used links cost nothing', () =>
  play(`
    desk: sign-in → 200; ${perAddress.limit}× neighbour: link request (everybody) → 1
    neighbour: link request → too-many-attempts; desk: link request → 1
    ${perAddress.window} s; ${perAddress.limit + 2}× neighbour: reset (everybody) → 204
  `))

test('AUT-4 R17 an owner is notified of the block once a day, with the way to the reset', async () => {
  for (const [locale, subject, link] of [
    ['pl', 'Sygnet: konto zostało zablokowane', 'https://portal.example/password-reset'],
    ['en', 'Sygnet: your account was blocked', 'https://portal.example/en/password-reset'],
  ] as const) {
    const Anna = await addCustomer(portal, { locale })
    const notices = async () =>
      (await sentMessages.readDeliveredTo(portal, Anna.email)).filter((mail) =>
        /zablokowane|blocked/.test(mail.subject),
      )
    await play(`${attack}; provider: unblock → 200; ${attack}`, { Anna })
    expect(await notices()).toMatchObject([{ subject, text: expect.stringContaining(`:\n${link}\n`) }])
    await play(`${day}; provider: unblock → 200; ${attack}`, { Anna })
    expect(await notices()).toHaveLength(2)
  }
})

test('R17 R5 a device is known by a random token of this host, of which the hash is stored', async () => {
  const person = await addCustomer(portal)
  const browser = testBrowsers.openBrowser(portal)
  await testCustomers.passPassword(portal, person, browser)
  expect(browser.device).toBeUndefined()
  const done = await testCustomers.enterSmsCode(portal, browser, person)
  const [, set] = done.headers.getSetCookie()
  expect(set).toMatch(
    /^__Host-sygnet-device=[A-Za-z0-9_-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(limits.device.knownDays * 86_400).toBe(15_552_000)
  const token = browser.device!.split('=')[1]!
  const rows = await portal.rows('select d::text as row from devices d')
  const kept = [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')]
  for (const { row } of rows) for (const value of kept) expect(row).not.toContain(value)
  // The contents of the table open nothing and make no device known.
  const [{ hash }] = await portal.rows(
    `select encode(token_hash, 'hex') as hash from devices join accounts a on a.id = account_id where login = $1`,
    [person.login],
  )
  const thief = at('192.0.2.80')
  thief.device = `${deviceCookie}=${hash}`
  for (let i = 0; i < 5; i++) await tryProven(thief, person)
  expect((await tryProven(at('192.0.2.80'), person)).status).toBe(429)
})

test('R17 a device is known until its time or a new password, by a new token each time', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const isKnown = async (device: string, { login }: Login) => {
    const rows = await portal.rows(
      `select from devices join accounts a on a.id = account_id
        where login = $1 and token_hash = sha256($2) and expires_at > portal_now()`,
      [login, Buffer.from(device.split('=')[1]!)],
    )
    return rows.length === 1
  }
  const browser = await testCustomers.signInAs(portal, anna)
  const first = browser.device!
  expect([await isKnown(first, anna), await isKnown(first, jan)]).toEqual([true, false])
  await testCustomers.signInAs(portal, anna, browser)
  const second = browser.device!
  expect([await isKnown(first, anna), await isKnown(second, anna)]).toEqual([false, true])
  // Another person's sign-in in the same browser ends nothing of hers.
  await testCustomers.signInAs(portal, jan, browser)
  expect([await isKnown(second, anna), await isKnown(browser.device!, jan)]).toEqual([true, true])
  await portal.clock.advance(limits.device.knownDays * 86_400)
  expect(await isKnown(browser.device!, jan)).toBe(false)
  const fresh = await testCustomers.signInAs(portal, jan)
  const otherBrowser = await testCustomers.signInAs(portal, jan)
  const before = fresh.device!
  expect((await testCustomers.replacePassword(fresh, jan.password, newPassword)).status).toBe(204)
  // But for the one on which it was set (R118).
  expect([await isKnown(before, jan), await isKnown(otherBrowser.device!, jan)]).toEqual([false, false])
  expect(await isKnown(fresh.device!, jan)).toBe(true)
})

test('R14 R15 with a device’s cookie a wrong password takes the same work for every account', async () => {
  const [owner, otherBrowser] = [await addCustomer(portal), await addCustomer(portal)]
  const { device } = await testCustomers.signInAs(portal, owner, stranger())
  const take = watchWork()
  const seen = []
  for (const login of [otherBrowser.login, 'nobody-at-all']) {
    for (const cookie of [device, `${deviceCookie}=${'x'.repeat(43)}`]) {
      const browser = at('192.0.2.95')
      browser.device = cookie
      take()
      const { status, problem } = await tryProven(browser, { login })
      const { statements, hashes } = take()
      seen.push({ status, problem, statements, hashes })
    }
  }
  for (const answer of seen) expect(answer).toEqual(seen[0])
  expect(seen[0]!.statements.some((statement) => statement.includes('from devices'))).toBe(true)
})

const isGood = async (token: string) => (await stranger().call(checkPasswordLink, { body: { token } })).status === 200
const put = (token: string, password = newPassword) => testCustomers.spendLink(stranger(), token, password)

test('R119 R11 a stranger who asks every minute ends no link; the one that is used ends others', async () => {
  const person = await testCustomers.makeCustomer(portal)
  await requestReset(person, stranger())
  const owners = sentMessages.linkToken(portal, person.email)
  const theirs = []
  for (let minute = 0; minute < 20; minute++) {
    await portal.clock.advance(60)
    if (await requestReset(person, stranger())) theirs.push(sentMessages.linkToken(portal, person.email))
  }
  expect(new Set(theirs).size).toBeGreaterThan(2)
  expect(await isGood(owners)).toBe(true)
  expect((await put(owners)).status).toBe(204)
  for (const token of theirs) expect((await put(token, 'Inne-Haslo-2028?')).problem.code).toBe('link-expired')
})

test('R120 R22 right codes at once give back no more than their own entries', async () => {
  const person = await addCustomer(portal)
  const guesser = await testCustomers.passPassword(portal, person, stranger())
  for (let n = 1; n <= 4; n++) await enterCode(guesser.browser, wrongOf(sentMessages.smsCode(portal, person.phone), n))
  const { browser } = await testCustomers.passPassword(portal, person, stranger())
  const code = sentMessages.smsCode(portal, person.phone)
  const entering = preparedCall(account.enterSignInCode, { body: { code } }, { cookie: browser.cookie })
  const hits = await fireTimes(portal, 20, () => entering)
  // The charge of an entry and the spending of the code never wait for each other.
  expect(hits.map(({ status }) => status)).not.toContain(500)
  const newest = `select cardinality(spent) as n from rate_limits where name = 'code-entries sign-in' order by forget_at desc limit 1`
  expect(await portal.rows(newest)).toEqual([{ n: 4 }])
})

const { wrongPerAddress, wrongPerSubnet } = limits.signIn
const guess = (login: string, address: string) =>
  preparedCall(account.signIn, { body: { login, password: 'Wiosna-2026-Wiosna!' } }, { address })
async function fire(shots: ReturnType<typeof guess>[]) {
  const hits = []
  // No more at once than the queue of hashes takes (R18).
  for (let from = 0; from < shots.length; from += 50)
    hits.push(...(await sendTogether(portal, shots.slice(from, from + 50))))
  return hits
}
const judged = (hits: Awaited<ReturnType<typeof fire>>) =>
  hits.filter(({ problem }) => problem.code === 'login-refused').length
/** Returns the alarms about the networks from which the guesses of a test come. */
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
  for (const owner of owners) expect(await testCustomers.isBlocked(portal, owner)).toBe(false)
  for (const owner of owners.slice(0, 3))
    expect((await testCustomers.passPassword(portal, owner)).answer.status).toBe(200)
})

test('R28 R78 addresses of one /64 are one address, and those of one /48 are neighbours', async () => {
  const from = (i: number) => `2001:db8:5:${(i % 8).toString(16)}:${i.toString(16)}::1`
  const guesses = (count: number, address: (i: number) => string) =>
    fire(Array.from({ length: count }, (_, i) => guess(samplePerson().login, address(i))))
  expect(judged(await guesses(wrongPerSubnet.limit + 50, from))).toBe(wrongPerSubnet.limit)
  const inOneNetwork = (i: number) => `2001:db8:6:6:${i.toString(16)}::1`
  expect(judged(await guesses(wrongPerAddress.limit + 20, inOneNetwork))).toBe(wrongPerAddress.limit)
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
  await fireTimes(logging, wrongPerAddress.limit, () => guess(samplePerson().login, '10.70.1.9'))
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
