import { expect, onTestFinished, test } from 'vitest'
import { enterSignInCode, readSession } from '../../contract/account.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import { readMyData } from '../../contract/personal-data.ts'
import * as phoneChange from '../../contract/phone-change.ts'
import { enterStepUpCode, resendStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { numberChangedBySms, isOneSegment } from '../platform/messages/sms-text.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { fireTimes, preparedCall } from '../testing/burst.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now, sampleIdentification, type TestPortal } from '../testing/portal-nodes.ts'
import { openProcess, reachedThrough } from '../testing/processes.ts'
import { mobile } from '../testing/samples/sample-seals.ts'
import { mailedCode, smsCode } from '../testing/sent-messages.ts'
import { makeCustomer, passPassword, signInAs, stepUp, type Person } from '../testing/test-customers.ts'

const portal = await openPortal({ nodes: 2, settings: { sends: { perNumber: 1000, perAddress: 100_000 } } })

const right = 'ABA300000'
const wrong = (nth: number) => `ABA4${String(nth).padStart(5, '0')}`
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const day = limits.phoneChange.wrong.window

type Changer = { person: Person; browser: TestBrowser; id: string; phone: string }

/** Creates a signed-in customer whose document is known, and a number to change to. */
async function changer(): Promise<Changer> {
  const person = await makeCustomer(portal, { phone: mobile(), identification: sampleIdentification })
  const browser = await signInAs(portal, person)
  const { id } = (await browser.call(readMyData)).body
  return { person, browser, id, phone: mobile() }
}

async function start({ person, browser, id }: Changer) {
  await stepUp(portal, browser, person, 'change-phone', id)
  return browser.call(phoneChange.startPhoneChange, { params: { id } })
}

const document = (browser: TestBrowser, documentNumber: string, node = 0) =>
  browser.call(phoneChange.enterDocumentNumber, { body: { documentNumber } }, node)

async function walkTo(step: phoneChange.PhoneChangeStep): Promise<Changer> {
  const changing = await changer()
  await start(changing)
  await walkOn(changing, step)
  return changing
}

async function walkOn({ person, browser, phone }: Changer, step: phoneChange.PhoneChangeStep) {
  const steps = phoneChange.phoneChangeSteps.indexOf(step)
  if (steps >= 1) await document(browser, right)
  await portal.deliver()
  if (steps >= 2) await browser.call(phoneChange.enterEmailCode, { body: { code: mailedCode(portal, person.email) } })
  if (steps >= 3) await browser.call(phoneChange.enterNewPhone, { body: { phone } })
  await portal.deliver()
  expect((await browser.call(phoneChange.readPhoneChange)).body.change?.step).toBe(step)
}

const numberOf = async ({ person }: Pick<Changer, 'person'>) => {
  const browser = await signInAs(portal, person)
  return (await browser.call(readMyData)).body.maskedPhone
}
const masked = (phone: string) => `+48 ••• ••• ${phone.slice(-3)}`

const entriesOf = ({ person: { login } }: Changer, action: AuditAction) => auditEntries(portal, { login, action })

