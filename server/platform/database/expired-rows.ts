import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** The most rows that one statement removes, so that it never keeps locks for long. */
export const removedAtOnce = 1000

/** Repeats statements that each remove at most `removedAtOnce` expired rows, until none is left. */
export async function removeExpired(db: Db, removals: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const removal of removals) while ((await removal.execute(db)).numAffectedRows === BigInt(removedAtOnce));
}
