import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { readSession, resendSignInCode, sendSignInCode, signIn } from '../../contract/account.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { wordingOf, written } from '../../contract/legal/wordings.ts'
import { limits } from '../../contract/limits.ts'
import { checkPasswordLink, sendLinkAgain, setPassword } from '../../contract/password-link.ts'
import * as confirmation from '../../contract/phone-confirmation.ts'
import { getCustomer } from '../../contract/provider/provider-customers.ts'
import { register } from '../../contract/registration.ts'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import { decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import type { RegistrationRequest } from '../platform/messages/message.ts'
import { tidyUp } from '../platform/operations/tidying.ts'
import { readAuditedActions, auditEntries } from '../testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { fireTimes, sendTogether, preparedCall } from '../testing/burst.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { registrationForm, wordingHashes, type Entered } from '../testing/samples/registration-forms.ts'
import { linkToken, smsCode } from '../testing/sent-messages.ts'
import {
  askForReset,
  bothFields,
  confirmOwnPhone,
  goodPassword,
  makeCustomer,
  putPerson,
  signInAs,
  spendLink,
} from '../testing/test-customers.ts'
import { answerRegistration } from './registrations.ts'

let checkerAnswers = true
const portal = await openPortal({
  nodes: 2,
  botCheck: {
    kind: 'altcha',
    siteKey: '',
    origin: undefined,
    verify: async (proof) => ({
      verdict: !checkerAnswers ? 'unreachable' : proof === 'robot' ? 'refused' : 'human',
      nonce: proof,
      expiresInSeconds: 300,
    }),
  },
})

let now = Date.UTC(2027, 8, 1, 12)
const pass = (seconds: number) => portal.clock.stopAt(new Date((now += seconds * 1000)))
beforeEach(async () => {
  await portal.deliver()
  await pass(2 * 86_400)
})

let addresses = 0
const freshAddress = () => `203.0.113.${++addresses % 250}`
const visitor = () => openBrowser(portal, { address: freshAddress() })
const enter = (over: Partial<Entered> = {}, address = freshAddress()) =>
  openBrowser(portal, { address }).call(register, { body: registrationForm(over) })

/** Registers somebody and lets the mail arrive. */
async function registered(over: Partial<Entered> = {}) {
  const body = registrationForm(over)
  const answer = await visitor().call(register, { body })
  await portal.deliver()
  return { body, answer, token: linkToken(portal, body.email) }
}
/** Returns the customer of a registration, for `signInAs`. */
const personOf = (body: Entered) => ({
  ...samplePerson(),
  ...body,
  secondName: null,
  login: body.email,
  id: '',
  password: goodPassword,
})
const choose = (token: string) => spendLink(openBrowser(portal), token)
const check = (token: string) => openBrowser(portal).call(checkPasswordLink, { body: { token } })
const again = (token: string) => visitor().call(sendLinkAgain, { body: { token } })
const mailsTo = (email: string) => portal.mails.filter(({ to }) => to === email)
const rowsOf = async (email: string) => {
  const rows = await portal.rows('select * from accounts where email = $1 order by created_at, id', [email])
  return rows.map((row) => ({ ...row, phone: decryptPhone(portal.portal.keys, row.id, row.phone) }))
}
const consentsOf = (email: string) =>
  portal.rows(
    'select kind, given, c.version, c.locale as "shownIn", c.at, wording_sha256, wording from consents c join wordings on sha256 = wording_sha256 join accounts a on a.id = account_id where email = $1 order by c.id',
    [email],
  )
const entriesNow = async (action: AuditAction) =>
  (await auditEntries(portal, { action })).filter(({ at }) => at.getTime() === now)

describe('REG-1 REG-4 an account', () => {
  test('REG-1 REG-4 is created when the link of the mail is used, with exactly what was entered', async () => {
    for (const locale of ['pl', 'en'] as const) {
      const { body, answer, token } = await registered({ locale, secondName: 'Anna', marketing: true })
      expect(answer.status).toBe(200)
      expect(mailsTo(body.email)).toHaveLength(1)
      const [mail] = mailsTo(body.email)
      expect(mail!.text).toContain(`https://portal.example${locale === 'en' ? '/en' : ''}/setup-password/`)
      // Nobody is found by the e-mail before.
      expect(await rowsOf(body.email)).toMatchObject([{ login_key: null, email_key: null, password_hash: null }])
      expect((await check(token)).body).toMatchObject({ purpose: 'set-up', login: body.email })
      expect((await choose(token)).status).toBe(204)
      expect(await rowsOf(body.email)).toMatchObject([
        {
          login: body.email,
          email_key: body.email,
          phone: body.phone,
          first_name: body.firstName,
          second_name: 'Anna',
          surname: body.surname,
          locale,
          provider_id: null,
        },
      ])
      expect((await signInAs(portal, personOf(body))).cookie).toContain('__Host-')
      expect((await choose(token)).problem.code).toBe('link-used')
    }
  })

  test('REG-4 R10 its link works for 24 hours to the second, and then requests a new one', async () => {
    const { body, token } = await registered()
    await pass(limits.link.registration - 1)
    expect((await check(token)).status).toBe(200)
    await pass(1)
    expect((await check(token)).problem.code).toBe('link-expired')
    expect((await choose(token)).problem.code).toBe('link-expired')
    expect((await again(token)).status).toBe(200)
    await portal.deliver()
    const renewed = linkToken(portal, body.email)
    expect(renewed).not.toBe(token)
    await pass(limits.link.registration - 1)
    expect((await choose(renewed)).status).toBe(204)
    expect(await rowsOf(body.email)).toMatchObject([{ email_key: body.email, first_name: body.firstName }])
  })

  test('REG-4 R87 leaves nothing behind unconfirmed, but a link sent again works its whole time', async () => {
    const [late, forgotten] = [await registered(), await registered({ marketing: true })]
    await pass(limits.registration.kept - 1)
    await again(late.token)
    await portal.deliver()
    const renewed = linkToken(portal, late.body.email)
    await pass(1)
    await tidyUp(portal.portal)
    expect(await rowsOf(forgotten.body.email)).toHaveLength(1)
    await pass(1)
    await tidyUp(portal.portal)
    expect(await rowsOf(forgotten.body.email)).toEqual([])
    const left = 'select from consents where account_id = $1 union all select from links where account_id = $1'
    expect(await portal.rows(left, [forgotten.answer.body.registration])).toEqual([])
    await pass(limits.link.registration - 3)
    await tidyUp(portal.portal)
    expect((await check(renewed)).body).toMatchObject({ purpose: 'set-up', login: late.body.email })
    await pass(1)
    await tidyUp(portal.portal)
    expect(await rowsOf(late.body.email)).toEqual([])
  })

  test('REG-4 R92 is stored once, although the outbox may deliver its message twice', async () => {
    const { email, locale, ...form } = registrationForm()
    await sql`insert into wordings (sha256, wording) values ('x', '{}')`.execute(portal.db)
    const request: RegistrationRequest = {
      ...form,
      registration: crypto.randomUUID(),
      replaces: null,
      email,
      secondName: null,
      locale,
      consents: [{ kind: 'terms', version: '2026-11-01', locale, sha256: 'x' }],
      at: new Date(now).toISOString(),
      address: '203.0.113.1',
      wanted: true,
    }
    for (const _ of [1, 2]) await answerRegistration(portal.portal, request)
    await portal.deliver()
    expect(await rowsOf(email)).toHaveLength(1)
    expect(mailsTo(email)).toHaveLength(1)
    expect(await consentsOf(email)).toHaveLength(1)
  })

  test('REG-1 R27 is refused field by field, or for its country, and such a form is no attempt', async () => {
    const address = freshAddress()
    const wrong = { email: 'jan@', firstName: ' ', phone: '+48 600', terms: false, privacy: false } as object
    for (let i = 0; i < 8; i++) {
      const { status, problem } = await enter(wrong, address)
      expect(status).toBe(400)
      expect(problem.fields).toEqual([
        { name: 'email', problem: 'email-format' },
        { name: 'firstName', problem: 'required' },
        { name: 'phone', problem: 'phone-incomplete' },
        { name: 'terms', problem: 'terms-required' },
        { name: 'privacy', problem: 'privacy-required' },
      ])
      expect((await enter({ phone: '+33612345678' }, address)).problem.code).toBe('sms-country-refused')
    }
    expect((await enter({ phone: '+4915112345678' }, address)).status).toBe(200)
  })

  test('REG-1 R74 R76 for any names, the mail contains only the end of the number', async () => {
    const hostile = '<b>Kliknij</b> http://evil.example/?"'
    const { body } = await registered({ firstName: hostile, secondName: hostile, surname: hostile })
    const [mail] = mailsTo(body.email)
    for (const part of [mail!.subject, mail!.text, mail!.html]) {
      expect(part).not.toMatch(/evil|Kliknij/)
      expect(part).not.toContain(body.phone.slice(3, -3))
    }
    expect(mail!.text).toContain(`+48 ••• ••• ${body.phone.slice(-3)}`)
  })
})

describe('REG-4 an e-mail that is known', () => {
  test('REG-4 gets a mail that says so, without a link, and the account stays as it is', async () => {
    const person = await makeCustomer(portal)
    await portal.deliver()
    const before = await rowsOf(person.email)
    const seen = mailsTo(person.email).length
    await enter({ email: person.email.toUpperCase() })
    // Only queued: nothing leaves while the request is answered.
    expect(mailsTo(person.email)).toHaveLength(seen)
    await portal.deliver()
    const [mail, ...rest] = mailsTo(person.email)
    expect(rest).toHaveLength(seen)
    expect(mail!.subject).toBe('Sygnet: masz już konto')
    expect(mail!.text).toContain('https://portal.example/password-reset')
    expect(mail!.text).not.toContain('setup-password')
    expect(await rowsOf(person.email)).toEqual(before)
    expect(await rowsOf(person.email.toUpperCase())).toEqual([])
    expect((await signInAs(portal, person)).cookie).toBeDefined()
  })

  test('REG-4 gets the invitation again when its customer never set a password', async () => {
    const person = samplePerson({ locale: 'en' })
    await putPerson(portal, person)
    await portal.deliver()
    const first = linkToken(portal, person.email)
    const { token } = await registered({ email: person.email })
    expect((await check(first)).problem.code).toBe('link-expired')
    expect((await check(token)).body).toMatchObject({ login: person.login })
    expect((await rowsOf(person.email))[0]).toMatchObject({ phone: person.phone })
  })
})

describe('R79 too many attempts', () => {
  const statuses = async (address: string, times: number) => {
    const all: number[] = []
    for (let i = 0; i < times; i++) all.push((await enter({}, address)).status)
    return all
  }
  const queued = () => portal.rows(`select from outbox where channel = 'registration' and outcome is null`)

  test('REG-3 R79 what was refused is not counted: five more go an hour later, and after ten the day is over', async () => {
    const address = freshAddress()
    expect(await statuses(address, 8)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    await pass(limits.registration.perHour.window - 1)
    expect(await statuses(address, 1)).toEqual([429])
    await pass(1)
    expect(await statuses(address, 6)).toEqual([200, 200, 200, 200, 200, 429])
    await pass(limits.registration.perHour.window)
    const late = await enter({}, address)
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, String(86_400 - 7200)])
    await pass(86_400 - 7200)
    expect(await statuses(address, 1)).toEqual([200])
  })

  test('REG-3 R77 a robot, a used proof and a bot check without an answer are refused; only the last does not count as an attempt', async () => {
    await portal.deliver()
    const address = freshAddress()
    const proof = crypto.randomUUID()
    checkerAnswers = false
    // One after another: what is given back to one counts while it is asked about.
    for (let i = 0; i < 7; i++) expect((await enter({}, address)).problem.code).toBe('bot-check-unavailable')
    checkerAnswers = true
    expect((await enter({ botProof: 'robot' }, address)).problem.code).toBe('bot-check-refused')
    expect((await enter({ botProof: proof }, address)).status).toBe(200)
    expect((await enter({ botProof: proof }, address)).problem.code).toBe('bot-check-refused')
    expect(await statuses(address, 3)).toEqual([200, 200, 429])
    expect(await queued()).toHaveLength(3)
    expect((await enter({ botProof: undefined as never })).status).toBe(400)
  })

  test('REG-4 R26 R29 one mailbox gets three mails an hour, however it is spelled and from any address', async () => {
    const { email } = registrationForm()
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('mail', 'MaIl'), email]
    for (const spelling of spellings) expect((await enter({ email: spelling })).status).toBe(200)
    await portal.deliver()
    expect(portal.mails.filter(({ to }) => to.toLowerCase() === email)).toHaveLength(3)
    // Suppressed ones are audited, too.
    const entries = await entriesNow('registration-requested')
    expect([entries.length, entries.filter(({ details }) => details['sent']).length]).toEqual([5, 3])
  })
})

