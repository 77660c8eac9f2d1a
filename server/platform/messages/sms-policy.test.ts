import { expect, onTestFinished, test } from 'vitest'
import { resendSignInCode } from '../../../contract/account.ts'
import { limits } from '../../../contract/limits.ts'
import { setPassword } from '../../../contract/password-link.ts'
import { sendPhoneConfirmation } from '../../../contract/phone-confirmation.ts'
import { putCustomer } from '../../../contract/provider/provider-customers.ts'
import { register } from '../../../contract/registration.ts'
import { startStepUp } from '../../../contract/step-up.ts'
import { auditEntries } from '../../testing/audit-entries.ts'
import { openBrowser } from '../../testing/browser.ts'
import { countRows } from '../../testing/database-state.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { samplePerson, type TestPortal } from '../../testing/portal-nodes.ts'
import { openTestProvider } from '../../testing/provider.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { registrationForm } from '../../testing/samples/registration-forms.ts'
import { linkToken, smsCode } from '../../testing/sent-messages.ts'
import { goodPassword, passPassword, type Person } from '../../testing/test-customers.ts'
import { words } from '../../testing/words.ts'
import { createDeliveries } from '../operations/deliveries.ts'
import { enqueue } from './outbox.ts'

/** The SMS of a range of numbers in a day; unconfirmed numbers have a fifth of it. */
const perRange = 10

const portal = await openPortal({ nodes: 2, settings: { sms: { sending: true, countries: ['PL', 'US'], perRange } } })

const textsTo = (start: string) => portal.texts.filter(({ to }) => to.startsWith(start))
const alarmsOf = async (name: string) => {
  const alarms = await auditEntries(portal, { action: 'alarm-raised', details: { name } })
  return alarms.map(({ details }) => details['about'])
}

let asked = 0
/** Signs in a new customer with this number from an address of its own, and returns the answer to the password. */
async function requestCode(phone: string) {
  const browser = openBrowser(portal, { address: `10.9.${Math.floor(asked / 250)}.${asked++ % 250}` })
  return (await passPassword(portal, await addCustomer(portal, { phone }), browser)).answer
}

/** Changes the settings of every node until the test ends. */
function set(sms: Partial<TestPortal['portal']['settings']['sms']>) {
  for (const { portal: node } of portal.nodes) {
    const before = node.settings.sms
    node.settings.sms = { ...before, ...sms }
    onTestFinished(() => void (node.settings.sms = before))
  }
}

/** Numbers of countries that are not chosen; some share their code with one that is. */
const foreign = words(`+2348012345 +8801712345 +9647701234 +2519112345 +2217712345 +8562054321 +9989012345 +9936612345
  +2526123456 +2613212345 +2577912345 +9929171234 +2217012345 +2245512345 +2329971234 +2310771234 +18098201234 +18687211234
  +18767211234 +12422211234`)

test('R27 numbers in twenty foreign ranges get no SMS, and each country raises one alarm', async () => {
  const counts = () => countRows(portal, `rate_limits where name ~ '^sms-'`)
  const before = await counts()
  const sent = portal.texts.length
  for (let i = 0; i < 2 * foreign.length; i++) {
    const start = foreign[i % foreign.length]!
    const phone = start.slice(0, -3) + String(i).padStart(3, '0')
    const person = await addCustomer(portal, { phone })
    const { answer } = await passPassword(portal, person, openBrowser(portal, { node: i % 2 }))
    expect([phone, answer.status, answer.problem.code]).toEqual([phone, 422, 'sms-country-refused'])
    expect(answer.cookie).toBeUndefined()
  }
  expect(portal.texts).toHaveLength(sent)
  expect(await counts()).toBe(before)
  const countries = words('NG BD IQ ET SN LA UZ TM SO MG BI TJ GN SL LR DO TT JM BS')
  await expect.poll(() => alarmsOf('sms-foreign-number')).toEqual(expect.arrayContaining(countries))
  const raised = await alarmsOf('sms-foreign-number')
  expect(raised).toEqual([...new Set(raised)])
  expect(portal.alarms).toContainEqual({ name: 'sms-foreign-number', about: 'NG' })
})

