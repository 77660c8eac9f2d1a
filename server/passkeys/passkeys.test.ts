import { beforeEach, describe, expect, test } from 'vitest'
import { enterSignInCode, readSession, sendSignInCode, signIn } from '../../contract/account.ts'
import { listActivity } from '../../contract/activity.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { limits } from '../../contract/limits.ts'
import * as passkeySignIn from '../../contract/passkey-sign-in.ts'
import * as passkeys from '../../contract/passkeys.ts'
import { blockCustomer, unblockCustomer } from '../../contract/provider/provider-customers.ts'
import { listSignatures, startSignaturePairing } from '../../contract/signatures.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { userHandleOf } from '../platform/authentication/passkey-challenges.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import {
  signInAgain,
  confirmByPasskey,
  givePasskey,
  openDevice,
  sampleAssertion,
  wrongAnswers,
  type TestDevice,
} from '../testing/authenticators.ts'
import { browsersElsewhere, openBrowser, type TestBrowser } from '../testing/browser.ts'
import { fireTimes, preparedCall } from '../testing/burst.ts'
import { watchWork, runBehindLock } from '../testing/concurrency.ts'
import { findAccountId } from '../testing/database-state.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { readDeliveredTo, smsCode } from '../testing/sent-messages.ts'
import {
  goodPassword,
  signInAs,
  passPassword,
  replacePassword,
  stepUp,
  type Person,
} from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })

const start = Date.now()
const at = (seconds: number) => portal.clock.stopAt(new Date(start + seconds * 1000))
beforeEach(() => at(0))

const refused = { status: 422, problem: { code: 'passkey-refused' } }

async function withPasskey(over: Parameters<typeof givePasskey>[3] = {}) {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const userHandle = userHandleOf(await findAccountId(portal, person))
  return { person, browser, userHandle, ...(await givePasskey(portal, browser, person, over)) }
}
type Owner = Awaited<ReturnType<typeof withPasskey>>

const deviceWithoutCounter = () => ({ device: openDevice({ counts: false }) })

const half = async (person: Person) => (await passPassword(portal, person)).browser
const optionsOf = async (browser: TestBrowser, node = 0) =>
  (await browser.call(passkeys.startSignInPasskey, {}, node)).body
const enter = (browser: TestBrowser, assertion: passkeySignIn.Assertion, node = 0) =>
  browser.call(passkeys.enterSignInPasskey, { body: assertion }, node)

const visit = browsersElsewhere(portal)
const startSignIn = async (browser: TestBrowser, node = 0) =>
  (await browser.call(passkeySignIn.startPasskeySignIn, {}, node)).body
const visitWith = (browser: TestBrowser, body: passkeySignIn.VisitorAssertion, node = 1) =>
  browser.call(passkeySignIn.enterPasskeySignIn, { body }, node)
const signInWith = async ({ device, userHandle }: Owner, browser = visit()) =>
  visitWith(browser, { ...device.assert(await startSignIn(browser)), userHandle })

const detailsOf = async ({ login }: Person, action: AuditAction) =>
  (await auditEntries(portal, { login, action })).map(({ details }) => details)