describe('R19 a registration with another person’s e-mail', () => {
  test('R19 REG-4 gains nothing by being first: no sign-in, no reset, and the owner’s data is the owner’s', async () => {
    const attack = await registered({ firstName: 'Zły', phone: '+48500600700' })
    const { email } = attack.body
    expect((await passPassword(email)).answer.problem.code).toBe('login-refused')
    const seen = mailsTo(email).length
    await askForReset(portal, email, openBrowser(portal))
    expect(mailsTo(email)).toHaveLength(seen)

    const own = await registered({ email, firstName: 'Ewa' })
    expect((await choose(own.token)).status).toBe(204)
    expect(await rowsOf(email)).toMatchObject([{ first_name: 'Ewa', phone: own.body.phone }])
    expect((await check(attack.token)).problem.code).toBe('link-unknown')
    expect((await choose(attack.token)).problem.code).toBe('link-unknown')
  })

  test('R117 R19 REG-4 gains nothing by being second, in any spelling: the newest link works', async () => {
    const own = await registered({ firstName: 'Ewa' })
    const { email } = own.body
    const spelling = email.replace('mail.example', 'MAIL.Example')
    const attack = await registered({ email: spelling, firstName: 'Zły', phone: '+48500600700' })
    expect(attack.token).not.toBe(own.token)
    expect((await check(own.token)).problem.code).toBe('link-expired')
    expect((await choose(own.token)).problem.code).toBe('link-expired')
    expect((await check(attack.token)).status).toBe(200)
    await again(own.token)
    await portal.deliver()
    expect((await check(attack.token)).problem.code).toBe('link-expired')
    expect((await choose(linkToken(portal, email))).status).toBe(204)
    expect(await rowsOf(email)).toMatchObject([{ first_name: 'Ewa', phone: own.body.phone }])
    expect((await choose(attack.token)).problem.code).toBe('link-unknown')
    expect(await portal.rows('select from accounts where lower(email) = $1', [email])).toHaveLength(1)
  })

  test('R19 REG-4 its author can correct a registration, and no one else can remove it, confirmed or not', async () => {
    const first = await registered()
    const corrected = await registered({ email: first.body.email, replaces: first.answer.body.registration })
    expect((await check(first.token)).problem.code).toBe('link-unknown')
    expect((await check(corrected.token)).status).toBe(200)
    expect(await rowsOf(first.body.email)).toHaveLength(1)

    // Another one voids its link, as the newest does (R117), and takes nothing away: the link itself gets another one sent.
    await registered({ email: first.body.email, replaces: crypto.randomUUID() })
    expect((await check(corrected.token)).problem.code).toBe('link-expired')
    await again(corrected.token)
    await portal.deliver()
    expect((await choose(linkToken(portal, first.body.email))).status).toBe(204)
    await registered({ replaces: corrected.answer.body.registration })
    expect(await rowsOf(first.body.email)).toHaveLength(1)
  })

  test('R19 two links of one e-mail that are used in one moment make one account', async () => {
    for (let round = 0; round < 2; round++) {
      const registration = await registered()
      const secondRegistration = await registered({ email: registration.body.email })
      const tokens = [registration.token, secondRegistration.token]
      const hits = await fireTimes(portal, 4, (i) =>
        preparedCall(setPassword, { body: { token: tokens[i % 2]!, password: bothFields(goodPassword) } }),
      )
      expect(hits.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 422, 422, 422])
      const { email } = registration.body
      expect((await rowsOf(email)).map((row) => row.email_key)).toEqual([email])
    }
  })

  test('R19 OPS-4 does not block the provider, whose customer ends every registration of that e-mail', async () => {
    const squat = await registered()
    const customer = `c-${crypto.randomUUID()}`
    const person = samplePerson({ email: squat.body.email })
    expect((await putPerson(portal, person, customer)).status).toBe(200)
    expect((await choose(squat.token)).problem.code).toBe('link-unknown')
    // One that was under way meanwhile cannot be confirmed either.
    const late = await registered()
    await portal.owner.query('update accounts set email = $1 where email = $2', [person.email, late.body.email])
    expect((await choose(late.token)).problem.code).toBe('link-used')
    const { body } = await openBrowser(portal).call(getCustomer, { params: { customer } })
    expect(body.phone).toBe(person.phone)
  })

  test('R19 OPS-4 becomes the customer of a provider who knows that e-mail, with the password kept and the number of the provider', async () => {
    const registration = await registered()
    expect((await choose(registration.token)).status).toBe(204)
    const own = personOf(registration.body)
    const { email } = own
    const before = await signInAs(portal, own)
    const person = samplePerson({ email })
    const put = await putPerson(portal, person)
    expect([put.status, put.body.state, put.body.phone]).toEqual([200, 'active', person.phone])
    // The session that a code to the other number opened has ended; only the provider's number opens a new one.
    expect((await before.call(readSession)).status).toBe(401)
    expect((await (await signInAs(portal, { ...own, ...person })).call(readSession)).status).toBe(200)
    expect([(await rowsOf(email)).length, (await consentsOf(email)).length]).toEqual([1, 2])
    expect((await entriesNow('customer-updated')).at(-1)).toMatchObject({ details: { adopted: true } })
    // Nobody else's account is taken over in this way.
    expect((await putPerson(portal, person)).problem.code).toBe('login-taken')
  })
})

