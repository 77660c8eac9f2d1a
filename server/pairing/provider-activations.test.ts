import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { listEvents } from '../../contract/provider/events.ts'
import * as providerActivations from '../../contract/provider/provider-activations.ts'
import { getSealUser } from '../../contract/provider/provider-seals.ts'
import type { ActivationContent } from '../../contract/rules/activation-content.ts'
import { readSealPairing, startSealPairing } from '../../contract/seals.ts'
import {
  confirmSignaturePairing,
  listSignatures,
  readSignaturePairing,
  startSignaturePairing,
} from '../../contract/signatures.ts'
import { listenOnLoopback } from '../adapters/loopback/loopback-server.ts'
import { activationByHttp } from '../adapters/provider-services-http.ts'
import { decrypt } from '../platform/encryption/keys.ts'
import { tidyUp } from '../platform/operations/tidying.ts'
import type { ActivationFault, AppActivationPort } from '../platform/ports.ts'
import { readAuditedActions } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { untilWaiting } from '../testing/concurrency.ts'
import { findAccountId } from '../testing/database-state.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { rowsThatPairingsLeave } from '../testing/samples/activation-samples.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { insertStepUp, makeSeal, makeUserToPair, makeOwnerToPair } from '../testing/samples/sample-seals.ts'
import type { Person } from '../testing/test-customers.ts'
import { encryptContent } from './app-activation.ts'
import { setContent } from './pairing-store.ts'

const byProvider: AppActivationPort = { by: 'provider' }
const { portal, provider } = await openPortalWithProvider({
  nodes: 2,
  settings: manySends,
  ports: { appActivation: byProvider },
})
const api = openBrowser(portal)

const activateBy = (port: AppActivationPort) => portal.nodes.forEach((node) => (node.portal.ports.appActivation = port))

/** The service's next answer; a status alone has no body. */
let serviceAnswer: { status: number; body?: unknown } = { status: 503 }
const service = await listenOnLoopback((_, response) => {
  response.writeHead(serviceAnswer.status, { 'content-type': 'application/json' })
  response.end(serviceAnswer.body === undefined ? '' : JSON.stringify(serviceAnswer.body))
})
portal.cleanup.defer(() => service[Symbol.asyncDispose]())
const calls = () => service.received.splice(0)
const faults: ActivationFault[] = []
const report = (fault: ActivationFault) => void faults.push(fault)

afterEach(() => portal.clock.advance(0))

type Owner = Awaited<ReturnType<typeof makeOwner>>
const makeOwner = () => makeOwnerToPair(portal, provider)

/** Returns a time in so many seconds by the portal's clock, which tests advance. */
const inSeconds = async (seconds: number) => new Date((await now(portal.db)).getTime() + seconds * 1000).toISOString()
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
let drawn = 0
const content = (over: Partial<ActivationContent> = {}): ActivationContent => ({
  content: `signapp://activate?c=${++drawn}-${crypto.randomUUID()}`,
  code: null,
  // Later than any time to which the tests move the clock.
  expiresAt: inMinutes(24 * 60),
  ...over,
})
const put = ({ signature }: Pick<Owner, 'signature'>, body = content()) =>
  api.call(providerActivations.putActivation, { params: { signature }, body })
const show = ({ browser, id }: Owner, node = 0) => browser.call(startSignaturePairing, { params: { id } }, node)
const shownState = async ({ browser, id }: Owner) =>
  (await browser.call(readSignaturePairing, { params: { id } })).body.state
const stateOf = async ({ signature }: Owner) =>
  (await api.call(providerActivations.getActivation, { params: { signature } })).body
const actionsOf = ({ id }: Owner) => readAuditedActions(portal, { details: { signature: id } })