test('AUT-8 AUT-7 AUT-11 a passkey is added after a fresh second factor, notified by mail and audited; its owner names, renames and removes it', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const unconfirmed = { status: 403, problem: { code: 'step-up-required' } }
  expect(await browser.call(passkeys.startPasskey)).toMatchObject(unconfirmed)
  const device = openDevice()
  await stepUp(portal, browser, person, 'add-passkey')
  const { body: options } = await browser.call(passkeys.startPasskey)
  expect(options).toMatchObject({
    rp: { id: 'portal.example', name: 'Sygnet' },
    authenticatorSelection: { userVerification: 'required' },
    attestation: 'none',
  })
  const body = { name: '  Telefon służbowy ', credential: device.create(options) }
  const added = await browser.call(passkeys.addPasskey, { body }, 1)
  expect(added).toMatchObject({ status: 200, body: { name: 'Telefon służbowy', usedAt: null } })
  const mail = (await readDeliveredTo(portal, person.email))[0]!
  expect(mail.subject).toBe('Sygnet: dodano klucz dostępu')
  expect(mail.text).not.toContain('Telefon')
  expect(mail.text).toMatch(/\/security$/m)
  const { id } = added.body
  const list = async () => (await browser.call(passkeys.listPasskeys)).body.items
  expect(await list()).toEqual([added.body])

  const rename = (name: string) => browser.call(passkeys.renamePasskey, { params: { id }, body: { name } })
  expect((await rename('')).problem.fields).toEqual([{ name: 'name', problem: 'required' }])
  expect((await rename('x'.repeat(61))).problem.fields).toEqual([{ name: 'name', problem: 'too-long' }])
  expect((await rename('Mój telefon')).status).toBe(204)
  expect(await list()).toMatchObject([{ id, name: 'Mój telefon' }])

  const remove = () => browser.call(passkeys.removePasskey, { params: { id } })
  expect(await remove()).toMatchObject(unconfirmed)
  await stepUp(portal, browser, person, 'remove-passkey', id)
  expect((await remove()).status).toBe(204)
  expect((await remove()).status).toBe(404)
  expect(await list()).toEqual([])
  expect((await readDeliveredTo(portal, person.email))[0]!.subject).toBe('Sygnet: usunięto klucz dostępu')
  for (const action of ['passkey-added', 'passkey-renamed', 'passkey-removed'] as const)
    expect(await detailsOf(person, action)).toEqual([{ passkey: id }])
})

test('AUT-8 AUT-2 with a passkey the password is followed by no SMS: the device finishes the sign-in, under a new id', async () => {
  const { person, device } = await withPasskey()
  const sent = portal.texts.length
  const browser = openBrowser(portal)
  const answer = await browser.call(signIn, { body: { login: person.login, password: goodPassword } })
  expect(answer).toMatchObject({ status: 200, body: { channel: 'passkey' } })
  await portal.deliver()
  expect(portal.texts).toHaveLength(sent)
  expect((await browser.call(listSignatures)).status).toBe(401)
  const options = await optionsOf(browser)
  expect(options).toMatchObject({ rpId: 'portal.example', userVerification: 'required' })
  expect(options.allowCredentials.map(({ id }) => id)).toEqual([device.id])
  const pending = browser.cookie
  expect(await enter(browser, device.assert(options), 1)).toMatchObject({
    status: 200,
    body: { customer: { login: person.login } },
  })
  expect(browser.cookie).not.toBe(pending)
  for (const node of [0, 1]) expect((await browser.call(listSignatures, {}, node)).status).toBe(200)
  expect(browser.device).toBeTruthy()
  expect((await detailsOf(person, 'sign-in-finished')).map(({ factor }) => factor)).toEqual(['sms', 'passkey'])
  expect((await browser.call(passkeys.listPasskeys)).body.items[0]!.usedAt).toBe(new Date(start).toISOString())
})

test('AUT-8 SMS remains for who wants it, and losing the last passkey locks no one out', async () => {
  const { person, browser: inside, id, device } = await withPasskey()
  const browser = await half(person)
  expect(await browser.call(sendSignInCode)).toMatchObject({ status: 200, body: { channel: 'sms', ordinal: 1 } })
  // A second request means the same code (R25).
  expect((await browser.call(sendSignInCode)).body.ordinal).toBe(1)
  await portal.deliver()
  const code = smsCode(portal, person.phone)
  expect((await browser.call(enterSignInCode, { body: { code } })).status).toBe(200)

  const removal = { purpose: 'remove-passkey' as const, object: id }
  expect((await inside.call(startStepUp, { body: removal })).body).toEqual({ channel: 'passkey' })
  expect((await confirmByPasskey(inside, device, removal)).status).toBe(200)
  expect((await inside.call(passkeys.removePasskey, { params: { id } })).status).toBe(204)
  const { answer } = await passPassword(portal, person)
  expect(answer.body).toMatchObject({ channel: 'sms' })
  expect((await signInDirectly(portal, person)).cookie).toBeTruthy()
})

