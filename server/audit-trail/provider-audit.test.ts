import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Input } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import { listAuditEntries } from '../../contract/provider/audit-trail.ts'
import { getClientKey } from '../../contract/provider/client-keys.ts'
import { listEvents } from '../../contract/provider/events.ts'
import * as providerCustomers from '../../contract/provider/provider-customers.ts'
import { putCaseDocument } from '../../contract/provider/provider-documents.ts'
import * as providerSignatures from '../../contract/provider/provider-signatures.ts'
import { putCaseStatus } from '../../contract/provider/provider-vouchers.ts'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import { issueClientKey, revokeClientKey } from '../client-keys/client-keys.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { mayContinue } from '../platform/authentication/authenticate.ts'
import { auditEntries, collectFindings } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { fill } from '../testing/calls.ts'
import { findAccountId } from '../testing/database-state.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveDocument, putPdf } from '../testing/samples/sample-documents.ts'
import { makeOwner } from '../testing/samples/sample-objects.ts'
import { makeSeal } from '../testing/samples/sample-seals.ts'
import { openVoucherCase } from '../testing/samples/sample-vouchers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })
const { call } = openBrowser(portal)

type Query = NonNullable<Input<typeof listAuditEntries>['query']>
const page = async (query: Query = {}) => (await call(listAuditEntries, { query })).body
const endOfTrail = async () => (await page({ limit: '1', action: 'alarm-raised' })).next

const readsSince = async (after: string) =>
  (await page({ after, action: 'data-read' })).items.map(({ actor, actorName, account, details }) => {
    const { client, ...rest } = details
    return { actor, actorName, account, isOfKey: typeof client === 'string', ...rest }
  })

const add = (action: AuditAction, accountId: string | null = null) =>
  portal.db.transaction().execute((tx) => addAuditEntry(tx, { action, accountId, actor: 'system' }))

test('OPS-20 R172 every reading of data of people by a key leaves one entry with the name of the key and ids or counts, and no other data', async () => {
  const person = await addCustomer(portal)
  const { providerId: signature } = await provider.give(person)
  const account = await findAccountId(portal, person)
  const after = await endOfTrail()
  const params = { customer: person.id }
  await call(providerCustomers.getCustomer, { params })
  await call(providerCustomers.getMaskedCustomer, { params })
  await call(providerSignatures.getSignature, { params: { signature } })
  await call(providerSignatures.listProviderSignatures, { query: params })
  await call(listAuditEntries, { query: params })
  const key = { actor: 'provider', actorName: 'test', isOfKey: true }
  expect(await readsSince(after)).toEqual([
    { ...key, account, read: 'customers/:customer', ...params },
    { ...key, account, read: 'masked-customers/:customer', ...params },
    { ...key, account, read: 'signatures/:signature', signature },
    { ...key, account, read: 'signatures', ...params, found: 1 },
    { ...key, account, read: 'audit', found: expect.any(Number) },
  ])
  const written = JSON.stringify((await page({ after })).items)
  for (const secret of [person.phone, person.email, person.surname]) expect(written).not.toContain(secret)
})

test('R172 what gives no data of people leaves no entry: ids of events, a customer who is not there, an empty list; a search has its own', async () => {
  const after = await endOfTrail()
  await call(listEvents, {})
  await call(providerCustomers.getCustomer, { params: { customer: 'nobody' } })
  await call(providerSignatures.listProviderSignatures, { query: { customer: 'nobody' } })
  await call(providerCustomers.searchCustomers, { body: { login: 'nobody' } })
  const { items } = await page({ after })
  expect(items.map(({ action }) => action)).toEqual(['customers-searched'])
})

test('OPS-20 R173 no entry appears before a position that was given, also while transactions overlap, and no writer waits for a reader', async () => {
  const after = await endOfTrail()
  const opened = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  onTestFinished(() => finish.resolve())
  const first = portal.db.transaction().execute(async (tx) => {
    await addAuditEntry(tx, { action: 'signed-out', accountId: null, actor: 'system' })
    opened.resolve()
    await finish.promise
  })
  await opened.promise
  // Its number is higher, and it is committed first.
  await add('session-extended')
  const early = await page({ after })
  expect(early).toEqual({ items: [], next: after })
  finish.resolve()
  await first
  const { items } = await page({ after: early.next })
  expect(items.map(({ action }) => action)).toEqual(['signed-out', 'session-extended'])
})

