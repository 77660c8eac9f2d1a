import { afterEach, describe, expect, test } from 'vitest'
import { readSession } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { checkLostPhoneLink, requestLostPhoneLink, suspendAfterLoss } from '../../contract/lost-phone.ts'
import { checkPasswordLink, sendLinkAgain } from '../../contract/password-link.ts'
import { putSignature } from '../../contract/provider/provider-signatures.ts'
import { listProviderStatusRequests, reportStatusChanged } from '../../contract/provider/provider-status-requests.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { requestResumption, requestRevocation, requestSuspension } from '../../contract/status-requests.ts'
import { certificateStatusByHttp } from '../adapters/provider-services-http.ts'
import { readAuditedActions, auditEntries } from '../testing/audit-entries.ts'
import { browsersElsewhere, openBrowser, type TestBrowser } from '../testing/browser.ts'
import { fireTimes, preparedCall } from '../testing/burst.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { sampleIdentification } from '../testing/portal-nodes.ts'
import { startStatusService } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { insertStepUp, makeSeal, mobile } from '../testing/samples/sample-seals.ts'
import { linkToken } from '../testing/sent-messages.ts'
import {
  askForReset,
  goodPassword,
  putPerson,
  replacePassword,
  signInAs,
  spendLink,
} from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })
const authority = await startStatusService(portal, provider)
const { connect } = authority
connect(certificateStatusByHttp(authority.service))
afterEach(() => portal.clock.advance(0))
const api = openBrowser(portal)
const stranger = browsersElsewhere(portal)

const right = sampleIdentification.document.number
const wrong = (nth: number) => `ABA4${String(nth).padStart(5, '0')}`