test('AUT-8 AUT-7 R2 a passkey confirms one operation on one object; a signature for the sign-in or another operation does not', async () => {
  const { person, browser, device } = await withPasskey()
  const { id } = await provider.give(person)
  const { id: otherSignature } = await provider.give(person)
  const pair = (object: string) => browser.call(startSignaturePairing, { params: { id: object } })
  expect((await pair(id)).problem.code).toBe('step-up-required')
  const operation = { purpose: 'pair-app' as const, object: id }
  const optionsFor = async (what: { purpose: 'pair-app' | 'add-passkey'; object?: string }) =>
    (await browser.call(passkeys.startStepUpPasskey, { body: what })).body
  const confirm = (assertion: passkeySignIn.Assertion, what: typeof operation = operation) =>
    browser.call(passkeys.enterStepUpPasskey, { body: { ...what, assertion } })
  // What was signed for another object, or another purpose, opens nothing, though both are open.
  const [forOther, forAccount] = [
    await optionsFor({ purpose: 'pair-app', object: otherSignature }),
    await optionsFor({ purpose: 'add-passkey' }),
  ]
  for (const options of [forOther, forAccount]) {
    await optionsFor(operation)
    expect(await confirm(device.assert(options))).toMatchObject(refused)
  }
  const pending = await half(person)
  const forSignIn = await optionsOf(pending)
  await optionsFor(operation)
  expect(await confirm(device.assert(forSignIn))).toMatchObject(refused)
  const before = browser.cookie
  expect((await confirm(device.assert(await optionsFor(operation)))).status).toBe(200)
  expect(browser.cookie).not.toBe(before)
  expect((await pair(id)).status).toBe(200)
  expect((await pair(otherSignature)).problem.code).toBe('step-up-required')
  expect((await detailsOf(person, 'step-up-confirmed')).at(-1)).toEqual({
    purpose: 'pair-app',
    object: id,
    factor: 'passkey',
  })
  // For somebody else's there is nothing to sign (R34).
  const { browser: stranger } = await withPasskey()
  expect((await stranger.call(passkeys.startStepUpPasskey, { body: operation })).status).toBe(404)
})

type Answered = passkeySignIn.Assertion & { userHandle?: string }
type Wrongs = Record<string, (device: TestDevice, options: passkeySignIn.VisitorOptions) => Answered>

/** The two sign-ins with a passkey: their browser, its challenge, and what must not answer one besides `wrongAnswers`. */
const signIns = [
  {
    way: 'after the password',
    open: ({ person }: Owner) => half(person),
    draw: optionsOf,
    answer: (_: Owner, browser: TestBrowser, assertion: Answered, node = 0) => enter(browser, assertion, node),
    shot: (_: Owner, { cookie }: TestBrowser, body: passkeySignIn.Assertion) =>
      preparedCall(passkeys.enterSignInPasskey, { body }, { cookie }),
    wrongs: async (): Promise<Wrongs> => ({
      'a challenge of its own': (device, options) => device.assert(options, { challenge: 'A'.repeat(43) }),
      'bytes that mean nothing': ({ id }) => ({ ...sampleAssertion, id, clientDataJSON: 'AA' }),
    }),
    // Each is the account's, whichever key it names.
    unattributed: 0,
  },
  {
    way: 'alone',
    open: async () => visit(),
    draw: startSignIn,
    answer: ({ userHandle }: Owner, browser: TestBrowser, assertion: Answered, node = 1) =>
      visitWith(browser, { userHandle, ...assertion }, node),
    shot: ({ userHandle }: Owner, { visitor }: TestBrowser, assertion: passkeySignIn.Assertion) =>
      preparedCall(
        passkeySignIn.enterPasskeySignIn,
        { body: { ...assertion, userHandle } },
        { cookie: visitor, address: '192.0.2.66' },
      ),
    wrongs: async (): Promise<Wrongs> => {
      const { userHandle } = await withPasskey()
      return {
        'a foreign user handle': (device, options) => ({ ...device.assert(options), userHandle }),
        'a user handle of nobody': (device, options) => ({ ...device.assert(options), userHandle: 'x'.repeat(22) }),
      }
    },
    // An unknown key is of no account.
    unattributed: 1,
  },
]

