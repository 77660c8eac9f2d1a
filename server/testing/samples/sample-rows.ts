import type pg from 'pg'

type Column = { table: string; column: string; type: string; required: boolean }

/** The columns of every table but the given ones. */
export async function columnsOfTables(owner: pg.Pool, except: readonly string[] = []) {
  const { rows } = await owner.query<Column>(
    `select table_name as table, column_name as column, data_type as type, is_nullable = 'NO' and column_default is null as required
     from information_schema.columns where table_schema = 'public' and table_name <> all($1)
       and table_name not in (select relname from pg_class where relispartition)`,
    [except],
  )
  return Map.groupBy(rows, ({ table }) => table)
}

/** Values for required columns, by their types. */
const sampleValues: Record<string, string> = {
  bigint: '1',
  boolean: 'true',
  date: 'now()',
  integer: '1',
  jsonb: `'{}'`,
  text: `'x'`,
  'timestamp with time zone': 'now()',
  uuid: 'gen_random_uuid()',
}

/** Gives an account a row of a table, with a value for each required column. */
export async function addRow(owner: pg.Pool, table: string, account: string, columns: Column[]) {
  const required = columns.filter((each) => each.required)
  const values = required.map(({ column, type }) => (column === 'account_id' ? '$1' : sampleValues[type]))
  const names = required.map(({ column }) => column)
  await owner.query(`insert into ${table} (${names.join()}) values (${values.join()})`, [account])
}