test('DAT-2 DAT-5 AUT-7 R32 R75 the number changes by document, e-mail code, new number and SMS code; old number and e-mail are notified, and only then it is the new one', async () => {
  const changing = await changer()
  const { person, browser, id, phone } = changing
  const elsewhere = await signInAs(portal, person)
  const refused = await browser.call(phoneChange.startPhoneChange, { params: { id } })
  expect([refused.status, refused.problem.code]).toEqual([403, 'step-up-required'])
  expect((await start(changing)).body).toEqual({ step: 'document', newPhone: null, sent: null })

  // Spaces, dashes and small letters are forgiven.
  const mailed = await document(browser, ' aba–30\u00a00000 ')
  expect(mailed.body).toMatchObject({ step: 'email', sent: { channel: 'email', ordinal: 1 } })
  expect(mailed.body.sent!.to).not.toBe(person.email)
  await portal.deliver()
  const mail = portal.mails.find(({ to }) => to === person.email)!
  expect(mail.subject).toBe('Sygnet: kod do zmiany numeru telefonu')
  expect(mail.text).toMatch(/^Kod do zmiany numeru telefonu:\n\n\d{6}$/m)
  const proven = await browser.call(phoneChange.enterEmailCode, { body: { code: mailedCode(portal, person.email) } })
  expect(proven.body).toEqual({ step: 'number', newPhone: null, sent: null })

  const same = await browser.call(phoneChange.enterNewPhone, { body: { phone: person.phone } })
  expect(same.problem.code).toBe('phone-unchanged')
  expect(portal.texts.filter(({ to }) => to === phone)).toEqual([])
  const asked = await browser.call(phoneChange.enterNewPhone, { body: { phone } })
  expect(asked.body).toMatchObject({ step: 'sms', newPhone: phone, sent: { channel: 'sms', to: masked(phone) } })
  await portal.deliver()
  // Until the end everything goes to the old number.
  expect((await browser.call(readMyData)).body.maskedPhone).toBe(masked(person.phone))
  const { browser: waiting } = await passPassword(portal, person)
  const old = smsCode(portal, person.phone)

  const before = browser.cookie
  const done = await browser.call(phoneChange.enterPhoneCode, { body: { code: smsCode(portal, phone) } })
  expect([done.status, done.body.phone]).toEqual([200, masked(phone)])
  expect(browser.cookie).not.toBe(before)
  await portal.deliver()
  const sms = portal.texts.find(({ to }) => to === person.phone)!.text
  expect([sms, isOneSegment(sms)]).toEqual([numberChangedBySms(portal.portal.settings, 'pl'), true])
  expect(portal.mails[0]).toMatchObject({ to: person.email, subject: 'Sygnet: numer telefonu został zmieniony' })
  expect(portal.mails[0]!.text).toContain(masked(phone))
  expect((await browser.call(readMyData)).body.maskedPhone).toBe(masked(phone))
  expect((await browser.call(phoneChange.readPhoneChange)).body.change).toBeNull()
  // What was confirmed by the old number is confirmed no more.
  expect((await browser.call(phoneChange.startPhoneChange, { params: { id } })).status).toBe(403)

  // Neither another session nor a sign-in that waited for the code of the old number goes on.
  expect((await elsewhere.call(readSession)).status).toBe(401)
  expect((await waiting.call(enterSignInCode, { body: { code: old } })).status).toBe(401)
  expect(await numberOf({ person: { ...person, phone } })).toBe(masked(phone))
  for (const action of ['phone-change-started', 'phone-document-confirmed', 'phone-email-confirmed'] as const)
    expect(await entriesOf(changing, action)).toHaveLength(1)
  expect(await entriesOf(changing, 'phone-changed')).toMatchObject([{ details: { sessions: 2 } }])
})

test('DAT-2 R32 every entry at every step but its own is refused, moves nothing, costs nothing and sends nothing', async () => {
  const entries: Record<phoneChange.PhoneChangeEntry, [Endpoint, object]> = {
    document: [phoneChange.enterDocumentNumber, { documentNumber: right }],
    'email-code': [phoneChange.enterEmailCode, { code: '000000' }],
    number: [phoneChange.enterNewPhone, { phone: mobile() }],
    'sms-code': [phoneChange.enterPhoneCode, { code: '000000' }],
  }
  const names = Object.keys(entries) as phoneChange.PhoneChangeEntry[]
  const tried: string[] = []
  for (const step of [undefined, ...phoneChange.phoneChangeSteps]) {
    const changing = step ? await walkTo(step) : await changer()
    const messages = portal.mails.length + portal.texts.length
    const spent = () => portal.rows(`select name, key, spent from rate_limits where name = 'phone-change' order by key`)
    const before = await spent()
    for (const name of names.filter((entry) => !step || !phoneChange.phoneChangeMoves[step][entry])) {
      const [endpoint, body] = entries[name]
      const answer = await changing.browser.call(endpoint, { body } as never)
      expect([step, name, answer.status, answer.problem.code]).toEqual([step, name, 422, 'state-passed'])
      const { change } = (await changing.browser.call(phoneChange.readPhoneChange)).body
      expect([answer.problem.current, change?.step]).toEqual([step, step])
      tried.push(`${step} ${name}`)
    }
    await portal.deliver()
    expect([portal.mails.length + portal.texts.length, await spent()]).toEqual([messages, before])
    expect(await numberOf(changing)).toBe(masked(changing.person.phone))
  }
  expect(tried).toHaveLength(5 * 4 - 5)
})

