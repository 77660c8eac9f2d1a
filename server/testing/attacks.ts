import { enterSignInCode, resendSignInCode, signIn, signOut } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { openBrowser } from './browser.ts'
import { sendTogether, preparedCall, type PreparedCall } from './burst.ts'
import { countRows } from './database-state.ts'
import { samplePerson, type TestPortal } from './portal-nodes.ts'
import type { TestProcess } from './processes.ts'
import { smsCode } from './sent-messages.ts'
import {
  askForReset,
  enterSmsCode,
  makeCustomer,
  passPassword,
  signInAs,
  spendMailedLink,
  type Person,
} from './test-customers.ts'

/**
 * Attacks on sign-ins and codes, in full size or smaller, for tests and measurements. The results are read from the database,
 * the audit trail and the caught messages.
 */
const wrong = 'Wrong-Password-1!'

const countAuditEntries = (portal: TestPortal, { login }: { login: string }, ...names: string[]) =>
  countRows(portal, 'audit join accounts a on a.id = account_id where a.login = $1 and act = any($2)', login, names)

const countJudgedEntries = (portal: TestPortal, person: Person) =>
  countAuditEntries(portal, person, 'code-refused', 'code-limit-reached')

const otherCodes = (right: string, howMany: number) =>
  Array.from({ length: howMany }, (_, i) => String((Number(right) + 1 + i) % 1_000_000).padStart(6, '0'))

const entry = (code: string, cookie: string | undefined) =>
  preparedCall(enterSignInCode, { body: { code } }, { cookie })

/** Sends calls in bursts of at most a thousand: more parallel sockets would measure the machine, not the portal. */
async function fireAll(portal: TestPortal, shots: PreparedCall[], atOnce = 1000) {
  const hits = []
  for (let from = 0; from < shots.length; from += atOnce)
    hits.push(...(await sendTogether(portal, shots.slice(from, from + atOnce))))
  return hits
}

/** Makes a new customer whose sign-in waits for a code. */
async function awaitCode(portal: TestPortal) {
  const person = await makeCustomer(portal)
  const { browser } = await passPassword(portal, person)
  return { person, browser, right: smsCode(portal, person.phone) }
}

/** Enters wrong guesses at one code, all at once, and then the right one (R21). */
export async function guessAtOnce(portal: TestPortal, guesses: number) {
  const { person, browser, right } = await awaitCode(portal)
  await fireAll(
    portal,
    otherCodes(right, guesses).map((code) => entry(code, browser.cookie)),
  )
  const late = await browser.call(enterSignInCode, { body: { code: right } })
  return { judged: await countJudgedEntries(portal, person), lateStatus: late.status }
}

/** Enters the right code many times at once (R22). */
export async function repeatAtOnce(portal: TestPortal, times: number) {
  const { person, browser, right } = await awaitCode(portal)
  await fireAll(
    portal,
    Array.from({ length: times }, () => entry(right, browser.cookie)),
  )
  const sessions = await countRows(
    portal,
    `sessions s join accounts a on a.id = s.account_id where a.login = $1 and stage = 'signed-in'`,
    person.login,
  )
  return { sessions }
}

/**
 * Starts sign-ins of a person that wait for their codes, through all nodes and from as many networks, because one
 * network may have only five at once (R16).
 */
async function openSignIns(portal: TestPortal, { login, password }: Person, howMany: number) {
  const shots = Array.from({ length: howMany }, (_, i) =>
    preparedCall(
      signIn,
      { body: { login, password, botProof: crypto.randomUUID() } },
      { address: `10.100.${i % 250}.${Math.floor(i / 250) + 1}` },
    ),
  )
  // At most as many at once as fit the queue of hashes (R18).
  const hits = await fireAll(portal, shots, 50)
  const cookies = hits.flatMap(({ headers }) => headers['set-cookie']?.split(';')[0] ?? [])
  if (cookies.length !== howMany) throw new Error(`${cookies.length} of ${howMany} sign-ins could be opened`)
  return cookies
}

