import { beforeAll, expect, test } from 'vitest'
import { clientGroups } from '../../contract/api-tags.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import { clientScopes, getClientKey, findScope, type ClientScope } from '../../contract/provider/client-keys.ts'
import {
  blockCustomer,
  getCustomer,
  getMaskedCustomer,
  putCustomer,
  searchCustomers,
  searchMaskedCustomers,
  unblockCustomer,
} from '../../contract/provider/provider-customers.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { fill, nameOf } from '../testing/calls.ts'
import { runBehindLock } from '../testing/concurrency.ts'
import { readDatabase } from '../testing/database-state.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { now, sampleIdentification } from '../testing/portal-nodes.ts'
import { requestRaw } from '../testing/raw-http.ts'
import { dumpDatabase, findIn } from '../testing/samples/canaries.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveObjects, type Objects } from '../testing/samples/sample-objects.ts'
import { passPassword, type Person } from '../testing/test-customers.ts'
import { issueClientKey, listClientKeys, revokeClientKey, rotateClientKey } from './client-keys.ts'

let person: Person
let objects: Objects
const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })
beforeAll(async () => {
  person = await addCustomer(portal)
  objects = await giveObjects(portal, provider, person, await signInDirectly(portal, person))
})

const searches: readonly string[] = [searchCustomers.path, searchMaskedCustomers.path]

/** Derives the scope of an endpoint from its method and path alone, to test the scope that the portal requires. */
const scopeFor = (endpoint: Endpoint) =>
  findScope(endpoint) &&
  (`${endpoint.path.split('/')[3]}:${endpoint.method === 'GET' || searches.includes(endpoint.path) ? 'read' : 'write'}` as ClientScope)

type Refusal = { code?: string; reason?: string }

