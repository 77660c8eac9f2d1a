import { sql } from 'kysely'
import { single } from '../platform/database/database.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { Person } from './test-customers.ts'

/** Returns a digest of every table, which a refused request must not change. */
export async function readDatabase({ owner }: TestPortal): Promise<Record<string, string>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const digests = tables.map(
    ({ name }) =>
      // The last use of a session, the rate of a client key and the minute of a recorded reading may change.
      `select '${name}' as name, coalesce(md5(string_agg(line, '|' order by line)), '') as digest
       from (select (to_jsonb(t)${name === 'sessions' ? " - 'used_at' - 'ends_at'" : ''})::text as line from ${name} t
         ${name === 'rate_limits' ? "where name not in ('client-key', 'client-key-wrong', 'data-read')" : ''}) lines`,
  )
  const { rows } = await owner.query<{ name: string; digest: string }>(digests.join(' union all '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

/** Counts the rows of a query; `from` is the text after its keyword `from`. */
export const countRows = async ({ owner }: Pick<TestPortal, 'owner'>, from: string, ...values: unknown[]) =>
  (await owner.query(`select from ${from}`, values)).rowCount!

/** Returns the portal's id of an object, by the provider's id; throws if there is none. */
export async function readPortalId({ owner }: TestPortal, table: string, providerId: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(`select id from ${table} where provider_id = $1`, [providerId])
  if (!rows[0]) throw new Error(`${table} has no ${providerId}`)
  return rows[0].id
}

export async function findAccountId({ db }: Pick<TestPortal, 'db'>, { login }: Pick<Person, 'login'>): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from accounts where login = ${login}`.execute(db)
  return single(rows).id
}
