import { sql } from 'kysely'
import type { Identification } from '../contract/personal-data.ts'
import type { Db, Tx } from './db.ts'
import { seal, unseal, type Keys } from './keys.ts'

/** Identification data of customers: sealed before it is stored, for its row alone (R83). Nothing else reads or writes the table. */
const placeOf = (accountId: string) => `personal-data ${accountId}`

export async function readPersonalData(db: Db, keys: Keys, accountId: string): Promise<Identification | undefined> {
  const row = await db
    .selectFrom('personal_data')
    .select('sealed')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && (JSON.parse(unseal(keys, placeOf(accountId), row.sealed)) as Identification)
}

/** States what is known of a customer; undefined: nothing, or nothing any more. True when that is not what was known before. */
export async function putPersonalData(
  tx: Tx,
  keys: Keys,
  accountId: string,
  data: Identification | undefined,
): Promise<boolean> {
  const was = await readPersonalData(tx, keys, accountId)
  if (JSON.stringify(was) === JSON.stringify(data)) return false
  if (data) {
    const sealed = seal(keys, placeOf(accountId), JSON.stringify(data))
    await sql`
      insert into personal_data (account_id, sealed) values (${accountId}, ${sealed})
      on conflict (account_id) do update set sealed = excluded.sealed`.execute(tx)
  } else await tx.deleteFrom('personal_data').where('account_id', '=', accountId).execute()
  return true
}
