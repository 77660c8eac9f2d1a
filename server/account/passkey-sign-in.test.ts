import { beforeEach, expect, test } from 'vitest'
import { readSession, signIn, signOut } from '../../contract/account.ts'
import { listActivity } from '../../contract/activity.ts'
import { limits } from '../../contract/limits.ts'
import {
  enterPasskeySignIn,
  startPasskeySignIn,
  type VisitorAssertion,
  type VisitorOptions,
} from '../../contract/passkey-sign-in.ts'
import * as passkeys from '../../contract/passkeys.ts'
import { blockCustomer, unblockCustomer } from '../../contract/provider/provider-api.ts'
import { userHandleOf } from '../platform/authentication/passkey-visitors.ts'
import { exhaustive } from '../testing/breadth.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { openTestPortal } from '../testing/portal-nodes.ts'
import { browsersElsewhere, openBrowser, signInAs, stepUp, type TestBrowser } from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { givePasskey, openDevice, sampleAssertion, type TestDevice } from '../testing/authenticators.ts'
import { watchWork } from '../testing/work-watch.ts'
import { auditEntries } from '../testing/audit-entries.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })

const start = Date.now()
const at = (seconds: number) => portal.clock.stopAt(new Date(start + seconds * 1000))
beforeEach(() => at(0))

const visit = browsersElsewhere(portal)
const refused = { status: 422, problem: { code: 'passkey-refused' } }

async function withPasskey(over: Parameters<typeof givePasskey>[3] = {}) {
  const person = await addCustomer(portal)
  const browser = await signInAs(portal, person, visit())
  const { device, id } = await givePasskey(portal, browser, person, over)
  const { rows } = await portal.owner.query<{ id: string }>('select id from accounts where login = $1', [person.login])
  await browser.call(signOut)
  return { person, device, id, browser, userHandle: userHandleOf(rows[0]!.id) }
}
const startSignIn = async (browser: TestBrowser, node = 0) => (await browser.call(startPasskeySignIn, {}, node)).body
const enter = (browser: TestBrowser, body: VisitorAssertion, node = 1) =>
  browser.call(enterPasskeySignIn, { body }, node)

async function signInWith(
  { device, userHandle }: { device: TestDevice; userHandle: string },
  browser = visit(),
  over: Parameters<TestDevice['assert']>[1] = {},
) {
  return enter(browser, { ...device.assert(await startSignIn(browser), over), userHandle })
}

