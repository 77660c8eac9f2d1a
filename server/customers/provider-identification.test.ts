import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Identification } from '../../contract/personal-data.ts'
import { blockCustomer, getCustomer, putCustomer, type ProviderCustomer } from '../../contract/provider/provider-api.ts'
import { readPersonalData } from '../personal-data/personal-data-store.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import { openBrowser } from '../testing/browser.ts'
import { auditedActions } from '../testing/audit-entries.ts'
import { accountIdOf } from '../testing/database-state.ts'

const portal = await openPortal({ nodes: 2 })

const newId = () => `c-${crypto.randomUUID()}`
const put = (customer: string, body: ProviderCustomer, node = 0) =>
  openBrowser(portal).call(putCustomer, { params: { customer }, body }, node)
const get = (customer: string) => openBrowser(portal).call(getCustomer, { params: { customer } })
const changesOf = async (login: string) =>
  (await auditedActions(portal, { login })).filter((action) => action !== 'data-read')

test('OPS-4 DAT-1 identification data is stored as put, returned to the provider, and its change is audited once', async () => {
  const [id, person] = [newId(), samplePerson({ identification: sampleIdentification })]
  expect((await put(id, person)).body).toMatchObject({ ...person, state: 'invited' })
  expect((await get(id)).body.identification).toEqual(sampleIdentification)
  for (const node of [0, 1]) await put(id, person, node)
  expect(await changesOf(person.login)).toEqual(['customer-created'])
  const { document } = sampleIdentification
  const renewed: Identification = { ...sampleIdentification, document: { ...document, validTo: null } }
  expect((await put(id, { ...person, identification: renewed })).body.identification).toEqual(renewed)
  expect(await changesOf(person.login)).toEqual(['customer-created', 'customer-updated'])
  const blocked = await openBrowser(portal).call(blockCustomer, { params: { customer: id } })
  expect(blocked.body.identification).toEqual(renewed)
})

test('OPS-4 R87 DSK-26 R251 data that a PUT omits are removed, but not during a legal hold, while a name can change', async () => {
  const [id, person] = [newId(), samplePerson({ identification: sampleIdentification })]
  await put(id, person)
  const hold = (at: string) => portal.owner.query(`update accounts set held_at = ${at} where provider_id = $1`, [id])
  await hold('portal_now()')
  const { identification: _, ...without } = person
  const held = { code: 'object-in-use', reason: 'legal-hold' }
  expect(await put(id, without)).toMatchObject({ status: 422, problem: held })
  expect((await put(id, { ...person, surname: 'Inna' })).body).toMatchObject({ surname: 'Inna' })
  expect((await get(id)).body.identification).toEqual(sampleIdentification)
  await hold('null')
  for (const { body } of [await put(id, without), await get(id)]) expect(body).not.toHaveProperty('identification')
  expect(await changesOf(person.login)).toEqual(['customer-created', 'customer-updated', 'customer-updated'])
  const account = await accountIdOf(portal, person)
  expect((await portal.owner.query('select from personal_data where account_id = $1', [account])).rows).toEqual([])
})

test('VAL-3 VAL-4 OPS-4 an impossible number is refused at its field, and nothing is stored', async () => {
  const [id, person] = [newId(), samplePerson()]
  const { document } = sampleIdentification
  const wrong: [Partial<Identification>, string][] = [
    [{ identificationNumber: '44051401358' }, 'identification.identificationNumber'],
    [{ identifierType: 'TIN', identificationNumber: '1234563217' }, 'identification.identificationNumber'],
    [{ birthDate: '1944-05-15' }, 'identification.birthDate'],
    [{ document: { ...document, number: 'ABA300001' } }, 'identification.document.number'],
    [{ document: { ...document, type: 'PA', number: 'ZS0000178' } }, 'identification.document.number'],
    [{ issuingCountry: null }, 'identification.issuingCountry'],
  ]
  for (const [change, name] of wrong) {
    const refused = await put(id, { ...person, identification: { ...sampleIdentification, ...change } })
    expect([name, refused.status, refused.problem.fields]).toEqual([name, 400, [{ name, problem: 'format' }]])
  }
  const surplus = { ...sampleIdentification, religion: 'none' } as Identification
  const fields = [{ name: 'identification.religion', problem: 'unknown-field' }]
  expect((await put(id, { ...person, identification: surplus })).problem.fields).toEqual(fields)
  expect((await get(id)).status).toBe(404)
})

test('R83 identification data is encrypted for its row alone: a dump reveals none of it, and another row’s data cannot be decrypted', async () => {
  const people = [1, 2].map(() => samplePerson({ identification: sampleIdentification }))
  for (const person of people) await put(newId(), person)
  const [first, second] = await Promise.all(people.map((person) => accountIdOf(portal, person)))
  const { rows } = await sql<{ row: string; encrypted: Buffer }>`select p::text as row, encrypted from personal_data p
    where account_id in (${first}, ${second})`.execute(portal.ownerDb)
  expect(rows).toHaveLength(2)
  const { identificationNumber, birthPlace, document } = sampleIdentification
  for (const { row, encrypted } of rows)
    for (const canary of [identificationNumber, birthPlace, document.number, 'identificationNumber'])
      expect(encrypted.includes(canary) || row.includes(Buffer.from(canary).toString('hex'))).toBe(false)
  expect(rows[0]!.encrypted.equals(rows[1]!.encrypted)).toBe(false)
  await sql`update personal_data p set encrypted = (select encrypted from personal_data q where q.account_id = ${second})
    where account_id = ${first}`.execute(portal.ownerDb)
  await expect(readPersonalData(portal.db, portal.portal.keys, first!)).rejects.toThrow()
  expect(await readPersonalData(portal.db, portal.portal.keys, second!)).toEqual(sampleIdentification)
})
