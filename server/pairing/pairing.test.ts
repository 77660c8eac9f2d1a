import { afterEach, describe, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import {
  confirmActivation,
  removeActivationSecret,
  removeSealActivationSecret,
  getActivation,
  getActivationSecret,
  getSealActivation,
  getSealActivationSecret,
  putActivation,
} from '../../contract/provider/provider-activations.ts'
import { getSignature, putSignature } from '../../contract/provider/provider-signatures.ts'
import { confirmSealPairing, startSealPairing } from '../../contract/seals.ts'
import {
  confirmSignaturePairing,
  listSignatures,
  readSignatureCertificate,
  startSignaturePairing,
} from '../../contract/signatures.ts'
import { fromBase32, hotp, totp, totpStep } from '../../pki/totp.ts'
import { readAuditedActions } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { outcomesOf } from '../testing/burst.ts'
import { runBehindLock } from '../testing/concurrency.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { decryptHandedOver, rowsThatPairingsLeave, shownSecret } from '../testing/samples/activation-samples.ts'
import { signInDirectly } from '../testing/samples/ready-customers.ts'
import { insertStepUp, makeUserToPair, inDays, makeOwnerToPair } from '../testing/samples/sample-seals.ts'
import { stepUp } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })

const api = openBrowser(portal)

const makeOwner = () => makeOwnerToPair(portal, provider)
type Owner = Awaited<ReturnType<typeof makeOwner>>

/** Starts a pairing, and returns what the app reads from the QR code. */
async function pair({ browser, id }: Pick<Owner, 'browser' | 'id'>) {
  const shown = shownSecret((await browser.call(startSignaturePairing, { params: { id } })).body)
  return { ...shown, secret: fromBase32(shown.key)! }
}
const codeNow = async (secret: Uint8Array) => totp(secret, await now(portal.db))

const enter = ({ browser, id }: Owner, code: string, node = 0) =>
  browser.call(confirmSignaturePairing, { params: { id }, body: { code } }, node)
const wrongFor = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0')

/** Creates an owner with a secret, and stops the clock in the middle of a time step of the codes. */
async function pairWithinStep() {
  const owner = await makeOwner()
  const { secret } = await pair(owner)
  const at = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000)
  await portal.clock.stopAt(at)
  return { owner, secret, at }
}
afterEach(() => portal.clock.advance(0))

/** Enters codes while another request's transaction holds the row of the pairing, and changes it. */
const whileHeld = <T>({ id }: Owner, start: () => Promise<T>, count = 1, change = 'created_at = created_at') =>
  runBehindLock(portal, [`update pairings set ${change} where signature_id = $1`, [id]], start, { count })

const actionsOf = async ({ id }: Owner) =>
  (await readAuditedActions(portal, { details: { signature: id } })).filter((action) => action.startsWith('pairing-'))

