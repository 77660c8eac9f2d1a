import { expect, test } from 'vitest'
import { openPortal } from '../testing/open-portal.ts'
import { describedColumns, omittedTables, storedColumns } from '../testing/samples/customer-tables.ts'

const portal = await openPortal()

test('DAT-6 R87 every column of every table is exported, or is omitted with the reason', async () => {
  const stored = (await storedColumns(portal.owner)).filter(
    ({ table, column }) => !omittedTables.has(table) && column !== 'account_id',
  )
  expect(describedColumns()).toEqual(stored.map(({ table, column }) => `${table}.${column}`).toSorted())
})
