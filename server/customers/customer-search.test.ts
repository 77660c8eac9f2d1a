import { beforeEach, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { putCustomer, searchCustomers } from '../../contract/provider/provider-api.ts'
import { openBrowser } from '../testing/browser.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import { accountIdOf } from '../testing/database-state.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'

const { portal, provider } = await openPortalWithProvider()
const { call } = openBrowser(portal)
beforeEach(() => portal.owner.query('delete from rate_limits'))
type Search = Parameters<typeof search>[0]
const search = (body: { email?: string; login?: string; phone?: string; identifier?: string; cursor?: string }) =>
  call(searchCustomers, { body })
const foundBy = async (by: Search) => (await search(by)).body.items.map(({ customer }) => customer)

test('PRV-4 a customer is found by e-mail, login, phone and identifier in any spelling, and by nothing else', async () => {
  const { id: customer, password: _, ...person } = await addCustomer(portal)
  const identification = { ...sampleIdentification, identificationNumber: '44051401458' }
  await call(putCustomer, { params: { customer }, body: { ...person, identification } })
  const [local = '', domain = ''] = person.email.split('@')
  for (const by of [
    { email: person.email },
    { email: `${local.toUpperCase()}@${domain}` },
    { login: person.login.toUpperCase() },
    { phone: person.phone },
    { identifier: 'PNOPL-44051401458' },
  ])
    expect([by, await foundBy(by)]).toEqual([by, [customer]])
  for (const by of [
    { email: `x${person.email}` },
    { login: person.login.slice(1) },
    { phone: `${person.phone.slice(0, -1)}${(Number(person.phone.at(-1)) + 1) % 10}` },
    { identifier: 'PNODE-44051401458' },
    { identifier: 'TINPL-44051401458' },
    { identifier: 'ECN-44051401458' },
  ])
    expect([by, await foundBy(by)]).toEqual([by, []])
  const [item] = (await search({ phone: person.phone })).body.items
  const { acceptances: __, ...found } = person
  const account = await accountIdOf(portal, person)
  expect(item).toMatchObject({ customer, ...found, state: 'active', account })
  expect(item).not.toHaveProperty('identification')
})

test('PRV-4 a changed number finds its customer and the former one nobody; a certificate’s number finds its owner', async () => {
  const { id: customer, password: _, ...person } = await addCustomer(portal)
  const phone = samplePerson().phone
  await call(putCustomer, { params: { customer }, body: { ...person, phone } })
  expect([await foundBy({ phone }), await foundBy({ phone: person.phone })]).toEqual([[customer], []])
  await provider.give({ id: customer }, { subject: { serialNumber: 'PASDE-C01X00T47' } })
  expect(await foundBy({ identifier: 'PASDE-C01X00T47' })).toEqual([customer])
})

test('PRV-4 several customers with one number are found page by page, each once', async () => {
  const phone = samplePerson().phone
  const howMany = limits.list.sizes[0] + 3
  const customers = await Promise.all(Array.from({ length: howMany }, () => addCustomer(portal, { phone })))
  const first = (await search({ phone })).body
  expect(first.items).toHaveLength(limits.list.sizes[0])
  const rest = (await search({ phone, cursor: first.next! })).body
  expect(rest.next).toBeNull()
  const found = [...first.items, ...rest.items].map(({ customer }) => customer)
  expect(new Set(found)).toEqual(new Set(customers.map(({ id }) => id)))
  expect(found).toHaveLength(howMany)
  // A position belongs to its search.
  expect((await search({ phone: samplePerson().phone, cursor: first.next! })).problem.code).toBe('cursor-refused')
})

test('PRV-4 R142 a search names exactly one of them, every search is in the audit trail without the value, and a key has six hundred an hour', async () => {
  const person = await addCustomer(portal)
  for (const by of [{}, { email: person.email, phone: person.phone }, { phone: '123' }, { identifier: '44051401458' }])
    expect((await search(by)).problem.code).toBe('invalid-input')
  await search({ phone: person.phone })
  const entry = (await auditEntries(portal, { login: person.login, action: 'customers-searched' })).at(-1)
  expect(entry).toMatchObject({ actor: 'provider', details: { by: 'phone', found: 1 } })
  expect(JSON.stringify(entry)).not.toContain(person.phone)
  await portal.clock.advance(limits.provider.searches.window)
  let judged = 0
  while ((await search({ login: 'nobody-at-all' })).status === 200) judged++
  expect(judged).toBe(limits.provider.searches.limit)
  expect((await search({ login: 'nobody-at-all' })).problem).toMatchObject({ status: 429, code: 'too-many-requests' })
})
