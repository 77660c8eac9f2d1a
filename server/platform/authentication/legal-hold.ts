import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { query } from '../database/query.ts'

/** Whether one of these accounts is under a legal hold: nothing of it is removed then (R251). */
export async function isAnyHeld(db: Db, accounts: readonly (string | null)[]): Promise<boolean> {
  return query(db).finds(sql`
    select from accounts where id = any(${accounts}::uuid[]) and held_at is not null limit 1`)
}