/** Opens several operations at once, with five guesses each and resends between, and then enters the right code of the last (R20). */
export async function guessOverOperations(portal: TestPortal, operations: number) {
  const person = await makeCustomer(portal)
  const cookies = await openSignIns(portal, person, operations)
  await portal.deliver()
  await portal.clock.advance(limits.code.resendAfter)
  const shots = cookies.flatMap((cookie) => [
    preparedCall(resendSignInCode, {}, { cookie }),
    ...otherCodes(smsCode(portal, person.phone), limits.code.entries).map((code) => entry(code, cookie)),
  ])
  await fireAll(portal, shots)
  await portal.deliver()
  const last = openBrowser(portal)
  last.cookie = cookies.at(-1)!
  const late = await last.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } })
  return { judged: await countJudgedEntries(portal, person), lateStatus: late.status }
}

/** Requests many resends of one sign-in at once, each time one is allowed, until the limit is used up (R25). */
export async function resendAtOnce(portal: TestPortal, times: number) {
  const person = await makeCustomer(portal)
  const { browser } = await passPassword(portal, person)
  for (let i = 0; i < limits.code.sends; i++) {
    await portal.clock.advance(limits.code.resendAfter)
    await fireAll(
      portal,
      Array.from({ length: times }, () => preparedCall(resendSignInCode, {}, { cookie: browser.cookie })),
    )
    await portal.deliver()
  }
  return { sent: portal.texts.filter(({ to }) => to === person.phone).length }
}

/** Requests resends from many sessions to the number of their account, which may receive three more messages that day (R25). */
export async function resendToOneNumber(portal: TestPortal, times: number, sessions: number, perNumber: number) {
  const { phone } = samplePerson()
  const person = await makeCustomer(portal, { phone })
  const cookies = await openSignIns(portal, person, sessions)
  for (let left = perNumber - sessions - 3; left > 0; left--) await openSignIns(portal, person, 1)
  await portal.deliver()
  const before = portal.texts.filter(({ to }) => to === phone).length
  await portal.clock.advance(limits.code.resendAfter)
  const shots = Array.from({ length: times }, (_, i) =>
    preparedCall(resendSignInCode, {}, { cookie: cookies[i % cookies.length], address: `198.18.${i % 250}.1` }),
  )
  await fireAll(portal, shots)
  await portal.deliver()
  return { sent: portal.texts.filter(({ to }) => to === phone).length - before }
}

/** Tries wrong passwords, all at once, and the right one last (R16). */
export async function tryPasswordsAtOnce(portal: TestPortal, processes: readonly TestProcess[], tries: number) {
  const person = await makeCustomer(portal)
  const checked = async () =>
    (await Promise.all(processes.map((process) => process.request('checks')))).reduce((a, b) => a + b)
  // Each round has its own network; otherwise the network's limit for all logins would be reached first (R28).
  const address = `10.90.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`
  const shot = (password: string) =>
    preparedCall(signIn, { body: { login: person.login, password, botProof: crypto.randomUUID() } }, { address })
  const before = await checked()
  const hits = await sendTogether(portal, [
    ...Array.from({ length: tries }, (_, i) => shot(`Wrong-Password-${i}!`)),
    shot(person.password),
  ])
  const [late] = await sendTogether(portal, [shot(person.password)])
  return {
    checked: (await checked()) - before,
    right: hits.at(-1)!.status,
    late: late!.status,
    limitEvents: await countAuditEntries(portal, person, 'sign-in-limit-reached'),
  }
}

/**
 * Tries wrong passwords for one login from many networks and from the owner's own (R17, R118). The owner signs in from a known device, and
 * then from an unknown one by a reset.
 */