async function callWith(key: string, endpoint: Endpoint, node = 0) {
  const { path, body, upload, headers } = await fill(endpoint, objects, provider)
  const response = await fetch(portal.nodes[node]!.origin + path, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${key}`, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body || upload ? { body: (upload ?? JSON.stringify(body)) as BodyInit } : {}),
  })
  const text = await response.text()
  const json = (/json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : {}) as Refusal
  return { status: response.status, challenge: response.headers.get('www-authenticate'), json }
}

let issuedKeys = 0
const keyFor = async (...scopes: ClientScope[]) =>
  (await issueClientKey(portal.ownerDb, { name: `scoped ${++issuedKeys}`, scopes })).key
const calls = () => portal.app.endpoints.filter(({ access }) => access === 'provider')

test('R80 every call asks for the scope of its object; a key with all others changes nothing', async () => {
  expect(calls().length).toBeGreaterThan(40)
  const keys = new Map<ClientScope, string>()
  for (const scope of new Set(calls().flatMap((endpoint) => scopeFor(endpoint) ?? []))) {
    const [group, right] = scope.split(':') as [string, string]
    // Who sees whole numbers sees masked ones.
    const opens = group === 'masked-customers' ? [group, 'customers'] : [group]
    const otherGroups = clientScopes.filter((candidate) => !opens.includes(candidate.split(':')[0]!))
    // A key that may read does not write.
    keys.set(scope, await keyFor(...otherGroups, ...(right === 'write' ? [`${group}:read` as ClientScope] : [])))
  }
  const state = await readDatabase(portal)
  for (const endpoint of calls()) {
    const scope = scopeFor(endpoint)
    if (!scope) continue
    expect([nameOf(endpoint), await callWith(keys.get(scope)!, endpoint)]).toEqual([
      nameOf(endpoint),
      {
        status: 403,
        challenge: `Bearer error="insufficient_scope", scope="${scope}"`,
        json: expect.objectContaining({ code: 'scope-missing', reason: scope }),
      },
    ])
  }
  expect(await readDatabase(portal)).toEqual(state)
  expect(new Set([...keys.keys()].map((scope) => scope.split(':')[0]))).toEqual(new Set(clientGroups))
  expect(() => findScope({ method: 'GET', path: '/provider/v1/unlisted' })).toThrow('is in no group')
})

test('R80 a key opens what its scopes name; without a scope it opens its own data only', async () => {
  const writing = await keyFor('customers:write')
  for (const endpoint of [getCustomer, blockCustomer, unblockCustomer])
    expect([nameOf(endpoint), (await callWith(writing, endpoint)).status]).toEqual([nameOf(endpoint), 200])
  expect((await callWith(await keyFor('customers:read'), getCustomer)).status).toBe(200)
  const { json, status } = await callWith(writing, getClientKey)
  expect(status).toBe(200)
  expect(json).toEqual({
    name: expect.stringContaining('scoped'),
    scopes: ['customers:write'],
    perSecond: limits.clientKey.perSecond,
    expiresAt: expect.stringMatching(/^\d{4}-.+Z$/),
  })
  const { key } = await issueClientKey(portal.ownerDb, { name: 'none', scopes: [] })
  expect((await callWith(key, getCustomer)).status).toBe(403)
  expect((await callWith(key, getClientKey)).status).toBe(200)
})

test('R80 a key has its own rate over both nodes, and delays no other key', async () => {
  const instant = await now(portal.db)
  await portal.clock.stopAt(instant)
  const at = (seconds: number) => portal.clock.stopAt(new Date(instant.getTime() + seconds * 1000))
  const own = { scopes: ['customers:read'], perSecond: 2 } as const
  const [slow, unaffected] = await Promise.all(
    ['slow', 'unaffected'].map((name) => issueClientKey(portal.ownerDb, { name, ...own })),
  )
  const burst = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, i) => callWith(slow!.key, getCustomer, i % 2)))
    expect(answers.filter(({ status, json }) => status !== 200 && json.code !== 'too-many-requests')).toEqual([])
    return answers.filter(({ status }) => status === 200).length
  }
  const whole = 2 * limits.clientKey.burst
  expect(await burst(60)).toBe(whole)
  expect((await callWith(unaffected!.key, getCustomer)).status).toBe(200)
  const refused = await fetch(`${portal.origin}${getClientKey.path}`, {
    headers: { authorization: `Bearer ${slow!.key}` },
  })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  await at(1)
  expect(await burst(10)).toBe(2)
  await at(3600)
  expect(await burst(60)).toBe(whole)
  // What was noted before the database's clock went back shuts nobody out (R94).
  await at(0)
  expect(await burst(60)).toBe(whole)
  await portal.clock.advance(0)
})

test('R80 R82 a rotation under load costs no call; both keys are good until the old one ends', async () => {
  const before = await issueClientKey(portal.ownerDb, { name: 'crm', scopes: ['customers:read'], perSecond: 900 })
  let key = before.key
  const statuses: number[] = []
  let rotated = false
  const worker = async (node: number) => {
    for (let after = 0; after < 10; after += rotated ? 1 : 0)
      statuses.push((await callWith(key, getCustomer, node)).status)
  }
  const load = Promise.all([worker(0), worker(1), worker(0)])
  await expect.poll(() => statuses.length).toBeGreaterThan(10)
  const made = (await rotateClientKey(portal.ownerDb, 'crm', { overlapHours: 1 }))!
  key = made.key
  rotated = true
  await load
  expect(new Set(statuses)).toEqual(new Set([200]))
  for (const either of [before.key, made.key]) expect((await callWith(either, getCustomer, 1)).status).toBe(200)
  await portal.clock.advance(3601)
  expect((await callWith(before.key, getCustomer)).status).toBe(401)
  expect((await callWith(made.key, getCustomer)).status).toBe(200)
  expect((await callWith(made.key, blockCustomer)).status).toBe(403)
  const listed = (await listClientKeys(portal.db)).filter(({ name }) => name === 'crm')
  expect(listed.map(({ state, perSecond }) => `${state} ${perSecond}`)).toEqual(['ended 900', 'live 900'])
  expect(await rotateClientKey(portal.ownerDb, before.id)).toBeUndefined()
  expect(await revokeClientKey(portal.ownerDb, made.id)).toMatchObject({ id: made.id, stillLive: [] })
  expect(await rotateClientKey(portal.ownerDb, 'crm')).toBeUndefined()
  await portal.clock.advance(0)
})

test('R80 R84 creation, rotation and revocation of a key are audited, without the key', async () => {
  const scopes = ['seals:read', 'software:write'] as const
  const { id, key } = await issueClientKey(portal.ownerDb, { name: 'recorded', scopes })
  const next = (await rotateClientKey(portal.ownerDb, id))!
  await revokeClientKey(portal.ownerDb, 'recorded')
  await revokeClientKey(portal.ownerDb, 'recorded')
  const entries = await auditEntries(portal, { details: { name: 'recorded' } })
  expect(entries.map(({ action, actor, details }) => [action, actor, details])).toEqual([
    ['client-key-made', 'operator', { client: id, name: 'recorded', scopes: scopes.join(' ') }],
    ['client-key-rotated', 'operator', { client: next.id, name: 'recorded', before: id }],
    ['client-key-revoked', 'operator', { client: next.id, name: 'recorded' }],
    ['client-key-revoked', 'operator', { client: id, name: 'recorded' }],
  ])
  expect(JSON.stringify(entries)).not.toContain(key.slice(7, 20))
})

test('R170 of twenty keys at once with one name one is issued; the name is free after its end', async () => {
  const name = 'shop'
  const issue = () => issueClientKey(portal.ownerDb, { name, scopes: [], days: 1 })
  const issued = await Promise.allSettled(Array.from({ length: 20 }, issue))
  expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of issued)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ name: 'KeyNameTakenError' })
  await portal.clock.advance(86_401)
  const { id } = await issue()
  await expect(issue()).rejects.toThrow('There is a key called shop already.')
  await revokeClientKey(portal.ownerDb, name)
  expect((await issue()).id).not.toBe(id)
  await portal.clock.advance(0)
})

test('R170 a revocation by name ends one key and names the one that it had replaced', async () => {
  const before = await issueClientKey(portal.ownerDb, { name: 'erp', scopes: ['customers:read'] })
  const after = (await rotateClientKey(portal.ownerDb, 'erp'))!
  const statuses = async () =>
    Promise.all([before, after].map(async ({ key }) => (await callWith(key, getClientKey)).status))
  expect(await statuses()).toEqual([200, 200])
  expect(await rotateClientKey(portal.ownerDb, before.id)).toBeUndefined()
  expect(await revokeClientKey(portal.ownerDb, 'erp')).toEqual({
    id: after.id,
    name: 'erp',
    stillLive: [{ id: before.id, expiresAt: expect.any(Date) }],
  })
  expect(await statuses()).toEqual([200, 401])
  expect(await revokeClientKey(portal.ownerDb, 'erp')).toMatchObject({ id: before.id, stillLive: [] })
  expect(await statuses()).toEqual([401, 401])
})

test('R170 a key that is revoked while it is being rotated gets no successor', async () => {
  const { id } = await issueClientKey(portal.ownerDb, { name: 'crm-old', scopes: [] })
  const rotated = await runBehindLock(
    portal,
    ['update provider_keys set revoked_at = portal_now() where id = $1', [id]],
    () => rotateClientKey(portal.ownerDb, id),
  )
  expect(rotated).toBeUndefined()
  const { rows } = await portal.owner.query(`select id from provider_keys where name = 'crm-old'`)
  expect(rows).toEqual([{ id }])
})

test('R170 a key that is called by the id of a revoked one is not ended by a repeated command', async () => {
  const first = await issueClientKey(portal.ownerDb, { name: 'leaked', scopes: [] })
  const named = await issueClientKey(portal.ownerDb, { name: first.id, scopes: [] })
  expect(await revokeClientKey(portal.ownerDb, first.id)).toMatchObject({ id: first.id })
  expect(await revokeClientKey(portal.ownerDb, first.id)).toBeUndefined()
  expect(await rotateClientKey(portal.ownerDb, first.id)).toBeUndefined()
  expect((await callWith(named.key, getClientKey)).status).toBe(200)
  expect(await revokeClientKey(portal.ownerDb, named.id)).toMatchObject({ id: named.id })
})

test('PRV-8 R171 a key for masked customers shows no whole number, and opens nothing else', async () => {
  const { id: customer, password: _, ...body } = await addCustomer(portal)
  const identification = { ...sampleIdentification, identificationNumber: '44051401458' }
  await openBrowser(portal).call(putCustomer, { params: { customer }, body: { ...body, identification } })
  const masked = await keyFor('masked-customers:read')
  const read = async (key: string, { method, path }: Endpoint, sent?: object) => {
    const response = await fetch(portal.origin + path.replace(':customer', customer), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(sent && { body: JSON.stringify(sent) }),
    })
    return { status: response.status, text: await response.text() }
  }
  const found = await read(masked, searchMaskedCustomers, { phone: body.phone })
  // The last three characters are shown and a birth date may be known, so the rest could be tried.
  expect((await read(masked, searchMaskedCustomers, { identifier: 'PNOPL-44051401458' })).status).toBe(400)
  const shown = await read(masked, getMaskedCustomer)
  expect([found.status, shown.status]).toEqual([200, 200])
  const { number } = identification.document
  expect(JSON.parse(shown.text)).toMatchObject({
    login: body.login,
    phone: `+48 ••• ••• ${body.phone.slice(-3)}`,
    identification: { identificationNumber: '••••••••458', document: { number: `••••••${number.slice(-3)}` } },
  })
  expect(found.text).toContain(customer)
  for (const secret of [body.phone, '44051401458', number, identification.birthDate])
    expect(found.text + shown.text).not.toContain(secret)
  for (const [endpoint, sent] of [[getCustomer], [searchCustomers, { phone: body.phone }], [blockCustomer]] as const)
    expect((await read(masked, endpoint, sent)).status).toBe(403)
  expect((await read(await keyFor('customers:read'), getMaskedCustomer)).status).toBe(200)
})

test('OPS-4 AUT-4 the provider opens a blocked account for its present password, and is audited', async () => {
  const customer = await addCustomer(portal)
  const params = { customer: customer.id }
  const mistaken = { ...customer, password: 'Wrong-Password-1!' }
  const mistype = (i: number) => passPassword(portal, mistaken, openBrowser(portal, { address: `198.18.4.${i}` }))
  for (let i = 0; i < 10; i++) await mistype(i)
  expect((await openBrowser(portal).call(getCustomer, { params })).body.state).toBe('blocked')
  const unblock = (node: number) => openBrowser(portal).call(unblockCustomer, { params }, node)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => unblock(i % 2)))
  for (const { status, body } of answers) expect([status, body.state]).toEqual([200, 'active'])
  await mistype(99)
  expect(
    (await signInDirectly(portal, customer, openBrowser(portal, { address: '198.18.4.100' }))).cookie,
  ).toBeDefined()
  expect(await auditEntries(portal, { login: customer.login, action: 'account-unblocked' })).toMatchObject([
    { actor: 'provider', details: { client: expect.any(String) as unknown } },
  ])
  const absent = await openBrowser(portal).call(unblockCustomer, { params: { customer: 'nobody' } })
  expect([absent.status, absent.problem.code]).toEqual([404, 'not-found'])
})

const issue = (name: string, days?: number) => issueClientKey(portal.ownerDb, { name, scopes: clientScopes, days })

const path = () => getCustomer.path.replace(':customer', person.id)
const requestWith = async (authorization: string | undefined, node = 0, target = path()) => {
  const response = await fetch(portal.nodes[node]!.origin + target, {
    headers: authorization === undefined ? {} : { authorization },
  })
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.text() }
}

test('R80 a key opens calls on every node until it is revoked, from the next request on none', async () => {
  const { id, key } = await issue('back office')
  for (const node of [0, 1]) expect((await requestWith(`Bearer ${key}`, node)).status).toBe(200)
  expect((await requestWith(`bearer ${key}`)).status).toBe(200)
  expect(await revokeClientKey(portal.ownerDb, id)).toEqual({ id, name: 'back office', stillLive: [] })
  for (const node of [1, 0]) expect((await requestWith(`Bearer ${key}`, node)).status).toBe(401)
  expect(await revokeClientKey(portal.ownerDb, id)).toBeUndefined()
})

test('R80 a key ends to the second by the database’s time', async () => {
  const { id, key } = await issue('short', 1)
  const end = (await listClientKeys(portal.db)).find((listed) => listed.id === id)!.expiresAt!.getTime()
  await portal.clock.stopAt(new Date(end - 1000))
  expect((await requestWith(`Bearer ${key}`)).status).toBe(200)
  await portal.clock.stopAt(new Date(end + 1))
  expect((await requestWith(`Bearer ${key}`)).status).toBe(401)
  await portal.clock.advance(0)
})

test('R80 R34 unknown, revoked, expired, malformed and missing keys get one answer', async () => {
  const { id, key } = await issue('gone')
  await revokeClientKey(portal.ownerDb, id)
  const good = portal.clientKey
  const bad = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${key}`,
    `Bearer sygnet_${'x'.repeat(43)}`,
    good,
    `Basic ${good}`,
    `Bearer  ${good}`,
    `Bearer ${good}x`,
    `Bearer ${good.slice(0, -1)}`,
    `Bearer ${good.toUpperCase()}`,
    `Bearer ${good},Bearer ${good}`,
    `Bearer x, Bearer ${good}`,
    `Bearer ' or true --`,
    `Bearer sygnet_${'%'.repeat(43)}`,
  ]
  const answers = []
  for (const authorization of bad) answers.push([authorization, await requestWith(authorization)])
  for (const [authorization, answer] of answers)
    expect([authorization, answer]).toEqual([authorization, answers[0]![1]])
  expect(answers[0]![1]).toMatchObject({ status: 401, challenge: 'Bearer' })
})

