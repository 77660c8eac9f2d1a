import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ClientScope } from '../contract/client-keys.ts'
import { limits } from '../contract/limits.ts'
import { record } from './audit.ts'
import { hashClientKey } from './authenticate.ts'
import type { Db, Tx } from './db.ts'

type KeyWish = {
  name: string
  scopes: readonly ClientScope[]
  /** Until it ends. */
  days?: number | undefined
  perSecond?: number | undefined
}

type MadeKey = { id: string; key: string; expiresAt: Date }

/** Makes a client key for a system of the provider's. The key itself is told once and nowhere kept (R80). */
export const issueClientKey = (db: Db, wish: KeyWish): Promise<MadeKey> =>
  db.transaction().execute(async (tx) => {
    const made = await insertKey(tx, wish)
    const details = { client: made.id, scopes: wish.scopes.join(' ') }
    await record(tx, { act: 'client-key-made', accountId: null, actor: 'operator', details })
    return made
  })

async function insertKey(
  tx: Tx,
  { name, scopes, days = limits.clientKey.days, perSecond = limits.clientKey.perSecond }: KeyWish,
): Promise<MadeKey> {
  const key = `sygnet_${randomBytes(32).toString('base64url')}`
  const { id, expires_at } = await tx
    .insertInto('provider_keys')
    .values({
      key_hash: hashClientKey(key),
      name,
      scopes: [...scopes],
      per_second: perSecond,
      expires_at: sql<Date>`portal_now() + make_interval(days => ${days})`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id, key, expiresAt: expires_at! }
}

const isLive = sql`revoked_at is null and (expires_at is null or expires_at > portal_now())`

/**
 * Makes a key like the newest live one of this id or name, which all of them end after `overlapHours`, so that the
 * system that uses them can change over without a refused call (R82). Undefined when there is none.
 */
export const rotateClientKey = (
  db: Db,
  which: string,
  {
    days,
    overlapHours = limits.clientKey.overlapHours,
  }: { days?: number | undefined; overlapHours?: number | undefined } = {},
): Promise<MadeKey | undefined> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; name: string; scopes: ClientScope[]; perSecond: number }>`
      with ending as (
        update provider_keys set expires_at = least(expires_at, portal_now() + make_interval(hours => ${overlapHours}))
        where (id::text = ${which} or name = ${which}) and ${isLive} returning *
      )
      select id, name, scopes, per_second as "perSecond" from ending order by created_at desc limit 1`.execute(tx)
    const newest = rows[0]
    if (!newest) return undefined
    const made = await insertKey(tx, { ...newest, days })
    const details = { client: made.id, before: newest.id }
    await record(tx, { act: 'client-key-rotated', accountId: null, actor: 'operator', details })
    return made
  })

/** Revokes by id or by name; acts on the next request of every node. Returns how many keys it ended. */
export const revokeClientKeys = (db: Db, which: string): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      update provider_keys set revoked_at = portal_now() where (id::text = ${which} or name = ${which}) and revoked_at is null
      returning id`.execute(tx)
    for (const { id } of rows)
      await record(tx, { act: 'client-key-revoked', accountId: null, actor: 'operator', details: { client: id } })
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
    select id, name, scopes, per_second as "perSecond", created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt",
      case when revoked_at is not null then 'revoked' when ${isLive} then 'live' else 'ended' end as state
    from provider_keys order by created_at, id`.execute(db)
  return rows
}