describe('APP-2 what the provider gives', () => {
  test('APP-2 SIG-3 is shown once, with its expiry, and confirmed by the provider', async () => {
    const owner = await makeOwner()
    const given = content({ code: 'K7QP-22XA', expiresAt: await inSeconds(120) })
    expect((await put(owner, given)).body).toMatchObject({ state: 'ready', expiresAt: given.expiresAt, shownAt: null })
    expect(await shownState(owner)).toBe('ready')

    const { body } = await show(owner)
    expect(body).toMatchObject({ kind: 'content', content: given.content, code: given.code })
    // Visible until it expires, which is before the usual five minutes.
    expect(body).toMatchObject({ visibleUntil: given.expiresAt })
    expect(await stateOf(owner)).toMatchObject({ state: 'shown', expiresAt: null, pairedAt: null })
    expect((await owner.browser.call(listSignatures)).body.items[0]!.pairedAt).toBe(null)

    const params = { signature: owner.signature }
    const confirmed = await api.call(providerActivations.confirmActivation, { params })
    expect(confirmed.body.pairedAt).toEqual(expect.any(String))
    expect((await api.call(providerActivations.confirmActivation, { params })).body).toEqual(confirmed.body)
    expect((await owner.browser.call(listSignatures)).body.items[0]!.pairedAt).toBe(confirmed.body.pairedAt)
    expect((await actionsOf(owner)).slice(-3)).toEqual(['activation-stored', 'pairing-started', 'pairing-confirmed'])

    // The portal has no secret: it neither accepts a code nor returns anything.
    const codes = await owner.browser.call(confirmSignaturePairing, {
      params: { id: owner.id },
      body: { code: '123456' },
    })
    expect(codes.problem.code).toBe('pairing-not-possible')
    const secret = await api.call(providerActivations.getActivationSecret, {
      params: { ...params, secret: crypto.randomUUID() },
    })
    expect(secret.problem.code).toBe('pairing-not-possible')
  })

  test('APP-2 SEA-1 is for one user of a seal, since each has their own app', async () => {
    const [first, second] = [await addCustomer(portal), await addCustomer(portal)]
    const member = (person: Person) => ({ person, role: 'admin' as const, status: 'active' as const })
    const seal = await makeSeal(portal, provider, [member(first), member(second)])
    const params = (i: number) => ({ seal: seal.providerId, user: seal.users[i]!.providerId })
    expect((await api.call(getSealUser, { params: params(0) })).status).toBe(200)
    const given = content()
    expect((await api.call(providerActivations.putSealActivation, { params: params(0), body: given })).status).toBe(200)
    const open = async (person: Person) => {
      const browser = await signInDirectly(portal, person)
      await insertStepUp(portal, person, 'pair-seal', seal.id)
      return browser
    }
    const shown = { params: { id: seal.id } }
    const other = await open(second)
    expect((await other.call(startSealPairing, shown)).body).toEqual({ kind: 'requested' })
    const own = await open(first)
    expect((await own.call(readSealPairing, shown)).body.state).toBe('ready')
    expect((await own.call(startSealPairing, shown)).body).toMatchObject({ content: given.content })
    expect((await api.call(providerActivations.getSealActivation, { params: params(1) })).body.state).toBe('requested')
  })

  test('APP-2 the input is bounded, and never a link that the browser itself would run', async () => {
    const owner = await makeOwner()
    const refused = [
      ['content', { content: 'x'.repeat(limits.activation.contentLength + 1) }],
      ['content', { content: ' signapp://a' }],
      ['content', { content: 'signapp://żółw' }],
      ['content', { content: 'signapp://a\nb' }],
      ['content', { content: 'JavaScript:alert(1)' }],
      ['content', { content: 'data:text/html,<script>' }],
      ['code', { code: 'x'.repeat(limits.activation.codeLength + 1) }],
      ['expiresAt', { expiresAt: inMinutes(-1) }],
      ['expiresAt', { expiresAt: inMinutes(91 * 24 * 60) }],
    ] as const
    for (const [name, over] of refused) {
      const { problem } = await put(owner, content(over))
      expect([over, problem.status, problem.fields?.[0]?.name]).toEqual([over, 400, name])
    }
    expect((await stateOf(owner)).state).toBe('none')
    const card = await provider.give(owner.person, { product: 'card' })
    expect((await put({ signature: card.providerId })).problem.code).toBe('pairing-not-possible')
    expect((await put({ signature: 'nobody' })).problem.code).toBe('not-found')
  })
})