test('R80 a key counts in its header alone: not in the address, a cookie or a second header', async () => {
  const { clientKey } = portal
  expect((await requestWith(undefined, 0, `${path()}?access_token=${clientKey}`)).status).toBe(401)
  expect((await requestWith(undefined, 0, `${path()}?authorization=Bearer%20${clientKey}`)).status).toBe(401)
  const { host } = new URL(portal.origin)
  const raw = (headers: string) =>
    requestRaw(portal.origin, `GET ${path()} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`)
  for (const headers of [
    `Cookie: __Host-sygnet=${clientKey}\r\n`,
    `X-Api-Key: ${clientKey}\r\n`,
    `Proxy-Authorization: Bearer ${clientKey}\r\n`,
    `Authorization: Bearer x\r\nAuthorization: Bearer ${clientKey}\r\n`,
  ])
    expect([headers, (await raw(headers)).status]).toEqual([headers, 401])
})

test('R80 R3 of a key only its hash is kept, and no refused call is a trace of it', async () => {
  const { key } = await issue('kept')
  const dump = await dumpDatabase(portal.owner)
  for (const form of [key.slice(7), Buffer.from(key.slice(7), 'base64url').toString('hex')])
    expect(findIn(dump, form)).toEqual([])
  const before = await readDatabase(portal)
  await openBrowser(portal).raw('PUT', path(), {}, { authorization: `Bearer sygnet_${'y'.repeat(43)}` })
  expect(await readDatabase(portal)).toEqual(before)
})