type Addressee = { email: string }
const mailsTo = ({ email }: Addressee) => portal.mails.filter(({ to }) => to === email)
const answersTo = (person: Addressee) => mailsTo(person).filter(({ subject }) => subject.includes('utracie telefonu'))
const tokenFor = (person: Addressee) =>
  mailsTo(person)
    .map(({ text }) => /\/lost-phone#link=([\w-]{43})/.exec(text)?.[1])
    .find((token) => token !== undefined)!

/** Requests the link, which always gets the same answer; returns how many mails it caused. */
async function requestLink(
  person: Addressee & { login: string },
  by: 'login' | 'email' = 'login',
  browser = stranger(),
) {
  const before = answersTo(person).length
  const body = { login: person[by], botProof: crypto.randomUUID() }
  expect((await browser.call(requestLostPhoneLink, { body })).status).toBe(204)
  await portal.deliver()
  return answersTo(person).length - before
}

const look = (token: string) => stranger().call(checkLostPhoneLink, { body: { token } })
const enter = (token: string, documentNumber = right, node = 0) =>
  stranger().call(suspendAfterLoss, { body: { token, documentNumber } }, node)

async function makeOwner(signatures = 1) {
  const person = await addCustomer(portal, { identification: sampleIdentification })
  const certificates: Buffer[] = []
  for (let i = 0; i < signatures; i++) {
    const body = await provider.signedBody(person.id)
    await api.call(putSignature, { params: { signature: `s-${crypto.randomUUID()}` }, body })
    certificates.push(Buffer.from(body.certificate, 'base64'))
  }
  const browser = await signInDirectly(portal, person)
  const { items } = (await browser.call(listSignatures)).body
  await portal.deliver()
  const list = async () => (await (await signInDirectly(portal, person)).call(listSignatures)).body.items
  const link = async () => {
    expect(await requestLink(person)).toBe(1)
    return tokenFor(person)
  }
  return {
    person,
    browser,
    ids: items.map(({ id }) => id),
    list,
    link,
    ocsp: () => Promise.all(certificates.map((certificate) => authority.statusOf(certificate))),
  }
}

const requestsOf = (ids: readonly string[]) =>
  portal.rows('select id, reason, state from status_requests where signature_id = any($1) order by id', [ids])

/** Suspended certificate in the list. Only the provider ends the suspension. */
const suspended = { reason: 'suspended', changes: ['revoke'] }

test('STP-7 R224 the link of a mail and the number of the document suspend every own signature, end every session and send no text message', async () => {
  const owner = await makeOwner(2)
  const { person, browser } = owner
  const elsewhere = await signInDirectly(portal, person)
  portal.texts.length = 0
  expect(await requestLink(person, 'email')).toBe(1)
  const token = tokenFor(person)
  const looked = await look(token)
  // Nothing else, because a thief of the mailbox sees it.
  expect(looked.body).toEqual({ certificates: 2, suspended: 0, expiresAt: expect.any(String) })
  expect(await requestsOf(owner.ids)).toEqual([])
  expect((await browser.call(readSession)).status).toBe(200)

  const mistyped = await enter(token, wrong(1))
  expect([mistyped.status, mistyped.problem.code]).toEqual([422, 'lost-phone-number-wrong'])
  expect(await requestsOf(owner.ids)).toEqual([])

  const documentNumber = ' aba–30\u00a00000 '
  const done = await browser.call(suspendAfterLoss, { body: { token, documentNumber } })
  expect(browser.cookie).toBeUndefined()
  expect(done.body).toMatchObject({ seals: [] })
  const app = { product: 'app', organisation: null }
  expect(done.body.requested).toMatchObject([app, app])
  const requested = { reason: 'phone-lost', state: 'requested' }
  expect(await requestsOf(owner.ids)).toMatchObject([requested, requested])
  for (const session of [browser, elsewhere]) expect((await session.call(readSession)).status).toBe(401)
  await portal.deliver()
  await portal.deliver()
  expect(await owner.ocsp()).toEqual(['certificateHold', 'certificateHold'])
  expect(await owner.list()).toMatchObject([suspended, suspended])
  const subjects = mailsTo(person).map(({ subject }) => subject.replace(/^.*: /, ''))
  expect(
    subjects.filter((subject) => /zlecono zawieszenie|jest zawieszony|utratę telefonu/.test(subject)).toSorted(),
  ).toEqual(['certyfikat jest zawieszony', 'certyfikat jest zawieszony', 'zgłoszono utratę telefonu'])
  expect(portal.texts).toEqual([])
  const actions = await readAuditedActions(portal, { login: person.login })
  expect(actions.filter((action) => /lost|suspen/.test(action))).toEqual([
    'lost-phone-link-requested',
    'lost-phone-document-refused',
    'lost-phone-confirmed',
    'suspension-requested',
    'suspension-requested',
    'certificate-suspended',
    'certificate-suspended',
  ])
  const { items } = (await api.call(listProviderStatusRequests, { query: { state: 'done' } })).body
  const { reason } = requested
  expect(items.filter(({ customer }) => customer === person.id)).toMatchObject([{ reason }, { reason }])
})

test('STP-7 the session of the customer in the same browser ends with the report, and that of somebody else goes on', async () => {
  for (const isOwn of [true, false]) {
    const owner = await makeOwner()
    const token = await owner.link()
    const browser = isOwn ? owner.browser : await signInDirectly(portal, await addCustomer(portal))
    const { status, body, headers } = await browser.call(suspendAfterLoss, { body: { token, documentNumber: right } })
    expect([status, body.hasEndedSession]).toEqual([200, isOwn])
    expect(headers.getSetCookie().some((cookie) => cookie.startsWith('__Host-sygnet='))).toBe(isOwn)
    expect((await browser.call(readSession)).status).toBe(isOwn ? 401 : 200)
    expect((await owner.browser.call(readSession)).status).toBe(401)
  }
})

test('STP-7 where no document is known, or nothing can be suspended, the mail has no link and says whom to call', async () => {
  const unknown = await addCustomer(portal)
  await provider.give(unknown)
  const empty = await addCustomer(portal, { identification: sampleIdentification })
  for (const person of [unknown, empty]) {
    expect(await requestLink(person)).toBe(1)
    const [mail] = answersTo(person)
    expect(mail!.subject).toContain('zadzwoń do nas po utracie telefonu')
    expect(mail!.text).toContain(portal.portal.settings.brand.phone)
    expect(mail!.text).not.toContain('/lost-phone')
  }
})

test('STP-7 seals are left alone and named; one mail names twenty certificates at most', async () => {
  const owner = await makeOwner(21)
  const other = await addCustomer(portal)
  const members = [owner.person, other].map((person) => ({ person, role: 'admin', status: 'active' }) as const)
  for (const organisation of ['Bractwo', 'Cech']) await makeSeal(portal, provider, members, { organisation })
  const token = await owner.link()
  expect((await look(token)).body.certificates).toBe(21)
  const { body } = await enter(token)
  expect([body.requested.length, body.seals]).toEqual([21, ['Bractwo', 'Cech']])
  await portal.deliver()
  const reported = (person: Addressee) =>
    mailsTo(person).filter(({ subject }) =>
      /zgłoszono utratę|osoba z\u00a0dostępem do pieczęci zgłosiła utratę/.test(subject),
    )
  const [mail, ...more] = reported(owner.person)
  expect(more).toEqual([])
  expect(mail!.text.match(/– podpis w\u00a0aplikacji mobilnej, ważny do /g)).toHaveLength(20)
  expect(mail!.text).toContain('i\u00a0jeszcze 1')
  const named = (person: Addressee) =>
    reported(person).map(({ text }) => /Pieczęcie nie są zawieszone: ([^.]*)\./.exec(text)?.[1])
  expect([named(owner.person), named(other)]).toEqual([['Bractwo; Cech'], ['Bractwo; Cech']])
  // No other mail announces the requests.
  expect(mailsTo(owner.person).filter(({ subject }) => subject.includes('zlecono zawieszenie'))).toEqual([])
  expect((await portal.owner.query('select from status_requests where seal_id is not null')).rows).toEqual([])
})

describe('R220 a link does only what it was mailed for', () => {
  test('STP-7 R220 a link for a lost phone sets no password', async () => {
    const owner = await makeOwner()
    const token = await owner.link()
    for (const { problem } of [
      await stranger().call(checkPasswordLink, { body: { token } }),
      await spendLink(stranger(), token, 'Nowe-Haslo-2027?'),
      await stranger().call(sendLinkAgain, { body: { token } }),
    ])
      expect(problem.code).toBe('link-unknown')
    // The password is still the old one, and the link good.
    await signInAs(portal, owner.person)
    expect((await look(token)).status).toBe(200)
  })

  test('STP-7 R220 a link that sets a password suspends nothing', async () => {
    const owner = await makeOwner()
    await askForReset(portal, owner.person.email, stranger())
    const token = linkToken(portal, owner.person.email)
    for (const call of [look, enter]) expect((await call(token)).problem.code).toBe('link-unknown')
    expect(await requestsOf(owner.ids)).toEqual([])
    expect((await owner.browser.call(readSession)).status).toBe(200)
    expect((await stranger().call(checkPasswordLink, { body: { token } })).status).toBe(200)
  })

  test('STP-7 R220 looking does not use a link up, and it works for half an hour', async () => {
    const owner = await makeOwner()
    const token = await owner.link()
    for (let i = 0; i < 3; i++) expect((await look(token)).status).toBe(200)
    await portal.clock.advance(limits.link.lostPhone - 5)
    expect((await look(token)).status).toBe(200)
    await portal.clock.advance(5)
    for (const call of [look, enter]) expect((await call(token)).problem.code).toBe('link-expired')
  })
})

test('STP-7 R221 of sixty guesses at once, by three links, at most five numbers are compared', async () => {
  const owner = await makeOwner()
  const tokens: string[] = []
  for (let i = 0; i < 3; i++) tokens.push(await owner.link())
  expect(new Set(tokens).size).toBe(3)
  const answers = await fireTimes(portal, 60, (i) =>
    preparedCall(suspendAfterLoss, { body: { token: tokens[i % 3]!, documentNumber: wrong(i) } }),
  )
  const refused = await readAuditedActions(portal, { login: owner.person.login, action: 'lost-phone-document-refused' })
  expect(refused).toHaveLength(limits.lostPhone.numbers.limit)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(61 - limits.lostPhone.numbers.limit)
  const late = await enter(tokens[0]!)
  expect([late.status, late.problem.code]).toEqual([429, 'too-many-attempts'])
  expect(late.problem.retryAfter).toBeGreaterThan(limits.lostPhone.numbers.window - 600)
  expect(await requestsOf(owner.ids)).toEqual([])
  await portal.deliver()
  const spent = mailsTo(owner.person).filter(({ subject }) => subject.includes('za dużo błędnych numerów'))
  expect(spent).toHaveLength(1)

  // A day later the owner can.
  await portal.clock.advance(limits.lostPhone.numbers.window)
  expect((await enter(await owner.link())).status).toBe(200)
})

test('STP-7 R221 after five wrong numbers the mail says what an earlier report has suspended', async () => {
  const spentMail = ({ person }: Awaited<ReturnType<typeof makeOwner>>) =>
    mailsTo(person).find(({ subject }) => subject.includes('za dużo błędnych numerów'))!.text
  const [owner, other] = [await makeOwner(), await makeOwner()]
  expect((await enter(await owner.link())).status).toBe(200)
  for (const each of [owner, other]) {
    const next = await each.link()
    // The right number does not count as a wrong one of the next report.
    for (let i = 1; i < limits.lostPhone.numbers.limit; i++)
      expect((await enter(next, wrong(i))).problem.code).toBe('lost-phone-number-wrong')
    await enter(next, wrong(0))
  }
  await portal.deliver()
  expect(spentMail(owner)).toContain('Wcześniejsze zawieszenia pozostają bez zmian')
  expect(spentMail(owner)).not.toContain('Niczego nie zawiesiliśmy')
  expect(spentMail(other)).toContain('Niczego nie zawiesiliśmy')
})

test('STP-7 R222 requests are limited by network, and a mailbox gets a link at least every twenty minutes', async () => {
  const owner = await makeOwner()
  const { person } = owner
  const here = stranger()
  const sent = []
  for (let i = 0; i < 6; i++) sent.push(await requestLink(person, 'login', here))
  // Three, and the one in a while.
  expect(sent).toEqual([1, 1, 1, 1, 0, 0])
  await portal.clock.advance(limits.reset.spaced.window)
  expect(await requestLink(person, 'login', here)).toBe(1)
  const body = { login: 'nobody', botProof: crypto.randomUUID() }
  for (let i = 7; i < limits.reset.perAddress.limit; i++)
    await here.call(requestLostPhoneLink, { body: { ...body, botProof: crypto.randomUUID() } })
  const more = await here.call(requestLostPhoneLink, { body })
  expect([more.status, more.problem.code]).toEqual([429, 'too-many-attempts'])
  const robot = await stranger().call(requestLostPhoneLink, { body: { ...body, botProof: 'robot' } })
  expect(robot.problem.code).toBe('bot-check-refused')
  // These requests do not use up the links for a new password.
  const before = mailsTo(person).length
  await askForReset(portal, person.email, here)
  expect(mailsTo(person).length).toBe(before + 1)
})

test('STP-7 R223 the right number by several links at once over two nodes requests each suspension once', async () => {
  const owner = await makeOwner(2)
  const tokens = [await owner.link(), await owner.link(), await owner.link()]
  // Without an entry of it, a report leaves nothing.
  await portal.owner.query(`alter table audit add constraint refused check (act <> 'suspension-requested') not valid`)
  expect((await enter(tokens[0]!)).status).toBe(500)
  await portal.owner.query('alter table audit drop constraint refused')
  expect(await requestsOf(owner.ids)).toEqual([])
  expect([(await owner.browser.call(readSession)).status, (await look(tokens[0]!)).status]).toEqual([200, 200])
  const answers = await fireTimes(portal, 12, (i) =>
    preparedCall(suspendAfterLoss, { body: { token: tokens[i % 3]!, documentNumber: right } }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await requestsOf(owner.ids)).toHaveLength(2)
  for (const token of tokens) expect((await look(token)).problem.code).toMatch(/^link-(?:used|expired)$/)
  await portal.deliver()
})

const resume = (browser: TestBrowser, id: string, node = 0) => browser.call(requestResumption, { params: { id } }, node)

/** Requests a suspension as the owner, who could also end it. */
async function suspend({ person, browser }: Awaited<ReturnType<typeof makeOwner>>, id: string) {
  for (const purpose of ['suspend', 'resume'] as const) await insertStepUp(portal, person, purpose, id)
  const body = { reason: 'compromised' } as const
  expect((await browser.call(requestSuspension, { params: { id }, body })).status).toBe(200)
}

/** Makes an owner whose first certificate is suspended, with the link of a report. */
async function suspendedOwner(signatures = 1) {
  const owner = await makeOwner(signatures)
  const id = owner.ids[0]!
  await suspend(owner, id)
  await portal.deliver()
  return { owner, id, token: await owner.link() }
}

describe('R224 a thief with the phone', () => {
  test('STP-7 R224 ends the owner’s link neither by a sign-in nor by a new password or number, but a new e-mail address does', async () => {
    const owner = await makeOwner()
    const token = await owner.link()
    const thief = await signInAs(portal, owner.person)
    expect((await look(token)).status).toBe(200)
    expect((await replacePassword(thief, goodPassword, 'Inne-Haslo-2028?')).status).toBe(204)
    expect((await look(token)).status).toBe(200)
    const { id, password: _, ...person } = owner.person
    const put = async (body: typeof person) => expect((await putPerson(portal, body, id)).status).toBe(200)
    const renumbered = { ...person, phone: mobile() }
    await put(renumbered)
    expect((await look(token)).status).toBe(200)
    await put({ ...renumbered, email: `nowy.${person.email}` })
    expect((await look(token)).problem.code).toBe('link-expired')
  })

  test('STP-7 R224 STP-2 ends no suspension, neither this one nor an earlier or an open one of the customer’s', async () => {
    const owner = await makeOwner(3)
    const [first, second] = owner.ids
    await suspend(owner, first!)
    await portal.deliver()
    await suspend(owner, second!)
    // While the request of the authority waits.
    authority.failWith(503)
    const token = await owner.link()
    authority.failWith(undefined)
    await portal.clock.advance(3)
    await enter(token)
    await portal.deliver()
    const thief = await signInDirectly(portal, owner.person)
    for (const id of owner.ids) {
      await insertStepUp(portal, owner.person, 'resume', id)
      const { problem } = await resume(thief, id)
      expect([id, problem?.code, problem?.current]).toEqual([id, 'state-passed', 'suspended'])
    }
    expect(await owner.ocsp()).toEqual(['certificateHold', 'certificateHold', 'certificateHold'])
    // What was left to the provider is in the history: the one that waited with its request, whose reason has changed.
    const kept = await auditEntries(portal, { login: owner.person.login, action: 'suspension-kept' })
    expect(kept.map(({ details }) => details)).toEqual([
      { signature: second, request: expect.any(String) },
      { signature: first },
    ])
    expect(await requestsOf([second!])).toMatchObject([{ reason: 'phone-lost', state: 'done' }])
  })

  test('STP-7 R224 R178 an authority that may have carried out a resumption is asked to suspend again, and after it', async () => {
    const { owner, id, token } = await suspendedOwner()
    const resumption = await resume(owner.browser, id)
    // It resumes the certificate, and its answer is lost.
    authority.loseAnswers(true)
    await portal.deliver()
    authority.loseAnswers(false)
    expect(await owner.ocsp()).toEqual(['good'])
    expect((await enter(token)).body.requested).toHaveLength(1)
    expect((await owner.list()).map(({ reason }) => reason)).toEqual(['suspended'])
    authority.received.length = 0
    await portal.deliver()
    expect(authority.received).toEqual([])
    await portal.clock.advance(limits.statusRequest.underWay + 5)
    await portal.deliver()
    expect(await owner.ocsp()).toEqual(['certificateHold'])
    const [first, resumed, last] = await requestsOf([id])
    expect([first!.state, resumed!.state, last!.state]).toEqual(['done', 'replaced', 'done'])
    expect(resumed!.id).toBe(resumption.body.id)
    // Others may wait for their authority, too.
    expect(authority.received).not.toContain(resumed!.id)
    expect(authority.received.filter((received) => received === last!.id)).toHaveLength(1)
    expect(await owner.list()).toMatchObject([suspended])
  })

  test('STP-7 R224 requests to resume that are made during the report resume nothing', async () => {
    for (let round = 0; round < 2; round++) {
      const { owner, id, token } = await suspendedOwner()
      const [reported] = await Promise.all([enter(token), resume(owner.browser, id, 0), resume(owner.browser, id, 1)])
      expect(reported.status).toBe(200)
      await portal.deliver()
      await portal.clock.advance(limits.statusRequest.underWay + 5)
      await portal.deliver()
      expect(await owner.ocsp()).toEqual(['certificateHold'])
      expect(await owner.list()).toMatchObject([suspended])
    }
  })

  test('STP-7 R224 an only certificate whose suspension waits or is done is kept suspended too', async () => {
    const { owner, id, token } = await suspendedOwner()
    expect((await look(token)).body).toMatchObject({ certificates: 0, suspended: 1 })
    expect((await enter(token)).body.requested).toEqual([])
    const thief = await signInDirectly(portal, owner.person)
    await insertStepUp(portal, owner.person, 'resume', id)
    expect((await resume(thief, id)).problem.code).toBe('state-passed')
  })

  test('STP-7 R224 an open request to end a suspension is ended, and no revocation replaces the suspension', async () => {
    const { owner, id: first, token } = await suspendedOwner(2)
    const [, second] = owner.ids
    // Without an interface, requests wait for people.
    connect(undefined)
    const resumption = await resume(owner.browser, first)
    expect(resumption.status).toBe(200)
    expect((await enter(token)).status).toBe(200)
    const report = await api.call(reportStatusChanged, { params: { request: resumption.body.id } })
    expect(report.problem.code).toBe('state-passed')
    const thief = await signInDirectly(portal, owner.person)
    await insertStepUp(portal, owner.person, 'revoke', second!)
    const revocation = await thief.call(requestRevocation, {
      params: { id: second! },
      body: { reason: 'compromised', confirmation: 'REVOKE' },
    })
    expect(revocation.problem.code).toBe('state-passed')
    // So nothing offers one.
    const shown = (await thief.call(listSignatures)).body.items.find(({ id }) => id === second)!
    expect([shown.request?.change, shown.changes]).toEqual(['suspend', []])
    expect((await owner.list()).map(({ reason }) => reason)).toContain('suspended')
    expect(await requestsOf([second!])).toMatchObject([{ reason: 'phone-lost', state: 'requested' }])
    connect(certificateStatusByHttp(authority.service))
  })
})