describe.each(signIns)('a passkey $way:', ({ open, draw, answer, shot, wrongs, unattributed }) => {
  test('R121 AUT-8 R1 R2 a signature for a wrong origin, purpose, user or by a wrong key opens nothing, uses its challenge up, and is audited', async () => {
    const owner = await withPasskey()
    const { person, device } = owner
    const all = Object.entries({ ...wrongAnswers, ...(await wrongs()) })
    for (const [name, wrong] of all) {
      const browser = await open(owner)
      const options = await draw(browser)
      expect([name, await answer(owner, browser, wrong(device, options))]).toMatchObject([name, refused])
      expect([name, (await browser.call(readSession)).status]).toEqual([name, 401])
      // The right answer comes too late for this challenge, and in time for the next.
      expect([name, await answer(owner, browser, device.assert(options))]).toMatchObject([name, refused])
      expect([name, (await answer(owner, browser, device.assert(await draw(browser)))).status]).toEqual([name, 200])
    }
    expect(await detailsOf(person, 'passkey-refused')).toHaveLength(2 * all.length - unattributed)
  })

  test('R121 AUT-8 R22 of twenty answers at once on two nodes one counts, and none afterwards', async () => {
    const owner = await withPasskey(deviceWithoutCounter())
    const browser = await open(owner)
    const assertion = owner.device.assert(await draw(browser))
    const hits = await fireTimes(portal, 20, () => shot(owner, browser, assertion))
    expect(hits.filter(({ status }) => status === 200)).toHaveLength(1)
    const again = await open(owner)
    await draw(again)
    expect(await answer(owner, again, assertion)).toMatchObject(refused)
    expect(await detailsOf(owner.person, 'sign-in-finished')).toHaveLength(2)
  })

  test('R121 AUT-8 a count that does not rise is of a copied key and is refused; a device that never counts is not', async () => {
    const once = async (owner: Owner, counter?: number) => {
      const browser = await open(owner)
      const assertion = owner.device.assert(await draw(browser), counter === undefined ? {} : { counter })
      return (await answer(owner, browser, assertion)).status
    }
    const counting = await withPasskey()
    const statuses = []
    for (const counter of [7, 7, 6, 0, 8]) statuses.push([counter, await once(counting, counter)])
    expect(statuses).toEqual([
      [7, 200],
      [7, 422],
      [6, 422],
      [0, 422],
      [8, 200],
    ])
    const never = await withPasskey(deviceWithoutCounter())
    expect([await once(never), await once(never)]).toEqual([200, 200])
  })

  test('R121 AUT-8 R24 a challenge holds for five minutes to the second, by the database alone, on both nodes', async () => {
    const owner = await withPasskey(deviceWithoutCounter())
    for (const [seconds, status] of [
      [limits.passkeys.challengeLife - 1, 200],
      [limits.passkeys.challengeLife, 422],
    ] as const)
      for (const node of [0, 1]) {
        await at(0)
        const browser = await open(owner)
        const assertion = owner.device.assert(await draw(browser, node))
        await at(seconds)
        expect((await answer(owner, browser, assertion, 1 - node)).status).toBe(status)
      }
  })
})

