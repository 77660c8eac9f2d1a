import type { Db } from '../db.ts'

/** The part of a name that no session carries. */
export async function secondNameOf(db: Db, accountId: string): Promise<string | null> {
  const { second_name } = await db
    .selectFrom('accounts')
    .select('second_name')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return second_name
}