test('R2 R32 a right code of another step, number or operation completes no step', async () => {
  const changing = await walkTo('sms')
  const { browser, person, phone } = changing
  const first = smsCode(portal, phone)
  const second = mobile()
  await browser.call(phoneChange.enterNewPhone, { body: { phone: second } })
  await portal.deliver()
  const newest = smsCode(portal, second)
  const exporting = await browser.call(startStepUp, { body: { purpose: 'export-data', object: changing.id } })
  await portal.deliver()
  for (const code of [first, mailedCode(portal, person.email), smsCode(portal, person.phone)])
    if (code !== newest)
      expect((await browser.call(phoneChange.enterPhoneCode, { body: { code } })).problem.code).toBe('code-wrong')
  const ofChange = `select id from codes where purpose = 'phone-sms' and account_id = $1`
  for (const { id } of await portal.rows(ofChange, [changing.id])) {
    const params = { id: id as string }
    expect((await browser.call(enterStepUpCode, { params, body: { code: newest } })).status).toBe(404)
    expect((await browser.call(resendStepUpCode, { params })).status).toBe(404)
  }
  expect(exporting.status).toBe(200)
  // The change of one session is nobody else's, not even the same person's elsewhere.
  const twin = await signInAs(portal, person)
  expect((await twin.call(phoneChange.enterPhoneCode, { body: { code: newest } })).problem.code).toBe('state-passed')
  expect((await browser.call(phoneChange.enterPhoneCode, { body: { code: newest } })).body.phone).toBe(masked(second))
})

