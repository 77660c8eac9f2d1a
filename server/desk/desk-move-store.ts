import { sql, type RawBuilder } from 'kysely'
import type { MovableKind, MoveObstacle } from '../../contract/desk/desk-moves.ts'
import type { Locale } from '../../contract/enums.ts'
import type { IdentifierType } from '../../contract/identification.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { decryptCertificates, encryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { DeskRow } from './desk-customer-store.ts'

/** A misfiled object, which is moved from one account to another. */
export type Move = { id: string; from: DeskRow; to: DeskRow }

export type SealOfAccess = {
  organisation: string
  product: SealProduct
  /** The number of the user in the list of the seal's users. */
  number: number
  administrators: { email: string; locale: Locale }[]
}

/** Returns a case expression for the first obstacle whose condition holds. */
const firstOf = (conditions: { [O in MoveObstacle]?: RawBuilder<unknown> }) =>
  sql`case ${sql.join(
    Object.entries(conditions).map(([obstacle, condition]) => sql`when ${condition} then ${obstacle}::text`),
    sql` `,
  )} end`

type Movable = {
  /** The table with its alias. */
  rows: RawBuilder<unknown>
  /** A further condition for a row to be found. */
  extraCondition: RawBuilder<unknown>
  /** Returns an expression for the obstacle to the move, which depends on what was done with the object. */
  obstacle: (to: DeskRow) => RawBuilder<unknown>
}

const authorisingCondition = (reference: RawBuilder<unknown>) =>
  sql`exists (select from service_authorisations w where ${reference} and w.ended_at is null)`

/** Whether an app was activated, or its activation was requested or shown: somebody may have scanned it, and has the key then. */
const activatingCondition = sql`(p.confirmed_at is not null or p.shown_at is not null or p.requested_at is not null or p.content is not null)`

const movable: Record<MovableKind, Movable> = {
  certificate: {
    rows: sql`signatures o`,
    extraCondition: sql`true`,
    obstacle: () =>
      firstOf({
        renewal: sql`exists (select from renewals r where r.signature_id = o.id) or exists (select from renewals r where r.issued_signature = o.id)`,
        'status-request': sql`exists (select from status_requests q where q.signature_id = o.id)`,
        signing: sql`exists (select from document_signings d where d.signature_id = o.id)
          or exists (select from file_signings f where f.signature_id = o.id) or ${authorisingCondition(sql`w.signature_id = o.id`)}`,
        app: sql`exists (select from pairings p where p.signature_id = o.id and ${activatingCondition})`,
      }),
  },
  document: {
    rows: sql`document_cases o`,
    extraCondition: sql`true`,
    obstacle: () =>
      firstOf({
        'signed-document': sql`o.upload_file is not null or o.status <> all(array['passed-to-subscriber', 'subscriber-downloaded'])`,
        signing: sql`exists (select from document_signings d where d.case_id = o.id) or ${authorisingCondition(sql`w.case_id = o.id`)}`,
      }),
  },
  seal: {
    rows: sql`seal_users o`,
    extraCondition: sql`o.status = 'active'`,
    obstacle: ({ id, email }) =>
      firstOf({
        'in-use': sql`exists (select from seal_users u where u.seal_id = o.seal_id and u.account_id = ${id} and u.status = 'active')
          or exists (select from seal_users u where u.seal_id = o.seal_id and u.email_key = ${canonicalLogin(email)} and u.status <> 'deleted' and u.id <> o.id)`,
        app: sql`exists (select from seal_pairings p where p.seal_user_id = o.id and ${activatingCondition})`,
      }),
  },
}

/**
 * Finds the provider's id of an object of `from`, and the obstacle to its move by what was done with it; undefined if there is no such
 * object.
 */
export async function findObstacleIn(
  db: Db,
  kind: MovableKind,
  { id, from, to }: Move,
): Promise<{ filed: string; obstacle: MoveObstacle | null } | undefined> {
  const { rows: table, extraCondition, obstacle } = movable[kind]
  return query(db).first(sql<{ filed: string; obstacle: MoveObstacle | null }>`
    select o.provider_id as filed, ${obstacle(to)} as obstacle from ${table}
    where o.id = ${id} and o.account_id = ${from.id} and ${extraCondition}`)
}

