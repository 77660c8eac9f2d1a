import { expect, test } from 'vitest'
import { downloadDataExport, requestDataExport } from '../../contract/data-export.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now, sampleIdentification } from '../testing/portal-nodes.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import { giveObjects } from '../testing/calls.ts'
import { openTestProvider } from '../testing/provider.ts'
import { toldOf, wholeTables, type Row } from '../testing/told-columns.ts'

const portal = await openPortal({ settings: { sends: { perNumber: 1000, perAddress: 1000 } } })

/** As both sides write it: instants to the millisecond. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value) ? new Date(value).toISOString() : (value ?? null)

/** What a customer can have and the calls of the tests give none of. */
async function fillTheRest(account: string) {
  for (const statement of [
    `insert into wordings (sha256, wording) values ('w', '{"title":"Zgoda"}')`,
    `insert into consents (account_id, kind, given, version, locale, wording_sha256) values ($1, 'marketing', true, '2026-11-01', 'pl', 'w')`,
    `insert into phone_changes (session_id, account_id) select id, $1 from sessions where account_id = $1 limit 1`,
    `insert into signature_reminders (signature_id, step, valid_to) select id, 30, valid_to from signatures where account_id = $1`,
    `insert into pairings (signature_id, secret, confirmed_at) select id, 'x', now() from signatures where account_id = $1
     on conflict (signature_id) do update set confirmed_at = now()`,
    `insert into seal_pairings (seal_user_id, secret, confirmed_at) select id, 'x', now() from seal_users where account_id = $1`,
    `insert into timestamp_usage (timestamp_account_id, day, spent) select id, '2026-06-01', 7 from timestamp_accounts where account_id = $1`,
    `insert into timestamp_notices (package_id, notice, about) select p.id, 'low', p.starts_at from timestamp_packages p
     join timestamp_accounts a on a.id = p.timestamp_account_id where a.account_id = $1`,
  ])
    await portal.owner.query(statement, statement.includes('$1') ? [account] : [])
}

test('DAT-6 R87 every column of every table is in the file with its value, or is named here with the reason why not', async () => {
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal, { identification: sampleIdentification })
  const browser = await letIn(portal, person)
  const { account } = await giveObjects(portal, provider, person, browser)
  provider.close()
  await fillTheRest(account)
  // That a session is used is written down too.
  await portal.clock.stopAt(await now(portal.db))
  await browser.call(requestDataExport, { body: { locale: 'pl' } })
  await portal.deliver()
  const file = await browser.raw('GET', downloadDataExport.path.replace(':format', 'json'))
  const data = await file.json()

  const tables = toldOf(data)
  const { rows: columns } = await portal.owner.query<{ name: string; column: string }>(
    `select table_name as name, column_name as column from information_schema.columns where table_schema = 'public'`,
  )
  const known = (name: string) => Object.keys({ ...tables[name]?.told, ...tables[name]?.opened, ...tables[name]?.not })
  expect(columns.filter(({ name, column }) => !(name in wholeTables) && !known(name).includes(column))).toEqual([])

  const opened: string[] = []
  const filled: string[] = []
  for (const [name, { from, rows, told, opened: sealed = {} }] of Object.entries(tables)) {
    const { rows: kept } = await portal.owner.query<{ row: Row }>(`select to_jsonb(t) as row from ${from}`, [account])
    const write = (list: unknown[]) => list.map((one) => JSON.stringify(one)).toSorted()
    const inTable = kept.map(({ row }) => Object.keys(told).map((column) => plain(row[column])))
    const inFile = rows.map((row) => Object.values(told).map((key) => plain(row[key])))
    const numbered = (list: unknown[][]) =>
      write(list.map((one) => one.map((value) => (typeof value === 'number' ? String(value) : value))))
    expect([name, numbered(inFile)]).toEqual([name, numbered(inTable)])
    for (const [column, key] of Object.entries(sealed)) {
      const values = rows.map((row) => row[key] ?? null)
      expect([name, column, values.filter((value) => value === null).length]).toEqual([
        name,
        column,
        kept.filter(({ row }) => row[column] === null).length,
      ])
      if (values.some((value) => value !== null)) opened.push(`${name}.${column}`)
    }
    if (kept.length) filled.push(name)
  }
  // Nothing is proven by what there is none of.
  expect(Object.keys(tables).filter((name) => !filled.includes(name))).toEqual([])
  expect(data.identification).toEqual(sampleIdentification)
  expect(data.account.phone).toBe(person.phone)
  expect(opened).toContain('document_cases.signer')
})
