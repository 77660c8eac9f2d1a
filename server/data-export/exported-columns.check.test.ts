import { expect, test } from 'vitest'
import { downloadDataExport, requestDataExport } from '../../contract/data-export.ts'
import { exportedTables, omittedTables, type ExportedData, type Row } from '../testing/exported-columns.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { now, sampleIdentification } from '../testing/portal-nodes.ts'
import { openTestProvider } from '../testing/provider.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { giveObjects } from '../testing/samples/sample-objects.ts'
import { addRow, columnsOfTables } from '../testing/samples/sample-rows.ts'

const portal = await openPortal({ settings: manySends })

/** What a customer can have and the calls of the tests give none of. */
async function fillTheRest(account: string) {
  for (const statement of [
    `insert into wordings (sha256, wording) values ('w', '{"title":"Zgoda"}')`,
    `insert into consents (account_id, kind, given, version, locale, wording_sha256) values ($1, 'marketing', true, '2026-11-01', 'pl', 'w')`,
    `insert into phone_changes (session_id, account_id) select id, $1 from sessions where account_id = $1 limit 1`,
    `insert into signature_reminders (signature_id, step, valid_to) select id, 30, valid_to from signatures where account_id = $1`,
    `insert into seal_reminders (seal_user_id, step, valid_to) select u.id, 30, s.valid_to from seal_users u join seals s on s.id = u.seal_id where u.account_id = $1`,
    `insert into seal_recipients (seal_id, email, email_key, locale, token_hash, expires_at)
     select u.seal_id, a.email, a.email_key, 'pl', 'x', now() from seal_users u join accounts a on a.id = u.account_id where a.id = $1 limit 1`,
    `insert into pairings (signature_id, secret, confirmed_at) select id, 'x', now() from signatures where account_id = $1
     on conflict (signature_id) do update set confirmed_at = now()`,
    `insert into seal_pairings (seal_user_id, secret, confirmed_at) select id, 'x', now() from seal_users where account_id = $1`,
    `insert into timestamp_usage (timestamp_account_id, day, spent) select id, '2026-06-01', 7 from timestamp_accounts where account_id = $1`,
    `insert into timestamp_notices (package_id, notice, about) select p.id, 'low', p.starts_at from timestamp_packages p
     join timestamp_accounts a on a.id = p.timestamp_account_id where a.account_id = $1`,
  ])
    await portal.owner.query(statement, statement.includes('$1') ? [account] : [])
}

/** The customer's rows of a table. */
async function rowsOf(table: string, account: string): Promise<Row[]> {
  const from = exportedTables[table]?.from ?? `${table} t where t.account_id = $1`
  const { rows } = await portal.owner.query<{ row: Row }>(`select to_jsonb(t) as row from ${from}`, [account])
  return rows.map(({ row }) => row)
}

/** The customer's file, and its owner. */
async function exportAll() {
  const provider = await openTestProvider(portal)
  const person = await addCustomer(portal, { identification: sampleIdentification })
  const browser = await letIn(portal, person)
  const { account } = await giveObjects(portal, provider, person, browser)
  await fillTheRest(account)
  const tables = await columnsOfTables(portal.owner, Object.keys(omittedTables))
  for (const [table, all] of tables)
    if (!(await rowsOf(table, account)).length) await addRow(portal.owner, table, account, all)
  // The use of a session is stored, too.
  await portal.clock.stopAt(await now(portal.db))
  await browser.call(requestDataExport, { body: { locale: 'pl' } })
  await portal.deliver()
  const file = await browser.raw('GET', downloadDataExport.path.replace(':format', 'json'))
  return { person, account, data: (await file.json()) as ExportedData, tables }
}

const camel = (column: string) => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** As both sides write it: instants to the millisecond, numbers of any size as text, in no order. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value) ? new Date(value).toISOString() : value
const written = (rows: unknown[][]) =>
  rows
    .map((row) => JSON.stringify(row.map((value) => (typeof value === 'number' ? String(value) : plain(value)))))
    .toSorted()

test('DAT-6 R87 every column of every table is in the file with its value, or is named here with the reason why not', async () => {
  const { person, account, data, tables } = await exportAll()
  for (const [table, columns] of tables) {
    const { rows, renamed = {}, decrypted = {}, omitted = {} } = exportedTables[table] ?? {}
    const inFile = rows?.(data) ?? data[camel(table)]
    expect(inFile, `${table} must be exported, or be in omittedTables`).toBeInstanceOf(Array)
    const inTable = await rowsOf(table, account)
    // An empty table would prove nothing.
    expect(inTable, `${table} has no row`).not.toEqual([])

    const names = columns.map(({ column }) => column)
    const plainColumns = names.filter((name) => name !== 'account_id' && !(name in decrypted) && !(name in omitted))
    const keyOf = (column: string) => renamed[column] ?? camel(column)
    for (const row of inFile!) expect(Object.keys(row), table).toEqual(expect.arrayContaining(plainColumns.map(keyOf)))
    expect([table, written(inFile!.map((row) => plainColumns.map((column) => row[keyOf(column)])))]).toEqual([
      table,
      written(inTable.map((row) => plainColumns.map((column) => row[column]))),
    ])
    for (const [column, key] of Object.entries(decrypted)) {
      const filled = (list: Row[], name: string) => list.filter((row) => (row[name] ?? null) !== null).length
      expect([table, column, filled(inFile!, key)]).toEqual([table, column, filled(inTable, column)])
    }
    const known = new Set(names)
    const listed = Object.keys({ ...renamed, ...decrypted, ...omitted })
    expect([table, listed.filter((column) => !known.has(column))]).toEqual([table, []])
  }
  expect(data.identification).toEqual(sampleIdentification)
  expect(data.account['phone']).toBe(person.phone)
  expect(data['documents']!.map(({ signer }) => signer)).not.toContain(null)
})
