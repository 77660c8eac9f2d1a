import { beforeEach, expect, test } from 'vitest'
import { signIn } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { requestLostPhoneLink } from '../../contract/lost-phone.ts'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { blockCustomer } from '../../contract/provider/provider-customers.ts'
import { register } from '../../contract/registration.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { watchWork } from '../testing/concurrency.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
import { linkMails } from '../testing/sent-messages.ts'
import { makeCustomer, putPerson, type Person } from '../testing/test-customers.ts'

const portal = await openPortal({ nodes: 2 })
// Stopped, so that answers which name a time can be compared to the byte.
let now = Date.UTC(2027, 5, 6)
const pass = (seconds: number) => portal.clock.stopAt(new Date((now += seconds * 1000)))
beforeEach(async () => {
  await portal.deliver()
  await pass(3 * 86_400)
})

const states = ['active', 'absent', 'blocked', 'not activated', 'unconfirmed'] as const
type State = (typeof states)[number]
type Somebody = Pick<Person, 'login' | 'email'>

/** Creates a customer whose account is in the state; the absent one has no account. */
async function personIn(state: State): Promise<Somebody> {
  if (state === 'absent') return samplePerson()
  if (state === 'unconfirmed') {
    const person = samplePerson()
    const body = registrationForm({ email: person.email })
    await openBrowser(portal, { address: freshAddress() }).call(register, { body })
    await portal.deliver()
    // What was asked for then is no longer counted.
    await pass(4 * 3600)
    return person
  }
  if (state === 'not activated') {
    const person = samplePerson()
    await putPerson(portal, person)
    await portal.deliver()
    return person
  }
  const person = await makeCustomer(portal)
  if (state === 'blocked') await openBrowser(portal).call(blockCustomer, { params: { customer: person.id } })
  return person
}

let addresses = 0
const freshAddress = () => `203.0.113.${++addresses % 250}`

/** What an attacker sees of an answer. */
type VisibleReply = { status: number; headers: [string, string][]; body: string }
async function visibleParts(answer: Response): Promise<VisibleReply> {
  const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  // Names of registrations are as random for a known e-mail as for any other.
  const body = (await answer.text()).replace(/"registration":"[0-9a-f-]{36}"/, 'random')
  return { status: answer.status, headers, body }
}

/** Makes the same calls for a customer in every state, and returns the responses and the work done for them. */
async function transcripts(
  attempt: (person: Somebody, send: (path: string, body: unknown) => Promise<void>) => Promise<void>,
) {
  const take = watchWork()
  const all: Record<State, { seen: VisibleReply[]; work: ReturnType<typeof take>[] }> = {} as never
  for (const state of states) {
    const person = await personIn(state)
    const address = freshAddress()
    const seen: VisibleReply[] = []
    const work: ReturnType<typeof take>[] = []
    let node = 0
    await attempt(person, async (path, body) => {
      // A browser of its own for each attempt, and the nodes in turn.
      const browser = openBrowser(portal, { address, node: node++ % 2 })
      take()
      seen.push(await visibleParts(await browser.raw('POST', path, body)))
      work.push(take())
    })
    all[state] = { seen, work }
  }
  return all
}

function expectAlike(all: Awaited<ReturnType<typeof transcripts>>) {
  for (const state of states) {
    expect([state, all[state].seen]).toEqual([state, all.active.seen])
    expect([state, all[state].work]).toEqual([state, all.active.work])
  }
}

const proof = () => crypto.randomUUID()

test('AUT-3 R14 R15 wrong passwords get the same answers for the same work in every state', async () => {
  for (const by of ['login', 'email'] as const) {
    const all = await transcripts(async (person, send) => {
      for (let i = 0; i < limits.signIn.pause.limit + 3; i++)
        await send(signIn.path, { login: person[by], password: 'Wrong-Password-1!', botProof: proof() })
    })
    expectAlike(all)
    expect(all.active.seen.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429, 429, 429])
    // Five passwords are worked on, and none beyond.
    expect(all.active.work.map(({ hashes }) => hashes.length)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
    for (const { headers } of all.active.seen) expect(headers.map(([name]) => name)).not.toContain('set-cookie')
  }
})

test('AUT-3 AUT-4 R14 the answers stay the same over the attempt that blocks an account, and after it', async () => {
  const countBlocked = async () =>
    (await auditEntries(portal, { action: 'account-blocked' })).filter(({ actor }) => actor === 'system').length
  const before = await countBlocked()
  const all = await transcripts(async ({ login }, send) => {
    for (let i = 0; i < 14; i++) {
      if (i % 5 === 0) await pass(limits.signIn.pause.window)
      await send(signIn.path, { login, password: 'Wrong-Password-1!', botProof: proof() })
    }
  })
  for (const state of states) expect([state, all[state].seen]).toEqual([state, all.active.seen])
  expect(new Set(all.active.seen.map(({ status }) => status))).toEqual(new Set([422]))
  expect(await countBlocked()).toBe(before + 2)
})

test('AUT-3 R14 the bot check is required from the same attempt in every state of the account', async () => {
  const all = await transcripts(async ({ login }, send) => {
    for (let i = 0; i < 5; i++) await send(signIn.path, { login, password: 'Wrong-Password-1!' })
    for (let i = 0; i < 5; i++)
      await send(signIn.path, { login, password: 'Wrong-Password-1!', botProof: i % 2 ? 'robot' : proof() })
  })
  expectAlike(all)
  const codes = all.active.seen.map(({ body }) => (JSON.parse(body) as { code: string }).code)
  const [refused, needed, robot] = ['login-refused', 'bot-check-required', 'bot-check-refused']
  expect(codes).toEqual([refused, refused, needed, needed, needed, refused, robot, refused, robot, refused])
})

