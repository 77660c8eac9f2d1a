import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enterStepUpCode, extendSession, resendStepUpCode, startStepUp } from '../contract/account.ts'
import { limits } from '../contract/limits.ts'
import { startPairing } from '../contract/signatures.ts'
import { openPortal } from './testing/open-portal.ts'
import { openTestProvider, type TestProvider } from './testing/provider.ts'
import { openBrowser, passPassword, smsCode, stepUp, type Person, type TestBrowser } from './testing/browser.ts'
import { addCustomer, letIn } from './testing/ready-customers.ts'

let provider: TestProvider
const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  provider = await openTestProvider(portal)
})
afterAll(async () => {
  provider.close()
})

const start = Date.now()
const at = (seconds: number) => portal.clock.stopAt(new Date(start + seconds * 1000))
beforeEach(() => at(0))

const pair = (browser: TestBrowser, id: string, node = 0) => browser.call(startPairing, { params: { id } }, node)
const refused = { status: 403, problem: { code: 'step-up-required' } }

async function withSignature(): Promise<{ person: Person; browser: TestBrowser; id: string }> {
  const person = await addCustomer(portal)
  const { id } = await provider.give(person)
  return { person, browser: await letIn(portal, person), id }
}

test('AUT-7 a sensitive act asks for a fresh SMS code, and is done once it was entered; signing in is none', async () => {
  const { person, browser, id } = await withSignature()
  expect(await pair(browser, id)).toMatchObject(refused)
  const before = browser.cookie
  expect((await stepUp(portal, browser, person, 'pair-app', id)).status).toBe(200)
  expect(browser.cookie).not.toBe(before)
  for (const node of [0, 1]) expect((await pair(browser, id, node)).status).toBe(200)
})

test('AUT-7 R2 a code for one object does not open another', async () => {
  const { person, browser, id } = await withSignature()
  const { id: other } = await provider.give(person)
  await stepUp(portal, browser, person, 'pair-app', id)
  expect(await pair(browser, other)).toMatchObject(refused)
  expect((await pair(browser, id)).status).toBe(200)
})

test('AUT-7 a step-up holds for five minutes, to the second, on both nodes', async () => {
  const { person, browser, id } = await withSignature()
  await stepUp(portal, browser, person, 'pair-app', id)
  await at(limits.session.stepUp - 1)
  for (const node of [0, 1]) expect((await pair(browser, id, node)).status).toBe(200)
  await at(limits.session.stepUp)
  for (const node of [0, 1]) expect(await pair(browser, id, node)).toMatchObject(refused)
  expect(limits.session.stepUp).toBe(300)
  // Another code renews it.
  await stepUp(portal, browser, person, 'pair-app', id)
  expect((await pair(browser, id)).status).toBe(200)
})

test('AUT-7 a step-up belongs to its session: extending keeps it, another session has none', async () => {
  const { person, browser, id } = await withSignature()
  const other = await letIn(portal, person)
  await stepUp(portal, browser, person, 'pair-app', id)
  await browser.call(extendSession)
  expect((await pair(browser, id)).status).toBe(200)
  expect(await pair(other, id)).toMatchObject(refused)
})

test('AUT-7 R25 R34 for what is not there, or somebody else’s, no message is sent and nothing opens', async () => {
  const { id } = await withSignature()
  const person = await addCustomer(portal)
  const thief = await letIn(portal, person)
  for (const object of [id, crypto.randomUUID()]) {
    expect(await pair(thief, object)).toMatchObject(refused)
    await portal.deliver()
    const sent = portal.texts.length
    expect(await thief.call(startStepUp, { body: { purpose: 'pair-app', object } })).toMatchObject({
      status: 404,
      problem: { code: 'not-found' },
    })
    await portal.deliver()
    expect(portal.texts).toHaveLength(sent)
    expect(await pair(thief, object)).toMatchObject(refused)
  }
})