test('APP-5 is requested once by the customer, and the answer is ready for the next read', async () => {
  const owner = await makeOwner()
  const [{ body }, again] = [await show(owner), await show(owner, 1)]
  expect([body, again.body]).toEqual([{ kind: 'requested' }, { kind: 'requested' }])
  expect((await actionsOf(owner)).filter((action) => action === 'pairing-requested')).toHaveLength(1)
  const { state, request } = await stateOf(owner)
  expect([state, request]).toEqual(['requested', expect.any(String)])
  const { items } = (await api.call(listEvents, { query: {} })).body
  expect(items.map(({ type }) => type)).toContain('signature.activation-requested')
  const given = content()
  await put(owner, given)
  expect(await stateOf(owner)).toMatchObject({ state: 'ready', request: null })
  expect((await show(owner)).body).toMatchObject({ content: given.content })
  // After a quarter of an hour without an answer the customer requests again.
  await show(owner)
  await portal.clock.advance(limits.activation.requestLife + 1)
  expect((await stateOf(owner)).state).toBe('shown')
  const later = { ...owner, browser: await signInDirectly(portal, owner.person) }
  await insertStepUp(portal, owner.person, 'pair-app', owner.id)
  await show(later)
  expect((await actionsOf(owner)).filter((action) => action === 'pairing-requested')).toHaveLength(3)
})

describe('R127 single use', () => {
  test('R127 APP-2 of twenty requests at once one gets the content, which is never shown again', async () => {
    const owner = await makeOwner()
    const given = content()
    await put(owner, given)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => show(owner, i % 2)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(answers.filter(({ body }) => body.kind === 'content')).toHaveLength(1)
    expect((await actionsOf(owner)).filter((action) => action === 'pairing-started')).toHaveLength(1)
    // Nor does it answer the customer's next request, and the provider's call is refused.
    for (const expiresAt of [given.expiresAt, inMinutes(25 * 60)]) {
      const { problem } = await put(owner, { ...given, expiresAt })
      expect([problem.status, problem.fields?.[0]?.name]).toEqual([400, 'content'])
      expect((await show(owner)).body).toEqual({ kind: 'requested' })
    }
    const next = content()
    await put(owner, next)
    // Before it is shown, the PUT can be repeated.
    expect((await put(owner, next)).body.state).toBe('ready')
    expect((await show(owner)).body).toMatchObject({ content: next.content })
  })

  test('R127 APP-2 content that expired unseen can be put again, and answers the open request', async () => {
    const owner = await makeOwner()
    const given = content({ expiresAt: await inSeconds(120) })
    await put(owner, given)
    await portal.clock.advance(120)
    await tidyUp(portal.portal)
    expect((await show(owner)).body).toEqual({ kind: 'requested' })
    const again = await put(owner, { ...given, expiresAt: inMinutes(60) })
    expect(again.body).toMatchObject({ state: 'ready', request: null })
    expect((await show(owner)).body).toMatchObject({ kind: 'content', content: given.content })
  })

  test('R127 APP-2 content that arrives between the read and the request is shown, not lost', async () => {
    const owner = await makeOwner()
    const given = content()
    const paired = { kind: 'signature', id: owner.id } as const
    const shown = await portal.portal.db.transaction().execute(async (tx) => {
      await setContent(tx, paired, encryptContent(portal.portal.keys, paired, given))
      // The read finds nothing before the commit, and the request waits for the commit.
      const answer = show(owner)
      await untilWaiting(portal)
      return { answer }
    })
    expect((await shown.answer).body).toMatchObject({ kind: 'content', content: given.content })
    expect((await actionsOf(owner)).filter((action) => action === 'pairing-requested')).toEqual([])
    expect(await stateOf(owner)).toMatchObject({ state: 'shown', request: null })
  })
})

