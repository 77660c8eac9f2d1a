import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSession, signOut, startStepUp } from '../contract/account.ts'
import { clientScopes } from '../contract/client-keys.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { downloadDataExport } from '../contract/data-export.ts'
import { stepUpPurposes } from '../contract/enums.ts'
import { blockCustomer } from '../contract/provider-api.ts'
import { listSeals, summariseSeals } from '../contract/seals.ts'
import { listSignatures, summariseSignatures } from '../contract/signatures.ts'
import { buildApp } from './app.ts'
import { issueClientKey, revokeClientKeys } from './client-keys.ts'
import { exhaustive } from './testing/breadth.ts'
import { now, openTestPortal, type TestPortal } from './testing/portal-nodes.ts'
import { openBrowser, passPassword, type Person, type TestBrowser } from './testing/browser.ts'
import { addCustomer, letIn } from './testing/ready-customers.ts'
import { fill, filled, giveObjects, nameOf, type Objects } from './testing/calls.ts'
import { openTestProvider, type TestProvider } from './testing/provider.ts'
import { confirmAnyway } from './testing/sample-seals.ts'
import { stateOf } from './testing/database-state.ts'

type Owner = { person: Person; browser: TestBrowser; objects: Objects }
type Actor = { name: string; browser: TestBrowser; key?: string; may: (endpoint: Endpoint) => boolean }

let portal: TestPortal
let provider: TestProvider
let anna: Owner
let bob: Owner
let actors: Actor[]

beforeAll(async () => {
  // So many sign-ins would meet the limit of messages, which is not the point here.
  portal = await openTestPortal({ settings: { sends: { perNumber: 1000, perAddress: 1000 } } })
  provider = await openTestProvider(portal)
  ;[anna, bob] = await Promise.all([makeOwner(), makeOwner()])
  actors = await makeActors()
  // Nothing moves on its own, so that what has changed was changed by a request.
  await portal.clock.stopAt(await now(portal.db))
})
afterAll(async () => {
  await portal.close()
  provider.close()
})

async function makeOwner(): Promise<Owner> {
  const person = await addCustomer(portal)
  const browser = await letIn(portal, person)
  return { person, browser, objects: await giveObjects(portal, provider, person, browser) }
}

/** Everyone who can knock, and what each may open. What an endpoint's access does not name is closed. */
async function makeActors(): Promise<Actor[]> {
  const only = (access: Endpoint['access']) => (endpoint: Endpoint) => endpoint.access === access
  const never = () => false
  const { browser: pending } = await passPassword(portal, await addCustomer(portal))
  const left = await letIn(portal, await addCustomer(portal))
  const { cookie } = left
  await left.call(signOut)
  left.cookie = cookie
  const blocked = await addCustomer(portal)
  const blockedBrowser = await letIn(portal, blocked)
  await openBrowser(portal).call(blockCustomer, { params: { customer: blocked.id } })
  const issue = (name: string) => issueClientKey(portal.ownerDb, { name, scopes: clientScopes })
  const [revoked, expired] = [await issue('revoked'), await issue('expired')]
  await revokeClientKeys(portal.ownerDb, 'revoked')
  await sql`update provider_keys set expires_at = portal_now() - interval '1 second' where id = ${expired.id}`.execute(
    portal.ownerDb,
  )
  const stranger = () => openBrowser(portal)
  return [
    { name: 'anonymous', browser: stranger(), may: never },
    { name: 'made-up cookie', browser: withCookie(stranger(), `__Host-sygnet=${'A'.repeat(43)}`), may: never },
    { name: 'pending', browser: pending, may: only('pending') },
    { name: 'customer', browser: bob.browser, may: only('customer') },
    { name: 'signed out', browser: left, may: never },
    { name: 'blocked', browser: blockedBrowser, may: never },
    { name: 'provider', browser: stranger(), key: portal.clientKey, may: only('provider') },
    { name: 'revoked key', browser: stranger(), key: revoked.key, may: never },
    { name: 'expired key', browser: stranger(), key: expired.key, may: never },
    { name: 'unknown key', browser: stranger(), key: `sygnet_${'k'.repeat(43)}`, may: never },
    { name: 'malformed key', browser: stranger(), key: `${portal.clientKey} `.toLowerCase(), may: never },
  ]
}

