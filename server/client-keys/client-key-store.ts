import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ClientScope } from '../../contract/provider/client-keys.ts'
import { limits } from '../../contract/limits.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { hashClientKey } from '../platform/authentication/authenticate.ts'
import type { Db, Tx } from '../platform/database/database.ts'

type KeyOptions = {
  name: string
  scopes: readonly ClientScope[]
  /** Until it ends. */
  days?: number | undefined
  perSecond?: number | undefined
}

type IssuedKey = { id: string; key: string; expiresAt: Date }

/** Creates a client key for a system of the provider. The key itself is shown only once and not stored (R80). */
export const issueClientKey = (db: Db, options: KeyOptions): Promise<IssuedKey> =>
  db.transaction().execute(async (tx) => {
    const issued = await insertKey(tx, options)
    const details = { client: issued.id, scopes: options.scopes.join(' ') }
    await addAuditEntry(tx, { action: 'client-key-made', accountId: null, actor: 'operator', details })
    return issued
  })

async function insertKey(
  tx: Tx,
  { name, scopes, days = limits.clientKey.days, perSecond = limits.clientKey.perSecond }: KeyOptions,
): Promise<IssuedKey> {
  const key = `sygnet_${randomBytes(32).toString('base64url')}`
  const { rows } = await sql<Omit<IssuedKey, 'key'>>`
    insert into provider_keys (key_hash, name, scopes, per_second, expires_at)
    values (${hashClientKey(key)}, ${name}, ${scopes}, ${perSecond}, portal_now() + make_interval(days => ${days}))
    returning id, expires_at`.execute(tx)
  return { key, ...rows[0]! }
}

const isLive = sql`revoked_at is null and (expires_at is null or expires_at > portal_now())`

/**
 * Creates a key like the newest live key of this id or name. All of those end after `overlapHours`, so that the system that uses them
 * can switch to the new key without a refused call (R82). Undefined without a live key.
 */
export const rotateClientKey = (
  db: Db,
  which: string,
  {
    days,
    overlapHours = limits.clientKey.overlapHours,
  }: { days?: number | undefined; overlapHours?: number | undefined } = {},
): Promise<IssuedKey | undefined> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; name: string; scopes: ClientScope[]; perSecond: number }>`
      with ending as (
        update provider_keys set expires_at = least(expires_at, portal_now() + make_interval(hours => ${overlapHours}))
        where (id::text = ${which} or name = ${which}) and ${isLive} returning *
      )
      select id, name, scopes, per_second from ending order by created_at desc limit 1`.execute(tx)
    const newest = rows[0]
    if (!newest) return undefined
    const issued = await insertKey(tx, { ...newest, days })
    const details = { client: issued.id, before: newest.id }
    await addAuditEntry(tx, { action: 'client-key-rotated', accountId: null, actor: 'operator', details })
    return issued
  })

/** Revokes keys by id or by name, effective from the next request of every node. Returns their number. */
export const revokeClientKeys = (db: Db, which: string): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      update provider_keys set revoked_at = portal_now() where (id::text = ${which} or name = ${which}) and revoked_at is null
      returning id`.execute(tx)
    for (const { id } of rows)
      await addAuditEntry(tx, {
        action: 'client-key-revoked',
        accountId: null,
        actor: 'operator',
        details: { client: id },
      })
    return rows.length
  })

export type ListedKey = {
  id: string
  name: string
  scopes: string[]
  perSecond: number
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  state: 'live' | 'ended' | 'revoked'
}

export async function listClientKeys(db: Db): Promise<ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select id, name, scopes, per_second, created_at, expires_at, revoked_at,
      case when revoked_at is not null then 'revoked' when ${isLive} then 'live' else 'ended' end as state
    from provider_keys order by created_at, id`.execute(db)
  return rows
}
