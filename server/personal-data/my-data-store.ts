import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** The part of a name that no session carries. */
export async function secondNameOf(db: Db, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ secondName: string | null }>`
    select second_name from accounts where id = ${accountId}`.execute(db)
  return rows[0]?.secondName ?? null
}
