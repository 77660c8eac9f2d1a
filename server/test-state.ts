import type { TestPortal } from './test-app.ts'

/** A digest of every table: what a refused request must leave as it was. */
export async function stateOf({ owner }: TestPortal): Promise<Record<string, string>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const state: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await owner.query<{ digest: string }>(
      `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from ${name} t`,
    )
    state[name] = rows[0]!.digest
  }
  return state
}
