import { beforeEach, expect, test } from 'vitest'
import { enterSignInCode, readSession, sendSignInCode, signIn } from '../../contract/account.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { changePassword } from '../../contract/passwords.ts'
import { limits } from '../../contract/limits.ts'
import type { Assertion } from '../../contract/passkey-sign-in.ts'
import * as passkeys from '../../contract/passkeys.ts'
import { listSignatures, startPairing } from '../../contract/signatures.ts'
import { manySends } from '../testing/open-portal.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import {
  goodPassword,
  openBrowser,
  passPassword,
  smsCode,
  stepUp,
  type Person,
  type TestBrowser,
} from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import {
  anotherSession,
  confirmByPasskey,
  givePasskey,
  openDevice,
  type TestDevice,
} from '../testing/authenticators.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { untilWaiting } from '../testing/lock-waits.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })

const start = Date.now()
const at = (seconds: number) => portal.clock.stopAt(new Date(start + seconds * 1000))
beforeEach(() => at(0))

const refused = { status: 422, problem: { code: 'passkey-refused' } }

async function withPasskey(over: Parameters<typeof givePasskey>[3] = {}) {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  return { person, browser, ...(await givePasskey(portal, browser, person, over)) }
}

const half = async (person: Person) => (await passPassword(portal, person)).browser
const optionsOf = async (browser: TestBrowser, node = 0) =>
  (await browser.call(passkeys.startSignInPasskey, {}, node)).body
const enter = (browser: TestBrowser, assertion: Assertion, node = 0) =>
  browser.call(passkeys.enterSignInPasskey, { body: assertion }, node)

const detailsOf = async ({ login }: Person, action: AuditAction) =>
  (await auditEntries(portal, { login, action })).map(({ details }) => details)

test('AUT-8 AUT-7 AUT-11 a passkey is added after a fresh second factor, notified by mail and audited; its owner names, renames and removes it', async () => {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  expect(await browser.call(passkeys.startPasskey)).toMatchObject({
    status: 403,
    problem: { code: 'step-up-required' },
  })
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
  await portal.deliver()
  const mail = portal.mails.find(({ to }) => to === person.email)!
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
  expect(await remove()).toMatchObject({ status: 403, problem: { code: 'step-up-required' } })
  await stepUp(portal, browser, person, 'remove-passkey', id)
  expect((await remove()).status).toBe(204)
  expect((await remove()).status).toBe(404)
  expect(await list()).toEqual([])
  await portal.deliver()
  expect(portal.mails.find(({ to }) => to === person.email)!.subject).toBe('Sygnet: usunięto klucz dostępu')
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
  expect((await letIn(portal, person)).cookie).toBeTruthy()
})

test('AUT-8 AUT-7 R2 a passkey confirms one operation on one object; a signature for the sign-in or another operation does not', async () => {
  const { person, browser, device } = await withPasskey()
  const { id } = await provider.give(person)
  const { id: otherSignature } = await provider.give(person)
  const pair = (object: string) => browser.call(startPairing, { params: { id: object } })
  expect((await pair(id)).problem.code).toBe('step-up-required')
  const operation = { purpose: 'pair-app' as const, object: id }
  const optionsFor = async (what: { purpose: 'pair-app' | 'add-passkey'; object?: string }) =>
    (await browser.call(passkeys.startStepUpPasskey, { body: what })).body
  const confirm = (assertion: Assertion, what: typeof operation = operation) =>
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
  for (const object of [id, crypto.randomUUID()])
    expect((await stranger.call(passkeys.startStepUpPasskey, { body: { ...operation, object } })).status).toBe(404)
})