describe('REG-5 consents', () => {
  test('REG-5 are kept with version, language, time, and the hash of the exact text that was shown', async () => {
    for (const locale of ['pl', 'en'] as const) {
      const { body } = await registered({ locale, marketing: true })
      expect(await consentsOf(body.email)).toEqual(
        (['terms', 'privacy', 'marketing'] as const).map((kind) => {
          const shownText = wordingOf(kind, locale, demonstrationBrand)
          const wording = written(shownText)
          const sha256 = hash('sha256', wording)
          const { version } = shownText
          return { kind, given: true, version, shownIn: locale, at: new Date(now), wording, wording_sha256: sha256 }
        }),
      )
    }
    const { body } = await registered({ marketing: false })
    expect((await consentsOf(body.email)).map(({ kind }) => kind)).toEqual(['terms', 'privacy'])
  })

  test('REG-5 a page that showed another wording is refused, and it does not count as an attempt', async () => {
    const address = freshAddress()
    const stale = { ...wordingHashes('pl'), terms: '0'.repeat(64) }
    for (let i = 0; i < 6; i++) expect((await enter({ wordings: stale }, address)).problem.code).toBe('wording-changed')
    // Nor are they what another language says.
    expect((await enter({ locale: 'en', wordings: wordingHashes('pl') }, address)).problem.code).toBe('wording-changed')
    expect((await enter({}, address)).status).toBe(200)
  })

  test('REG-5 R84 the portal itself can neither change nor remove what was consented to', async () => {
    const { body } = await registered()
    const id = (await rowsOf(body.email))[0].id as string
    for (const statement of [
      sql`update consents set given = false where account_id = ${id}`,
      sql`delete from consents where account_id = ${id}`,
      sql`update wordings set wording = ''`,
      sql`delete from wordings`,
    ])
      await expect(statement.execute(portal.db)).rejects.toThrow(/permission denied/)
  })
})

