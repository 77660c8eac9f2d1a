import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readSession } from '../../contract/account.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { clientScopes } from '../../contract/provider/client-keys.ts'
import { listSeals, summariseSeals } from '../../contract/seals.ts'
import { listSignatures, summariseSignatures } from '../../contract/signatures.ts'
import { stepUpPurposes } from '../../contract/step-up-purpose.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { buildApp } from '../app.ts'
import { issueClientKey } from '../client-keys/client-keys.ts'
import { openBrowser } from '../testing/browser.ts'
import { fill, nameOf, objectsIn, sampledCalls } from '../testing/calls.ts'
import { readDatabase } from '../testing/database-state.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { makeActors, makeOwner as makeOwnerOf, type Actor, type Objects } from '../testing/samples/sample-objects.ts'
import { insertStepUp } from '../testing/samples/sample-seals.ts'

// The limits of messages would refuse so many sign-ins.
const { portal, provider } = await openPortalWithProvider({ settings: manySends })
const makeOwner = () => makeOwnerOf(portal, provider)
const [anna, bob] = await Promise.all([makeOwner(), makeOwner()])
const actors = [...(await makeActors(portal, bob.browser)), ...(await actorsWithBadKeys())]
// The clock is stopped, so that only requests change anything.
await portal.clock.stopAt(await now(portal.db))

async function actorsWithBadKeys(): Promise<Actor[]> {
  const expired = await issueClientKey(portal.ownerDb, { name: 'expired', scopes: clientScopes })
  await sql`update provider_keys set expires_at = portal_now() - interval '1 second' where id = ${expired.id}`.execute(
    portal.ownerDb,
  )
  return Object.entries({
    'expired key': expired.key,
    'unknown key': `sygnet_${'k'.repeat(43)}`,
    'malformed key': `${portal.clientKey} `.toLowerCase(),
  }).map(([name, key]) => ({ name, key, browser: openBrowser(portal) }))
}

type Answer = { status: number; headers: Record<string, string>; body: string }