function withCookie(browser: TestBrowser, cookie: string) {
  browser.cookie = cookie
  return browser
}

type Answer = { status: number; headers: Record<string, string>; body: string }

async function send(
  { browser, key }: Pick<Actor, 'browser' | 'key'>,
  endpoint: Endpoint,
  objects: Objects,
  method: string = endpoint.method,
): Promise<Answer> {
  const { path, body, upload, headers } = await fill(endpoint, objects, provider)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await browser.raw(method, path, method === 'HEAD' ? undefined : (upload ?? body), {
    ...headers,
    ...authorization,
  })
  // The date and the number in the log alone differ between two answers that are the same.
  const { date: _, 'x-request-id': __, ...rest } = Object.fromEntries(response.headers)
  return { status: response.status, headers: rest, body: await response.text() }
}

test('R34 every endpoint that is served can be called by these tests, and none is left over', () => {
  expect(filled.toSorted()).toEqual(portal.app.endpoints.map(nameOf).toSorted())
})

test('R34 R35 a route without an endpoint of the contract does not come into being', async () => {
  const app = await buildApp(portal.portal)
  expect(() => app.get('/api/back-door', () => 'open')).toThrow('R35')
  expect(() => app.route({ method: 'POST', url: '/back-door', handler: () => 'open', config: {} })).toThrow('R35')
  // Nor by calling itself a page, or by lying under a prefix.
  const page = { config: { page: true } } as const
  for (const path of ['/api/back-door', '/provider/v1/back-door', '/api'])
    expect(() => app.get(path, page, () => 'open')).toThrow('R35')
  expect(() => app.post('/back-door', page, () => 'open')).toThrow('R35')
  void app.register(async (scope) => void scope.get('/door', () => 'open'), { prefix: '/back' })
  await expect(app.ready()).rejects.toThrow('R35')
  await app.close()
})

describe('R34 who may call what', () => {
  test('R34 whoever an endpoint is not for gets one and the same refusal, and nothing happens', async () => {
    const refusal = { customer: 'signed-out', pending: 'signed-out', provider: 'client-key-refused' } as const
    const asStranger = new Map<Endpoint, Answer>()
    for (const endpoint of portal.app.endpoints.filter(({ access }) => access !== 'open'))
      asStranger.set(endpoint, await send({ browser: openBrowser(portal) }, endpoint, anna.objects))
    for (const [a, actor] of actors.entries()) {
      // What does not ask for a key is asked with a bad one here and there.
      const closed = portal.app.endpoints.filter(
        (endpoint, i) =>
          endpoint.access !== 'open' &&
          !actor.may(endpoint) &&
          (exhaustive || !actor.key || endpoint.access === 'provider' || (a + i) % 4 === 0),
      )
      const before = await stateOf(portal)
      for (const [i, endpoint] of closed.entries()) {
        // Wrong keys are counted for their address, and here all calls come from one (R113).
        if (actor.key) await portal.owner.query(`delete from budgets where name = 'client-key-wrong'`)
        const answer = await send(actor, endpoint, anna.objects)
        const place = `${actor.name}: ${nameOf(endpoint)}`
        expect([place, answer.status, JSON.parse(answer.body)]).toMatchObject([
          place,
          401,
          { code: refusal[endpoint.access as 'customer'] },
        ])
        expect([place, answer]).toEqual([place, asStranger.get(endpoint)])
        if (!exhaustive && (a + i) % actors.length) continue
        const bodiless = await send(actor, endpoint, anna.objects, 'HEAD')
        expect([place, [401, 405].includes(bodiless.status), bodiless.body]).toEqual([place, true, ''])
      }
      expect([actor.name, closed.length > 10, await stateOf(portal)]).toEqual([actor.name, true, before])
    }
  })

  test('R34 whoever an endpoint is for gets past the door', async () => {
    let opened = 0
    const [carol, changed] = [await makeOwner(), await makeOwner()]
    /** What the provider reads stays as it is; who is blocked or erased has nothing left for the calls that follow. */
    const ownerFor = async ({ method, path }: Endpoint) => {
      if (method === 'GET') return carol
      return exhaustive || path === blockCustomer.path || method === 'DELETE' ? await makeOwner() : changed
    }
    for (const actor of actors)
      for (const endpoint of portal.app.endpoints.filter(actor.may)) {
        const { objects } = actor.name === 'provider' ? await ownerFor(endpoint) : bob
        const { status, body } = await send(actor, endpoint, objects)
        expect([nameOf(endpoint), [401, 404, 405, 500].includes(status), body]).toEqual([nameOf(endpoint), false, body])
        opened += 1
      }
    const guarded = portal.app.endpoints.filter(({ access }) => access !== 'open')
    expect(opened).toBe(guarded.length)
  })

  test('R34 an open endpoint answers everyone alike', async () => {
    const open = portal.app.endpoints.filter(({ access }) => access === 'open')
    for (const endpoint of open)
      for (const actor of actors.filter(({ name }) => !['customer', 'pending'].includes(name))) {
        const { status } = await send(actor, endpoint, anna.objects)
        expect([nameOf(endpoint), actor.name, [401, 403].includes(status)]).toEqual([
          nameOf(endpoint),
          actor.name,
          false,
        ])
      }
  })
})

