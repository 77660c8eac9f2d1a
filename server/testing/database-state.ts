import type { TestPortal } from './portal-nodes.ts'

/** A digest of every table: what a refused request must leave as it was. */
export async function stateOf({ owner }: TestPortal): Promise<Record<string, string>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const state: Record<string, string> = {}
  for (const { name } of tables) {
    // That a session was used, which is noted every few seconds, is no change of what it may do; nor is a client key's pace.
    const { rows } = await owner.query<{ digest: string }>(
      `select coalesce(md5(string_agg(line, '|' order by line)), '') as digest
       from (select (to_jsonb(t)${name === 'sessions' ? " - 'used_at' - 'ends_at'" : ''})::text as line from ${name} t
         ${name === 'budgets' ? "where name not in ('client-key', 'client-key-wrong')" : ''}) lines`,
    )
    state[name] = rows[0]!.digest
  }
  return state
}
