import { expect, test } from 'vitest'
import { searchDesk } from '../../contract/desk/desk-customers.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { features } from '../features.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import { openDesk, signInStaff } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestProvider } from '../testing/provider.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'
import { makeSeal } from '../testing/samples/sample-seals.ts'
import { pretendManyRows, statementsOf, wholeReads } from '../testing/statement-plans.ts'

const portal = await openPortal()
const desk = await openDesk(portal)
const agent = await signInStaff(desk, 'staff-1')
const provider = await openTestProvider(portal)
const person = await addCustomer(portal)
const { rows: own } = await portal.owner.query<{ id: string }>('select id from accounts where provider_id = $1', [
  person.id,
])
const account = own[0]!.id

async function accountsFor(text: string) {
  const { status, body } = await agent.call(searchDesk, { body: { text } })
  expect([text, status]).toEqual([text, 200])
  return body.items.map((item) => item.account)
}

/** The serial number of a certificate as programs show it: with colons, in a row, in decimal. */
const spellings = (serial: string) => [
  serial.toUpperCase().replace(/..(?=.)/g, '$&:'),
  serial,
  BigInt(`0x${serial}`).toString(),
]

async function signatureSerial() {
  const { id } = await provider.give(person)
  const { rows } = await portal.owner.query<{ certificates: Buffer }>(
    'select certificates from signatures where id = $1',
    [id],
  )
  const { certificate } = decryptCertificates(portal.portal.keys, id, rows[0]!.certificates)
  return {
    id,
    certificates: rows[0]!.certificates,
    serial: readCertificate(Buffer.from(certificate, 'base64')).serialNumber,
  }
}

test('DSK-8 a customer is found by the number of a document and of its case, as a caller reads it out', async () => {
  await giveDocument(portal, person.id, { document: 'U-20991', application: 'W/2026/991' })
  await giveDocument(portal, (await addCustomer(portal)).id)
  for (const text of ['U-20991', 'u-20991', 'w/2026/991']) expect(await accountsFor(text)).toEqual([account])
  expect(await accountsFor('U-2099')).toEqual([])
})

test('DSK-8 a customer is found by the serial number of a certificate, in hexadecimal and decimal, also of one that was filed before it was indexed', async () => {
  const { id, certificates, serial } = await signatureSerial()
  for (const text of spellings(serial)) expect([text, await accountsFor(text)]).toEqual([text, [account]])
  await portal.owner.query('update signatures set serial_index = null, certificate_index = null where id = $1', [id])
  expect(await accountsFor(serial)).toEqual([])
  const index = features.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'index-signatures')!
  await index.run(portal.portal, (error) => expect.fail(String(error)))
  expect(await accountsFor(serial)).toEqual([account])
  // A node of the previous version, which knows no such index, files another certificate under the id.
  await portal.owner.query(`update signatures set certificates = certificates || '\\x00' where id = $1`, [id])
  expect(await accountsFor(serial)).toEqual([])
  await portal.owner.query('update signatures set certificates = $2 where id = $1', [id, certificates])
})

test('DSK-8 who has access to a seal is found by the serial number of its certificate', async () => {
  const { id } = await makeSeal(portal, provider, [{ person, role: 'user', status: 'active' }])
  const { rows } = await portal.owner.query<{ certificate: Buffer }>('select certificate from seals where id = $1', [
    id,
  ])
  const serial = readCertificate(rows[0]!.certificate).serialNumber
  for (const text of spellings(serial)) expect([text, await accountsFor(text)]).toEqual([text, [account]])
  await portal.owner.query('update seals set serial_index = null where id = $1', [id])
  const index = features.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === 'index-seals')!
  await index.run(portal.portal, (error) => expect.fail(String(error)))
  expect(await accountsFor(serial)).toEqual([account])
})

test('OPS-7 DSK-8 no search reads a table from end to end', async () => {
  const texts = await statementsOf(async (doing) => {
    for (const text of ['U-20991', '123456789012345', 'R-7KD2-0XQM', person.email, person.phone, '44051401458']) {
      doing(text)
      await accountsFor(text)
    }
    doing('index')
    for (const { name, run } of features.flatMap(({ jobs = [] }) => jobs))
      if (name.startsWith('index-')) await run(portal.portal, (error) => expect.fail(String(error)))
  })
  const client = await portal.owner.connect()
  await client.query('set enable_seqscan = off')
  await pretendManyRows(client)
  const found: string[] = []
  for (const [text, name] of texts)
    if (/^\s*(?:select|with)\b/.test(text))
      for (const read of await wholeReads(client, text)) found.push(`${name}: ${read}`)
  client.release(true)
  expect([...texts.keys()].some((text) => text.includes('document_cases'))).toBe(true)
  expect(found).toEqual([])
})
