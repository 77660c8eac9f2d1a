import { expect, test } from 'vitest'
import { getCustomer, getSignature, listProviderSignatures } from '../../contract/provider/provider-api.ts'
import { listAuditEntries } from '../../contract/provider/audit-trail.ts'
import { putCaseDocument } from '../../contract/provider/provider-documents.ts'
import { putCaseStatus } from '../../contract/provider/provider-vouchers.ts'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import { accountIdOf } from '../platform/authentication/testing/account-id.ts'
import { makeOwner } from '../testing/actors.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { fill } from '../testing/calls.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { giveDocument, putPdf } from '../testing/samples/sample-documents.ts'
import { makeSeal } from '../testing/samples/sample-seals.ts'
import { openVoucherCase } from '../testing/samples/sample-vouchers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })
const { call } = openBrowser(portal)

test('R172 each reading of what belongs to one customer names the account, whichever call it is', async () => {
  const { person, objects } = await makeOwner(portal, provider)
  const account = await accountIdOf(portal, person)
  const { users, providerId: providerSeal } = await makeSeal(portal, provider, [
    { person, role: 'administrator', status: 'active' },
  ])
  const own = { ...objects, providerSeal, providerSealUser: users[0]!.providerId }
  const authorization = `Bearer ${portal.clientKey}`
  const found: Record<string, unknown> = {}
  for (const endpoint of portal.app.endpoints) {
    const { access, method, path, impersonal } = endpoint
    if (access !== 'provider' || method !== 'GET' || !path.includes('/:') || impersonal) continue
    const { rows: before } = await portal.owner.query<{ last: string }>('select max(id) as last from audit')
    const filled = await fill(endpoint, own, provider)
    const response = await openBrowser(portal).raw('GET', filled.path, undefined, { ...filled.headers, authorization })
    await response.arrayBuffer()
    const { rows } = await portal.owner.query<{ owner: string | null }>(
      'select account_id as owner from audit where id > $1',
      [before[0]!.last],
    )
    found[path.slice('/provider/v1/'.length)] = [response.status, ...rows.map(({ owner }) => owner)]
  }
  expect(found).toEqual({
    ...Object.fromEntries(
      [
        'customers/:customer',
        'masked-customers/:customer',
        'signatures/:signature',
        'signatures/:signature/activation',
        'seals/:seal/users/:user',
        'seals/:seal/users/:user/activation',
        'document-cases/:case',
        'renewals/:renewal',
        'status-requests/:request',
        'timestamp-accounts/:account',
        'timestamp-packages/:package',
        'voucher-cases/:case',
      ].map((path) => [path, [200, account]]),
    ),
    // An organisation’s, whose users have calls of their own, and what is about nobody yet.
    ...Object.fromEntries(
      ['seals/:seal', 'seals/:seal/users', 'voucher-codes/:code'].map((path) => [path, [200, null]]),
    ),
    // Nothing is there; signed-agreement.all.test.ts and secret-retrieval.test.ts read them.
    'document-cases/:case/upload': [422],
    'renewals/:renewal/signed': [422],
    'signatures/:signature/activation/secrets/:secret': [400],
    'seals/:seal/users/:user/activation/secrets/:secret': [400],
  })
})

const readings = (login: string) => auditEntries(portal, { login, action: 'data-read' })

test('R172 a list of one customer names the account; a change that was made before is a reading too', async () => {
  const person = await addCustomer(portal)
  await provider.give(person)
  await call(listProviderSignatures, { query: { customer: person.id } })
  expect(await readings(person.login)).toMatchObject([
    { details: { read: 'signatures', customer: person.id, found: 1 } },
  ])
  const { opened } = await openVoucherCase(portal, await letIn(portal, person))
  const params = { case: opened.number }
  const body = { status: 'Przyjęto', at: '2026-01-01T00:00:00.000Z', note: null }
  for (let i = 0; i < 2; i++) expect((await call(putCaseStatus, { params, body })).status).toBe(200)
  const { providerDocumentCase } = await giveDocument(portal, person.id)
  const again = await putPdf(portal, putCaseDocument.path, providerDocumentCase, contractPdf())
  expect(again.status).toBe(200)
  expect((await readings(person.login)).map(({ details }) => details['read'])).toEqual([
    'signatures',
    'voucher-cases/:case/status',
    'document-cases/:case/document',
  ])
})

test('R172 the same question is recorded once a minute, also when both nodes get it at once; another question, number of items or key is recorded by itself', async () => {
  const person = await addCustomer(portal)
  const { providerId: signature } = await provider.give(person)
  const list = (node: number) => call(listProviderSignatures, { query: { customer: person.id } }, node)
  await Promise.all(Array.from({ length: 12 }, (_, i) => list(i % 2)))
  expect(await readings(person.login)).toHaveLength(1)
  await call(getSignature, { params: { signature } })
  await call(getCustomer, { params: { customer: person.id } })
  await call(getCustomer, { params: { customer: person.id } })
  expect(await readings(person.login)).toHaveLength(3)
  await provider.give(person)
  await list(0)
  expect((await readings(person.login)).at(-1)).toMatchObject({ details: { found: 2 } })
  const before = (await readings(person.login)).length
  await portal.clock.advance(59)
  await list(1)
  expect(await readings(person.login)).toHaveLength(before)
  await portal.clock.advance(2)
  await Promise.all([list(0), list(1)])
  expect(await readings(person.login)).toHaveLength(before + 1)
})

test('R172 the same question of a key from another address is recorded: a stolen key does not hide behind the system that polls', async () => {
  const person = await addCustomer(portal)
  const read = (address: string) =>
    openBrowser(portal, { address }).call(getCustomer, { params: { customer: person.id } })
  for (const address of ['198.51.100.7', '203.0.113.66', '203.0.113.66']) await read(address)
  expect((await readings(person.login)).map(({ address }) => address)).toEqual(['198.51.100.7', '203.0.113.66'])
})

test('R172 a reading of one customer’s part of the trail names the account', async () => {
  const person = await addCustomer(portal)
  await call(getCustomer, { params: { customer: person.id } })
  await call(listAuditEntries, { query: { customer: person.id } })
  expect((await readings(person.login)).map(({ details }) => details['read'])).toEqual(['customers/:customer', 'audit'])
})

test('R172 R114 a reading whose entry could not be written gives nothing, and the next one is recorded', async () => {
  const person = await addCustomer(portal)
  const read = () => call(getCustomer, { params: { customer: person.id } })
  await portal.owner.query(`alter table audit add constraint refused check (act <> 'data-read') not valid`)
  const refused = await read()
  await portal.owner.query('alter table audit drop constraint refused')
  expect([refused.status, refused.problem.code]).toEqual([500, 'unexpected'])
  expect(JSON.stringify(refused)).not.toContain(person.surname)
  expect((await read()).status).toBe(200)
  expect(await readings(person.login)).toHaveLength(1)
})