describe('SIG-3 the QR code', () => {
  test('SIG-3 AUT-7 is shown only after a fresh SMS code for this very signature', async () => {
    const { person, browser } = await makeOwner()
    const { id } = await provider.give(person)
    const start = () => browser.call(startSignaturePairing, { params: { id } })
    expect((await start()).problem).toMatchObject({ status: 403, code: 'step-up-required' })
    await stepUp(portal, browser, person, 'pair-app', id)
    expect((await start()).status).toBe(200)
    const { text } = portal.texts.find(({ to }) => to === person.phone)!
    expect(text).toContain('kod do polaczenia podpisu z aplikacja')
  })

  test('SIG-3 is a standard link with a secret of 160 bits, the same as text, and visible for five minutes', async () => {
    const owner = await makeOwner()
    const { uri, key, secret, visibleUntil, now: at } = await pair(owner)
    const url = new URL(uri)
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
    const issuer = portal.portal.settings.brand.product
    expect(Object.fromEntries(url.searchParams)).toEqual({
      secret: key,
      issuer,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(secret).toHaveLength(20)
    expect(Date.parse(visibleUntil) - Date.parse(at)).toBe(limits.pairing.visible * 1000)
  })

  test('SIG-3 is not for cards, files, or signatures that are not active', async () => {
    const { person, browser } = await makeOwner()
    const past = { from: inDays(-400), to: inDays(-1) }
    const future = { from: inDays(2), to: inDays(400) }
    for (const overrides of [
      { product: 'card' },
      { product: 'file' },
      { status: 'suspended' },
      { status: 'revoked' },
      past,
      future,
    ] as const) {
      const { id } = await provider.give(person, overrides)
      await insertStepUp(portal, person, 'pair-app', id)
      for (const answer of [
        await browser.call(startSignaturePairing, { params: { id } }),
        await browser.call(confirmSignaturePairing, { params: { id }, body: { code: '123456' } }),
      ])
        expect([overrides, answer.status, answer.problem.code]).toEqual([overrides, 422, 'pairing-not-possible'])
    }
  })
})

test('APP-4 names issuer, person and certificate, so that two signatures of one person differ', async () => {
  const owner = await makeOwner()
  const long = await provider.give(owner.person, {
    subject: { givenName: 'Świętosława Żaneta Bożena: Ludmiła', surname: 'Brzęczyszczykiewicz-Grzegżółka' },
  })
  const labels = []
  await insertStepUp(portal, owner.person, 'pair-app', long.id)
  for (const { id } of [owner, long]) {
    const { uri } = await pair({ ...owner, id })
    const label = uri.slice('otpauth://totp/'.length, uri.indexOf('?'))
    // Key URI format: one colon, which separates issuer and account; all else is percent-encoded.
    expect(label).toMatch(/^[\w.~!'()*%-]+:[\w.~!'()*%-]+$/)
    const { body } = await owner.browser.call(readSignatureCertificate, { params: { id } })
    const decoded = decodeURIComponent(label)
    expect(decoded.endsWith(` – podpis – ${body.serialNumber.slice(-8)}`)).toBe(true)
    expect([...decoded].length).toBeLessThanOrEqual(160)
    labels.push(decoded)
  }
  const issuer = portal.portal.settings.brand.product
  expect(labels[0]!.startsWith(`${issuer}:Anna Nowak – podpis – `)).toBe(true)
  expect(labels[1]!.startsWith(`${issuer}:Świętosława Żaneta Bożena  Ludmiła Brzę…`)).toBe(true)
  expect(new Set(labels).size).toBe(2)
})

describe('SIG-3 the confirmation of a pairing', () => {
  test('SIG-3 one code of the app confirms it, and the provider and the list show that', async () => {
    const owner = await makeOwner()
    const { secret } = await pair(owner)
    const answer = await enter(owner, await codeNow(secret), 1)
    expect(answer).toMatchObject({ status: 200, body: { id: owner.id, pairedAt: expect.any(String) as string } })
    expect((await owner.browser.call(listSignatures)).body.items[0]!.pairedAt).toBe(answer.body.pairedAt)
    const state = await openBrowser(portal).call(getSignature, { params: { signature: owner.signature } })
    expect(Date.parse(state.body.pairedAt!)).toBeGreaterThanOrEqual(Date.parse(answer.body.pairedAt!) - 1000)
    expect(await actionsOf(owner)).toEqual(['pairing-started', 'pairing-confirmed'])
  })

  test('SIG-3 codes of the step before and after count, others do not, by the database’s time', async () => {
    const { owner, secret, at } = await pairWithinStep()
    const step = totpStep(at)
    const codeOf = (away: number) => hotp(secret, step + away)
    const near = new Set([-1, 0, 1].map(codeOf))
    for (const away of [-2, 2, 3].filter((distance) => !near.has(codeOf(distance))))
      expect([away, (await enter(owner, codeOf(away))).problem.code]).toEqual([away, 'pairing-code-wrong'])
    expect((await enter(owner, codeOf(-1))).status).toBe(200)
    expect((await enter(owner, codeOf(1))).status).toBe(200)
  })

  test('SIG-3 R22 each code counts once, also five times at once over both nodes, and no older code counts after it', async () => {
    const { owner, secret, at } = await pairWithinStep()
    const code = totp(secret, at)
    // All requests have read the pairing before any of them writes to it.
    // In five spellings, or they would count as repetitions of one request (R112).
    const entering = () => Promise.all(Array.from({ length: 5 }, (_, i) => enter(owner, code + ' '.repeat(i), i % 2)))
    const answers = await whileHeld(owner, entering, 5)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await actionsOf(owner)).filter((action) => action === 'pairing-confirmed')).toHaveLength(1)
    expect((await enter(owner, hotp(secret, totpStep(at) - 1))).status).not.toBe(200)
  })

  test('SIG-3 a new device voids the secret of the previous one', async () => {
    const owner = await makeOwner()
    const first = await pair(owner)
    await enter(owner, await codeNow(first.secret))
    const second = await pair(owner)
    expect(second.key).not.toBe(first.key)
    expect((await owner.browser.call(listSignatures)).body.items[0]!.pairedAt).toBe(null)
    await portal.clock.advance(31)
    expect((await enter(owner, await codeNow(first.secret))).problem.code).toBe('pairing-code-wrong')
    expect((await enter(owner, await codeNow(second.secret))).status).toBe(200)
  })

  test('SIG-3 a code that was right for a secret replaced meanwhile confirms nothing', async () => {
    const { owner, secret, at } = await pairWithinStep()
    const change = `secret = decode('00', 'hex'), confirmed_at = null`
    const entered = await whileHeld(owner, () => enter(owner, totp(secret, at)), 1, change)
    expect(entered.problem.code).toBe('pairing-code-wrong')
    expect((await owner.browser.call(listSignatures)).body.items[0]!.pairedAt).toBe(null)
  })

  test('SIG-3 R21 five wrong codes lock for a quarter of an hour, for every node, session and device', async () => {
    const { owner, secret, at: start } = await pairWithinStep()
    const wrong = wrongFor(totp(secret, start))
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => enter(owner, wrong, i % 2)))
    const { limit, window } = limits.pairing.wrong
    expect((await actionsOf(owner)).filter((action) => action === 'pairing-refused')).toHaveLength(limit)
    expect(outcomesOf(answers)).toEqual({ 'pairing-code-wrong': limit, 'too-many-attempts': 40 - limit })
    const right = await enter(owner, totp(secret, start), 1)
    expect(right).toMatchObject({ status: 429, problem: { code: 'too-many-attempts', retryAfter: window } })
    expect(right.headers.get('retry-after')).toBe(String(window))
    const elsewhere = await signInDirectly(portal, owner.person)
    await insertStepUp(portal, owner.person, 'pair-app', owner.id)
    const again = await pair({ ...owner, browser: elsewhere })
    expect((await enter(owner, totp(again.secret, start))).problem.code).toBe('too-many-attempts')
    await portal.clock.stopAt(new Date(start.getTime() + window * 1000 - 1000))
    const later = { ...owner, browser: await signInDirectly(portal, owner.person) }
    expect((await enter(later, await codeNow(again.secret))).problem.code).toBe('too-many-attempts')
    await portal.clock.stopAt(new Date(start.getTime() + window * 1000 + 1000))
    expect((await enter(later, await codeNow(again.secret))).status).toBe(200)
  })

  test('SIG-3 the remaining entries are shown from the third wrong code on, and a right code resets them', async () => {
    const { owner, secret, at } = await pairWithinStep()
    const wrong = wrongFor(totp(secret, at))
    const left = []
    for (let i = 0; i < 4; i++) left.push((await enter(owner, wrong)).problem.entriesLeft)
    expect(left).toEqual([undefined, undefined, 2, 1])
    expect((await enter(owner, totp(secret, at))).status).toBe(200)
    expect((await enter(owner, wrong)).problem).toMatchObject({ code: 'pairing-code-wrong' })
    expect((await enter(owner, wrong)).problem.entriesLeft).toBe(undefined)
  })

  test('SIG-3 an input that is not a code is neither checked nor counted', async () => {
    const owner = await makeOwner()
    const { secret } = await pair(owner)
    for (const code of ['', '12345', '12345²']) expect([code, (await enter(owner, code)).status]).toEqual([code, 400])
    expect(await actionsOf(owner)).toEqual(['pairing-started'])
    const right = await codeNow(secret)
    expect((await enter(owner, ` ${right.slice(0, 3)} ${right.slice(3)}\u00a0`)).status).toBe(200)
  })

  test('SIG-3 R34 a suspended signature cannot be paired until it is good again', async () => {
    const owner = await makeOwner()
    const { secret } = await pair(owner)
    const body = await provider.signedBody(owner.person.id)
    const put = (status: 'good' | 'suspended') =>
      openBrowser(portal).call(putSignature, { params: { signature: owner.signature }, body: { ...body, status } })
    await put('suspended')
    expect((await enter(owner, await codeNow(secret))).problem.code).toBe('pairing-not-possible')
    await put('good')
    expect((await enter(owner, await codeNow(secret))).status).toBe(200)
  })
})

