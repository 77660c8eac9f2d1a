import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { hashClientKey } from './authenticate.ts'
import type { Db } from './db.ts'

/** Makes a client key for a system of the provider's. The key itself is told once and nowhere kept (R80). */
export async function issueClientKey(db: Db, name: string, days?: number): Promise<{ id: string; key: string }> {
  const key = `sygnet_${randomBytes(32).toString('base64url')}`
  const { id } = await db
    .insertInto('provider_keys')
    .values({
      key_hash: hashClientKey(key),
      name,
      expires_at: days ? sql<Date>`portal_now() + make_interval(days => ${days})` : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, key }
}

/** Revokes by id or by name; acts on the next request of every node. Returns how many keys it ended. */
export async function revokeClientKeys(db: Db, which: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update provider_keys set revoked_at = portal_now() where (id::text = ${which} or name = ${which}) and revoked_at is null`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

export const listClientKeys = (db: Db) =>
  db
    .selectFrom('provider_keys')
    .select(['id', 'name', 'created_at', 'expires_at', 'revoked_at'])
    .orderBy('created_at')
    .execute()
