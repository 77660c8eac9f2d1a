import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Passkey } from '../../contract/passkeys.ts'
import type { Db, Tx } from '../db.ts'
import { seal, unseal, type Keys } from '../keys.ts'

const placeOf = (id: string) => `passkeys.name ${id}`

export async function passkeysOf(db: Db, keys: Keys, accountId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'added_at', 'used_at'])
    .where('account_id', '=', accountId)
    .orderBy('added_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: unseal(keys, placeOf(row.id), row.name),
    addedAt: row.added_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
  }))
}

export async function countPasskeys(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from passkeys where account_id = ${accountId}`.execute(db)
  return rows[0]!.n
}

type NewKey = { name: string; credentialId: Buffer; publicKey: Buffer; counter: number; transports: string[] }

/** Keeps a key, unless the account has as many as it can, or somebody has this one already. One account adds one at a time. */
export async function storePasskey(
  tx: Tx,
  keys: Keys,
  accountId: string,
  { name, credentialId, publicKey, counter, transports }: NewKey,
): Promise<{ id: string; addedAt: Date } | 'full' | 'known'> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  if ((await countPasskeys(tx, accountId)) >= limits.passkeys.most) return 'full'
  const id = crypto.randomUUID()
  const { rows } = await sql<{ addedAt: Date }>`
    insert into passkeys (id, account_id, name, credential_id, public_key, counter, transports)
    values (${id}, ${accountId}, ${seal(keys, placeOf(id), name)}, ${credentialId}, ${publicKey}, ${counter}, ${transports})
    on conflict (credential_id) do nothing returning added_at as "addedAt"`.execute(tx)
  return rows[0] ? { id, addedAt: rows[0].addedAt } : 'known'
}

export async function putName(tx: Tx, keys: Keys, accountId: string, id: string, name: string): Promise<boolean> {
  const sealed = seal(keys, placeOf(id), name)
  const { numAffectedRows } = await sql`
    update passkeys set name = ${sealed} where id = ${id} and account_id = ${accountId}`.execute(tx)
  return numAffectedRows === 1n
}

export async function deletePasskey(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from passkeys where id = ${id} and account_id = ${accountId}`.execute(tx)
  return numAffectedRows === 1n
}