test('DAT-3 DAT-4 the fifth wrong entry blocks for 24 hours to the second, on every node', async () => {
  const fast = await openProcess(portal, { skewMs: 300_000 })
  onTestFinished(() => fast.close())
  const begin = await now(portal.db)
  const at = (seconds: number) => portal.clock.stopAt(new Date(begin.getTime() + seconds * 1000))
  onTestFinished(() => portal.clock.advance(0))
  await at(0)

  const changing = await changer()
  const { browser, person } = changing
  await start(changing)
  const codeRefused = async (answer: Promise<{ problem: { code: string; entriesLeft?: number | undefined } }>) => {
    const { problem } = await answer
    return [problem.code, problem.entriesLeft]
  }
  expect(await codeRefused(document(browser, wrong(1)))).toEqual(['document-number-wrong', undefined])
  expect(await codeRefused(document(browser, wrong(2), 1))).toEqual(['document-number-wrong', undefined])
  await walkOn(changing, 'email')
  const mailed = mailedCode(portal, person.email)
  const emailCode = (code: string) => browser.call(phoneChange.enterEmailCode, { body: { code } })
  expect(await codeRefused(emailCode(wrongCode(mailed)))).toEqual(['email-code-wrong', 2])
  expect((await emailCode(mailed)).status).toBe(200)
  await browser.call(phoneChange.enterNewPhone, { body: { phone: changing.phone } })
  await portal.deliver()
  const code = smsCode(portal, changing.phone)
  const phoneCode = (entry: string) => browser.call(phoneChange.enterPhoneCode, { body: { code: entry } })
  expect(await codeRefused(phoneCode(wrongCode(code)))).toEqual(['code-wrong', 1])
  await at(60)
  const fifth = await phoneCode(wrongCode(code))
  expect([fifth.status, fifth.problem.code, fifth.problem.retryAfter]).toEqual([429, 'phone-change-blocked', day])
  expect(await entriesOf(changing, 'phone-change-blocked')).toHaveLength(1)

  const wide = reachedThrough(portal, [...portal.nodes, fast])
  const verdicts = async (reached: TestPortal) => {
    const seen = new Set<string>()
    for (const node of reached.nodes.keys()) {
      // Out of the session, into another browser, at another node.
      const fresh = await signInAs(reached, person, openBrowser(reached, { node }))
      const params = { id: changing.id }
      const { body } = await fresh.call(phoneChange.readPhoneChange)
      await stepUp(reached, fresh, person, 'change-phone', changing.id)
      for (const answer of [
        await fresh.call(phoneChange.startPhoneChange, { params }),
        await document(fresh, right, node),
        await fresh.call(phoneChange.enterPhoneCode, { body: { code } }),
        await fresh.call(phoneChange.enterNewPhone, { body: { phone: changing.phone } }),
        await fresh.call(phoneChange.resendPhoneChangeCode),
      ])
        seen.add(`${answer.problem.code} ${answer.problem.retryAfter} ${body.blockedUntil}`)
      await fresh.call(phoneChange.cancelPhoneChange)
    }
    return [...seen]
  }
  const until = new Date(begin.getTime() + (60 + day) * 1000).toISOString()
  expect(await verdicts(wide)).toEqual([`phone-change-blocked ${day} ${until}`])
  // In the last second: the change that was under way is gone, and a restarted node knows of the block.
  await at(60 + day - 1)
  const restarted = await openProcess(portal, { skewMs: -300_000 })
  onTestFinished(() => restarted.close())
  expect(await verdicts(reachedThrough(portal, [restarted]))).toEqual([`phone-change-blocked 1 ${until}`])
  // A clock that goes back changes nothing for the better.
  await at(0)
  expect((await verdicts(reachedThrough(portal, [restarted])))[0]).toMatch(/^phone-change-blocked \d+/)

  await at(60 + day)
  const again = await signInAs(portal, person)
  const free = { isPossible: true, blockedUntil: null, change: null }
  expect((await again.call(phoneChange.readPhoneChange)).body).toEqual(free)
  await start({ ...changing, browser: again })
  expect((await document(again, right)).status).toBe(200)
})

test('R32 of sixty document numbers at once, over two nodes and sessions, five are looked at', async () => {
  const changing = await changer()
  const { person, browser } = changing
  await start(changing)
  const twin = { ...changing, browser: await signInAs(portal, person) }
  await start(twin)
  const answers = await fireTimes(portal, 60, (i) => {
    const { cookie } = (i % 4 < 2 ? changing : twin).browser
    return preparedCall(phoneChange.enterDocumentNumber, { body: { documentNumber: wrong(i) } }, { cookie })
  })
  expect(answers.map(({ problem }) => problem.code)).toContain('phone-change-blocked')
  expect(await entriesOf(changing, 'phone-document-refused')).toHaveLength(limits.phoneChange.wrong.limit)
  expect(await entriesOf(changing, 'phone-change-blocked')).toHaveLength(1)
  expect((await document(browser, right)).problem.code).toBe('phone-change-blocked')
})

test('R32 R22 the right document number twenty times at once moves on once, and costs no attempt', async () => {
  const changing = await changer()
  await start(changing)
  const { cookie } = changing.browser
  const entering = preparedCall(phoneChange.enterDocumentNumber, { body: { documentNumber: right } }, { cookie })
  const answers = await fireTimes(portal, 20, () => entering)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  await portal.deliver()
  expect(portal.mails.filter(({ to, text }) => to === changing.person.email && /^\d{6}$/m.test(text))).toHaveLength(1)
  const newest = `select cardinality(spent) as spent from rate_limits where name = 'phone-change' and locked_until is null order by forget_at desc limit 1`
  expect(await portal.rows(newest)).toEqual([{ spent: 0 }])
})