test('R27 a range of numbers gets its daily number of SMS exactly, and the last raises an alarm', async () => {
  for (let i = 0; i < perRange; i++) expect((await requestCode(`+48601${100_000 + i}`)).status).toBe(200)
  for (let i = 0; i < 3; i++) {
    const { status, problem, headers } = await requestCode(`+48601${200_000 + i}`)
    expect([status, problem.code]).toEqual([503, 'sms-stopped'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(80_000)
  }
  expect(textsTo('+48601')).toHaveLength(perRange)
  await expect.poll(() => alarmsOf('sms-range-spent')).toContain('+48601')
  // Other ranges are not affected.
  expect((await requestCode('+48602100000')).status).toBe(200)
  await portal.clock.advance(86_401)
  expect((await requestCode('+48601300000')).status).toBe(200)
})

test('R27 R115 unconfirmed numbers have a separate fifth of a range', async () => {
  const registerWith = async (phone: string, i: number) => {
    const browser = openBrowser(portal, { address: `203.0.113.${i}` })
    const body = registrationForm({ phone })
    await browser.call(register, { body })
    await portal.deliver()
    const password = { newPassword: goodPassword, repeatPassword: goodPassword }
    await browser.call(setPassword, { body: { token: linkToken(portal, body.email), password } })
    const answer = await browser.call(sendPhoneConfirmation)
    await portal.deliver()
    return answer
  }
  for (let i = 0; i < perRange / 5; i++) expect((await registerWith(`+48605${100_000 + i}`, i)).status).toBe(200)
  for (let i = 4; i < 6; i++) {
    const { status, problem } = await registerWith(`+48605${100_000 + i}`, i)
    expect([status, problem.code]).toEqual([503, 'sms-stopped'])
  }
  expect(textsTo('+48605')).toHaveLength(perRange / 5)
  await expect.poll(() => alarmsOf('sms-range-spent')).toContain('+48605')
  for (let i = 0; i < perRange; i++) expect((await requestCode(`+48605${200_000 + i}`)).status).toBe(200)
  expect((await requestCode('+48605300000')).problem.code).toBe('sms-stopped')
  // Customers do not use up the limit of new people either.
  for (let i = 0; i < perRange; i++) expect((await requestCode(`+48606${200_000 + i}`)).status).toBe(200)
  expect((await registerWith('+48606100000', 9)).status).toBe(200)
  expect(textsTo('+48606')).toHaveLength(perRange + 1)
})

test('R269 notices of changed numbers use up no code of their range, and codes hide no notice', async () => {
  const numbers = Array.from({ length: perRange }, (_, i) => `+48607${100_000 + i}`)
  const people = await Promise.all(numbers.map((phone) => addCustomer(portal, { phone })))
  const change = async (person: Person, phone: string) => {
    const body = { ...samplePerson(), email: person.email, login: person.login, phone }
    const { status } = await openBrowser(portal).call(putCustomer, { params: { customer: person.id }, body })
    await portal.deliver()
    return status
  }
  for (const [i, person] of people.entries()) expect(await change(person, `+48608${100_000 + i}`)).toBe(200)
  expect(textsTo('+48607')).toHaveLength(perRange)
  for (let i = 0; i < perRange; i++) expect((await requestCode(`+48607${200_000 + i}`)).status).toBe(200)
  expect((await requestCode('+48607300000')).problem.code).toBe('sms-stopped')
  await portal.clock.advance(86_401)
  const victim = await addCustomer(portal, { phone: '+48609300000' })
  for (let i = 0; i < perRange; i++) expect((await requestCode(`+48609${200_000 + i}`)).status).toBe(200)
  expect(await change(victim, '+48608300000')).toBe(200)
  expect(textsTo('+48609300000')).toHaveLength(1)
})

test('R27 messages in the outbox are not sent once the limit of their range is used up', async () => {
  const queue = Array.from({ length: 3 * perRange }, (_, i) => `+48603${100_000 + i}`)
  await portal.db.transaction().execute(async (tx) => {
    for (const to of queue) await enqueue(tx, portal.portal.keys, { channel: 'sms', to, text: 'x' })
  })
  await portal.deliver()
  expect(textsTo('+48603')).toHaveLength(perRange)
  const ofRange = await portal.owner.query<{ outcome: string }>(`select outcome from outbox where failure ~ 'range'`)
  expect(ofRange.rows).toEqual(Array.from({ length: 2 * perRange }, () => ({ outcome: 'dead' })))
})

test('R27 an SMS that the gateway did not accept is not counted', async () => {
  const sms = { send: () => Promise.reject(new Error('down')) }
  const deliveries = createDeliveries({ ...portal.portal, ports: { ...portal.portal.ports, sms } })
  for (let i = 0; i < perRange + 10; i++)
    await expect(deliveries.sms({ id: crypto.randomUUID(), to: '+48604100000', text: 'x' })).rejects.toThrow('down')
  expect((await requestCode('+48604100000')).status).toBe(200)
})

test('R27 with sending switched off no SMS is sent, and sessions continue', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const provider = await openTestProvider(portal)
  const { id: object } = await provider.give(person)
  const { browser: pending } = await passPassword(portal, person)
  await portal.db
    .transaction()
    .execute((tx) => enqueue(tx, portal.portal.keys, { channel: 'sms', to: person.phone, text: 'waiting' }))
  await portal.clock.advance(limits.code.resendAfter)
  const sent = portal.texts.length
  set({ sending: false })
  const answers = [
    (await passPassword(portal, person)).answer,
    await pending.call(resendSignInCode),
    await browser.call(startStepUp, { body: { purpose: 'pair-app', object } }),
  ]
  for (const { status, problem } of answers) expect([status, problem.code]).toEqual([503, 'sms-stopped'])
  await portal.deliver()
  expect(portal.texts).toHaveLength(sent)
  set({ sending: true })
  await portal.clock.advance(60)
  await portal.deliver()
  expect(portal.texts.map(({ text }) => text)).toContain('waiting')
})

test('R27 R14 a refusal by policy needs the correct password, so it does not reveal whether an account exists', async () => {
  const abroad = await addCustomer(portal, { phone: '+2348012345678' })
  const signInProblem = async (login: string, password: string) =>
    (await passPassword(portal, { ...abroad, login, password })).answer.problem
  const nobody = await signInProblem(samplePerson().login, 'Wrong-Password-1!')
  expect(await signInProblem(abroad.login, 'Wrong-Password-1!')).toEqual(nobody)
  expect((await signInProblem(abroad.login, abroad.password)).code).toBe('sms-country-refused')
  expect(() => smsCode(portal, abroad.phone)).toThrow()
})