test('R121 AUT-8 a passkey signs in alone: no name, no password, no SMS; the session, the audit entry and the device are as of any sign-in', async () => {
  const owner = await withPasskey()
  const texts = portal.texts.length
  const browser = visit()
  const options = await browser.call(startPasskeySignIn)
  expect(options.body).toMatchObject({ rpId: 'portal.example', userVerification: 'required' })
  expect(options.cookie).toMatch(
    /^__Host-sygnet-passkey=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const answer = await enter(browser, { ...owner.device.assert(options.body), userHandle: owner.userHandle })
  expect(answer).toMatchObject({ status: 200, body: { customer: { login: owner.person.login } } })
  expect((await browser.call(readSession)).status).toBe(200)
  await portal.deliver()
  expect(portal.texts).toHaveLength(texts)
  expect((await auditEntries(portal, { login: owner.person.login, action: 'sign-in-finished' })).at(-1)).toMatchObject({
    details: { factor: 'passkey', alone: true },
  })
  const { items } = (await browser.call(listActivity)).body
  expect(items.find(({ act }) => act === 'sign-in-finished')).toMatchObject({ factor: 'passkey-alone' })
  // The device is known from now on: it has attempts of its own.
  expect(browser.device).toBeTruthy()
  expect((await browser.call(passkeys.listPasskeys)).body.items[0]!.usedAt).toBe(new Date(start).toISOString())
  // Who was signed in here before is not any more.
  const otherCustomer = await withPasskey()
  const before = browser.cookie
  expect((await signInWith(otherCustomer, browser)).status).toBe(200)
  browser.cookie = before
  expect((await browser.call(readSession)).status).toBe(401)
})

test('R121 a signature for a wrong origin, for a wrong purpose, by a wrong key or without its user verified opens nothing, and uses its challenge up', async () => {
  const owner = await withPasskey()
  const stranger = await withPasskey()
  const { device, userHandle } = owner
  type Wrong = (options: VisitorOptions) => VisitorAssertion
  const wrongly =
    (over: Parameters<TestDevice['assert']>[1]): Wrong =>
    (options) => ({
      ...device.assert(options, over),
      userHandle,
    })
  const wrongs: Record<string, Wrong> = {
    'another origin': wrongly({ origin: 'https://portal.example.evil.example' }),
    'without TLS': wrongly({ origin: 'http://portal.example' }),
    'another relying party': wrongly({ rpId: 'evil.example' }),
    'a registration': wrongly({ type: 'webauthn.create' }),
    'an unverified user': wrongly({ unverified: true }),
    'a foreign user handle': (options) => ({ ...device.assert(options), userHandle: stranger.userHandle }),
    'a user handle of nobody': (options) => ({ ...device.assert(options), userHandle: 'x'.repeat(22) }),
    'a key of another device': (options) => ({
      ...openDevice({ credential: device.credential }).assert(options),
      userHandle,
    }),
    'an unknown key': (options) => ({ ...openDevice().assert(options), userHandle }),
    'a byte changed': (options) => ({ ...device.assert(options), signature: 'MEUCIQ', userHandle }),
  }
  for (const [name, wrong] of Object.entries(wrongs)) {
    const browser = visit()
    const options = await startSignIn(browser)
    expect([name, await enter(browser, wrong(options))]).toMatchObject([name, refused])
    expect([name, (await browser.call(readSession)).status]).toEqual([name, 401])
    // The challenge is answered; only a new one counts.
    expect([name, await enter(browser, { ...device.assert(options), userHandle })]).toMatchObject([name, refused])
    expect([name, (await signInWith(owner, browser)).status]).toEqual([name, 200])
  }
  expect((await auditEntries(portal, { login: owner.person.login, action: 'passkey-refused' })).length).toBeGreaterThan(
    0,
  )
})

test('R121 R22 a challenge is ours, of this browser, and answered once: replays, made-up ones and those of another browser are refused', async () => {
  const owner = await withPasskey({ device: openDevice({ counts: false }) })
  const { device, userHandle } = owner
  const browser = visit()
  const options = await startSignIn(browser)
  const assertion = { ...device.assert(options), userHandle }
  // Another browser, with a cookie of its own or none; then a challenge that the visitor made.
  const otherBrowser = visit()
  await startSignIn(otherBrowser)
  for (const thief of [otherBrowser, visit()]) expect(await enter(thief, assertion)).toMatchObject(refused)
  const forged = Buffer.from(options.challenge, 'base64url')
  forged[3]! ^= 1
  for (const challenge of [forged.toString('base64url'), 'A'.repeat(72), 'A'.repeat(43), ''])
    expect(await enter(browser, { ...device.assert(options, { challenge }), userHandle })).toMatchObject(refused)
  expect((await enter(browser, assertion, 0)).status).toBe(200)
  for (const node of [0, 1]) expect(await enter(browser, assertion, node)).toMatchObject(refused)
  // The challenge of a second factor does not serve a visitor.
  const half = visit()
  await half.call(signIn, { body: { login: owner.person.login, password: owner.person.password } })
  const { body: second } = await half.call(passkeys.startSignInPasskey)
  await startSignIn(half)
  expect(await enter(half, { ...device.assert(second), userHandle })).toMatchObject(refused)
})

test('R121 two login pages of one browser hold challenges of their own, each of which counts', async () => {
  const owner = await withPasskey()
  const { device, userHandle } = owner
  const browser = visit()
  const [first, second] = [await startSignIn(browser), await startSignIn(browser, 1)]
  expect(first.challenge).not.toBe(second.challenge)
  expect((await enter(browser, { ...device.assert(first), userHandle })).status).toBe(200)
  expect((await enter(browser, { ...device.assert(second), userHandle })).status).toBe(200)
})

test('R121 R24 a challenge holds for five minutes to the second, by the database alone', async () => {
  const owner = await withPasskey({ device: openDevice({ counts: false }) })
  for (const [seconds, status] of [
    [limits.passkeys.challenge - 1, 200],
    [limits.passkeys.challenge, 422],
  ] as const) {
    await at(0)
    const browser = visit()
    const options = await startSignIn(browser)
    await at(seconds)
    const body = { ...owner.device.assert(options), userHandle: owner.userHandle }
    expect((await enter(browser, body)).status).toBe(status)
  }
})

test('R121 R22 of a hundred answers at once, on two nodes, one counts; and a count that does not rise is refused', async () => {
  const owner = await withPasskey({ device: openDevice({ counts: false }) })
  const browser = visit()
  const body = { ...owner.device.assert(await startSignIn(browser)), userHandle: owner.userHandle }
  const hits = await fireTogether(
    portal,
    Array.from({ length: exhaustive ? 100 : 20 }, () =>
      shotOf(enterPasskeySignIn, { body }, { cookie: browser.visitor, address: '192.0.2.66' }),
    ),
  )
  expect(hits.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await auditEntries(portal, { login: owner.person.login, action: 'sign-in-finished' })).toHaveLength(2)
  const counting = await withPasskey()
  expect((await signInWith(counting, visit(), { counter: 7 })).status).toBe(200)
  for (const counter of [7, 6, 0]) expect(await signInWith(counting, visit(), { counter })).toMatchObject(refused)
  expect((await signInWith(counting, visit(), { counter: 8 })).status).toBe(200)
})

test('R121 R9 a passkey that was removed signs nobody in', async () => {
  const owner = await withPasskey()
  const inside = await signInAs(portal, owner.person, visit())
  await stepUp(portal, inside, owner.person, 'remove-passkey', owner.id)
  expect((await inside.call(passkeys.removePasskey, { params: { id: owner.id } })).status).toBe(204)
  expect(await signInWith(owner)).toMatchObject(refused)
})

test('R121 R118 strangers who block the password do not block the passkey; the provider’s block does', async () => {
  const owner = await withPasskey()
  const { login, password, id } = owner.person
  for (let i = 0; i < 10; i++)
    await visit().call(signIn, { body: { login, password: `Wrong-Password-${i}!`, botProof: crypto.randomUUID() } })
  const right = { login, password, botProof: crypto.randomUUID() }
  expect((await visit().call(signIn, { body: right })).problem.code).toBe('account-blocked')
  expect((await signInWith(owner)).status).toBe(200)
  // It opens nothing for the strangers.
  expect((await visit().call(signIn, { body: { ...right, botProof: crypto.randomUUID() } })).problem.code).toBe(
    'account-blocked',
  )
  await visit().call(blockCustomer, { params: { customer: id } })
  const blocked = visit()
  expect(await signInWith(owner, blocked)).toMatchObject({ status: 422, problem: { code: 'account-blocked' } })
  expect((await blocked.call(readSession)).status).toBe(401)
  await visit().call(unblockCustomer, { params: { customer: id } })
  expect((await signInWith(owner)).status).toBe(200)
})

test('R121 R14 R15 nobody can find out who has a passkey: the same challenge for everyone, and the same refusal for the same work', async () => {
  const owner = await withPasskey()
  const take = watchWork()
  const seen = []
  for (const id of [owner.device.id, sampleAssertion.id]) {
    const browser = visit()
    const { challenge, ...options } = await startSignIn(browser)
    expect(challenge).toHaveLength(72)
    take()
    const body = { ...sampleAssertion, id, userHandle: owner.userHandle }
    const { status, problem } = await enter(browser, body)
    seen.push({ options, status, problem, ...take() })
  }
  expect(seen[0]).toEqual(seen[1])
  for (const { statements } of seen) for (const statement of statements) expect(statement).not.toMatch(/"?accounts"?\b/)
})

test('R121 R118 R28 refused passkeys of a network are counted and audited up to a limit, and raise an alarm; right ones there still work', async () => {
  const owner = await withPasskey()
  const address = '192.0.2.123'
  const here = () => openBrowser(portal, { address })
  const { limit } = limits.signIn.wrongPerAddress
  for (let i = 0; i < limit; i++)
    expect(await enter(here(), { ...sampleAssertion, userHandle: owner.userHandle })).toMatchObject(refused)
  const late = await enter(here(), { ...sampleAssertion, userHandle: owner.userHandle })
  expect(late).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
  const alarms = () => auditEntries(portal, { action: 'alarm-raised', details: { about: '192.0.2.0/24' } })
  await expect.poll(alarms).toHaveLength(1)
  const refusals = await auditEntries(portal, { action: 'passkey-refused' })
  expect(refusals.filter((entry) => entry.address === address)).toHaveLength(limit)
  expect((await signInWith(owner, here())).status).toBe(200)
})

test('R121 ERR-5 with passkeys switched off nobody signs in by one', async () => {
  const off = await openTestPortal({ settings: { featuresOff: ['passkeys'] } })
  const answers = [
    await openBrowser(off).call(startPasskeySignIn),
    await openBrowser(off).call(enterPasskeySignIn, { body: { ...sampleAssertion, userHandle: 'xx' } }),
  ]
  await off.close()
  for (const { problem } of answers) expect(problem.code).toBe('unavailable')
})