test('AUT-8 only the newest challenge of a second factor counts', async () => {
  const { person, device } = await withPasskey()
  const browser = await half(person)
  const [older, newer] = [await optionsOf(browser), await optionsOf(browser)]
  expect(newer.challenge).not.toBe(older.challenge)
  expect(await enter(browser, device.assert(older))).toMatchObject(refused)
})

test('AUT-8 R34 a passkey opens its own account only', async () => {
  const [anna, bob] = [await withPasskey(), await withPasskey()]
  const browser = await half(anna.person)
  expect(await enter(browser, bob.device.assert(await optionsOf(browser)))).toMatchObject(refused)
  expect((await browser.call(readSession)).status).toBe(401)
})

test('AUT-8 two uses of one count at once are one use: the second was looked at before the first was written', async () => {
  const { person, device } = await withPasskey()
  const both = [await half(person), await half(person)] as const
  const answers = both.map(async (browser) => device.assert(await optionsOf(browser), { counter: 9 }))
  const [first, second] = await Promise.all(answers)
  const entering = () => Promise.all([enter(both[0], first!), enter(both[1], second!, 1)])
  const entered = await runBehindLock(portal, 'select from passkeys for update', entering, { count: 2 })
  const statuses = entered.map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422])
})

test('AUT-8 a new key counts only for its request: right origin, right challenge, verified user, once; and no other account has it', async () => {
  const { person, browser, device } = await withPasskey()
  const known = { status: 422, problem: { code: 'passkey-known' } }
  const newOptions = async () => (await browser.call(passkeys.startPasskey)).body
  const add = (credential: passkeys.NewCredential, by = browser) =>
    by.call(passkeys.addPasskey, { body: { name: 'Klucz', credential } })
  for (const over of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'A'.repeat(43) },
    { type: 'webauthn.get' },
    { unverified: true as const },
  ])
    expect([over, await add(openDevice().create(await newOptions(), over))]).toMatchObject([over, refused])
  const options = await newOptions()
  expect(options.excludeCredentials.map(({ id }) => id)).toEqual([device.id])
  const second = openDevice()
  expect((await add(second.create(options))).status).toBe(200)
  expect(await add(openDevice().create(options))).toMatchObject(refused)
  // The very key again, in the same account and in another one.
  expect(await add(second.create(await newOptions()))).toMatchObject(known)
  const thief = await withPasskey()
  const theirs = (await thief.browser.call(passkeys.startPasskey)).body
  expect(await add(second.create(theirs), thief.browser)).toMatchObject(known)
  expect((await browser.call(passkeys.listPasskeys)).body.items).toHaveLength(2)
  expect(await detailsOf(person, 'passkey-added')).toHaveLength(2)
})

test('AUT-8 one account has ten passkeys at most, however many are added at once', async () => {
  const { person, browser } = await withPasskey()
  const account = await findAccountId(portal, person)
  await portal.owner.query(
    `insert into passkeys (id, account_id, name, credential_id, public_key, counter, transports)
     select gen_random_uuid(), $1, name, uuid_send(gen_random_uuid()), public_key, 0, '{}' from passkeys, generate_series(1, 8) where account_id = $1`,
    [account],
  )
  const { body: options } = await browser.call(passkeys.startPasskey)
  // The count is looked at again when the key comes: another tab may have added one meanwhile.
  const otherBrowser = await signInDirectly(portal, person)
  await stepUp(portal, otherBrowser, person, 'add-passkey')
  const theirs = (await otherBrowser.call(passkeys.startPasskey)).body
  const add = (by: TestBrowser, from: passkeys.CreationOptions, node: number) =>
    by.call(passkeys.addPasskey, { body: { name: 'Klucz', credential: openDevice().create(from) } }, node)
  const adding = () => Promise.all([add(browser, options, 0), add(otherBrowser, theirs, 1)])
  const lock: [string, unknown[]] = ['select from accounts where id = $1 for update', [account]]
  const added = await runBehindLock(portal, lock, adding, { count: 2 })
  expect(added.map(({ problem }) => problem.code).toSorted()).toEqual(['passkeys-full', undefined])
  expect(await browser.call(passkeys.startPasskey)).toMatchObject({ problem: { code: 'passkeys-full' } })
  expect(limits.passkeys.maxCount).toBe(10)
})