describe('R129 whose it is', () => {
  test('R129 R34 another customer never sees it, by no call and not in another row', async () => {
    const [owner, stranger] = [await makeOwner(), await makeOwner()]
    const given = content()
    await put(owner, given)
    await insertStepUp(portal, stranger.person, 'pair-app', owner.id)
    for (const endpoint of [startSignaturePairing, readSignaturePairing])
      expect((await stranger.browser.call(endpoint, { params: { id: owner.id } })).problem.code).toBe('not-found')
    await put(stranger)
    await portal.owner.query(
      `update pairings set content = (select content from pairings where signature_id = $1) where signature_id = $2`,
      [owner.id, stranger.id],
    )
    const moved = await show(stranger)
    expect([moved.status, JSON.stringify(moved)]).toEqual([500, expect.not.stringContaining(given.content)])
    expect((await show(owner)).body).toMatchObject({ content: given.content })
  })

  test('R129 R83 it is encrypted at rest, gone once it is shown, and in no entry, message or list', async () => {
    const owner = await makeOwner()
    const given = content({ code: 'K7QP-99ZZ-ONLY' })
    await put(owner, given)
    const kept = () => portal.rows('select content from pairings where signature_id = $1', [owner.id])
    const [{ content: encrypted }] = await kept()
    expect(decrypt(portal.portal.keys, `activation signature ${owner.id}`, encrypted)).toContain(given.content)
    const expectHidden = async () => {
      const everything = await rowsThatPairingsLeave(portal)
      for (const text of [given.content, 'K7QP-99ZZ-ONLY'])
        for (const form of [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64')])
          expect(everything).not.toContain(form)
    }
    await expectHidden()
    await show(owner)
    expect(await kept()).toEqual([{ content: null }])
    await expectHidden()
    const visible = [(await owner.browser.call(listSignatures)).body, await stateOf(owner), portal.mails]
    expect(JSON.stringify(visible)).not.toContain(given.content)
  })
})

test('R130 APP-2 expired content is not shown from that second on, and is removed', async () => {
  const owner = await makeOwner()
  const middle = new Date()
  await portal.clock.stopAt(middle)
  const expiresAt = new Date(middle.getTime() + 60_000).toISOString()
  await put(owner, content({ expiresAt }))
  await portal.clock.stopAt(new Date(middle.getTime() + 59_999))
  expect((await stateOf(owner)).state).toBe('ready')
  await portal.clock.stopAt(new Date(middle.getTime() + 60_000))
  expect((await stateOf(owner)).state).toBe('none')
  const held = () => portal.rows('select content is null as gone from pairings where signature_id = $1', [owner.id])
  expect(await held()).toEqual([{ gone: false }])
  await tidyUp(portal.portal)
  expect(await held()).toEqual([{ gone: true }])
  expect((await show(owner)).body).toEqual({ kind: 'requested' })

  await portal.clock.advance(0)
  const late = await makeOwner()
  expect((await put(late, content({ expiresAt: await inSeconds(240) }))).body.state).toBe('ready')
  await portal.clock.advance(240)
  expect((await show(late)).body).toEqual({ kind: 'requested' })
})

describe('APP-3 the provider’s signing service', () => {
  beforeAll(() =>
    activateBy(activationByHttp({ url: service.url, token: 'service-token-of-32-characters-00', report })),
  )
  afterAll(() => activateBy(byProvider))

  /** Requests content, which the service answers; returns what the customer was shown. */
  async function answeredBy(owner: Owner, reply: typeof serviceAnswer) {
    serviceAnswer = reply
    const { body } = await show(owner)
    await portal.deliver()
    return body
  }

  test('APP-3 is called with customer, object, certificate and one id, and its answer is shown', async () => {
    const owner = await makeOwner()
    calls()
    expect(await answeredBy(owner, { status: 503 })).toEqual({ kind: 'requested' })
    // Nothing is lost: the service is called again with the same id.
    expect(await shownState(owner)).toBe('delayed')
    await portal.clock.advance(3)
    const given = content({ code: 'ABCD-1234' })
    serviceAnswer = { status: 200, body: given }
    await portal.deliver()
    const [first, second, ...more] = calls()
    expect(more).toEqual([])
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key'])
    expect(second!.headers.authorization).toBe('Bearer service-token-of-32-characters-00')
    expect(JSON.parse(second!.body)).toEqual({
      request: first!.headers['idempotency-key'],
      customer: owner.person.id,
      account: await findAccountId(portal, owner.person),
      for: { signature: owner.signature },
      certificate: expect.stringMatching(/^MII/) as string,
      locale: 'pl',
    })
    expect(await shownState(owner)).toBe('ready')
    expect((await show(owner)).body).toMatchObject({ kind: 'content', content: given.content, code: given.code })
    expect((await actionsOf(owner)).slice(-3)).toEqual(['pairing-requested', 'activation-stored', 'pairing-started'])
  })

  test('APP-3 SEA-1 is called for the user of a seal, too', async () => {
    const { browser, seal } = await makeUserToPair(portal, provider)
    calls()
    serviceAnswer = { status: 200, body: content() }
    await browser.call(startSealPairing, { params: { id: seal.id } })
    await portal.deliver()
    const [call] = calls()
    const { for: target, certificate } = JSON.parse(call!.body) as { for: unknown; certificate: string }
    expect(target).toEqual({ seal: seal.providerId, user: seal.users[0]!.providerId })
    expect(certificate).toMatch(/^MII/)
    expect((await browser.call(startSealPairing, { params: { id: seal.id } })).body.kind).toBe('content')
  })

  test('APP-3 can answer 202 and give the content by the provider API later', async () => {
    const owner = await makeOwner()
    await answeredBy(owner, { status: 202 })
    expect(await shownState(owner)).toBe('requested')
    const given = content()
    expect((await put(owner, given)).body.state).toBe('ready')
    expect((await show(owner)).body).toMatchObject({ content: given.content })
  })

  test('APP-3 R130 its refusal or an unusable answer is shown, and the customer can request again', async () => {
    const malformed = ['its answer is not content as in docs/guides/provider.md']
    const expired = ['its content has expired already, or stays for more than 90 days']
    const wrong = [
      [{ status: 422 }, []],
      [{ status: 200, body: content({ content: 'javascript:alert(1)' }) }, malformed],
      [{ status: 200, body: content({ content: `signapp://${'x'.repeat(600)}` }) }, malformed],
      [{ status: 200, body: content({ expiresAt: inMinutes(-1) }) }, expired],
      [{ status: 200, body: content({ expiresAt: inMinutes(200 * 24 * 60) }) }, expired],
      [{ status: 200, body: { content: 'signapp://a' } }, malformed],
      [{ status: 200 }, malformed],
    ] as const
    const owner = await makeOwner()
    for (const [reply, logged] of wrong) {
      faults.length = 0
      expect(await answeredBy(owner, reply)).toEqual({ kind: 'requested' })
      expect([reply, await shownState(owner), faults]).toEqual([reply, 'refused', logged])
    }
    await answeredBy(owner, { status: 200, body: content() })
    expect(await shownState(owner)).toBe('ready')
  })

  test('APP-3 R127 content that was shown before is a refusal, and the log names the reason', async () => {
    const owner = await makeOwner()
    const reply = { status: 200, body: content() }
    await answeredBy(owner, reply)
    expect((await show(owner)).body.kind).toBe('content')
    faults.length = 0
    expect(await answeredBy(owner, reply)).toEqual({ kind: 'requested' })
    expect(await shownState(owner)).toBe('refused')
    expect(faults).toEqual(['its content was shown before'])
    await answeredBy(owner, { status: 200, body: content() })
    expect((await show(owner)).body.kind).toBe('content')
  })

  test('APP-3 an answer to an earlier request does not replace newer content', async () => {
    const owner = await makeOwner()
    serviceAnswer = { status: 202 }
    await show(owner)
    const given = content()
    await put(owner, given)
    calls()
    serviceAnswer = { status: 200, body: content() }
    await portal.deliver()
    expect(calls()).toEqual([])
    expect((await show(owner)).body).toMatchObject({ content: given.content })
    expect((await stateOf(owner)).state).toBe('shown')
  })

  test('APP-3 any other answer is a failure that can be retried, and a refused token is logged', async () => {
    const { request } = activationByHttp({ url: service.url, token: 'x', report })
    const owner = { customer: null, account: 'a', locale: 'pl' } as const
    const order = { ...owner, request: 'r', for: { signature: 's' }, certificate: '' }
    faults.length = 0
    for (const status of [302, 401, 403, 429, 500]) {
      serviceAnswer = { status }
      expect([status, await request(order)]).toEqual([status, 'unreachable'])
    }
    expect(faults).toEqual(['it refuses the token', 'it refuses the token'])
  })
})