const day = 86_400
let numbers = 0
const freshNumber = () => `+48502${String(100_000 + numbers++)}`

/** Makes an account whose mailbox is proven, and whose number nobody has confirmed; the browser has passed the password. */
async function registerUnconfirmedPhone(phone: string): Promise<{ browser: TestBrowser; email: string }> {
  const { body, token } = await registered({ phone })
  const browser = visitor()
  await spendLink(browser, token)
  return { browser, email: body.email }
}

const textsTo = (phone: string) => portal.texts.filter(({ to }) => to === phone)

/** Does everything that makes the portal send a code to the number of an account. */
async function triggerAllCodes(browser: TestBrowser, login: string) {
  await browser.call(signIn, { body: { login, password: goodPassword } })
  await browser.call(sendSignInCode)
  for (let i = 0; i < 3; i++) {
    await browser.raw('POST', '/api/phone-confirmation/send')
    await pass(limits.code.resendAfter)
    await browser.call(resendSignInCode)
    await browser.raw('POST', '/api/phone-confirmation/resend')
  }
  await portal.deliver()
}

test('R115 ten registrations with a victim’s number cause two messages, and the victim signs in', async () => {
  const victim = await makeCustomer(portal, { phone: freshNumber() })
  for (let i = 0; i < 10; i++) {
    const { browser, email } = await registerUnconfirmedPhone(victim.phone)
    await triggerAllCodes(browser, email)
  }
  expect(textsTo(victim.phone)).toHaveLength(2)
  const owner = await signInAs(portal, victim)
  expect((await owner.call(readSession)).status).toBe(200)
})