test('AUT-8 R18 R118 wrong answers to challenges are counted and audited up to a limit; they block neither a right one nor SMS', async () => {
  const { person, device } = await withPasskey()
  const browser = await half(person)
  const { limit } = limits.passkeys.tries
  for (let i = 0; i < limit; i++)
    expect(await enter(browser, device.assert(await optionsOf(browser), { rpId: 'x' }), i % 2)).toMatchObject(refused)
  const late = await enter(browser, device.assert(await optionsOf(browser), { rpId: 'x' }))
  expect(late).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await detailsOf(person, 'passkey-refused')).toHaveLength(limit)
  const otherCustomer = await half(person)
  expect((await enter(otherCustomer, device.assert(await optionsOf(otherCustomer)))).status).toBe(200)
  expect((await signInDirectly(portal, person)).cookie).toBeTruthy()
})

test('AUT-8 PWD-3 R9 a password change ends every session and leaves the passkey, which opens nothing before the new password; the mail says so', async () => {
  const { person, browser, device } = await withPasskey()
  const elsewhere = await signInAgain(portal, person)
  const waiting = await half(person)
  const open = await optionsOf(waiting)
  const newPassword = 'Nowe-Haslo-Klucza-2026!'
  expect((await replacePassword(browser, person.password, newPassword)).status).toBe(204)
  expect((await browser.call(readSession)).status).toBe(401)
  expect(await portal.rows('select from sessions where id = $1', [elsewhere])).toEqual([])
  // Half a sign-in from before is over, however good the device's answer is.
  expect((await enter(waiting, device.assert(open))).status).toBe(401)
  expect((await readDeliveredTo(portal, person.email))[0]!.text).toContain('Klucze dostępu działają nadal')

  const again = await half({ ...person, password: newPassword })
  expect((await enter(again, device.assert(await optionsOf(again)))).status).toBe(200)
  expect((await again.call(passkeys.listPasskeys)).body.items).toHaveLength(1)

  // A customer without passkeys gets no such notice.
  const other = await addCustomer(portal)
  await replacePassword(await signInDirectly(portal, other), other.password, newPassword)
  expect((await readDeliveredTo(portal, other.email))[0]!.text).not.toContain('Klucze')
})