async function send(
  { browser, key }: Pick<Actor, 'browser' | 'key'>,
  endpoint: Endpoint,
  objects: Objects,
  method: string = endpoint.method,
): Promise<Answer> {
  const { path, body, upload, headers } = await fill(endpoint, objects, provider)
  const all = { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  const response = await browser.raw(method, path, method === 'HEAD' ? undefined : (upload ?? body), all)
  // Equal answers differ only in their date and in the id of the request.
  const { date: _, 'x-request-id': __, ...rest } = Object.fromEntries(response.headers)
  return { status: response.status, headers: rest, body: await response.text() }
}

test('R34 these tests have a valid request for every endpoint, and none for an endpoint that is not there', async () => {
  const { endpoints } = portal.app
  // Those of the desk are in its own test.
  const sampled = sampledCalls.filter((name) => !name.includes(' /desk/'))
  expect(sampled.filter((name) => !endpoints.some((endpoint) => nameOf(endpoint) === name))).toEqual([])
  for (const endpoint of endpoints) {
    const { path, body, upload } = await fill(endpoint, anna.objects, provider)
    const search = Object.fromEntries(new URL(path, portal.origin).searchParams)
    const call = nameOf(endpoint)
    expect(Boolean(upload), call).toBe(Boolean(endpoint.upload))
    expect(endpoint.query?.safeParse(search).success ?? true, call).toBe(true)
    expect(endpoint.body?.safeParse(body).success ?? true, call).toBe(true)
  }
})

test('R34 R35 a route without an endpoint of the contract cannot be added', async () => {
  const app = await buildApp(portal.portal)
  expect(() => app.get('/api/back-door', () => 'open')).toThrow('R35')
  expect(() => app.route({ method: 'POST', url: '/back-door', handler: () => 'open', config: {} })).toThrow('R35')
  // Neither as a page nor under a prefix.
  const page = { config: { page: true } } as const
  for (const path of ['/api/back-door', '/provider/v1/back-door', '/api'])
    expect(() => app.get(path, page, () => 'open')).toThrow('R35')
  expect(() => app.post('/back-door', page, () => 'open')).toThrow('R35')
  void app.register(async (scope) => void scope.get('/door', () => 'open'), { prefix: '/back' })
  await expect(app.ready()).rejects.toThrow('R35')
  await app.close()
})

describe('R34 who may call what', () => {
  test('R34 an endpoint refuses every actor that may not call it alike, and changes nothing', async () => {
    const refusal = { customer: 'signed-out', pending: 'signed-out', provider: 'client-key-refused' } as const
    const toAnonymous = new Map<Endpoint, Answer>()
    for (const endpoint of portal.app.endpoints.filter(({ access }) => access !== 'open'))
      toAnonymous.set(endpoint, await send({ browser: openBrowser(portal) }, endpoint, anna.objects))
    for (const [a, actor] of actors.entries()) {
      // A sample of the endpoints that take no key is called with a bad one.
      const closed = portal.app.endpoints.filter(
        (endpoint, i) =>
          endpoint.access !== 'open' &&
          endpoint.access !== actor.opens &&
          (!actor.key || endpoint.access === 'provider' || (a + i) % 4 === 0),
      )
      const before = await readDatabase(portal)
      for (const [i, endpoint] of closed.entries()) {
        // Wrong keys are counted by address, and all calls here come from one (R113).
        if (actor.key) await portal.owner.query(`delete from rate_limits where name = 'client-key-wrong'`)
        const answer = await send(actor, endpoint, anna.objects)
        const call = `${actor.name}: ${nameOf(endpoint)}`
        expect(answer.status, call).toBe(401)
        expect(JSON.parse(answer.body), call).toMatchObject({ code: refusal[endpoint.access as 'customer'] })
        expect([call, answer]).toEqual([call, toAnonymous.get(endpoint)])
        if ((a + i) % actors.length) continue
        const head = await send(actor, endpoint, anna.objects, 'HEAD')
        expect([call, [401, 405].includes(head.status), head.body]).toEqual([call, true, ''])
      }
      expect([actor.name, closed.length > 10, await readDatabase(portal)]).toEqual([actor.name, true, before])
    }
  })
})

describe('R34 whose objects', () => {
  const callsOfObjects = () =>
    portal.app.endpoints.filter((endpoint) => endpoint.access === 'customer' && objectsIn(endpoint).length > 0)

  /** Returns ids of objects that do not exist, in place of those that customers' paths name. */
  const absentObjects = (): Objects => {
    const names = callsOfObjects().flatMap(objectsIn)
    return { ...anna.objects, ...Object.fromEntries(names.map((name) => [name, crypto.randomUUID()])) }
  }

  test("R34 another customer's object is answered like one that is not there, and stays as it is", async () => {
    const carol = await makeOwner()
    const absent = absentObjects()
    // Not even a confirmed step-up for that very id helps.
    const confirmed = callsOfObjects()
      .filter(({ stepUp }) => stepUp)
      .flatMap(objectsIn)
      .flatMap((name) => [anna.objects[name], absent[name]])
    for (const purpose of stepUpPurposes)
      for (const object of new Set(confirmed)) await insertStepUp(portal, carol.person, purpose, object)
    const before = await readDatabase(portal)
    for (const endpoint of callsOfObjects()) {
      const [foreign, missing] = [await send(carol, endpoint, anna.objects), await send(carol, endpoint, absent)]
      expect([nameOf(endpoint), foreign]).toEqual([nameOf(endpoint), missing])
      expect(foreign.status, nameOf(endpoint)).toBe(404)
      expect(JSON.parse(foreign.body), nameOf(endpoint)).toMatchObject({ code: 'not-found' })
      const head = await send(carol, endpoint, anna.objects, 'HEAD')
      const isRead = portal.app.endpoints.some(({ method, path }) => method === 'GET' && path === endpoint.path)
      expect([head.status, head.body]).toEqual([isRead ? 404 : 405, ''])
    }
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('R34 the owner of the same objects finds them', async () => {
    expect(callsOfObjects().length).toBeGreaterThan(5)
    for (const endpoint of callsOfObjects()) {
      const { status, body } = await send(anna, endpoint, anna.objects)
      expect([nameOf(endpoint), status === 404, body]).toEqual([nameOf(endpoint), false, body])
    }
  })

  test('R34 without the second factor a foreign object is refused like an absent one', async () => {
    const stranger = await makeOwner()
    const absent = absentObjects()
    for (const endpoint of callsOfObjects().filter(({ stepUp }) => stepUp)) {
      const [foreign, missing] = [await send(stranger, endpoint, anna.objects), await send(stranger, endpoint, absent)]
      expect(foreign).toEqual(missing)
      expect(JSON.parse(foreign.body)).toMatchObject({ status: 403, code: 'step-up-required' })
    }
  })

  test('R34 a step-up for a foreign object is refused like one for an absent object', async () => {
    const stranger = await signInDirectly(portal, await addCustomer(portal))
    const { signature, timestampAccount } = anna.objects
    const refusal = async (purpose: 'pair-app' | 'timestamp-password', object: string) => {
      const { status, problem } = await stranger.call(startStepUp, { body: { purpose, object } })
      return { status, problem }
    }
    const missing = await refusal('pair-app', crypto.randomUUID())
    expect(missing).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    for (const object of [timestampAccount, crypto.randomUUID()])
      expect(await refusal('timestamp-password', object)).toEqual(missing)
    expect(await refusal('pair-app', signature)).toEqual(missing)
  })

  test('R34 R36 lists and summaries hold the caller’s objects only', async () => {
    for (const [owner, stranger] of [
      [anna, bob],
      [bob, anna],
    ] as const) {
      const session = await signInDirectly(portal, owner.person)
      expect((await session.call(readSession)).body.customer.login).toBe(owner.person.login)
      const { body: list } = await session.call(listSignatures)
      expect(list.items.map(({ id }) => id)).toEqual([owner.objects.signature])
      const { body: summary } = await session.call(summariseSignatures)
      expect(summary).toMatchObject({ active: 1, inactive: 0, nearestEnd: { id: owner.objects.signature } })
      const { body: seals } = await session.call(listSeals)
      expect(seals.items.map(({ id }) => id)).toEqual([owner.objects.seal])
      expect(seals.invitations.map(({ id }) => id)).toEqual([owner.objects.invitation])
      const { body: sealSummary } = await session.call(summariseSeals)
      expect(sealSummary).toMatchObject({ active: 1, inactive: 0, invitations: [{ id: owner.objects.invitation }] })
      for (const foreign of [stranger.objects.signature, stranger.objects.seal, stranger.objects.invitation])
        expect(JSON.stringify([list, summary, seals, sealSummary])).not.toContain(foreign)
    }
  })
})
