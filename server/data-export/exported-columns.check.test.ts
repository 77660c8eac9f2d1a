import { expect, test } from 'vitest'
import { downloadDataExport, requestDataExport } from '../../contract/data-export.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { sampleIdentification } from '../testing/portal-nodes.ts'
import { openTestProvider } from '../testing/provider.ts'
import {
  describedColumns,
  fillTables,
  listNames,
  omittedTables,
  storedColumns,
} from '../testing/samples/customer-tables.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { giveObjects } from '../testing/samples/sample-objects.ts'

const portal = await openPortal({ settings: manySends })

test('DAT-6 R87 every column of every table is exported, or is omitted with the reason', async () => {
  const stored = (await storedColumns(portal.owner)).filter(
    ({ table, column }) => !omittedTables.has(table) && column !== 'account_id',
  )
  expect(describedColumns()).toEqual(stored.map(({ table, column }) => `${table}.${column}`).toSorted())
})

test('DAT-6 R87 the file has the rows of every table, decrypted and named as described', async () => {
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal, { identification: sampleIdentification })
  const browser = await letIn(portal, person)
  const { account } = await giveObjects(portal, provider, person, browser)
  await fillTables(portal.owner, account)
  await browser.call(requestDataExport, { body: { locale: 'pl' } })
  await portal.deliver()
  const file = await browser.raw('GET', downloadDataExport.path.replace(':format', 'json'))
  const data = await file.json()

  // An empty list would prove nothing.
  expect(listNames(data)).toEqual(listNames())
  expect(data).toMatchObject({
    account: { login: person.login, phone: person.phone, language: 'pl' },
    identification: sampleIdentification,
    consents: [{ wording: { title: 'Zgoda' } }, {}, {}],
    signatures: [
      {
        identifier: { type: 'PNO', country: 'PL', value: expect.stringMatching(/^\d{11}$/) },
        agreement: { language: 'pl', sha256: expect.any(String) },
        pairedAt: expect.any(String),
        reminders: [{ step: 30 }],
        certificate: expect.stringMatching(/^MII/),
      },
    ],
    seals: [{ access: 'active', phone: person.phone }, { access: 'pending' }],
    timestampAccounts: [{ usage: [{ day: '2026-06-01', spent: 7 }] }],
    documents: [{ signer: 'PNOPL-90010112345', files: [{ kind: 'document' }] }],
    vouchers: [
      { kind: 'voucher', code: expect.any(String) },
      { kind: 'renewal', code: null },
    ],
    renewals: [{ number: expect.stringMatching(/^R-/) }],
    passkeys: [{ name: 'Telefon' }],
  })
})