test('OPS-20 entries are filtered by account, customer, action and time, and read page by page', async () => {
  const person = await addCustomer(portal)
  const account = await findAccountId(portal, person)
  const after = await endOfTrail()
  const start = await now(portal.db)
  await portal.clock.stopAt(new Date(start.getTime() + 60_000))
  for (const action of ['signed-out', 'password-set', 'signed-out'] as const) await add(action, account)
  await add('signed-out')
  await portal.clock.stopAt(new Date(start.getTime() + 120_000))
  await add('signed-out', account)
  const actions = async (query: Query) =>
    (await page({ after, ...query })).items
      .filter(({ action }) => action !== 'data-read')
      .map(({ action, account: of }) => `${action} ${of === account}`)
  const own = ['signed-out true', 'password-set true', 'signed-out true', 'signed-out true']
  expect(await actions({ account })).toEqual(own)
  expect(await actions({ customer: person.id })).toEqual(own)
  expect(await actions({ account, action: 'password-set' })).toEqual(['password-set true'])
  const at = new Date(start.getTime() + 120_000).toISOString()
  expect(await actions({ since: at })).toEqual(['signed-out true'])
  const before = ['signed-out true', 'signed-out true', 'signed-out false']
  expect(await actions({ until: at, action: 'signed-out' })).toEqual(before)
  expect(await actions({ customer: 'nobody' })).toEqual([])
  const paged: string[] = []
  for (let from = after; paged.length < own.length;) {
    const { items, next } = await page({ after: from, account, limit: '1' })
    paged.push(...items.map(({ action, account: of }) => `${action} ${of === account}`))
    from = next
  }
  expect(paged).toEqual(own)
  await portal.clock.advance(0)
})

test('OPS-20 R172 a program that follows the trail does not make it grow by its own readings', async () => {
  await add('signed-out')
  let after = (await page({ limit: '1000' })).next
  // Other tests add thousands.
  for (let i = 0; i < 20; i++) after = (await page({ after, limit: '1000' })).next
  expect((await page({ after })).items).toEqual([])
})

test('OPS-20 R84 an entry names the key that wrote it, and the chain covers the name', async () => {
  const person = await addCustomer(portal)
  const { key } = await issueClientKey(portal.ownerDb, { name: 'crm', scopes: ['customers:write', 'audit:read'] })
  const { id: customer, password: _, ...body } = person
  const path = providerCustomers.putCustomer.path.replace(':customer', customer)
  const response = await fetch(portal.origin + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, surname: 'Inna' }),
  })
  expect(response.status).toBe(200)
  const [entry] = (await page({ customer, action: 'customer-updated' })).items
  expect(entry).toMatchObject({ actor: 'provider', actorName: 'crm' })
  expect(await auditEntries(portal, { login: person.login, action: 'customer-updated' })).toMatchObject([
    { details: { actorName: 'crm' } },
  ])
  const changed = async () =>
    (await collectFindings(portal.db, portal.portal.keys.audit)).findings.filter(({ what }) => what === 'changed')
  expect(await changed()).toEqual([])
  await sql`update audit set details = jsonb_set(details, '{actorName}', '"other"')
    where act = 'customer-updated' and details ->> 'actorName' = 'crm'`.execute(portal.ownerDb)
  expect(await changed()).toHaveLength(1)
})

const asLines = 'application/json;q=0.5, application/x-ndjson'
const stream = (query: Query, key = portal.clientKey, signal?: AbortSignal, accept = asLines) =>
  fetch(`${portal.origin}${listAuditEntries.path}?${new URLSearchParams(query as Record<string, string>)}`, {
    headers: { authorization: `Bearer ${key}`, accept },
    signal: signal ?? null,
  })
const linesIn = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { position: string; action: string })
const streamed = async (query: Query, key?: string) => linesIn(await (await stream(query, key)).text())
const addMany = (count: number) =>
  portal.db.transaction().execute(async (tx) => {
    for (let i = 0; i < count; i++)
      await addAuditEntry(tx, { action: 'signed-out', accountId: null, actor: 'system', details: { i } })
  })

test('OPS-20 as NDJSON each line is an entry with its own position, which continues after it as `next` does, until there is no line', async () => {
  const after = await endOfTrail()
  await add('signed-out')
  await add('password-set')
  await add('signed-out')
  const answer = await stream({ after })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  // As RFC 9110 has it, not acceptable.
  const unwanted = await stream({}, undefined, undefined, 'application/json, application/x-ndjson; Q=0.0')
  expect(unwanted.headers.get('content-type')).toContain('application/json')
  await unwanted.body?.cancel()
  const lines = linesIn(await answer.text())
  const { items } = await page({ after })
  expect(lines.map(({ position, ...entry }) => ({ position: Number(position.split('-')[0]), ...entry }))).toEqual(
    items.filter(({ action }) => action !== 'data-read'),
  )
  expect((await streamed({ after, limit: '2' })).map(({ action }) => action)).toEqual(['signed-out', 'password-set'])
  expect((await streamed({ after: lines[1]!.position })).at(0)).toEqual(lines[2])
  expect((await page({ after: lines[1]!.position })).items[0]).toMatchObject({ action: 'signed-out' })
  expect(await streamed({ after, action: 'password-set' })).toEqual([lines[1]])
  let from = after
  for (let i = 0; i < 3; i++) from = (await streamed({ after: from })).at(-1)?.position ?? from
  expect(await streamed({ after: from })).toEqual([])
  const refused = await stream({ after: '999999999999999-0123456789abcdef' })
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, 'position-unknown'])
})

