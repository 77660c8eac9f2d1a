import { beforeEach, expect, test } from 'vitest'
import { extendSession } from '../../../contract/account.ts'
import { limits } from '../../../contract/limits.ts'
import { startSignaturePairing } from '../../../contract/signatures.ts'
import { enterStepUpCode, resendStepUpCode, startStepUp } from '../../../contract/step-up.ts'
import type { TestBrowser } from '../../testing/browser.ts'
import { openPortalWithProvider } from '../../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { smsCode } from '../../testing/sent-messages.ts'
import { passPassword, stepUp } from '../../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

const start = Date.now()
const at = (seconds: number) => portal.clock.stopAt(new Date(start + seconds * 1000))
beforeEach(() => at(0))

const pair = (browser: TestBrowser, id: string, node = 0) =>
  browser.call(startSignaturePairing, { params: { id } }, node)
const refused = { status: 403, problem: { code: 'step-up-required' } }

async function withSignature() {
  const person = await addCustomer(portal)
  const { id } = await provider.give(person)
  return { person, browser: await signInDirectly(portal, person), id }
}

test('AUT-7 a sensitive operation needs a fresh SMS code; signing in does not count as one', async () => {
  const { person, browser, id } = await withSignature()
  expect(await pair(browser, id)).toMatchObject(refused)
  const before = browser.cookie
  expect((await stepUp(portal, browser, person, 'pair-app', id)).status).toBe(200)
  expect(browser.cookie).not.toBe(before)
  for (const node of [0, 1]) expect((await pair(browser, id, node)).status).toBe(200)
})

test('AUT-7 R2 a code for one object does not confirm another', async () => {
  const { person, browser, id } = await withSignature()
  const { id: otherId } = await provider.give(person)
  await stepUp(portal, browser, person, 'pair-app', id)
  expect(await pair(browser, otherId)).toMatchObject(refused)
  expect((await pair(browser, id)).status).toBe(200)
})

test('AUT-7 a step-up is valid for five minutes, to the second, on both nodes', async () => {
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
  const otherSession = await signInDirectly(portal, person)
  await stepUp(portal, browser, person, 'pair-app', id)
  await browser.call(extendSession)
  expect((await pair(browser, id)).status).toBe(200)
  expect(await pair(otherSession, id)).toMatchObject(refused)
})

test('AUT-7 R25 R34 for an object that does not exist or belongs to another customer, no message is sent and nothing is confirmed', async () => {
  const { id } = await withSignature()
  const person = await addCustomer(portal)
  const thief = await signInDirectly(portal, person)
  for (const object of [id, crypto.randomUUID()]) {
    expect(await pair(thief, object)).toMatchObject(refused)
    await portal.deliver()
    const sent = portal.texts.length
    const answer = await thief.call(startStepUp, { body: { purpose: 'pair-app', object } })
    expect(answer).toMatchObject({ status: 404, problem: { code: 'not-found' } })
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
  const enter = async (code: string) => (await browser.call(enterStepUpCode, { params, body: { code } })).problem
  const wrongNow = () => String((Number(smsCode(portal, person.phone)) + 1) % 1_000_000).padStart(6, '0')
  expect((await enter('abc')).fields).toEqual([{ name: 'code', problem: 'code-format' }])
  expect((await enter('')).fields).toEqual([{ name: 'code', problem: 'required' }])
  expect((await enter(wrongNow())).code).toBe('code-wrong')
  expect((await browser.call(resendStepUpCode, { params })).problem.code).toBe('resend-too-early')
  await at(limits.code.resendAfter)
  const resent = await browser.call(resendStepUpCode, { params })
  expect(resent).toMatchObject({ status: 200, body: { ordinal: 2, sendsLeft: 1 } })
  await portal.deliver()
  const rest = []
  for (let i = 0; i < 5; i++) rest.push(await enter(wrongNow()))
  // The first wrong entry still counts after the resend (R24).
  expect(rest.map(({ code, entriesLeft }) => [code, entriesLeft])).toEqual([
    ['code-wrong', undefined],
    ['code-wrong', 2],
    ['code-wrong', 1],
    ['code-void', undefined],
    ['code-void', undefined],
  ])
  expect((await enter(smsCode(portal, person.phone))).code).toBe('code-void')
  expect(await pair(browser, id)).toMatchObject(refused)
  expect((await browser.raw('POST', startStepUp.path, { purpose: 'sign-in', object: id })).status).toBe(400)
})

test('R25 AUT-7 repeated requests for a step-up send no second message and do not use up those of a sign-in', async () => {
  const { person, browser, id } = await withSignature()
  const requestStepUp = (object: string, node = 0) =>
    browser.call(startStepUp, { body: { purpose: 'pair-app', object } }, node)
  const sends = () => portal.texts.filter(({ to }) => to === person.phone).length
  await portal.deliver()
  const before = sends()
  const [first, ...same] = await Promise.all(Array.from({ length: 12 }, (_, i) => requestStepUp(id, i % 2)))
  await portal.deliver()
  expect(sends()).toBe(before + 1)
  expect(first!.status).toBe(200)
  for (const answer of same) expect(answer.body).toEqual(first!.body)
  // Other objects are other operations, but they do not use up the messages of a sign-in.
  const given = Array.from({ length: limits.code.sendsPerRecipient.limit + 1 }, () => provider.give(person))
  const [last, ...rest] = await Promise.all(given)
  for (const object of rest) await requestStepUp(object.id)
  expect(await requestStepUp(last!.id)).toMatchObject({ status: 429, problem: { code: 'sends-spent' } })
  expect((await passPassword(portal, person, browser)).answer.status).toBe(200)
})

test('AUT-7 R24 a step-up whose code has expired needs a new code', async () => {
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