test('R121 AUT-8 a passkey signs in alone, with no name, no password and no SMS', async () => {
  const owner = await withPasskey()
  const texts = portal.texts.length
  const browser = visit()
  const options = await browser.call(passkeySignIn.startPasskeySignIn)
  expect(options.body).toMatchObject({ rpId: 'portal.example', userVerification: 'required' })
  expect(options.cookie).toMatch(
    /^__Host-sygnet-passkey=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const answer = await visitWith(browser, { ...owner.device.assert(options.body), userHandle: owner.userHandle })
  expect(answer).toMatchObject({ status: 200, body: { customer: { login: owner.person.login } } })
  expect((await browser.call(readSession)).status).toBe(200)
  await portal.deliver()
  expect(portal.texts).toHaveLength(texts)
  expect((await detailsOf(owner.person, 'sign-in-finished')).at(-1)).toMatchObject({ factor: 'passkey', alone: true })
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

test('R121 R22 a challenge is ours, of this browser, and answered once', async () => {
  const owner = await withPasskey(deviceWithoutCounter())
  const { device, userHandle } = owner
  const browser = visit()
  const options = await startSignIn(browser)
  const assertion = { ...device.assert(options), userHandle }
  // Another browser, with a cookie of its own or none; then a challenge that the visitor made.
  const otherBrowser = visit()
  await startSignIn(otherBrowser)
  for (const thief of [otherBrowser, visit()]) expect(await visitWith(thief, assertion)).toMatchObject(refused)
  const forged = Buffer.from(options.challenge, 'base64url')
  forged[3]! ^= 1
  for (const challenge of [forged.toString('base64url'), 'A'.repeat(72), 'A'.repeat(43), ''])
    expect(await visitWith(browser, { ...device.assert(options, { challenge }), userHandle })).toMatchObject(refused)
  expect((await visitWith(browser, assertion, 0)).status).toBe(200)
  for (const node of [0, 1]) expect(await visitWith(browser, assertion, node)).toMatchObject(refused)
  // The challenge of a second factor does not serve a visitor.
  const waiting = visit()
  await waiting.call(signIn, { body: { login: owner.person.login, password: owner.person.password } })
  const { body: second } = await waiting.call(passkeys.startSignInPasskey)
  await startSignIn(waiting)
  expect(await visitWith(waiting, { ...device.assert(second), userHandle })).toMatchObject(refused)
})

test('R121 two login pages of one browser hold challenges of their own, each of which counts', async () => {
  const owner = await withPasskey()
  const { device, userHandle } = owner
  const browser = visit()
  const [first, second] = [await startSignIn(browser), await startSignIn(browser, 1)]
  expect(first.challenge).not.toBe(second.challenge)
  expect((await visitWith(browser, { ...device.assert(first), userHandle })).status).toBe(200)
  expect((await visitWith(browser, { ...device.assert(second), userHandle })).status).toBe(200)
})

test('R121 R9 a passkey that was removed signs nobody in', async () => {
  const owner = await withPasskey()
  const inside = await signInAs(portal, owner.person, visit())
  await stepUp(portal, inside, owner.person, 'remove-passkey', owner.id)
  expect((await inside.call(passkeys.removePasskey, { params: { id: owner.id } })).status).toBe(204)
  expect(await signInWith(owner)).toMatchObject(refused)
})

test('R121 R118 strangers who block the password do not block the passkey; the provider does', async () => {
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

test('R121 R14 nobody can find out who has a passkey: the same refusal for the same work', async () => {
  const owner = await withPasskey()
  const take = watchWork()
  const seen = []
  for (const id of [owner.device.id, sampleAssertion.id]) {
    const browser = visit()
    const { challenge, ...options } = await startSignIn(browser)
    expect(challenge).toHaveLength(72)
    take()
    const body = { ...sampleAssertion, id, userHandle: owner.userHandle }
    const { status, problem } = await visitWith(browser, body)
    seen.push({ options, status, problem, ...take() })
  }
  expect(seen[0]).toEqual(seen[1])
  for (const { statements } of seen) for (const statement of statements) expect(statement).not.toMatch(/"?accounts"?\b/)
})

test('R121 R28 refused passkeys of a network are counted up to a limit, and raise an alarm', async () => {
  const owner = await withPasskey()
  const address = '192.0.2.123'
  const here = () => openBrowser(portal, { address })
  const { limit } = limits.signIn.wrongPerAddress
  for (let i = 0; i < limit; i++)
    expect(await visitWith(here(), { ...sampleAssertion, userHandle: owner.userHandle })).toMatchObject(refused)
  const late = await visitWith(here(), { ...sampleAssertion, userHandle: owner.userHandle })
  expect(late).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
  const alarms = () => auditEntries(portal, { action: 'alarm-raised', details: { about: '192.0.2.0/24' } })
  await expect.poll(alarms).toHaveLength(1)
  const refusals = await auditEntries(portal, { action: 'passkey-refused' })
  expect(refusals.filter((entry) => entry.address === address)).toHaveLength(limit)
  // They do not count for the passwords of an office there (R120).
  const { login, password } = owner.person
  expect((await here().call(signIn, { body: { login, password } })).status).toBe(200)
  expect((await signInWith(owner, here())).status).toBe(200)
})
