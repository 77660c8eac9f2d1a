import { sql, type RawBuilder } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import type { Activation } from '../../contract/provider/provider-activations.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { atPlacesOf } from '../platform/database/remove-expired.ts'

/** A pairing as it is stored. */
export type StoredPairing = {
  /** The encrypted secret. */
  secret: Buffer
  /** The newest time step of which a code was accepted. */
  lastStep: string
}

const tables = {
  signature: {
    table: sql`pairings`,
    key: sql`signature_id`,
    /** Selects the row to which the pairing belongs, while its app can be activated. */
    owner: (id: string) => sql`select o.id from signatures o where o.id = ${id}`,
  },
  'seal-user': {
    table: sql`seal_pairings`,
    key: sql`seal_user_id`,
    owner: (id: string) => sql`select o.id from seal_users o where o.id = ${id} and o.status = 'active'`,
  },
}

/** The object that an app is paired with: a signature, or a user's access to a seal. */
export type Paired = { kind: keyof typeof tables; id: string }

/** Changes the row of a pairing, or adds it; false if `condition` on the row `p` is not met, or the access has ended meanwhile. */
async function putRow(
  tx: Tx,
  { kind, id }: Paired,
  values: { [column: string]: RawBuilder<unknown> },
  condition: RawBuilder<unknown> = sql`true`,
): Promise<boolean> {
  const { table, key, owner } = tables[kind]
  const given = { secret: sql`''::bytea`, ...values }
  const names = Object.keys(given).map((name) => sql.ref(name))
  const changes = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  return query(tx).changesOne(sql`
    insert into ${table} as p (${key}, ${sql.join(names)})
    select owner.id, ${sql.join(Object.values(given))} from (${owner(id)} for share) owner
    on conflict (${key}) do update set ${sql.join(changes)} where ${condition}`)
}

export async function findPairing(db: Db, { kind, id }: Paired): Promise<StoredPairing | undefined> {
  const { table, key } = tables[kind]
  return query(db).first(sql<StoredPairing>`
    select secret, last_step from ${table} where ${key} = ${id} and secret <> ''`)
}

/** Replaces the portal's own secret; false if the access has ended meanwhile. */
export const setSecret = (tx: Tx, paired: Paired, secret: Buffer): Promise<boolean> =>
  putRow(tx, paired, {
    secret: sql`${secret}::bytea`,
    secret_id: sql`gen_random_uuid()`,
    created_at: sql`portal_now()`,
    shown_at: sql`portal_now()`,
    last_step: sql`0::bigint`,
    confirmed_at: sql`null::timestamptz`,
  })

/**
 * Accepts a time step for the secret that it was checked with; false if this or a newer step was accepted before, or
 * the pairing has ended.
 */
export async function confirmStep(tx: Tx, { kind, id }: Paired, secret: Buffer, step: number): Promise<boolean> {
  const { table, key } = tables[kind]
  return query(tx).changesOne(sql`
    update ${table} set last_step = ${step}, confirmed_at = portal_now()
    where ${key} = ${id} and secret = ${secret} and last_step < ${step}`)
}

/** Whether the provider can fetch a secret: once an app has proved that it has it, and until the provider has acknowledged it (APP-4). */
const fetchableCondition = sql`secret <> '' and confirmed_at is not null`

export async function findSecret(db: Db, { kind, id }: Paired, secretId: string): Promise<Buffer | undefined> {
  const { table, key } = tables[kind]
  const row = await query(db).first(sql<{ secret: Buffer }>`
    select secret from ${table} where ${key} = ${id} and secret_id = ${secretId} and ${fetchableCondition}`)
  return row?.secret
}

/** Removes the secret that the provider has acknowledged; false if it was removed before or replaced by another one. */
export async function removeSecret(tx: Tx, { kind, id }: Paired, secretId: string): Promise<boolean> {
  const { table, key } = tables[kind]
  return query(tx).changesOne(sql`
    update ${table} set secret = '' where ${key} = ${id} and secret_id = ${secretId} and ${fetchableCondition}`)
}

export type EncryptedContent = { content: Buffer; mac: Buffer; expiresAt: string }

/**
 * Stores what an app scans, as the answer to the open request, or only to the request with the id `request`. `shown`: the same
 * content was shown before (R127); `ended`: there is no such request or access any more.
 */