/** Signs the account of a claim in by password alone, on a browser of its own. */
async function passPassword(email: string) {
  const browser = visitor()
  const answer = await browser.call(signIn, { body: { login: email, password: goodPassword } })
  return { browser, answer }
}
const enterCode = (browser: TestBrowser, code: string) => browser.call(confirmation.confirmPhone, { body: { code } })
const correct = (browser: TestBrowser, phone: string) =>
  browser.call(confirmation.correctUnconfirmedPhone, { body: { phone } })
const wrong = (code: string) => (code === '123456' ? '654321' : '123456')
const isConfirmed = async (email: string) => (await rowsOf(email)).at(0)?.phone_confirmed as boolean

test('REG-6 R115 after the password a number is shown masked, and confirmed by a requested code', async () => {
  const phone = freshNumber()
  const { body, token } = await registered({ phone })
  const browser = visitor()
  expect((await check(token)).body.confirmsPhone).toBe(true)
  expect((await spendLink(browser, token)).status).toBe(204)
  const masked = `+48 ••• ••• ${phone.slice(-3)}`
  expect((await browser.call(confirmation.readPhoneConfirmation)).body).toEqual({ phone: masked, sent: null })
  // Half a sign-in opens nothing, and no code of another kind goes to a number that is only claimed.
  expect((await browser.call(readSession)).status).toBe(401)
  expect((await browser.call(sendSignInCode)).problem.code).toBe('phone-unconfirmed')
  await portal.deliver()
  expect(textsTo(phone)).toEqual([])

  const sent = await browser.call(confirmation.sendPhoneConfirmation)
  expect(sent.body).toMatchObject({ phone: masked, sent: { to: masked, ordinal: 1, sendsLeft: 1 } })
  await portal.deliver()
  expect(textsTo(phone)[0]!.text).toContain('do potwierdzenia numeru')
  expect((await browser.call(confirmation.readPhoneConfirmation)).body.sent).toMatchObject({ id: sent.body.sent!.id })
  const code = smsCode(portal, phone)
  expect((await enterCode(browser, wrong(code))).problem.code).toBe('code-wrong')
  expect(await isConfirmed(body.email)).toBe(false)
  const done = await enterCode(browser, code)
  expect(done.body.customer.email).toBe(body.email)
  expect((await browser.call(readSession)).status).toBe(200)
  expect(await readAuditedActions(portal, { login: body.email })).toContain('phone-confirmed')

  const later = await passPassword(body.email)
  expect(later.answer.body).toMatchObject({ channel: 'sms', to: masked })
  const { sendPhoneConfirmation, resendPhoneConfirmation, readPhoneConfirmation } = confirmation
  for (const call of [sendPhoneConfirmation, resendPhoneConfirmation, readPhoneConfirmation])
    expect((await later.browser.call(call)).problem.code).toBe('state-passed')
  expect((await correct(later.browser, freshNumber())).problem.code).toBe('state-passed')
})