describe('R34 whose objects', () => {
  /** All that name one: the copy of one's own data has a format in its path, and no id that could be somebody else's. */
  const ofAnObject = () =>
    portal.app.endpoints.filter(
      ({ access, params, path }) => access === 'customer' && params && path !== downloadDataExport.path,
    )

  test("R34 another customer's object is answered to the byte like one that is not there, and stays as it is", async () => {
    const carol = await makeOwner()
    const absent = {
      ...anna.objects,
      account: crypto.randomUUID(),
      signature: crypto.randomUUID(),
      code: crypto.randomUUID(),
      seal: crypto.randomUUID(),
      sealUser: crypto.randomUUID(),
      invitation: crypto.randomUUID(),
      timestampAccount: crypto.randomUUID(),
      documentCase: crypto.randomUUID(),
      passkey: crypto.randomUUID(),
      session: crypto.randomUUID(),
      renewal: crypto.randomUUID(),
    }
    // Even who had confirmed the act for that very id would get no further.
    const confirmed = [anna.objects, absent].flatMap(({ account, signature, seal, timestampAccount, passkey }) => [
      account,
      signature,
      seal,
      timestampAccount,
      passkey,
    ])
    for (const purpose of stepUpPurposes)
      for (const object of confirmed) await confirmAnyway(portal, carol.person, purpose, object)
    const objects = await objectsOf(anna.person)
    for (const endpoint of ofAnObject()) {
      const [foreign, missing] = [await send(carol, endpoint, anna.objects), await send(carol, endpoint, absent)]
      expect([nameOf(endpoint), foreign]).toEqual([nameOf(endpoint), missing])
      expect([nameOf(endpoint), foreign.status, JSON.parse(foreign.body)]).toMatchObject([
        nameOf(endpoint),
        404,
        { code: 'not-found' },
      ])
      const bodiless = await send(carol, endpoint, anna.objects, 'HEAD')
      const isRead = portal.app.endpoints.some(({ method, path }) => method === 'GET' && path === endpoint.path)
      expect([bodiless.status, bodiless.body]).toEqual([isRead ? 404 : 405, ''])
    }
    expect(await objectsOf(anna.person)).toEqual(objects)
  })

  test('R34 the owner of the same objects is answered by them', async () => {
    expect(ofAnObject().length).toBeGreaterThan(5)
    for (const endpoint of ofAnObject()) {
      const { status, body } = await send(anna, endpoint, anna.objects)
      expect([nameOf(endpoint), status === 404, body]).toEqual([nameOf(endpoint), false, body])
    }
  })

  test('R34 without the second factor the door is as shut for a foreign object as for an absent one', async () => {
    const stranger = await makeOwner()
    const absent = {
      ...anna.objects,
      account: crypto.randomUUID(),
      signature: crypto.randomUUID(),
      seal: crypto.randomUUID(),
      timestampAccount: crypto.randomUUID(),
      passkey: crypto.randomUUID(),
    }
    for (const endpoint of portal.app.endpoints.filter((one) => one.stepUp && one.path.includes(':id'))) {
      const [foreign, missing] = [await send(stranger, endpoint, anna.objects), await send(stranger, endpoint, absent)]
      expect(foreign).toEqual(missing)
      expect(JSON.parse(foreign.body)).toMatchObject({ status: 403, code: 'step-up-required' })
    }
  })

  test('R34 asking to confirm an act on a foreign object says as little as on an absent one', async () => {
    const asked = []
    for (const [purpose, object] of [
      ['pair-app', anna.objects.signature],
      ['pair-app', crypto.randomUUID()],
      ['timestamp-password', anna.objects.timestampAccount],
      ['timestamp-password', crypto.randomUUID()],
    ] as const) {
      const stranger = await letIn(portal, await addCustomer(portal))
      const { status, problem } = await stranger.call(startStepUp, { body: { purpose, object } })
      asked.push({ status, problem })
    }
    for (const answer of asked) expect(answer).toEqual(asked[0])
    expect(asked[0]).toMatchObject({ status: 404, problem: { code: 'not-found' } })
  })

  test('R34 R36 lists and sums hold what is the caller’s and nothing else', async () => {
    for (const [owner, other] of [
      [anna, bob],
      [bob, anna],
    ] as const) {
      const session = await letIn(portal, owner.person)
      expect((await session.call(readSession)).body.customer.login).toBe(owner.person.login)
      const { body: list } = await session.call(listSignatures)
      expect(list.items.map(({ id }) => id)).toEqual([owner.objects.signature])
      const { body: sum } = await session.call(summariseSignatures)
      expect(sum).toMatchObject({ active: 1, inactive: 0, nearestEnd: { id: owner.objects.signature } })
      const { body: seals } = await session.call(listSeals)
      expect(seals.items.map(({ id }) => id)).toEqual([owner.objects.seal])
      expect(seals.invitations.map(({ id }) => id)).toEqual([owner.objects.invitation])
      const { body: sealSum } = await session.call(summariseSeals)
      expect(sealSum).toMatchObject({ active: 1, inactive: 0, invitations: [{ id: owner.objects.invitation }] })
      for (const foreign of [other.objects.signature, other.objects.seal, other.objects.invitation])
        expect(JSON.stringify([list, sum, seals, sealSum])).not.toContain(foreign)
    }
  })
})

/** What the portal holds of a customer's objects. */
async function objectsOf({ login }: Person) {
  const { rows } = await portal.owner.query(
    `select s, p, c, u from accounts a join signatures s on s.account_id = a.id left join pairings p on p.signature_id = s.id
     left join codes c on c.account_id = a.id left join step_ups u on u.object = s.id and u.session_id = c.session_id where a.login = $1`,
    [login],
  )
  const seals = await portal.owner.query(
    `select s, o, p from accounts a join seal_users m on m.account_id = a.id or m.email_key = a.email_key join seals s on s.id = m.seal_id
     join seal_users o on o.seal_id = s.id left join seal_pairings p on p.seal_user_id = o.id where a.login = $1 order by o.id`,
    [login],
  )
  const documents = await portal.owner.query(
    `select c, f from accounts a join document_cases c on c.account_id = a.id left join document_files f on f.case_id = c.id where a.login = $1 order by f.id`,
    [login],
  )
  const ways = await portal.owner.query(
    `select k, s from accounts a left join passkeys k on k.account_id = a.id left join sessions s on s.account_id = a.id where a.login = $1 order by s.id`,
    [login],
  )
  return [rows, seals.rows, documents.rows, ways.rows] as unknown[]
}
