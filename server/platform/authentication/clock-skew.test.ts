import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { enterSignInCode, extendSession, readSession } from '../../../contract/account.ts'
import { limits } from '../../../contract/limits.ts'
import { requestPasswordReset } from '../../../contract/passwords.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { now, samplePerson, type TestPortal } from '../../testing/portal-nodes.ts'
import { openProcess, reachedThrough, type TestProcess } from '../../testing/processes.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'
import { smsCode } from '../../testing/sent-messages.ts'
import { passPassword, signInAs } from '../../testing/test-customers.ts'

/**
 * R94: nodes in separate processes with wrong clocks, and one with the right clock. Rules use the database's time, which a test
 * stops, so that it can check each end to the second.
 */
let skewed: TestProcess[]
let wide: TestPortal
const session = { idle: 900, absolute: 1800 }
const minute = 60_000

const portal = await openPortal({ settings: { session } })
beforeAll(async () => {
  skewed = await Promise.all(
    [{ skewMs: 5 * minute }, { skewMs: -5 * minute }, { speed: 5 }].map((clock) => openProcess(portal, clock)),
  )
  wide = reachedThrough(portal, [portal, ...skewed])
})
afterAll(async () => {
  await Promise.all(skewed.map((node) => node.close()))
})

/** Stops time; the result moves it to a number of seconds after that. */
async function stopTime() {
  const begin = await now(portal.db)
  const at = (seconds: number) => portal.clock.stopAt(new Date(begin.getTime() + seconds * 1000))
  onTestFinished(() => portal.clock.advance(0))
  await at(0)
  return at
}

/** Sets the clock of a running node back, as a time server would to correct it. */
async function jumpBack() {
  const before = Date.now()
  const there = await skewed[0]!.request('jump-back')
  expect(there).toBeLessThan(before - 50 * minute)
}

/** Returns the distinct answers of the nodes; a single one if all agree. */
async function verdicts<T>(request: (node: number) => Promise<T>): Promise<T[]> {
  const answers = await Promise.all(wide.nodes.keys().map(request))
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()]
}

/** Adds one customer for each node. */
const onePerNode = () => Promise.all(wide.nodes.map(() => addCustomer(portal)))

test('R94 R6 R7 a session begun on any node is valid on every node exactly until its end', async () => {
  const [ahead, behind, fast] = skewed.map(({ skew }) => skew)
  expect([ahead, behind].map((skew) => Math.round(skew! / minute))).toEqual([5, -5])
  // Four seconds too many for each since it began.
  expect(fast).toBeGreaterThan(0)
  const at = await stopTime()
  const people = await onePerNode()
  const browsers = await Promise.all(people.map((person, node) => signInAs(wide, person, openBrowser(wide, { node }))))
  const seen = () =>
    verdicts((node) => Promise.all(browsers.map(async (browser) => (await browser.call(readSession, {}, node)).status)))
  const all = (status: number) => [browsers.map(() => status)]
  await at(session.idle - 1)
  expect(await seen()).toEqual(all(200))
  await jumpBack()
  // Each is extended by another node than the one that began it.
  for (const [i, browser] of browsers.entries())
    expect((await browser.call(extendSession, {}, (i + 1) % wide.nodes.length)).status).toBe(200)
  await at(2 * session.idle - 2)
  expect(await seen()).toEqual(all(200))
  await at(2 * session.idle - 1)
  expect(await seen()).toEqual(all(401))

  const later = await Promise.all(people.map((person, node) => signInAs(wide, person, openBrowser(wide, { node }))))
  browsers.splice(0, browsers.length, ...later)
  const begun = 2 * session.idle - 1
  for (let passed = 600; passed < session.absolute; passed += 600) {
    await at(begun + passed)
    for (const [i, browser] of browsers.entries())
      expect((await browser.call(extendSession, {}, (i + 2) % wide.nodes.length)).status).toBe(200)
  }
  await at(begun + session.absolute - 1)
  expect(await seen()).toEqual(all(200))
  await at(begun + session.absolute)
  expect(await seen()).toEqual(all(401))
})

test('R94 R24 a code is valid on every node for exactly ten minutes', async () => {
  const at = await stopTime()
  const [kept, late] = [await onePerNode(), await onePerNode()]
  const begin = (people: typeof kept) =>
    Promise.all(
      people.map(async (person, node) => {
        const { browser } = await passPassword(wide, person, openBrowser(wide, { node }))
        return { browser, person }
      }),
    )
  const [first, second] = [await begin(kept), await begin(late)]
  const enter = ({ browser, person }: (typeof first)[number], node: number) =>
    browser.call(enterSignInCode, { body: { code: smsCode(portal, person.phone) } }, node % wide.nodes.length)
  await jumpBack()
  await at(limits.code.life - 1)
  for (const [i, visitor] of first.entries()) expect((await enter(visitor, i + 1)).status).toBe(200)
  await at(limits.code.life)
  const answers = []
  for (const [i, visitor] of second.entries())
    for (const node of wide.nodes.keys()) answers.push((await enter(visitor, i + node)).status)
  expect(answers.filter((status) => status < 400)).toEqual([])
})

test('R94 R78 an attempt at a node whose clock is behind is free again on every node a window later', async () => {
  const at = await stopTime()
  const { limit, window } = limits.reset.perAddress
  const requestReset = async (node: number) => {
    const { status, problem } = await openBrowser(wide, { node, address: '198.51.100.99' }).call(requestPasswordReset, {
      body: { email: samplePerson().email, locale: 'pl', botProof: crypto.randomUUID() },
    })
    return [status, problem.retryAfter]
  }
  const behind = 1 + skewed.findIndex(({ skew }) => skew < 0)
  const [status] = await requestReset(behind)
  expect(status).toBeLessThan(300)
  await at(60)
  for (let i = 1; i < limit; i++) expect((await requestReset(i % wide.nodes.length))[0]).toBe(status)
  expect(await verdicts(requestReset)).toEqual([[429, window - 60]])
  await at(window - 1)
  expect(await verdicts(requestReset)).toEqual([[429, 1]])
  await at(window)
  expect((await requestReset(0))[0]).toBe(status)
  expect(await verdicts(requestReset)).toEqual([[429, 60]])
})
