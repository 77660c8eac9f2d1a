import { sql, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** The most rows that one statement removes, so that it never keeps locks for long. */
const removedAtOnce = 1000

/**
 * The places (ctid) of at most `removedAtOnce` rows, which an index has to find by the condition. A second look-up of each by its
 * key would take longer the larger the table is (OPS-7), and would also find a row that was changed meanwhile and is to stay.
 */
export const atPlacesOf = (table: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
  sql`ctid = any(array(select ctid from ${table} where ${condition} limit ${removedAtOnce}))`

export const removalFrom = (table: string, condition: RawBuilder<unknown>) =>
  sql`delete from ${sql.table(table)} where ${atPlacesOf(sql.table(table), condition)}`

/** Repeats statements that each remove at most `removedAtOnce` expired rows, until none is left. */
export async function removeExpired(db: Db, removals: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const removal of removals) while ((await removal.execute(db)).numAffectedRows === BigInt(removedAtOnce));
}