test('REG-6 who leaves before confirming is asked to when they sign in', async () => {
  const phone = freshNumber()
  const { email } = await registerUnconfirmedPhone(phone)
  const { browser, answer } = await passPassword(email)
  expect([answer.status, answer.body]).toEqual([200, { channel: 'confirm-phone' }])
  expect((await confirmOwnPhone(portal, phone, browser)).status).toBe(200)
  expect(textsTo(phone)).toHaveLength(1)
})

test('REG-6 a mistyped number is corrected three times a day; an earlier code confirms nothing', async () => {
  const typed = freshNumber()
  const { browser, email } = await registerUnconfirmedPhone(typed)
  await browser.call(confirmation.sendPhoneConfirmation)
  await portal.deliver()
  const stale = smsCode(portal, typed)
  expect((await correct(browser, typed)).problem.code).toBe('phone-unchanged')
  expect((await correct(browser, '+33612345678')).problem.code).toBe('sms-country-refused')
  const right = freshNumber()
  expect((await correct(browser, right)).body).toMatchObject({
    phone: `+48 ••• ••• ${right.slice(-3)}`,
    sent: { ordinal: 1 },
  })
  await portal.deliver()
  expect((await enterCode(browser, stale)).status).toBe(422)
  for (let i = 0; i < 2; i++) expect((await correct(browser, freshNumber())).status).toBe(200)
  expect((await correct(browser, freshNumber())).problem.code).toBe('too-many-attempts')
  await pass(limits.phoneConfirmation.corrections.window)
  const { browser: next } = await passPassword(email)
  expect((await correct(next, right)).status).toBe(200)
  await portal.deliver()
  expect((await enterCode(next, smsCode(portal, right))).status).toBe(200)
})

