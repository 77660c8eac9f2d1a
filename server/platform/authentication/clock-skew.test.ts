import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { enterSignInCode, extendSession, readSession, signIn } from '../../../contract/account.ts'
import { requestPasswordReset } from '../../../contract/passwords.ts'
import { limits } from '../../../contract/limits.ts'
import { checkPasswordLink } from '../../../contract/password-link.ts'
import { putCustomer } from '../../../contract/provider/provider-api.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { now, samplePerson, type TestPortal } from '../../testing/portal-nodes.ts'
import { linkToken, openBrowser, passPassword, signInAs, smsCode } from '../../testing/browser.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'
import { openProcess, reachedThrough, type TestProcess } from '../../testing/processes.ts'

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

/** As if a time server corrected a running node. */
async function jumpBack() {
  const before = Date.now()
  const there = await skewed[0]!.request('jump-back')
  expect(there).toBeLessThan(before - 50 * minute)
}

/** The distinct answers of the nodes; a single one if all agree. */
async function verdicts<T>(request: (node: number) => Promise<T>): Promise<T[]> {
  const answers = await Promise.all(wide.nodes.keys().map(request))
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()]
}

/** One customer for each node. */
const onePerNode = () => Promise.all(wide.nodes.map(() => addCustomer(portal)))

test('R94 R6 R7 a session begun on any node is valid on every node exactly until its idle time, or its absolute time, has passed', async () => {
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

test('R94 R10 links are valid on every node exactly until they expire', async () => {
  const at = await stopTime()
  const life = limits.link
  const people = await onePerNode()
  const reset: string[] = []
  for (const [node, { email }] of people.entries()) {
    await openBrowser(wide, { node, address: `198.51.100.${node + 20}` }).call(requestPasswordReset, {
      body: { email, locale: 'pl', botProof: crypto.randomUUID() },
    })
    await portal.deliver()
    reset.push(linkToken(portal, email))
  }
  const invited = await Promise.all(
    wide.nodes.map(async (_, node) => {
      const person = samplePerson()
      const params = { customer: `c-${crypto.randomUUID()}` }
      expect((await openBrowser(wide, { node }).call(putCustomer, { params, body: person })).status).toBeLessThan(300)
      return person
    }),
  )
  await portal.deliver()
  const look = (tokens: string[]) =>
    verdicts((node) =>
      Promise.all(
        tokens.map(async (token) => {
          const { status, problem } = await openBrowser(wide, { node }).call(checkPasswordLink, { body: { token } })
          return status === 200 ? 'good' : problem.code
        }),
      ),
    )
  const all = (verdict: string) => [wide.nodes.map(() => verdict)]
  const invitations = invited.map(({ email }) => linkToken(portal, email))
  for (const [tokens, end] of [
    [reset, life.reset],
    [invitations, life.invitation],
  ] as const) {
    await at(end - 1)
    expect(await look(tokens)).toEqual(all('good'))
    await at(end)
    expect(await look(tokens)).toEqual(all('link-expired'))
  }
})

test('R94 R78 an attempt at a node whose clock is behind is available again on every node a whole window later', async () => {
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

test('R94 R16 wrong passwords at all nodes count together, and the pause ends for all in the same second', async () => {
  const at = await stopTime()
  const person = await addCustomer(portal)
  const { limit, window } = limits.signIn.pause
  const tryAt = (password: string) => async (node: number) => {
    const { status, problem } = await openBrowser(wide, { node }).call(signIn, {
      body: { login: person.login, password, botProof: crypto.randomUUID() },
    })
    return [status, problem.retryAfter]
  }
  // The last of them, which begins the pause, at a node whose clock is wrong.
  for (let i = 1; i <= limit; i++) expect((await tryAt('Zle-Haslo-2026!')(i % wide.nodes.length))[0]).not.toBe(429)
  expect(await verdicts(tryAt(person.password))).toEqual([[429, window]])
  await at(window - 1)
  expect(await verdicts(tryAt(person.password))).toEqual([[429, 1]])
  await at(window)
  for (const node of wide.nodes.keys()) expect((await tryAt(person.password)(node))[0]).toBe(200)
})
