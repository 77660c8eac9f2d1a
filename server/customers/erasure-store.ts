import { sql, type RawBuilder } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { encryptPhone, phoneIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import { query } from '../platform/database/query.ts'

const evidencePeriod = sql`make_interval(years => ${limits.retention.evidenceYears})`

const anyOf = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`

type ErasableAccount = { isHeld: boolean; isInUse: boolean; email: string; locale: Locale; evidenceUntil: Date }

/** The account, locked until the transaction ends; `isInUse` if one of the conditions holds. */
export async function lockErasable(
  tx: Tx,
  id: string,
  inUse: readonly RawBuilder<boolean>[],
): Promise<ErasableAccount | undefined> {
  await sql`select from accounts where id = ${id} for update`.execute(tx)
  return query(tx).first(sql<ErasableAccount>`
    select held_at is not null as is_held, ${anyOf(inUse)} as is_in_use, email, locale, portal_now() + ${evidencePeriod} as evidence_until
    from accounts where id = ${id}`)
}

/** Discards the files whose keys the queries return. */
export const discardFilesOf = (tx: Tx, queries: readonly RawBuilder<unknown>[]) =>
  discardFiles(tx, sql.join(queries, sql` union `))

/** Removes everything from an account that names its owner or lets anyone sign in. */
export async function anonymiseAccount(tx: Tx, keys: Keys, id: string): Promise<void> {
  // A name with a space is neither a login nor an e-mail.
  const erasedName = `erased ${id}`
  await sql`
    update accounts set provider_id = null, login = '', login_key = ${erasedName}, email = '', email_key = ${erasedName}, unconfirmed_key = null,
      phone = ${encryptPhone(keys, id, '')}, phone_index = ${phoneIndex(keys, '')}, first_name = '', second_name = null, surname = '', password_hash = null, earlier_hashes = '{}',
      blocked_at = portal_now(), blocked_for_strangers = false
    where id = ${id}`.execute(tx)
  await sql`insert into erasures (account_id) values (${id})`.execute(tx)
  await sql`select forget_marketing(${id})`.execute(tx)
}

/** Deletes an account unless one of the conditions says that it holds evidence; true if it was deleted. */
export async function deleteAccount(
  tx: Tx,
  id: string,
  isEvidence: readonly RawBuilder<boolean>[] = [sql`false`],
): Promise<boolean> {
  return query(tx).changesOne(sql`
    delete from accounts where id = ${id} and held_at is null and not ${anyOf(isEvidence)}`)
}

/** Accounts whose evidence has been kept long enough, unless a legal hold keeps it. */
export async function listExpiredEvidence(db: Db): Promise<string[]> {
  const rows = await query(db).all(sql<{ id: string }>`
    select account_id as id from erasures e join accounts a on a.id = e.account_id
    where e.at <= portal_now() - ${evidencePeriod} and a.held_at is null limit 100`)
  return rows.map(({ id }) => id)
}

/** Locks an account whose evidence has expired; false if it is gone, or under a legal hold by now (R251). */
export async function lockExpired(tx: Tx, id: string): Promise<boolean> {
  return query(tx).finds(sql`select from accounts where id = ${id} and held_at is null for update`)
}
