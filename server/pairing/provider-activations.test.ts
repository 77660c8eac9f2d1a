import { describe, expect, test } from 'vitest'
import { listEvents } from '../../contract/provider/events.ts'
import {
  confirmActivation,
  getActivation,
  getActivationSecret,
  getSealActivation,
  putActivation,
  putSealActivation,
} from '../../contract/provider/provider-activations.ts'
import { getSealUser } from '../../contract/provider/provider-seals.ts'
import { limits } from '../../contract/limits.ts'
import type { ActivationContent } from '../../contract/rules/activation-content.ts'
import { readSealPairing, startSealPairing } from '../../contract/seals.ts'
import { confirmPairing, listSignatures, readPairing, startPairing } from '../../contract/signatures.ts'
import { decrypt } from '../platform/encryption/keys.ts'
import { tidyUp } from '../platform/operations/tidying.ts'
import { auditedActions } from '../testing/audit-entries.ts'
import { openBrowser, type Person, type TestBrowser } from '../testing/browser.ts'
import { manySends } from '../testing/open-portal.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { now } from '../testing/portal-nodes.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { insertStepUp, makeSeal } from '../testing/samples/sample-seals.ts'
import { encryptContent } from './app-activation.ts'
import { storeContent } from './pairing-store.ts'
import { untilWaiting } from '../testing/lock-waits.ts'

const { portal, provider } = await openPortalWithProvider({
  nodes: 2,
  settings: manySends,
  ports: { appActivation: { by: 'provider' } },
})
const api = openBrowser(portal)

type Owner = { person: Person; browser: TestBrowser; id: string; signature: string }

async function makeOwner(): Promise<Owner> {
  const person = await addCustomer(portal)
  const { id, providerId } = await provider.give(person)
  const browser = await letIn(portal, person)
  await insertStepUp(portal, person, 'pair-app', id)
  return { person, browser, id, signature: providerId }
}

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
  api.call(putActivation, { params: { signature }, body })
const show = ({ browser, id }: Owner, node = 0) => browser.call(startPairing, { params: { id } }, node)
const stateOf = async ({ signature }: Owner) => (await api.call(getActivation, { params: { signature } })).body
const actionsOf = ({ id }: Owner) => auditedActions(portal, { details: { signature: id } })