export async function setContent(
  tx: Tx,
  paired: Paired,
  { content, mac, expiresAt }: EncryptedContent,
  request?: string,
): Promise<'stored' | 'shown' | 'ended'> {
  const { table, key } = tables[paired.kind]
  const isStored = await putRow(
    tx,
    paired,
    {
      content: sql`${content}::bytea`,
      content_mac: sql`${mac}::bytea`,
      content_expires_at: sql`${expiresAt}::timestamptz`,
      request_id: sql`null::uuid`,
      requested_at: sql`null::timestamptz`,
      request_failure: sql`null::text`,
    },
    sql`p.shown_mac is distinct from ${mac}::bytea and (${request ?? null}::uuid is null or p.request_id = ${request ?? null}::uuid)`,
  )
  if (isStored) return 'stored'
  const isShown = await query(tx).finds(sql`
    select from ${table} where ${key} = ${paired.id} and shown_mac = ${mac}::bytea`)
  return isShown ? 'shown' : 'ended'
}

/** Takes the content to be shown. Of concurrent calls only one gets it; after its expiry none does (R127, R130). */
export async function takeContent(
  tx: Tx,
  { kind, id }: Paired,
): Promise<{ content: Buffer; expiresAt: Date } | undefined> {
  const { table, key } = tables[kind]
  return query(tx).first(sql<{ content: Buffer; expiresAt: Date }>`
    with ready as (
      select ${key} as id, content, content_expires_at from ${table}
      where ${key} = ${id} and content is not null and content_expires_at > portal_now() for update
    )
    update ${table} t set content = null, shown_at = portal_now(), shown_mac = content_mac from ready where t.${key} = ready.id
    returning ready.content, ready.content_expires_at as expires_at`)
}

/** Makes a request for content; false while another request is open, or if content has arrived meanwhile. */
export const requestContent = (tx: Tx, paired: Paired, request: string): Promise<boolean> =>
  putRow(
    tx,
    paired,
    {
      content: sql`null::bytea`,
      request_id: sql`${request}::uuid`,
      requested_at: sql`portal_now()`,
      request_failure: sql`null::text`,
    },
    sql`(p.content is null or p.content_expires_at <= portal_now()) and (p.requested_at is null or p.request_failure = 'refused'
      or p.requested_at <= portal_now() - make_interval(secs => ${limits.activation.requestLife}))`,
  )

/** Stores why a request has no answer yet; false if the request is no longer open. */
export async function failRequest(
  db: Db,
  { kind, id }: Paired,
  request: string,
  failure: 'delayed' | 'refused',
): Promise<boolean> {
  const { table, key } = tables[kind]
  return query(db).changesOne(sql`
    update ${table} set request_failure = ${failure} where ${key} = ${id} and request_id = ${request}`)
}

/** Records the provider's confirmation that the app is activated; false if it was confirmed before and nothing was shown since. */
export const confirmContent = (tx: Tx, paired: Paired): Promise<boolean> =>
  putRow(
    tx,
    paired,
    {
      confirmed_at: sql`portal_now()`,
      content: sql`null::bytea`,
      request_id: sql`null::uuid`,
      requested_at: sql`null::timestamptz`,
      request_failure: sql`null::text`,
    },
    sql`p.confirmed_at is null or p.shown_at > p.confirmed_at`,
  )

/** Finds the state of a pairing as the provider reads it. */
export async function findActivation(db: Db, { kind, id }: Paired): Promise<Given<typeof Activation>> {
  const { table, key } = tables[kind]
  const row = await query(db).first(sql<Given<typeof Activation>>`
    select case
        when is_ready then 'ready'
        when requested_at > portal_now() - make_interval(secs => ${limits.activation.requestLife})
          then coalesce(request_failure, 'requested')
        when request_failure is not null then 'refused'
        when shown_at is not null then 'shown'
        else 'none' end as state,
      request_id as request, requested_at, case when is_ready then content_expires_at end as expires_at, shown_at,
      confirmed_at as paired_at, case when ${fetchableCondition} then secret_id end as secret
    from (select *, content is not null and content_expires_at > portal_now() as is_ready from ${table} where ${key} = ${id}) t`)
  return row ?? none
}

const none: Activation = {
  state: 'none',
  request: null,
  requestedAt: null,
  expiresAt: null,
  shownAt: null,
  pairedAt: null,
  secret: null,
}

/** Statements that remove expired content. */
export const expiredContent = Object.values(tables).map(
  ({ table }) => sql`
    update ${table} set content = null where ${atPlacesOf(table, { condition: sql`content is not null and content_expires_at <= portal_now()` })}`,
)