/** Each signs in half, and answers the challenge in a wrong way. */
const wrongs: [string, (device: TestDevice, options: passkeys.AssertionOptions) => Assertion][] = [
  ['of another origin', (device, options) => device.assert(options, { origin: 'https://portal.example.evil.example' })],
  ['of the same name without TLS', (device, options) => device.assert(options, { origin: 'http://portal.example' })],
  ['for another relying party', (device, options) => device.assert(options, { rpId: 'evil.example' })],
  ['of a challenge of its own', (device, options) => device.assert(options, { challenge: 'A'.repeat(43) })],
  ['of a registration', (device, options) => device.assert(options, { type: 'webauthn.create' })],
  ['without a verified user', (device, options) => device.assert(options, { unverified: true })],
  ['by a key of another device', (device, options) => openDevice({ credential: device.credential }).assert(options)],
  ['by an unknown key', (_, options) => openDevice().assert(options)],
  ['with a byte changed', (device, options) => ({ ...device.assert(options), signature: 'MEUCIQ' })],
  [
    'of bytes that mean nothing',
    (device) => ({ id: device.id, clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' }),
  ],
]

test('AUT-8 R1 R2 a signature for a wrong origin, for a wrong purpose or by a wrong key opens nothing, uses its challenge up, and is audited', async () => {
  const { person, device } = await withPasskey()
  for (const [name, answer] of wrongs) {
    const browser = await half(person)
    const options = await optionsOf(browser)
    expect([name, await enter(browser, answer(device, options))]).toMatchObject([name, refused])
    expect([name, (await browser.call(readSession)).status]).toEqual([name, 401])
    // The right answer comes too late for this challenge, and in time for the next.
    expect([name, await enter(browser, device.assert(options))]).toMatchObject([name, refused])
    expect([name, (await enter(browser, device.assert(await optionsOf(browser)))).status]).toEqual([name, 200])
  }
  expect(await detailsOf(person, 'passkey-refused')).toHaveLength(2 * wrongs.length)
})

test('AUT-8 R34 a passkey opens its own account only', async () => {
  const [anna, bob] = [await withPasskey(), await withPasskey()]
  const browser = await half(anna.person)
  expect(await enter(browser, bob.device.assert(await optionsOf(browser)))).toMatchObject(refused)
  expect((await browser.call(readSession)).status).toBe(401)
})

test('AUT-8 R22 an answered challenge is used up: replays are refused, and of eighteen answers at once on two nodes one counts', async () => {
  const { person, device } = await withPasskey({ device: openDevice({ counts: false }) })
  const browser = await half(person)
  const assertion = device.assert(await optionsOf(browser))
  const cookie = browser.cookie
  const hits = await fireTogether(
    portal,
    Array.from({ length: 18 }, () => shotOf(passkeys.enterSignInPasskey, { body: assertion }, { cookie })),
  )
  expect(hits.filter(({ status }) => status === 200)).toHaveLength(1)
  const again = await half(person)
  await optionsOf(again)
  expect(await enter(again, assertion)).toMatchObject(refused)
  expect(await detailsOf(person, 'sign-in-finished')).toHaveLength(2)
})

test('AUT-8 a count that does not rise is of a copied key and is refused; a device that never counts is not', async () => {
  const { person, device } = await withPasskey()
  const once = async (counter?: number) => {
    const browser = await half(person)
    const options = await optionsOf(browser)
    return (await enter(browser, device.assert(options, counter === undefined ? {} : { counter }))).status
  }
  expect(await once(7)).toBe(200)
  for (const counter of [7, 6, 0]) expect([counter, await once(counter)]).toEqual([counter, 422])
  expect(await once(8)).toBe(200)

  const plain = await withPasskey({ device: openDevice({ counts: false }) })
  for (let i = 0; i < 2; i++) {
    const browser = await half(plain.person)
    expect((await enter(browser, plain.device.assert(await optionsOf(browser)))).status).toBe(200)
  }
})

test('AUT-8 two uses of one count at once are one use: the second was looked at before the first was written', async () => {
  const { person, device } = await withPasskey()
  const both = [await half(person), await half(person)] as const
  const answers = both.map(async (browser) => device.assert(await optionsOf(browser), { counter: 9 }))
  const [first, second] = await Promise.all(answers)
  const gate = await portal.owner.connect()
  await gate.query('begin')
  await gate.query('select from passkeys for update')
  const entering = [enter(both[0], first!), enter(both[1], second!, 1)]
  await untilWaiting(portal, 2)
  await gate.query('commit')
  gate.release()
  const statuses = (await Promise.all(entering)).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 422])
})

test('AUT-8 a challenge holds for five minutes to the second, on both nodes, and the newest only', async () => {
  const { person, device } = await withPasskey({ device: openDevice({ counts: false }) })
  for (const [seconds, status] of [
    [limits.passkeys.challenge - 1, 200],
    [limits.passkeys.challenge, 422],
  ] as const)
    for (const node of [0, 1]) {
      await at(0)
      const browser = await half(person)
      const options = await optionsOf(browser, node)
      await at(seconds)
      expect((await enter(browser, device.assert(options), 1 - node)).status).toBe(status)
    }
  await at(0)
  const browser = await half(person)
  const [older, newer] = [await optionsOf(browser), await optionsOf(browser)]
  expect(newer.challenge).not.toBe(older.challenge)
  expect(await enter(browser, device.assert(older))).toMatchObject(refused)
})