describe('APP-2 what the provider gives', () => {
  test('APP-2 SIG-3 is shown once, with its expiry and what can be typed; the provider sees that, and confirms the activation', async () => {
    const owner = await makeOwner()
    const given = content({ code: 'K7QP-22XA', expiresAt: inMinutes(2) })
    expect((await put(owner, given)).body).toMatchObject({ state: 'ready', expiresAt: given.expiresAt, shownAt: null })
    expect((await owner.browser.call(readPairing, { params: { id: owner.id } })).body.state).toBe('ready')

    const { body } = await show(owner)
    expect(body).toMatchObject({ kind: 'content', content: given.content, code: given.code })
    // Visible until it expires, which is before the usual five minutes.
    expect(body).toMatchObject({ visibleUntil: given.expiresAt })
    expect(await stateOf(owner)).toMatchObject({ state: 'shown', expiresAt: null, pairedAt: null })
    expect((await owner.browser.call(listSignatures)).body.items[0]!.pairedAt).toBe(null)

    const params = { signature: owner.signature }
    const confirmed = await api.call(confirmActivation, { params })
    expect(confirmed.body.pairedAt).toEqual(expect.any(String))
    expect((await api.call(confirmActivation, { params })).body).toEqual(confirmed.body)
    expect((await owner.browser.call(listSignatures)).body.items[0]!.pairedAt).toBe(confirmed.body.pairedAt)
    expect((await actionsOf(owner)).slice(-3)).toEqual(['activation-stored', 'pairing-started', 'pairing-confirmed'])

    // The portal has no secret: it neither accepts a code nor returns anything.
    const codes = await owner.browser.call(confirmPairing, { params: { id: owner.id }, body: { code: '123456' } })
    expect(codes.problem.code).toBe('pairing-not-possible')
    const secret = await api.call(getActivationSecret, { params: { ...params, secret: crypto.randomUUID() } })
    expect(secret.problem.code).toBe('pairing-not-possible')
  })

  test('APP-2 SEA-1 is for one user of a seal, since each has their own app', async () => {
    const [first, second] = [await addCustomer(portal), await addCustomer(portal)]
    const member = (person: Person) => ({ person, role: 'administrator' as const, status: 'active' as const })
    const seal = await makeSeal(portal, provider, [member(first), member(second)])
    const params = (i: number) => ({ seal: seal.providerId, user: seal.users[i]!.providerId })
    expect((await api.call(getSealUser, { params: params(0) })).status).toBe(200)
    const given = content()
    expect((await api.call(putSealActivation, { params: params(0), body: given })).status).toBe(200)
    const open = async (person: Person) => {
      const browser = await letIn(portal, person)
      await insertStepUp(portal, person, 'pair-seal', seal.id)
      return browser
    }
    const other = await open(second)
    expect((await other.call(startSealPairing, { params: { id: seal.id } })).body).toEqual({ kind: 'requested' })
    const own = await open(first)
    expect((await own.call(readSealPairing, { params: { id: seal.id } })).body.state).toBe('ready')
    expect((await own.call(startSealPairing, { params: { id: seal.id } })).body).toMatchObject({
      content: given.content,
    })
    expect((await api.call(getSealActivation, { params: params(1) })).body.state).toBe('requested')
  })

  test('APP-2 the input is bounded, and never a link that the browser itself would run', async () => {
    const owner = await makeOwner()
    const refused = [
      ['content', { content: 'x'.repeat(limits.activation.content + 1) }],
      ['content', { content: ' signapp://a' }],
      ['content', { content: 'signapp://żółw' }],
      ['content', { content: 'signapp://a\nb' }],
      ['content', { content: 'JavaScript:alert(1)' }],
      ['content', { content: 'data:text/html,<script>' }],
      ['code', { code: 'x'.repeat(limits.activation.code + 1) }],
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

describe('APP-5 what is missing', () => {
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
    await portal.clock.advance(limits.activation.request + 1)
    expect((await stateOf(owner)).state).toBe('shown')
    const later = { ...owner, browser: await letIn(portal, owner.person) }
    await insertStepUp(portal, owner.person, 'pair-app', owner.id)
    await show(later)
    expect((await actionsOf(owner)).filter((action) => action === 'pairing-requested')).toHaveLength(3)
    await portal.clock.advance(0)
  })
})

describe('R127 single use', () => {
  test('R127 APP-2 of twenty requests at once over two nodes one gets the content, and the same content is never shown again', async () => {
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

  test('R127 APP-2 content that expired unseen can be put again with another expiry, and answers the open request', async () => {
    const owner = await makeOwner()
    const given = content({ expiresAt: inMinutes(2) })
    await put(owner, given)
    await portal.clock.advance(120)
    await tidyUp(portal.portal)
    expect((await show(owner)).body).toEqual({ kind: 'requested' })
    expect((await put(owner, { ...given, expiresAt: inMinutes(60) })).body).toMatchObject({
      state: 'ready',
      request: null,
    })
    expect((await show(owner)).body).toMatchObject({ kind: 'content', content: given.content })
    await portal.clock.advance(0)
  })

  test('R127 APP-2 content that arrives between the customer’s read and the request is shown, not lost', async () => {
    const owner = await makeOwner()
    const given = content()
    const paired = { kind: 'signature', id: owner.id } as const
    const shown = await portal.portal.db.transaction().execute(async (tx) => {
      await storeContent(tx, paired, encryptContent(portal.portal.keys, paired, given))
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
    for (const endpoint of [startPairing, readPairing] as const) {
      await insertStepUp(portal, stranger.person, 'pair-app', owner.id)
      const answer = await stranger.browser.call(endpoint, { params: { id: owner.id } })
      expect(answer.problem.code).toBe('not-found')
    }
    await put(stranger)
    await portal.owner.query(
      `update pairings set content = (select content from pairings where signature_id = $1) where signature_id = $2`,
      [owner.id, stranger.id],
    )
    const moved = await show(stranger)
    expect([moved.status, JSON.stringify(moved)]).toEqual([500, expect.not.stringContaining(given.content)])
    expect((await show(owner)).body).toMatchObject({ content: given.content })
  })

  test('R129 R83 it is encrypted at rest, gone once it is shown, and in no audit entry, event, message or list', async () => {
    const owner = await makeOwner()
    const given = content({ code: 'K7QP-99ZZ-ONLY' })
    await put(owner, given)
    const { rows } = await portal.owner.query<{ content: Buffer }>(
      'select content from pairings where signature_id = $1',
      [owner.id],
    )
    expect(decrypt(portal.portal.keys, `activation signature ${owner.id}`, rows[0]!.content)).toContain(given.content)
    const everything = async () => {
      const tables = ['pairings', 'audit', 'events', 'outbox', 'idempotency']
      const all = await Promise.all(
        tables.map((table) => portal.owner.query(`select string_agg(t::text, ' ') as all from ${table} t`)),
      )
      return JSON.stringify(all.map((answer) => answer.rows as unknown))
    }
    const forms = [given.content, 'K7QP-99ZZ-ONLY'].flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
      Buffer.from(text).toString('base64'),
    ])
    for (const form of forms) expect(await everything()).not.toContain(form)
    await show(owner)
    const after = await portal.owner.query('select content from pairings where signature_id = $1', [owner.id])
    expect(after.rows).toEqual([{ content: null }])
    for (const form of forms) expect(await everything()).not.toContain(form)
    const visible = JSON.stringify([
      (await owner.browser.call(listSignatures)).body,
      await stateOf(owner),
      portal.mails,
    ])
    expect(visible).not.toContain(given.content)
  })
})

describe('R130 expiry', () => {
  test('R130 APP-2 expired content is not shown from the second of its expiry on, and is removed', async () => {
    const owner = await makeOwner()
    const middle = new Date()
    await portal.clock.stopAt(middle)
    const expiresAt = new Date(middle.getTime() + 60_000).toISOString()
    await put(owner, content({ expiresAt }))
    await portal.clock.stopAt(new Date(middle.getTime() + 59_999))
    expect((await stateOf(owner)).state).toBe('ready')
    await portal.clock.stopAt(new Date(middle.getTime() + 60_000))
    expect((await stateOf(owner)).state).toBe('none')
    const held = 'select content is null as gone from pairings where signature_id = $1'
    expect((await portal.owner.query(held, [owner.id])).rows).toEqual([{ gone: false }])
    await tidyUp(portal.portal)
    expect((await portal.owner.query(held, [owner.id])).rows).toEqual([{ gone: true }])
    expect((await show(owner)).body).toEqual({ kind: 'requested' })
    await portal.clock.advance(0)

    const late = await makeOwner()
    const soon = new Date((await now(portal.db)).getTime() + 240_000).toISOString()
    expect((await put(late, content({ expiresAt: soon }))).body.state).toBe('ready')
    await portal.clock.advance(240)
    expect((await show(late)).body).toEqual({ kind: 'requested' })
    await portal.clock.advance(0)
  })
})