/** Creates an owner whose secret the provider fetches. */
async function makeOwnerOfSecret() {
  const owner = await makeOwner()
  const { signature } = owner
  return {
    ...owner,
    show: () => pair(owner),
    enter: async ({ secret }: { secret: Uint8Array }) => enter(owner, await codeNow(secret)),
    state: async () => (await api.call(getActivation, { params: { signature } })).body,
    fetch: (secret: string) => api.call(getActivationSecret, { params: { signature, secret } }),
    acknowledge: (secret: string) => api.call(removeActivationSecret, { params: { signature, secret } }),
  }
}

test('APP-4 R128 the provider fetches the secret of a paired app, and the portal deletes it', async () => {
  const owner = await makeOwnerOfSecret()
  const shown = await owner.show()
  // Nobody may ever use the secret of an app that has not proved to have it.
  expect((await owner.state()).secret).toBe(null)
  expect((await owner.enter(shown)).status).toBe(200)
  const { secret: id } = await owner.state()
  const fetched = await owner.fetch(id!)
  expect(fetched.body.secret).toMatch(/^[\w-]+(?:\.[\w-]+){4}$/)
  const handedOver = { id, secret: shown.key, algorithm: 'SHA1', digits: 6, period: 30 }
  expect(decryptHandedOver(fetched.body.secret)).toEqual(handedOver)
  // The encryption is new each time, and nothing but the key decrypts it.
  const again = (await owner.fetch(id!)).body.secret
  expect(again).not.toBe(fetched.body.secret)
  expect(() => decryptHandedOver(again.replace(/.(?=[\w-]{5}$)/, (letter) => (letter === 'A' ? 'B' : 'A')))).toThrow()

  expect((await owner.acknowledge(id!)).status).toBe(204)
  expect((await owner.acknowledge(id!)).status).toBe(204)
  expect((await owner.fetch(id!)).problem.code).toBe('not-found')
  expect(await owner.state()).toMatchObject({ secret: null, pairedAt: expect.any(String) as string })
  const bytes = 'select octet_length(secret) as bytes from pairings where signature_id = $1'
  expect(await portal.rows(bytes, [owner.id])).toEqual([{ bytes: 0 }])
  expect((await readAuditedActions(portal, { details: { signature: owner.id } })).slice(-5)).toEqual([
    'pairing-started',
    'pairing-confirmed',
    'activation-secret-read',
    'activation-secret-read',
    'activation-secret-removed',
  ])
})