test('AUT-8 a new key counts only for its request: right origin, right challenge, verified user, once; and no other account has it', async () => {
  const { person, browser, device } = await withPasskey()
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
  expect(await add(second.create(await newOptions()))).toMatchObject({
    status: 422,
    problem: { code: 'passkey-known' },
  })
  const thief = await withPasskey()
  const theirs = (await thief.browser.call(passkeys.startPasskey)).body
  expect(await add(second.create(theirs), thief.browser)).toMatchObject({ problem: { code: 'passkey-known' } })
  expect((await browser.call(passkeys.listPasskeys)).body.items).toHaveLength(2)
  expect(await detailsOf(person, 'passkey-added')).toHaveLength(2)
})

test('AUT-8 one account has ten passkeys at most, however many are added at once', async () => {
  const { person, browser } = await withPasskey()
  const { rows } = await portal.owner.query('select id from accounts where login = $1', [person.login])
  await portal.owner.query(
    `insert into passkeys (id, account_id, name, credential_id, public_key, counter, transports)
     select gen_random_uuid(), $1, name, uuid_send(gen_random_uuid()), public_key, 0, '{}' from passkeys, generate_series(1, 8) where account_id = $1`,
    [rows[0].id],
  )
  const { body: options } = await browser.call(passkeys.startPasskey)
  // The count is looked at again when the key comes: another tab may have added one meanwhile.
  const otherBrowser = await letIn(portal, person)
  await stepUp(portal, otherBrowser, person, 'add-passkey')
  const theirs = (await otherBrowser.call(passkeys.startPasskey)).body
  const add = (by: TestBrowser, from: passkeys.CreationOptions, node: number) =>
    by.call(passkeys.addPasskey, { body: { name: 'Klucz', credential: openDevice().create(from) } }, node)
  const gate = await portal.owner.connect()
  await gate.query('begin')
  await gate.query('select from accounts where id = $1 for update', [rows[0].id])
  const adding = [add(browser, options, 0), add(otherBrowser, theirs, 1)]
  await untilWaiting(portal, 2)
  await gate.query('commit')
  gate.release()
  const codes = (await Promise.all(adding)).map(({ problem }) => problem.code)
  expect(codes.toSorted()).toEqual(['passkeys-full', undefined])
  expect(await browser.call(passkeys.startPasskey)).toMatchObject({ problem: { code: 'passkeys-full' } })
  expect(limits.passkeys.most).toBe(10)
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
  expect((await letIn(portal, person)).cookie).toBeTruthy()
})

test('AUT-8 R83 the name of a passkey is encrypted at rest, and the stored part of its key opens nothing', async () => {
  const { person, device } = await withPasskey({ name: 'Telefon Małgorzaty Niezapominajki' })
  const { rows } = await portal.owner.query<{ row: string; name: Buffer }>(
    `select k::text as row, k.name from passkeys k join accounts a on a.id = k.account_id where a.login = $1`,
    [person.login],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.row).not.toContain(Buffer.from('Niezapominajki').toString('hex'))
  expect(rows[0]!.name.toString('latin1')).not.toContain('Niezapominajki')
  const stored = device.id
  const browser = openBrowser(portal)
  browser.cookie = `__Host-sygnet=${stored}`
  expect((await browser.call(readSession)).status).toBe(401)
})

test('AUT-8 PWD-3 R9 a password change ends every session and leaves the passkey, which opens nothing before the new password; the mail says so', async () => {
  const { person, browser, device } = await withPasskey()
  const elsewhere = await anotherSession(portal, person)
  const waiting = await half(person)
  const open = await optionsOf(waiting)
  const newPassword = 'Nowe-Haslo-Klucza-2026!'
  const body = { currentPassword: person.password, newPassword, repeatPassword: newPassword }
  expect((await browser.call(changePassword, { body })).status).toBe(204)
  expect((await browser.call(readSession)).status).toBe(401)
  const { rows } = await portal.owner.query('select from sessions where id = $1', [elsewhere])
  expect(rows).toEqual([])
  // Half a sign-in from before is over, however good the device's answer is.
  expect((await enter(waiting, device.assert(open))).status).toBe(401)
  await portal.deliver()
  const mail = portal.mails.find(({ to }) => to === person.email)!
  expect(mail.text).toContain('Klucze dostępu działają nadal')

  const again = await half({ ...person, password: newPassword })
  expect((await enter(again, device.assert(await optionsOf(again)))).status).toBe(200)
  expect((await again.call(passkeys.listPasskeys)).body.items).toHaveLength(1)

  // A customer without passkeys gets no such notice.
  const plain = await addCustomer(portal)
  const theirs = { currentPassword: plain.password, newPassword, repeatPassword: newPassword }
  await (await letIn(portal, plain)).call(changePassword, { body: theirs })
  await portal.deliver()
  expect(portal.mails.find(({ to }) => to === plain.email)!.text).not.toContain('Klucze')
})
