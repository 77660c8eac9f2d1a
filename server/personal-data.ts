import { sql } from 'kysely'
import type { Identification } from '../contract/personal-data.ts'
import type { Db, Tx } from './db.ts'
import { seal, unseal, type Keys } from './keys.ts'

/** Identification data of customers: sealed before it is stored, for its row alone (R83). Nothing else reads or writes the table. */
const placeOf = (accountId: string) => `personal-data ${accountId}`

type Known = Map<string, Identification>

/** What is known of each of these customers. */
async function readAll(db: Db, keys: Keys, accountIds: readonly string[]): Promise<Known> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    select account_id as id, sealed from personal_data where account_id = any(${accountIds}::uuid[])`.execute(db)
  return new Map(
    rows.map(({ id, sealed }) => [id, JSON.parse(unseal(keys, placeOf(id), sealed)) as Identification] as const),
  )
}

export const readPersonalData = async (db: Db, keys: Keys, accountId: string): Promise<Identification | undefined> =>
  (await readAll(db, keys, [accountId])).get(accountId)

/** States what is known of customers; undefined: nothing, or nothing any more. Returns those of whom something else was known before. */
export async function putPersonalData(
  tx: Tx,
  keys: Keys,
  stated: ReadonlyMap<string, Identification | undefined>,
): Promise<Set<string>> {
  const known = await readAll(tx, keys, [...stated.keys()])
  const changed = [...stated].filter(([id, data]) => JSON.stringify(known.get(id)) !== JSON.stringify(data))
  const gone = changed.flatMap(([id, data]) => (data ? [] : id))
  const kept = changed.flatMap(([id, data]) =>
    data ? { id, sealed: seal(keys, placeOf(id), JSON.stringify(data)) } : [],
  )
  if (kept.length)
    await sql`
      insert into personal_data (account_id, sealed)
      select * from unnest(${kept.map(({ id }) => id)}::uuid[], ${kept.map(({ sealed }) => sealed)}::bytea[])
      on conflict (account_id) do update set sealed = excluded.sealed`.execute(tx)
  if (gone.length) await tx.deleteFrom('personal_data').where('account_id', 'in', gone).execute()
  return new Set(changed.map(([id]) => id))
}
