import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { clientScopes } from '../../contract/provider/client-keys.ts'
import { getCustomer } from '../../contract/provider/provider-api.ts'
import { issueClientKey, revokeClientKey } from './client-key-store.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openBrowser, type Person } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { stateOf } from '../testing/database-state.ts'
import { requestRaw } from '../testing/raw-http.ts'

let person: Person
let path: string
const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  person = await addCustomer(portal)
  path = getCustomer.path.replace(':customer', person.id)
})

const issue = (name: string, days?: number) => issueClientKey(portal.ownerDb, { name, scopes: clientScopes, days })

const requestWith = async (authorization: string | undefined, node = 0, target = path) => {
  const response = await fetch(portal.nodes[node]!.origin + target, {
    headers: authorization === undefined ? {} : { authorization },
  })
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.text() }
}

test('R80 a key opens the provider’s calls on every node until it is revoked, and from the next request on nowhere', async () => {
  const { id, key } = await issue('back office')
  for (const node of [0, 1]) expect((await requestWith(`Bearer ${key}`, node)).status).toBe(200)
  expect((await requestWith(`bearer ${key}`)).status).toBe(200)
  expect(await revokeClientKey(portal.ownerDb, id)).toEqual({ id, name: 'back office', stillLive: [] })
  for (const node of [1, 0]) expect((await requestWith(`Bearer ${key}`, node)).status).toBe(401)
  expect(await revokeClientKey(portal.ownerDb, id)).toBeUndefined()
})

test('R80 revoked under load, it opens nothing that is requested after the revocation', async () => {
  const { id, key } = await issue('busy')
  let revoked = false
  const outcomes: [boolean, number][] = []
  const worker = async (node: number) => {
    for (let i = 0; i < 40; i++) {
      const isRevoked = revoked
      outcomes.push([isRevoked, (await requestWith(`Bearer ${key}`, node)).status])
    }
  }
  const load = Promise.all([worker(0), worker(1), worker(0), worker(1)])
  await expect.poll(() => outcomes.length).toBeGreaterThan(20)
  await revokeClientKey(portal.ownerDb, id)
  revoked = true
  await load
  // Beyond so many, wrong keys of one address are not looked at any more (R113).
  expect(outcomes.filter(([asked, status]) => asked && status !== 401 && status !== 429)).toEqual([])
  expect(outcomes.filter(([asked, status]) => !asked && status === 200).length).toBeGreaterThan(0)
  expect(outcomes.filter(([asked]) => asked).length).toBeGreaterThan(0)
})

test('R80 a key ends to the second by the database’s time', async () => {
  const { id, key } = await issue('short', 1)
  const { rows } = await sql<{ at: Date }>`select expires_at as at from provider_keys where id = ${id}`.execute(
    portal.db,
  )
  const end = rows[0]!.at.getTime()
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
  expect((await requestWith(undefined, 0, `${path}?access_token=${clientKey}`)).status).toBe(401)
  expect((await requestWith(undefined, 0, `${path}?authorization=Bearer%20${clientKey}`)).status).toBe(401)
  const { host } = new URL(portal.origin)
  const raw = (headers: string) =>
    requestRaw(portal.origin, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`)
  for (const headers of [
    `Cookie: __Host-sygnet=${clientKey}\r\n`,
    `X-Api-Key: ${clientKey}\r\n`,
    `Proxy-Authorization: Bearer ${clientKey}\r\n`,
    `Authorization: Bearer x\r\nAuthorization: Bearer ${clientKey}\r\n`,
  ])
    expect([headers, (await raw(headers)).status]).toEqual([headers, 401])
})

test('R80 R34 a signed-in customer cannot call the provider API, nor a provider the customer API', async () => {
  const customer = await letIn(portal, person)
  expect((await customer.raw('GET', path)).status).toBe(401)
  const response = await fetch(`${portal.origin}/api/session`, {
    headers: { authorization: `Bearer ${portal.clientKey}` },
  })
  expect(response.status).toBe(401)
})

test('R80 R3 of a key only its hash is kept, and no refused call is a trace of it', async () => {
  const { key } = await issue('kept')
  const { rows } = await portal.owner.query<{ all: string }>(
    `select string_agg(t::text, ' ') as all from provider_keys t`,
  )
  for (const form of [
    key,
    key.slice(7),
    Buffer.from(key).toString('hex'),
    Buffer.from(key.slice(7), 'base64url').toString('hex'),
  ])
    expect(rows[0]!.all).not.toContain(form)
  const before = await stateOf(portal)
  await openBrowser(portal).raw('PUT', path, {}, { authorization: `Bearer sygnet_${'y'.repeat(43)}` })
  expect(await stateOf(portal)).toEqual(before)
})