/** Locks an object against everything that refers to it, so that a renewal or a request that begins meanwhile waits (R243). */
export const lockObject = (tx: Tx, kind: MovableKind, id: string): Promise<unknown> =>
  query(tx).run(sql`select from ${movable[kind].rows} where o.id = ${id} for update`)

/**
 * Gives an object to another customer, with what belongs to it. One statement decides: false if the object is no longer
 * `from`'s, or there is an obstacle by now.
 */
export async function moveObject(tx: Tx, keys: Keys, kind: MovableKind, { id, from, to }: Move): Promise<boolean> {
  const { rows: table, extraCondition, obstacle } = movable[kind]
  const { values, belongings } = changes[kind](keys, id, to)
  return query(tx).finds(sql`
    with moved as (
      update ${table} set account_id = ${to.id} ${values}
      where o.id = ${id} and o.account_id = ${from.id} and ${extraCondition} and (${obstacle(to)}) is null returning o.id
    ) ${belongings}
    select id from moved`)
}

/** Changes that come with a new owner: other columns, and rows that belong to the object. */
type MoveChange = { values: RawBuilder<unknown>; belongings: RawBuilder<unknown> }
const nothing = sql``

const changes: Record<MovableKind, (keys: Keys, id: string, to: DeskRow) => MoveChange> = {
  // The new owner gets the reminders again. Renewal codes that were not used are theirs.
  certificate: (_keys, _id, to) => ({
    values: sql`, reminder_at = null`,
    belongings: sql`,
      reminders as (delete from signature_reminders where signature_id in (select id from moved)),
      apps as (delete from pairings where signature_id in (select id from moved)),
      codes as (update voucher_codes set account_id = ${to.id} where signature_id in (select id from moved))`,
  }),
  // A report or a code that was for the earlier customer does not fit the version (R33, R51).
  document: () => ({ values: sql`, version = version + 1, updated_at = portal_now()`, belongings: nothing }),
  seal: (keys, id, { email, phone, firstName, surname, locale }) => ({
    values: sql`, email = ${email}, email_key = ${canonicalLogin(email)}, phone = ${encryptInvitedPhone(keys, id, phone)},
      first_name = ${firstName}, surname = ${surname}, locale = ${locale}`,
    belongings: sql`, apps as (delete from seal_pairings where seal_user_id in (select id from moved))`,
  }),
}

/** Reads the identifier of a case's signer, encrypted. */
export async function findSigner(db: Db, id: string): Promise<{ id: string; signer: Buffer } | undefined> {
  return query(db).first(sql<{ id: string; signer: Buffer }>`
    select id, signer from document_cases where id = ${id}`)
}

/** Reads what the provider has stated of the holder of a certificate. */
export async function findHolder(db: Db, keys: Keys, id: string) {
  const row = await query(db).first(sql<{ identifierType: IdentifierType; certificates: Buffer }>`
    select identifier_type, certificates from signatures where id = ${id}`)
  return (
    row && {
      type: row.identifierType,
      certificate: Buffer.from(decryptCertificates(keys, id, row.certificates).certificate, 'base64'),
    }
  )
}

/** Finds the name under which somebody was given access to a seal. */
export async function findNamedUser(db: Db, id: string): Promise<{ firstName: string; surname: string } | undefined> {
  return query(db).first(sql<{ firstName: string; surname: string }>`
    select first_name, surname from seal_users where id = ${id}`)
}

/** Finds the seal to which a user has access, and the addresses of its other Administrators. */
export async function findSealOfAccess(db: Db, id: string): Promise<SealOfAccess | undefined> {
  return query(db).first(sql<SealOfAccess>`
    select s.organisation, s.product, u.number,
      coalesce((select jsonb_agg(jsonb_build_object('email', a.email, 'locale', a.locale) order by a.id)
        from seal_users other join accounts a on a.id = other.account_id
        where other.seal_id = s.id and other.id <> u.id and other.status = 'active' and other.role = 'admin'), '[]') as administrators
    from seal_users u join seals s on s.id = u.seal_id where u.id = ${id}`)
}