test('AUT-3 R15 empty and endless passwords cost the same in every state; none is hashed in vain', async () => {
  const passwords = ['', 'x', 'x'.repeat(1024), 'ﷺ'.repeat(1024), 'x'.repeat(10_000), 'x\u0000y']
  const all = await transcripts(async ({ login }, send) => {
    for (const password of passwords) await send(signIn.path, { login, password, botProof: proof() })
  })
  expectAlike(all)
  expect(all.active.seen.map(({ status }) => status)).toEqual([400, 422, 422, 422, 400, 422])
  expect(all.active.work.map(({ hashes }) => hashes.length)).toEqual([0, 1, 1, 1, 0, 1])
})

test('R14 two names of one account do not give themselves away by a limit, and share it (R16)', async () => {
  const wrong = 'Wrong-Password-1!'
  const five = Array.from({ length: 5 })
  const all = await transcripts(async ({ login, email }, send) => {
    for (const name of [login, email])
      for (const _ of five) await send(signIn.path, { login: name, password: wrong, botProof: proof() })
  })
  for (const state of states) expect([state, all[state].seen]).toEqual([state, all.active.seen])

  // Not even an attempt that is refunded, for want of the bot check's proof, makes room.
  for (const proven of [4, 0]) {
    const person = await makeCustomer(portal)
    const browser = openBrowser(portal, { address: freshAddress() })
    const attempt = async (login: string, password: string, more: { botProof?: string } = { botProof: proof() }) =>
      (await browser.call(signIn, { body: { login, password, ...more } })).problem.code
    for (const _ of five) await attempt(person.login, wrong)
    for (let i = 0; i < proven; i++) expect(await attempt(person.email, person.password)).toBe('login-refused')
    if (!proven) for (const _ of five) await attempt(person.email, wrong, {})
    expect(await attempt(person.email, person.password)).toBe('login-refused')
  }
})

test('PWD-1 R14 a reset is answered the same for the same work in every state of an account', async () => {
  const all = await transcripts(async ({ email }, send) => {
    for (let i = 0; i < limits.reset.perAddress.limit + 3; i++)
      await send(requestPasswordReset.path, { email, locale: 'pl', botProof: proof() })
  })
  expectAlike(all)
  expect(all.active.seen.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 204), 429, 429, 429])
  for (const { statements, hashes } of all.active.work) {
    expect(hashes).toEqual([])
    for (const statement of statements) expect(statement).not.toMatch(/accounts|links/)
  }
})

test('STP-7 R222 the link for a lost phone is answered the same for the same work in every state', async () => {
  for (const by of ['login', 'email'] as const) {
    const all = await transcripts(async (person, send) => {
      for (let i = 0; i < limits.reset.perAddress.limit + 1; i++)
        await send(requestLostPhoneLink.path, { login: person[by], botProof: proof() })
    })
    expectAlike(all)
    expect(all.active.seen.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 204), 429])
    for (const { statements } of all.active.work)
      for (const statement of statements) expect(statement).not.toMatch(/accounts|links/)
  }
})

test('REG-4 R14 a registration is answered the same for the same work in every state', async () => {
  const mailsTo = (email: string) => portal.mails.filter(({ to }) => to === email).length
  const all = await transcripts(async ({ email }, send) => {
    await portal.deliver()
    const before = mailsTo(email)
    for (let i = 0; i < 8; i++)
      await send(register.path, registrationForm({ email, botProof: i === 3 ? 'robot' : proof() }))
    // Every mailbox gets the same number of mails, and only afterwards.
    expect(mailsTo(email)).toBe(before)
    await portal.deliver()
    expect(mailsTo(email)).toBe(before + 3)
  })
  expectAlike(all)
  expect(all.active.seen.map(({ status }) => status)).toEqual([200, 200, 200, 422, 200, 429, 429, 429])
  for (const { statements, hashes } of all.active.work) {
    expect(hashes).toEqual([])
    for (const statement of statements) expect(statement).not.toMatch(/accounts|links|consents/)
  }
})

test('PWD-1 R15 R29 a reset only queues: three mails leave an hour, and one in twenty minutes', async () => {
  const mailsOf: Record<string, number> = {}
  const since = new Date(now)
  for (const state of states) {
    const { email } = await personIn(state)
    const before = linkMails(portal, email).length
    const browser = openBrowser(portal, { address: freshAddress() })
    for (let i = 0; i < 6; i++)
      expect(
        (await browser.call(requestPasswordReset, { body: { email, locale: 'pl', botProof: proof() } })).status,
      ).toBe(204)
    expect(linkMails(portal, email)).toHaveLength(before)
    await portal.deliver()
    mailsOf[state] = linkMails(portal, email).length - before
  }
  expect(mailsOf).toEqual({ active: 4, absent: 0, blocked: 4, 'not activated': 4, unconfirmed: 0 })
  // Suppressed requests are audited, too, and none reveals more to an outsider.
  const requested = (await auditEntries(portal, { action: 'password-reset-requested' })).filter(({ at }) => at >= since)
  expect([requested.length, requested.filter(({ details }) => details['sent']).length]).toEqual([30, 12])
})