test('OPS-20 R172 a stream that broke off is continued after its last whole line without a gap, and only pages that were given are recorded', async () => {
  const after = await endOfTrail()
  const count = limits.audit.maxPage * 2 + 100
  await addMany(count)
  const control = new AbortController()
  const answer = await stream({ after }, portal.clientKey, control.signal)
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of answer.body!) {
    text += decoder.decode(piece, { stream: true })
    if (text.includes('\n')) break
  }
  control.abort()
  const kept = linesIn(text)
  expect(kept.length).toBeGreaterThan(0)
  const rest = await streamed({ after: kept.at(-1)!.position })
  const positions = [...kept, ...rest].filter(({ action }) => action === 'signed-out').map(({ position }) => position)
  expect([positions.length, new Set(positions).size]).toEqual([count, count])

  const end = await endOfTrail()
  await addMany(limits.audit.maxPage + 1)
  await streamed({ after: end })
  const { items } = await page({ after: end, action: 'data-read' })
  expect(items.map(({ actorName, details }) => [actorName, details['read'], details['found']])).toEqual([
    ['test', 'audit', limits.audit.maxPage],
    ['test', 'audit', 1],
  ])
})

test('OPS-20 R80 each further page counts as a call of the key, so an answer ends where its rate does, and a revoked key gets no more', async () => {
  const after = await endOfTrail()
  await addMany(limits.audit.maxPage + 1)
  const { id, key } = await issueClientKey(portal.ownerDb, { name: 'siem', scopes: ['audit:read'], perSecond: 1 })
  await portal.clock.stopAt(await now(portal.db))
  const headers = { authorization: `Bearer ${key}` }
  for (let i = 1; i < limits.clientKey.burst; i++)
    expect((await fetch(`${portal.origin}${getClientKey.path}`, { headers })).status).toBe(200)
  const lines = await streamed({ after, action: 'signed-out' }, key)
  expect(lines).toHaveLength(limits.audit.maxPage)
  expect((await stream({ after: lines.at(-1)!.position }, key)).status).toBe(429)
  await portal.clock.advance(60)
  expect(await streamed({ after: lines.at(-1)!.position, action: 'signed-out' }, key)).toHaveLength(1)
  const client = { id, name: 'siem', scopes: ['audit:read'], perSecond: 1, expiresAt: null }
  expect(await mayContinue(portal.portal, client)).toBe(true)
  await revokeClientKey(portal.ownerDb, id)
  expect(await mayContinue(portal.portal, client)).toBe(false)
  await portal.clock.advance(0)
})

test('OPS-20 R173 a position whose entry the trail has lost is refused, also when its number belongs to another entry by now', async () => {
  await add('signed-out')
  const before = await endOfTrail()
  const numberOf = (position: string) => position.split('-', 1)[0]
  await add('signed-out')
  const lost = (await page({ after: before })).next
  const refused = async (after: string) => {
    const { status, problem } = await call(listAuditEntries, { query: { after } })
    return [status, problem.code]
  }
  expect(await refused('999999999999999-0123456789abcdef')).toEqual([400, 'position-unknown'])
  // As if the database was restored to the time of `before`, and went on from there.
  await portal.owner.query('delete from audit where id > $1', [numberOf(before)])
  expect(await refused(lost)).toEqual([400, 'position-unknown'])
  await portal.owner.query(`select setval('audit_id_seq', $1)`, [numberOf(before)])
  while (numberOf(await endOfTrail()) !== numberOf(lost)) await add('session-extended')
  expect(await refused(lost)).toEqual([400, 'position-unknown'])
  // What was read before the restore's time is still known, and the beginning too.
  expect((await page({ after: before })).items[0]).toMatchObject({ action: 'session-extended' })
  expect((await page({ after: `0-${'0'.repeat(16)}`, limit: '1' })).items).toHaveLength(1)
})

