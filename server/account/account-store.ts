import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { decryptPhone, encryptPhone, phoneIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'

const accountRows = describeRows({
  id: column<string>`id`,
  login: column<string>`login`,
  email: column<string>`email`,
  /** The encrypted number, decrypted only to send a code or to show it masked. */
  phone: column<Buffer>`phone`,
  firstName: column<string>`first_name`,
  secondName: column<string | null>`second_name`,
  surname: column<string>`surname`,
  locale: column<Locale>`locale`,
  passwordHash: column<string | null>`password_hash`,
  earlierHashes: column<string[]>`earlier_hashes`,
  /** The devices that are blocked: by ten wrong passwords the unknown ones, by the provider all (R118). */
  blockedFor: column<'strangers' | 'everyone' | null>`
    case when blocked_at is null then null when blocked_for_strangers then 'strangers' else 'everyone' end`,
  /** Whether the account is a registration whose link was not used yet. */
  unconfirmed: column<boolean>`unconfirmed_key is not null`,
  /** Whether the number is confirmed; before that, no other codes are sent to it (REG-6). */
  phoneConfirmed: column<boolean>`phone_confirmed`,
})
export type Account = RowOf<typeof accountRows>

/** Finds an account by its login or e-mail address, in any spelling. */
export function findAccount(db: Db, loginOrEmail: string): Promise<Account | undefined> {
  const key = canonicalLogin(loginOrEmail)
  return accountRows(db).first(sql`
    select ${accountRows.columns} from accounts where login_key = ${key} or email_key = ${key} limit 1`)
}

export const findAccountById = (db: Db, id: string): Promise<Account | undefined> =>
  accountRows(db).first(sql`select ${accountRows.columns} from accounts where id = ${id}`)

/** Sets a password, remembers the earlier one and unblocks the account. False when the password was changed meanwhile. */
export const replacePassword = (tx: Tx, account: Account, hash: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update accounts set password_hash = ${hash}, blocked_at = null, blocked_for_strangers = false,
      earlier_hashes = case when password_hash is null then earlier_hashes else (array_prepend(password_hash, earlier_hashes))[1:${limits.password.remembered}] end
    where id = ${account.id} and password_hash is not distinct from ${account.passwordHash}`)

/** Replaces the hash with one of the same password under a stronger setting. */
export async function rehashPassword(tx: Tx, account: Account, hash: string): Promise<void> {
  await query(tx).run(sql`
    update accounts set password_hash = ${hash} where id = ${account.id} and password_hash = ${account.passwordHash}`)
}

/** Blocks an account for unknown devices. False when it was blocked before. */
export const blockForStrangers = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update accounts set blocked_at = portal_now(), blocked_for_strangers = true where id = ${id} and blocked_at is null`)

export async function setLocale(db: Db, id: string, locale: Locale): Promise<void> {
  await query(db).run(sql`update accounts set locale = ${locale} where id = ${id}`)
}

/** Reads the phone number of an account, if it is still to be confirmed. */
export async function findUnconfirmedPhone(db: Db, keys: Keys, id: string, lock = sql``): Promise<string | undefined> {
  const row = await query(db).first(sql<{ phone: Buffer }>`
    select phone from accounts where id = ${id} and not phone_confirmed ${lock}`)
  return row && decryptPhone(keys, id, row.phone)
}

/** Reads that number and locks it until the transaction ends, so that a code is for this number. */
export const lockUnconfirmedPhone = (tx: Tx, keys: Keys, id: string): Promise<string | undefined> =>
  findUnconfirmedPhone(tx, keys, id, sql`for no key update`)

export async function replaceUnconfirmedPhone(tx: Tx, keys: Keys, id: string, phone: string): Promise<void> {
  await query(tx).run(sql`
    update accounts set phone = ${encryptPhone(keys, id, phone)}, phone_index = ${phoneIndex(keys, phone)} where id = ${id} and not phone_confirmed`)
}

export async function setPhoneConfirmed(tx: Tx, id: string): Promise<void> {
  await query(tx).run(sql`update accounts set phone_confirmed = true where id = ${id}`)
}