test('APP-4 R128 a late acknowledgement does not delete the secret of the next phone', async () => {
  const owner = await makeOwnerOfSecret()
  const first = await owner.show()
  await owner.enter(first)
  const { secret: old } = await owner.state()
  const second = await owner.show()
  expect((await owner.fetch(old!)).problem.code).toBe('not-found')
  await portal.clock.advance(31)
  expect((await owner.enter(second)).status).toBe(200)
  expect((await owner.acknowledge(old!)).status).toBe(204)
  const { secret: current } = await owner.state()
  expect(decryptHandedOver((await owner.fetch(current!)).body.secret).secret).toBe(second.key)
})

test('APP-4 SEA-1 the secret of a user of a seal is fetched in the same way', async () => {
  const { browser, seal } = await makeUserToPair(portal, provider)
  const { key, uri } = shownSecret((await browser.call(startSealPairing, { params: { id: seal.id } })).body)
  expect(decodeURIComponent(uri)).toContain(':Małgorzata Wiśniewska – pieczęć Stowarzyszenie Łączność – ')
  const code = await codeNow(fromBase32(key)!)
  await browser.call(confirmSealPairing, { params: { id: seal.id }, body: { code } })
  const user = { seal: seal.providerId, user: seal.users[0]!.providerId }
  const { secret } = (await api.call(getSealActivation, { params: user })).body
  const params = { ...user, secret: secret! }
  expect(decryptHandedOver((await api.call(getSealActivationSecret, { params })).body.secret).secret).toBe(key)
  expect((await api.call(removeSealActivationSecret, { params })).status).toBe(204)
  expect((await api.call(getSealActivation, { params: user })).body.secret).toBe(null)
})

test('APP-4 a secret can be deleted after the option has changed, too', async () => {
  const owner = await makeOwnerOfSecret()
  await owner.enter(await owner.show())
  const { secret } = await owner.state()
  const { appActivation } = portal.portal.ports
  portal.portal.ports.appActivation = { by: 'provider' }
  try {
    expect((await owner.acknowledge(secret!)).status).toBe(204)
  } finally {
    portal.portal.ports.appActivation = appActivation
  }
  expect((await owner.state()).secret).toBe(null)
})

test('APP-1 with secrets of the portal, the provider can neither give content nor confirm an app', async () => {
  const { signature } = await makeOwnerOfSecret()
  const body = { content: 'signapp://a', code: null, expiresAt: new Date(Date.now() + 60_000).toISOString() }
  expect((await api.call(putActivation, { params: { signature }, body })).problem.code).toBe('pairing-not-possible')
  expect((await api.call(confirmActivation, { params: { signature } })).problem.code).toBe('pairing-not-possible')
})

test('R128 R83 the secret is in no event, audit entry, message or later answer, in any form', async () => {
  const owner = await makeOwnerOfSecret()
  const shown = await owner.show()
  await owner.enter(shown)
  const { secret: id } = await owner.state()
  await owner.fetch(id!)
  const { key } = shown
  const secret = Buffer.from(shown.secret)
  const kept = await rowsThatPairingsLeave(portal)
  expect(kept).toContain(owner.id)
  for (const form of [key, secret.toString('hex'), secret.toString('base64'), Buffer.from(key).toString('hex')])
    expect(kept).not.toContain(form)
  const later = JSON.stringify([(await owner.browser.call(listSignatures)).body, portal.texts, portal.mails])
  expect(later).not.toContain(key)
})