export async function lockOut(portal: TestPortal, tries: number, addresses: number) {
  const person = await makeCustomer(portal)
  const home = '192.0.2.77'
  const known = await signInAs(portal, person, openBrowser(portal, { address: home }))
  await known.call(signOut)
  const owner = openBrowser(portal, { address: home })
  const codes = () =>
    portal.owner
      .query(`select name, key, spent, locked_until from rate_limits where name ~ '^(code|sms)-' order by name, key`)
      .then(({ rows }) => JSON.stringify(rows))
  const before = await codes()
  const shots = Array.from({ length: tries }, (_, i) => {
    const n = i % addresses
    const password = `Wrong-Password-${i}!`
    return preparedCall(
      signIn,
      { body: { login: person.login, password, botProof: crypto.randomUUID() } },
      { address: n === 0 ? home : `10.${n >> 8}.${n & 255}.7` },
    )
  })
  await fireAll(portal, shots, 500)
  await portal.deliver()
  const codesUntouched = (await codes()) === before
  const { answer: onKnown } = await passPassword(portal, person, known)
  await portal.clock.advance(limits.signIn.pause.window)
  const { answer: onUnknown } = await passPassword(portal, person, owner)
  const password = 'Nowe-Haslo-2027?'
  let recovered = onUnknown.status
  if (onUnknown.status !== 200) {
    await askForReset(portal, person.email, owner)
    await spendMailedLink(portal, person.email, owner, password)
    recovered = (await passPassword(portal, { ...person, password }, owner)).answer.status
  }
  if (recovered === 200) recovered = (await enterSmsCode(portal, owner, person)).status
  const notices = portal.mails.filter(({ to, subject }) => to === person.email && /zablokowane/.test(subject)).length
  return {
    onKnown: onKnown.status,
    onUnknown: onUnknown.problem.code ?? 'signed in',
    recovered,
    notices,
    codesUntouched,
  }
}

/** Makes thousands of accounts, copied from one that was created normally, with `over` in their columns. Nobody can sign in to them. */
export async function cloneCustomers(portal: TestPortal, howMany: number, over: object = {}) {
  const { login, email } = await makeCustomer(portal)
  await portal.owner.query(
    `insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'provider_id', a.login || n,
        'login', a.login || '..' || n, 'login_key', a.login_key || '..' || n, 'email', n || a.email, 'email_key', n || a.email_key) || $3::jsonb)).*
      from accounts a, generate_series(1, $2::int) n where a.login = $1`,
    [login, howMany, JSON.stringify(over)],
  )
  return Array.from({ length: howMany }, (_, i) => ({ login: `${login}.${i + 1}`, email: `${i + 1}${email}` }))
}

/** Makes one guess at each of many accounts, from many addresses and networks (R28). */
export async function spray(portal: TestPortal, accounts: number, addresses: number, networks: number) {
  const people = await cloneCustomers(portal, accounts)
  const blocked = () => countRows(portal, 'accounts where blocked_at is not null')
  const before = await blocked()
  const shots = people.map(({ login }, i) =>
    preparedCall(
      signIn,
      { body: { login, password: wrong } },
      { address: `10.200.${i % networks}.${Math.floor((i % addresses) / networks) + 1}` },
    ),
  )
  const started = Date.now()
  const hits = await fireAll(portal, shots, 200)
  const judged = hits.filter(({ problem }) => problem.code === 'login-refused').length
  const { rows } = await portal.owner.query<{ at: Date; now: Date }>(
    `select min(at) as at, portal_now() as now from audit where act = 'alarm-raised' and details->>'about' ~ '^10\\.200\\.'`,
  )
  const [{ at, now }] = rows as [{ at: Date | null; now: Date }]
  // By the portal's clock, which a test may have moved.
  const begun = now.getTime() - (Date.now() - started)
  return {
    judged,
    slowed: hits.filter(({ status, problem }) => status === 429 || problem.code === 'bot-check-required').length,
    alarmSeconds: at ? (at.getTime() - begun) / 1000 : Infinity,
    lockedOut: (await blocked()) - before,
  }
}

/** Sends requests at a limit through all processes, while one of them is killed, and then through a new process (R78). */
export async function killAmongRequests(
  portal: TestPortal,
  processes: readonly TestProcess[],
  openAnother: () => Promise<TestProcess>,
  requests: number,
) {
  const { email } = samplePerson()
  const address = `198.51.100.${Math.floor(Math.random() * 200) + 20}`
  const shot = () =>
    preparedCall(requestPasswordReset, { body: { email, locale: 'pl', botProof: crypto.randomUUID() } }, { address })
  const first = await sendTogether(portal, Array.from({ length: requests }, shot), () => processes[0]!.kill())
  const another = await openAnother()
  const wide = { ...portal, nodes: [portal.nodes[1]!, { ...portal.nodes[0]!, origin: another.origin }] }
  const later = await sendTogether(wide, Array.from({ length: 20 }, shot))
  return {
    /** The number of accepted requests, counted by answers, because messages leave the outbox at any moment. */
    accepted: [...first, ...later].filter(({ status }) => status >= 200 && status < 300).length,
    refusedLater: later.filter(({ status }) => status === 429).length,
    another,
  }
}
