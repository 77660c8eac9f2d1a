import { sql, type RawBuilder } from 'kysely'
import type { Identification } from '../../contract/identification.ts'
import { plainNumber } from '../../contract/rules/identifier-numbers.ts'
import { ApiError } from '../platform/api-error.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import { identifierIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import { type Keys, mac, sameBytes } from '../platform/encryption/keys.ts'
import { isAnyHeld } from '../platform/http/object-removal.ts'

/** Identification data of customers is encrypted for its row alone before it is stored (R83). No other code uses the table. */
const identifications = encryptionOf('personal_data', 'encrypted')

/** Returns the index by which the provider finds a customer (PRV-4); the country is empty for the provider's own numbers. */
const indexOf = (keys: Keys, { identifierType, issuingCountry, identificationNumber }: Identification) =>
  identifierIndex(keys, `${identifierType}${issuingCountry ?? ''}-${identificationNumber}`)

/** Returns the query for the ids of the accounts whose identification has this identifier, such as `PNOPL-44051401458`. */
export const identifiedBy = (keys: Keys, identifier: string): RawBuilder<unknown> => sql`
  select account_id from personal_data where identifier_index = ${identifierIndex(keys, identifier)}`

type EncryptedRow = { id: string; encrypted: Buffer }

const decryptRow = (keys: Keys, { id, encrypted }: EncryptedRow): Identification =>
  JSON.parse(identifications.decrypt(keys, id, encrypted))

/** Reads the data of these customers, by account. */
export async function readPersonalDataOf(
  db: Db,
  keys: Keys,
  accountIds: readonly string[],
): Promise<Map<string, Identification>> {
  const rows = await query(db).all(sql<EncryptedRow>`
    select account_id as id, encrypted from personal_data where account_id = any(${accountIds}::uuid[])`)
  return new Map(rows.map((row) => [row.id, decryptRow(keys, row)]))
}

export const findPersonalData = async (db: Db, keys: Keys, accountId: string): Promise<Identification | undefined> =>
  (await readPersonalDataOf(db, keys, [accountId])).get(accountId)

/** Reads the second name, the part of a name that no session has. */
export async function readSecondName(db: Db, accountId: string): Promise<string | null> {
  const row = await query(db).first(sql<{ secondName: string | null }>`
    select second_name from accounts where id = ${accountId}`)
  return row?.secondName ?? null
}

/** Lists those of these customers, by the provider's ids, whose data are not removed because of a legal hold (R251). */
export async function listKeptByHold(db: Db, customers: readonly string[]): Promise<Set<string>> {
  if (!customers.length) return new Set()
  const rows = await query(db).all(sql<{ customer: string }>`
    select a.provider_id as customer from accounts a join personal_data p on p.account_id = a.id
    where a.provider_id = any(${customers}::text[]) and a.held_at is not null`)
  return new Set(rows.map(({ customer }) => customer))
}

/**
 * Stores the data of customers, or removes it where undefined; the ids of those whose data changed. Refused if that would remove the data
 * of a customer under a legal hold (R251).
 */
export async function putPersonalData(
  tx: Tx,
  keys: Keys,
  stated: ReadonlyMap<string, Identification | undefined>,
): Promise<Set<string>> {
  const known = await readPersonalDataOf(tx, keys, [...stated.keys()])
  const changed = [...stated].filter(([id, data]) => JSON.stringify(known.get(id)) !== JSON.stringify(data))
  const gone = changed.flatMap(([id, data]) => (data ? [] : id))
  const kept = changed.flatMap(([id, data]) =>
    data ? { id, encrypted: identifications.encrypt(keys, id, JSON.stringify(data)), index: indexOf(keys, data) } : [],
  )
  if (kept.length)
    await query(tx).run(sql`
      insert into personal_data (account_id, encrypted, identifier_index)
      select * from unnest(${kept.map(({ id }) => id)}::uuid[], ${kept.map(({ encrypted }) => encrypted)}::bytea[], ${kept.map(({ index }) => index)}::bytea[])
      on conflict (account_id) do update set encrypted = excluded.encrypted, identifier_index = excluded.identifier_index`)
  if (gone.length) {
    if (await isAnyHeld(tx, gone)) throw new ApiError('object-in-use', { reason: 'legal-hold' })
    await query(tx).run(sql`delete from personal_data where account_id = any(${gone}::uuid[])`)
  }
  return new Set(changed.map(([id]) => id))
}

/**
 * Checks whether an entered number is that of the customer's identity document. Compares MACs, so that the time does not reveal how much of
 * the number matches; without a document no number matches.
 */
export function fitsDocument(keys: Keys, entered: string, known: Identification | undefined): boolean {
  const index = (number: string) => mac(keys.index, 'document-number', number)
  return sameBytes(index(entered), index(plainNumber(known?.document.number ?? '')))
}
