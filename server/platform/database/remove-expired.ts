import { sql, type RawBuilder } from 'kysely'
import { query, type Db } from './database.ts'

/** The most rows that one statement removes, so that it never keeps locks for long. */
const removedAtOnce = 1000

/** Selection of rows: the condition, by which an index has to find them, and the expression that orders them. */
type RowSelection = { condition: RawBuilder<unknown>; first?: RawBuilder<unknown> }

/**
 * Returns the condition for at most `removedAtOnce` rows by their places (ctid): a second look-up of each by its key would take longer the
 * larger the table is (OPS-7). The condition is checked again, because a row that was changed while the statement waited for it may be one
 * to keep. (PostgreSQL before 15.15, 16.11 and 17.7 does not check again that the row is at the same place.)
 */
export const atPlacesOf = (table: RawBuilder<unknown>, { condition, first }: RowSelection) =>
  sql`ctid = any(array(select ctid from ${table} where ${condition} ${first ? sql`order by ${first}` : sql``} limit ${removedAtOnce})) and (${condition})`

export const removalFrom = (table: string, condition: RawBuilder<unknown>, first?: RawBuilder<unknown>) =>
  sql`delete from ${sql.table(table)} where ${atPlacesOf(sql.table(table), { condition, ...(first && { first }) })}`

/** Repeats statements that each remove at most `removedAtOnce` expired rows, until none is left. */
export async function removeExpired(db: Db, removals: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const removal of removals) while ((await query(db).changes(removal)) === removedAtOnce);
}