test('R172 each reading of what belongs to one customer names the account, whichever call it is', async () => {
  const { person, objects } = await makeOwner(portal, provider)
  const account = await findAccountId(portal, person)
  const seal = await makeSeal(portal, provider, [{ person, role: 'admin', status: 'active' }])
  const theirs = { ...objects, providerSeal: seal.providerId, providerSealUser: seal.users[0]!.providerId }
  const authorization = `Bearer ${portal.clientKey}`
  const found: Record<string, unknown> = {}
  for (const endpoint of portal.app.endpoints) {
    const { access, method, path, impersonal } = endpoint
    if (access !== 'provider' || method !== 'GET' || !path.includes('/:') || impersonal) continue
    const { rows: before } = await portal.owner.query<{ last: string }>('select max(id) as last from audit')
    const filled = await fill(endpoint, theirs, provider)
    const response = await openBrowser(portal).raw('GET', filled.path, undefined, { ...filled.headers, authorization })
    await response.arrayBuffer()
    const { rows } = await sql<{ owner: string | null }>`select account_id as owner from audit
      where id > ${before[0]!.last}`.execute(portal.ownerDb)
    found[path.slice('/provider/v1/'.length)] = [response.status, ...rows.map(({ owner }) => owner)]
  }
  const others = {
    // An organisation’s, whose users have calls of their own, and what is about nobody yet.
    'seals/:seal': [200, null],
    'seals/:seal/users': [200, null],
    'voucher-codes/:code': [200, null],
    // Nothing is there; renewal.test.ts and pairing.test.ts read them.
    'document-cases/:case/upload': [422],
    'renewals/:renewal/signed': [422],
    'signatures/:signature/activation/secrets/:secret': [400],
    'seals/:seal/users/:user/activation/secrets/:secret': [400],
  }
  expect(found).toMatchObject(others)
  const own = Object.entries(found).filter(([path]) => !(path in others))
  expect(own.length).toBeGreaterThan(10)
  expect(own.filter(([, read]) => !isDeepStrictEqual(read, [200, account]))).toEqual([])
})

const readings = (login: string) => auditEntries(portal, { login, action: 'data-read' })

test('R172 a change that is repeated, and changes nothing, is a reading', async () => {
  const person = await addCustomer(portal)
  const { opened } = await openVoucherCase(portal, await signInDirectly(portal, person))
  const params = { case: opened.number }
  const body = { status: 'Przyjęto', at: '2026-01-01T00:00:00.000Z', note: null }
  for (let i = 0; i < 2; i++) expect((await call(putCaseStatus, { params, body })).status).toBe(200)
  const { providerDocumentCase } = await giveDocument(portal, person.id)
  const again = await putPdf(portal, putCaseDocument.path, providerDocumentCase, contractPdf())
  expect(again.status).toBe(200)
  const reads = (await readings(person.login)).map(({ details }) => details['read'])
  expect(reads).toEqual(['voucher-cases/:case/status', 'document-cases/:case/document'])
})

test('R172 the same question is recorded once a minute on both nodes, another one by itself', async () => {
  const start = await now(portal.db)
  const stopAfter = (seconds: number) => portal.clock.stopAt(new Date(start.getTime() + seconds * 1000))
  onTestFinished(() => portal.clock.advance(0))
  await stopAfter(0)
  const person = await addCustomer(portal)
  const { providerId: signature } = await provider.give(person)
  const list = (node: number) =>
    call(providerSignatures.listProviderSignatures, { query: { customer: person.id } }, node)
  await Promise.all(Array.from({ length: 12 }, (_, i) => list(i % 2)))
  expect(await readings(person.login)).toHaveLength(1)
  await call(providerSignatures.getSignature, { params: { signature } })
  await call(providerCustomers.getCustomer, { params: { customer: person.id } })
  await call(providerCustomers.getCustomer, { params: { customer: person.id } })
  expect(await readings(person.login)).toHaveLength(3)
  await provider.give(person)
  await list(0)
  expect((await readings(person.login)).at(-1)).toMatchObject({ details: { found: 2 } })
  const before = (await readings(person.login)).length
  await stopAfter(59)
  await list(1)
  expect(await readings(person.login)).toHaveLength(before)
  await stopAfter(61)
  await Promise.all([list(0), list(1)])
  expect(await readings(person.login)).toHaveLength(before + 1)
})

test('R172 the same question of a key from another address is recorded by itself', async () => {
  const person = await addCustomer(portal)
  const read = (address: string) =>
    openBrowser(portal, { address }).call(providerCustomers.getCustomer, { params: { customer: person.id } })
  for (const address of ['198.51.100.7', '203.0.113.66', '203.0.113.66']) await read(address)
  expect((await readings(person.login)).map(({ address }) => address)).toEqual(['198.51.100.7', '203.0.113.66'])
})

test('R172 R114 a reading whose entry could not be written gives nothing', async () => {
  const person = await addCustomer(portal)
  const read = () => call(providerCustomers.getCustomer, { params: { customer: person.id } })
  await portal.owner.query(`alter table audit add constraint refused check (act <> 'data-read') not valid`)
  const refused = await read()
  await portal.owner.query('alter table audit drop constraint refused')
  expect([refused.status, refused.problem.code]).toEqual([500, 'unexpected'])
  expect(JSON.stringify(refused)).not.toContain(person.surname)
  expect((await read()).status).toBe(200)
  expect(await readings(person.login)).toHaveLength(1)
})
