import { sql } from 'kysely'
import type { DeskQuery } from '../../contract/rules/desk-search.ts'
import { findBy } from '../customers/customer-store.ts'
import { deskRows, type DeskRow } from './desk-customer-store.ts'
import type { Db } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'

/** The accounts that a query finds, one more than `size` if there are more. */
export async function findAtDesk(db: Db, keys: Keys, query: DeskQuery, size: number): Promise<DeskRow[]> {
  const ids =
    query.kind === 'number'
      ? await ownersOf(db, query, size + 1)
      : (await findBy(db, keys, { [query.kind]: query.value }, { after: undefined, size })).map(({ id }) => id)
  return deskRows(db, keys, ids)
}

/** Whose object a number names, each by an index: a customer, a voucher case, a document case, a certificate or a renewal. */
async function ownersOf(
  db: Db,
  { value, renewal }: Extract<DeskQuery, { kind: 'number' }>,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct id from (
      select id from accounts where provider_id = ${value}
      union all select account_id from voucher_cases where number = ${value}
      union all select account_id from document_cases where provider_id = ${value}
      union all select account_id from signatures where provider_id = ${value}
      union all select u.account_id from seal_users u where u.seal_id = (select id from seals where provider_id = ${value})
      ${renewal ? sql`union all select account_id from renewals where id between ${renewal.from}::uuid and ${renewal.to}::uuid` : sql``}
    ) owner where id is not null order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