test('AUT-7 wrong codes say so and end the operation; a resend is one more message of it; VAL-3 input is checked', async () => {
  const { person, browser, id } = await withSignature()
  const sent = await browser.call(startStepUp, { body: { purpose: 'pair-app', object: id } })
  expect(sent.body).toMatchObject({ channel: 'sms', ordinal: 1, sendsLeft: 2 })
  const params = { id: sent.body.id }
  await portal.deliver()
  const right = smsCode(portal, person.phone)
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
  expect((await browser.call(enterStepUpCode, { params, body: { code: 'abc' } })).problem.fields).toEqual([
    { name: 'code', problem: 'code-format' },
  ])
  expect((await browser.call(enterStepUpCode, { params, body: { code: '' } })).problem.fields).toEqual([
    { name: 'code', problem: 'required' },
  ])
  expect((await browser.call(enterStepUpCode, { params, body: { code: wrong } })).problem.code).toBe('code-wrong')
  expect((await browser.call(resendStepUpCode, { params })).problem.code).toBe('resend-too-early')
  await at(limits.code.resendAfter)
  expect(await browser.call(resendStepUpCode, { params })).toMatchObject({
    status: 200,
    body: { ordinal: 2, sendsLeft: 1 },
  })
  await portal.deliver()
  const newest = smsCode(portal, person.phone)
  const wrongToo = String((Number(newest) + 1) % 1_000_000).padStart(6, '0')
  const rest = []
  for (let i = 0; i < 5; i++)
    rest.push((await browser.call(enterStepUpCode, { params, body: { code: wrongToo } })).problem)
  // The first wrong entry still counts after the resend (R24).
  expect(rest.map(({ code, entriesLeft }) => [code, entriesLeft])).toEqual([
    ['code-wrong', undefined],
    ['code-wrong', 2],
    ['code-wrong', 1],
    ['code-void', undefined],
    ['code-void', undefined],
  ])
  expect((await browser.call(enterStepUpCode, { params, body: { code: newest } })).problem.code).toBe('code-void')
  expect(await pair(browser, id)).toMatchObject(refused)
  expect((await browser.raw('POST', startStepUp.path, { purpose: 'sign-in', object: id })).status).toBe(400)
})

test('AUT-7 R1 without a whole sign-in nothing can be confirmed', async () => {
  const body = { purpose: 'pair-app' as const, object: crypto.randomUUID() }
  expect((await openBrowser(portal).call(startStepUp, { body })).status).toBe(401)
})

test('R25 AUT-7 asking for a step-up again and again sends no second message, and leaves the sign-in its own', async () => {
  const { person, browser, id } = await withSignature()
  const ask = (object: string, node = 0) => browser.call(startStepUp, { body: { purpose: 'pair-app', object } }, node)
  const sends = () => portal.texts.filter(({ to }) => to === person.phone).length
  await portal.deliver()
  const before = sends()
  const [first, ...same] = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(id, i % 2)))
  await portal.deliver()
  expect(sends()).toBe(before + 1)
  expect(first!.status).toBe(200)
  for (const other of same) expect(other.body).toEqual(first!.body)
  // Other objects are other operations, but they cannot spend what a sign-in needs.
  const others = Array.from({ length: limits.code.sendsPerRecipient.limit + 1 }, () => provider.give(person))
  const [last, ...rest] = await Promise.all(others)
  for (const { id: other } of rest) await ask(other)
  expect(await ask(last!.id)).toMatchObject({ status: 429, problem: { code: 'sends-spent' } })
  expect((await passPassword(portal, person, browser)).answer.status).toBe(200)
})

test('AUT-7 R24 a step-up whose code has expired is asked for anew', async () => {
  const { person, browser, id } = await withSignature()
  const body = { purpose: 'pair-app' as const, object: id }
  const first = await browser.call(startStepUp, { body })
  await at(limits.code.life)
  expect(await browser.call(resendStepUpCode, { params: { id: first.body.id } })).toMatchObject({
    problem: { code: 'code-expired' },
  })
  expect((await browser.call(startStepUp, { body })).body.id).not.toBe(first.body.id)
  expect((await stepUp(portal, browser, person, 'pair-app', id)).status).toBe(200)
  expect((await pair(browser, id)).status).toBe(200)
})
