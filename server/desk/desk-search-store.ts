import { sql } from 'kysely'
import type { DeskQuery } from '../../contract/rules/desk-search.ts'
import { findBy } from '../customers/customer-store.ts'
import { deskRows, type DeskRow } from './desk-customer-store.ts'
import type { Db } from '../platform/database/database.ts'
import { serialIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'

/** The accounts that a query finds, one more than `size` if there are more. */
export async function findAtDesk(db: Db, keys: Keys, query: DeskQuery, size: number): Promise<DeskRow[]> {
  const ids =
    query.kind === 'number'
      ? await ownersOf(db, keys, query, size + 1)
      : (await findBy(db, keys, { [query.kind]: query.value }, { after: undefined, size })).map(({ id }) => id)
  return deskRows(db, keys, ids)
}

/**
 * Whose object a number names, each by an index: the provider's id of a customer, certificate or document, the number of a case, document
 * or renewal, or the serial number of a certificate.
 */
async function ownersOf(
  db: Db,
  keys: Keys,
  { value, renewal, serials }: Extract<DeskQuery, { kind: 'number' }>,
  most: number,
): Promise<string[]> {
  const indexes = serials.map((serial) => serialIndex(keys, serial))
  const { rows } = await sql<{ id: string }>`
    select distinct id from (
      select id from accounts where provider_id = ${value}
      union all select account_id from voucher_cases where number = ${value}
      union all select account_id from document_cases where provider_id = ${value}
      union all select account_id from document_cases where upper(document) = upper(${value})
      union all select account_id from document_cases where upper(application) = upper(${value})
      union all select account_id from signatures where provider_id = ${value}
      union all select account_id from signatures where serial_index = any(${indexes}::bytea[])
      union all select account_id from seal_users where seal_id in (
        select id from seals where provider_id = ${value} union all select id from seals where serial_index = any(${indexes}::bytea[]))
      ${renewal ? sql`union all select account_id from renewals where id between ${renewal.from}::uuid and ${renewal.to}::uuid` : sql``}
    ) owner where id is not null order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
