import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import * as clientKeysCalls from '../../contract/provider/client-keys.ts'
import type { ClientScope } from '../../contract/provider/client-keys.ts'
import type { ChangedBy } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { hashClientKey } from '../platform/authentication/authenticate.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import type { ServerFeature } from '../platform/portal.ts'

/** Answers a system of the provider with the data of its own key. */
export const getClientKey = handler(clientKeysCalls.getClientKey, async ({ client: { id: _, ...client } }) => client)

export const clientKeysFeature: ServerFeature = {
  calls: [getClientKey],
}

type KeyOptions = {
  name: string
  scopes: readonly ClientScope[]
  /** Days until the key expires. */
  days?: number | undefined
  perSecond?: number | undefined
}

/** Whoever runs the command; at the desk, keys are changed by staff. */
const operator: ChangedBy = { actor: 'operator' }

type IssuedKey = { id: string; key: string; expiresAt: Date }

/** The error of a name that a key already has which is neither revoked nor replaced. */
export class KeyNameTakenError extends Error {
  override name = 'KeyNameTakenError'
}

/** Creates a client key for a system of the provider. The key itself is shown only once and not stored (R80). */
export const issueClientKey = (db: Db, options: KeyOptions, by: ChangedBy = operator): Promise<IssuedKey> =>
  db.transaction().execute(async (tx) => {
    // A key that has ended leaves its name.
    await query(tx).run(sql`
      update provider_keys set replaced_at = expires_at
      where name = ${options.name} and revoked_at is null and replaced_at is null and expires_at <= portal_now()`)
    const issued = await insertKey(tx, options)
    const details = { ...by.details, client: issued.id, name: options.name, scopes: options.scopes.join(' ') }
    await addAuditEntry(tx, { action: 'client-key-made', accountId: null, ...by, details })
    return issued
  })

async function insertKey(
  tx: Tx,
  { name, scopes, days = limits.clientKey.days, perSecond = limits.clientKey.perSecond }: KeyOptions,
): Promise<IssuedKey> {
  const key = `sygnet_${randomBytes(32).toString('base64url')}`
  const issued = await query(tx).first(sql<Omit<IssuedKey, 'key'>>`
    insert into provider_keys (key_hash, name, scopes, per_second, expires_at)
    values (${hashClientKey(key)}, ${name}, ${scopes}, ${perSecond}, portal_now() + make_interval(days => ${days}))
    on conflict (name) where revoked_at is null and replaced_at is null do nothing
    returning id, expires_at`)
  if (!issued)
    throw new KeyNameTakenError(`There is a key called ${name} already. Rotate or revoke it, or choose another name.`)
  return { key, ...issued }
}

const liveCondition = sql`revoked_at is null and (expires_at is null or expires_at > portal_now())`

/**
 * Finds a key by its id, or by its name if that is no key's id: a command with the id of a key that is revoked must not
 * end another one.
 */
const namedCondition = (which: string) => sql`(id::text = ${which} or name = ${which}
  and not exists (select from provider_keys identified where identified.id::text = ${which}))`

/**
 * Replaces the live key of this id or name by one with the same rights. The old one ends after `overlapHours`, so that
 * the system that uses it can switch to the new key without a refused call (R82). Undefined if no live key is called
 * so, or only one that was replaced before.
 */
export const rotateClientKey = (
  db: Db,
  which: string,
  {
    days,
    overlapHours = limits.clientKey.overlapHours,
  }: { days?: number | undefined; overlapHours?: number | undefined } = {},
  by: ChangedBy = operator,
): Promise<IssuedKey | undefined> =>
  db.transaction().execute(async (tx) => {
    const replaced = await query(tx).first(sql<{ id: string; name: string; scopes: ClientScope[]; perSecond: number }>`
      update provider_keys set replaced_at = portal_now(), expires_at = least(expires_at, portal_now() + make_interval(hours => ${overlapHours}))
      where replaced_at is null and ${liveCondition} and id = (
        select id from provider_keys where ${namedCondition(which)} and replaced_at is null and ${liveCondition}
        limit 1
      )
      returning id, name, scopes, per_second`)
    if (!replaced) return undefined
    const issued = await insertKey(tx, { ...replaced, days })
    const details = { ...by.details, client: issued.id, name: replaced.name, before: replaced.id }
    await addAuditEntry(tx, { action: 'client-key-rotated', accountId: null, ...by, details })
    return issued
  })

type RevokedKey = { id: string; name: string; stillLive: { id: string; expiresAt: Date | null }[] }

/**
 * Revokes one key, effective from the next request of every node: the one of this id, or the current one of this name, or, if there is
 * none, the last one that was replaced. `stillLive` are other keys of its name, which a rotation has replaced.
 */
export const revokeClientKey = (db: Db, which: string, by: ChangedBy = operator): Promise<RevokedKey | undefined> =>
  db.transaction().execute(async (tx) => {
    const revoked = await query(tx).first(sql<{ id: string; name: string }>`
      update provider_keys set revoked_at = portal_now()
      where revoked_at is null and id = (
        select id from provider_keys where ${namedCondition(which)} and revoked_at is null
        order by (${liveCondition}) desc, replaced_at desc nulls first, created_at desc limit 1
      )
      returning id, name`)
    if (!revoked) return undefined
    const details = { ...by.details, client: revoked.id, name: revoked.name }
    await addAuditEntry(tx, { action: 'client-key-revoked', accountId: null, ...by, details })
    const stillLive = await query(tx).all(sql<RevokedKey['stillLive'][number]>`
      select id, expires_at from provider_keys
      where name = ${revoked.name} and ${liveCondition} order by created_at`)
    return { ...revoked, stillLive }
  })

export type ListedKey = {
  id: string
  name: string
  scopes: string[]
  perSecond: number
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** The state of the key; `replaced`: still valid until its end, and followed by another key of its name. */
  state: 'live' | 'replaced' | 'ended' | 'revoked'
}

export async function listClientKeys(db: Db): Promise<ListedKey[]> {
  return query(db).all(sql<ListedKey>`
    select id, name, scopes, per_second, created_at, expires_at, revoked_at,
      case when revoked_at is not null then 'revoked' when ${liveCondition} then case when replaced_at is null then 'live' else 'replaced' end else 'ended' end as state
    from provider_keys order by created_at, id`)
}