test('R115 R2 a number corrected while a code goes out is not confirmed by that code', async () => {
  for (let round = 0; round < 5; round++) {
    const [typed, right] = [freshNumber(), freshNumber()]
    const { browser, email } = await registerUnconfirmedPhone(typed)
    const otherBrowser = await passPassword(email)
    await sendTogether(portal, [
      preparedCall(confirmation.sendPhoneConfirmation, {}, { cookie: browser.cookie }),
      preparedCall(
        confirmation.correctUnconfirmedPhone,
        { body: { phone: right } },
        { cookie: otherBrowser.browser.cookie },
      ),
    ])
    await portal.deliver()
    for (const { text } of textsTo(typed)) await enterCode(browser, /#(\d{6})$/.exec(text)![1]!)
    expect(await isConfirmed(email)).toBe(false)
  }
})

test('R115 what strangers have used up comes back after a year; until then the provider confirms', async () => {
  const phone = freshNumber()
  const attacker = await registerUnconfirmedPhone(phone)
  await triggerAllCodes(attacker.browser, attacker.email)
  expect(textsTo(phone)).toHaveLength(2)
  const owner = await registerUnconfirmedPhone(phone)
  expect((await owner.browser.call(confirmation.sendPhoneConfirmation)).problem.code).toBe('phone-sends-spent')
  await pass(300 * day)
  const { browser } = await passPassword(owner.email)
  expect((await browser.call(confirmation.sendPhoneConfirmation)).problem.code).toBe('phone-sends-spent')
  // What support does once it knows who is calling.
  const stated = samplePerson({ email: owner.email, phone })
  expect((await putPerson(portal, stated)).status).toBe(200)
  const person = { ...stated, id: '', password: goodPassword }
  expect((await (await signInAs(portal, person)).call(readSession)).status).toBe(200)
  expect(textsTo(phone)).toHaveLength(3)

  await pass(65 * day + 1)
  const later = await registerUnconfirmedPhone(phone)
  await triggerAllCodes(later.browser, later.email)
  expect(textsTo(phone)).toHaveLength(5)
})

test('R115 R25 who confirms a number has its whole day of messages', async () => {
  const phone = freshNumber()
  const stranger = await registerUnconfirmedPhone(phone)
  await stranger.browser.call(confirmation.sendPhoneConfirmation)
  const own = await registerUnconfirmedPhone(phone)
  await confirmOwnPhone(portal, phone, own.browser)
  for (let i = 0; i < limits.code.sendsPerRecipient.limit; i++)
    expect((await passPassword(own.email)).answer.status).toBe(200)
  expect((await passPassword(own.email)).answer.problem.code).toBe('sends-spent')
  await portal.deliver()
  expect(textsTo(phone)).toHaveLength(2 + limits.code.sendsPerRecipient.limit)
})
