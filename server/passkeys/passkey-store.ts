import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { decryptPasskeyName, encryptPasskeyName } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'

export type StoredPasskey = { id: string; name: string; transports: string[]; addedAt: Date; usedAt: Date | null }

/** The passkeys of an account, the oldest first. */
export async function passkeysOf(db: Db, keys: Keys, accountId: string): Promise<StoredPasskey[]> {
  const rows = await query(db).all(sql<Omit<StoredPasskey, 'name'> & { name: Buffer }>`
    select id, name, transports, added_at, used_at from passkeys
    where account_id = ${accountId} order by added_at, id`)
  return rows.map((row) => ({ ...row, name: decryptPasskeyName(keys, row.id, row.name) }))
}

export async function countPasskeys(db: Db, accountId: string): Promise<number> {
  const { n } = await query(db).one(sql<{ n: number }>`
    select count(*)::int as n from passkeys where account_id = ${accountId}`)
  return n
}

type NewPasskey = { name: string; credentialId: Buffer; publicKey: Buffer; counter: number; transports: string[] }

/** Stores a passkey unless the account is full, or the passkey is stored already. An account adds one at a time. */
export async function storePasskey(
  tx: Tx,
  keys: Keys,
  accountId: string,
  { name, credentialId, publicKey, counter, transports }: NewPasskey,
): Promise<{ id: string; addedAt: Date } | 'full' | 'known'> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  if ((await countPasskeys(tx, accountId)) >= limits.passkeys.most) return 'full'
  const id = crypto.randomUUID()
  const row = await query(tx).first(sql<{ addedAt: Date }>`
    insert into passkeys (id, account_id, name, credential_id, public_key, counter, transports)
    values (${id}, ${accountId}, ${encryptPasskeyName(keys, id, name)}, ${credentialId}, ${publicKey}, ${counter}, ${transports})
    on conflict (credential_id) do nothing returning added_at`)
  return row ? { id, addedAt: row.addedAt } : 'known'
}

/** `same`: the passkey has this name already, as after a repeated call (HTT-5). */
export async function renameStored(
  tx: Tx,
  keys: Keys,
  accountId: string,
  id: string,
  name: string,
): Promise<'renamed' | 'same' | undefined> {
  const row = await query(tx).first(sql<{ name: Buffer }>`
    select name from passkeys where id = ${id} and account_id = ${accountId} for update`)
  if (!row) return undefined
  if (decryptPasskeyName(keys, id, row.name) === name) return 'same'
  await sql`update passkeys set name = ${encryptPasskeyName(keys, id, name)} where id = ${id}`.execute(tx)
  return 'renamed'
}

export const deletePasskey = (tx: Tx, accountId: string, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    delete from passkeys where id = ${id} and account_id = ${accountId}`)