test('R25 R27 an SMS goes to a new number only where the rate limits and the countries allow it, ten a day whichever numbers they are', async () => {
  const changing = await walkTo('number')
  const { browser } = changing
  const enter = (phone: string) => browser.call(phoneChange.enterNewPhone, { body: { phone } })
  expect((await enter('+14155552671')).problem.code).toBe('sms-country-refused')
  expect((await browser.call(phoneChange.readPhoneChange)).body.change?.step).toBe('number')
  const numbers = Array.from({ length: limits.phoneChange.codes.limit }, () => mobile())
  for (const phone of numbers) expect((await enter(phone)).status).toBe(200)
  expect((await enter(mobile())).problem.code).toBe('sends-spent')
  await portal.deliver()
  expect(portal.texts.filter(({ to }) => numbers.includes(to))).toHaveLength(numbers.length)
  // The number that had its turn last is still waited for, and asking for it again sends nothing.
  const last = numbers.at(-1)!
  expect((await enter(last)).status).toBe(200)
  expect((await browser.call(phoneChange.enterPhoneCode, { body: { code: smsCode(portal, last) } })).status).toBe(200)
})

test('DAT-2 R24 a code of a step is sent again after a minute, and replaced when it has expired', async () => {
  const { browser, person } = await walkTo('email')
  expect((await browser.call(phoneChange.resendPhoneChangeCode)).problem.code).toBe('resend-too-early')
  await portal.clock.advance(limits.code.resendAfter)
  expect((await browser.call(phoneChange.resendPhoneChangeCode)).body.ordinal).toBe(2)
  await portal.clock.advance(limits.code.life)
  const late = await browser.call(phoneChange.enterEmailCode, { body: { code: '000000' } })
  const over = (await browser.call(phoneChange.readPhoneChange)).body.change!.sent!
  expect([late.problem.code, over.expiresAt < over.sentAt]).toEqual(['code-expired', true])
  expect((await browser.call(phoneChange.resendPhoneChangeCode)).body.ordinal).toBe(1)
  await portal.deliver()
  const fresh = (await browser.call(phoneChange.readPhoneChange)).body.change!.sent!
  expect(new Date(fresh.expiresAt).getTime() - new Date(fresh.sentAt).getTime()).toBeLessThanOrEqual(600_000)
  const code = mailedCode(portal, person.email)
  expect((await browser.call(phoneChange.enterEmailCode, { body: { code } })).status).toBe(200)
})

test('DAT-2 a canceled change is over, and its codes with it; a change continues after a reload, and ends with its session', async () => {
  const changing = await walkTo('sms')
  const { browser, phone } = changing
  const code = smsCode(portal, phone)
  const continued = await browser.call(phoneChange.startPhoneChange, { params: { id: changing.id } })
  expect(continued.body.step).toBe('sms')
  expect((await browser.call(phoneChange.cancelPhoneChange)).status).toBe(204)
  expect((await browser.call(phoneChange.enterPhoneCode, { body: { code } })).problem.code).toBe('state-passed')
  expect(await entriesOf(changing, 'phone-change-canceled')).toHaveLength(1)
  // Once more is nothing more.
  expect((await browser.call(phoneChange.cancelPhoneChange)).status).toBe(204)
  expect(await entriesOf(changing, 'phone-change-canceled')).toHaveLength(1)
})

test('DAT-2 without a known document the number cannot be changed, and the portal says so', async () => {
  const person = await makeCustomer(portal, { phone: mobile() })
  const browser = await signInAs(portal, person)
  const { id } = (await browser.call(readMyData)).body
  expect((await browser.call(phoneChange.readPhoneChange)).body.isPossible).toBe(false)
  await stepUp(portal, browser, person, 'change-phone', id)
  expect((await browser.call(phoneChange.startPhoneChange, { params: { id } })).problem.code).toBe('document-unknown')
})
