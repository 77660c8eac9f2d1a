import { sql, type RawBuilder } from 'kysely'
import { limits } from '../contract/limits.ts'
import { sealUserMoves, type SealUserRole, type SealUserStatus } from '../contract/seal-users.ts'
import { canonicalLogin } from './canonical.ts'
import { voidCodes } from './codes.ts'
import type { Db, Tx } from './db.ts'
import type { Portal } from './portal.ts'
import { sealInvitedPhone } from './sealed-fields.ts'
import { dropRegistration } from './registrations.ts'

/** Who may use a seal. Administrators change it from the portal and the provider by its API, so the rules stand here, once. */

export type SealUserRow = {
  id: string
  sealId: string
  providerId: string
  number: number
  accountId: string | null
  email: string
  /** Sealed. */
  phone: Buffer
  firstName: string
  surname: string
  role: SealUserRole
  status: SealUserStatus
  locale: 'pl' | 'en'
  invitedAt: Date
  expiresAt: Date
  acquiredAt: Date | null
  deletedAt: Date | null
}

export const sealUserColumns = sql`
  u.id, u.seal_id as "sealId", u.provider_id as "providerId", u.number, u.account_id as "accountId", u.email, u.phone,
  u.first_name as "firstName", u.surname, u.role, u.status, u.locale, u.invited_at as "invitedAt", u.expires_at as "expiresAt",
  u.acquired_at as "acquiredAt", u.deleted_at as "deletedAt"`

const before = (status: SealUserStatus) =>
  (Object.keys(sealUserMoves) as SealUserStatus[]).filter((from) => sealUserMoves[from].includes(status))

/** Whether an account is an active Administrator of a seal: every statement asks anew, nothing remembers it (R38, R40). */
export const isAdministrator = (sealId: string, accountId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from seal_users me where me.seal_id = ${sealId} and me.account_id = ${accountId} and me.status = 'active' and me.role = 'administrator')`

/** Whether an account uses a seal already, such as under an e-mail that it had before: nobody has two places in one (R40). */
export const hasSeat = (
  sealId: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from seal_users held where held.seal_id = ${sealId} and held.account_id = ${accountId} and held.status = 'active')`

/** A seal whose validity is over, or that was revoked, gets no more users. */
export const sealHasEnded = sql<boolean>`(s.status = 'revoked' or s.valid_to <= portal_now())`

/**
 * Lets one change of the users of a seal happen at a time: two at once would each still see the Administrator whom the
 * other one is removing (R39). What follows in the transaction sees what was done before.
 */
export async function holdSeal(tx: Tx, sealId: string): Promise<void> {
  await sql`select from seals where id = ${sealId} for no key update`.execute(tx)
}

export type NewSealUser = {
  email: string
  phone: string
  firstName: string
  surname: string
  role: SealUserRole
  locale: 'pl' | 'en'
}

/** What differs when it is the provider who states it. */
type Stated = {
  providerId: string
  status: SealUserStatus
  accountId: string | null
  acquiredAt: string | undefined
  deletedAt: string | undefined
}

/**
 * Adds a user, by an active Administrator (`by`) or by the provider (`stated`); undefined, and to be rolled back, when
 * `by` is none, the e-mail has a place in the seal already, or the seal has all the users it may have.
 */
export async function insertSealUser(
  tx: Tx,
  { keys, settings }: Portal,
  sealId: string,
  user: NewSealUser,
  rights: { by: string } | { stated: Stated },
): Promise<SealUserRow | undefined> {
  await holdSeal(tx, sealId)
  const id = crypto.randomUUID()
  const { email, phone, firstName, surname, role, locale } = user
  const stated: Stated | undefined = 'stated' in rights ? rights.stated : undefined
  const status = stated?.status ?? 'pending'
  const may = 'by' in rights ? isAdministrator(sealId, rights.by) : sql`true`
  const { rows } = await sql<SealUserRow>`
    with next as (
      update seals set last_number = last_number + 1
      where id = ${sealId} and ${may} and ((select count(*) from seal_users where seal_id = ${sealId} and standing < 2) < ${settings.sealUsers}
        or ${status === 'deleted'})
      returning last_number
    )
    insert into seal_users as u (id, seal_id, provider_id, number, account_id, email, email_key, phone, first_name, surname, role, status,
      locale, expires_at, acquired_at, deleted_at)
    select ${id}::uuid, ${sealId}::uuid, ${stated?.providerId ?? id}, last_number, ${stated?.accountId ?? null}::uuid, ${email}, ${canonicalLogin(email)},
      ${sealInvitedPhone(keys, id, phone)}::bytea, ${firstName}, ${surname}, ${role}, ${status}, ${locale},
      portal_now() + make_interval(secs => ${limits.link.invitation}), case when ${status}::text = 'pending' then null else coalesce(${stated?.acquiredAt ?? null}::timestamptz, portal_now()) end,
      case when ${status}::text = 'deleted' then coalesce(${stated?.deletedAt ?? null}::timestamptz, portal_now()) end
    from next on conflict do nothing
    returning ${sealUserColumns}`.execute(tx)
  return rows[0]
}

/** Whether an e-mail has a place in a seal. */
export async function isSealUser(db: Db, sealId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from seal_users where seal_id = ${sealId} and email_key = ${canonicalLogin(email)} and status <> 'deleted'`.execute(
    db,
  )
  return rows.length > 0
}

/** One active Administrator remains without this user (SEA-5, R39). */
export const anotherAdministrator = sql`(u.status <> 'active' or u.role <> 'administrator' or exists (
  select from seal_users other
  where other.seal_id = u.seal_id and other.id <> u.id and other.status = 'active' and other.role = 'administrator'))`

/**
 * Ends the access of a user, for an Administrator (`by`) of the same seal or for the provider; with it go the codes, the
 * app and the account that waited for the invitation's link (R40). Undefined when there is nobody to remove, `by` may not
 * or is that user, or nobody would administer the seal.
 */
export async function removeUser(
  tx: Tx,
  { sealId, id, by, at }: { sealId: string; id: string; by?: string; at?: string | undefined },
): Promise<SealUserRow | undefined> {
  await holdSeal(tx, sealId)
  const may = by === undefined ? sql`true` : sql`u.account_id is distinct from ${by} and ${isAdministrator(sealId, by)}`
  const { rows } = await sql<SealUserRow>`
    update seal_users u set status = 'deleted', deleted_at = coalesce(${at ?? null}::timestamptz, portal_now())
    where u.id = ${id} and u.seal_id = ${sealId} and u.status = any(${before('deleted')}) and ${may} and ${anotherAdministrator}
    returning ${sealUserColumns}`.execute(tx)
  const removed = rows[0]
  if (!removed) return undefined
  await tx.deleteFrom('seal_pairings').where('seal_user_id', '=', id).execute()
  await voidInvitation(tx, id)
  return removed
}

/** What was sent for an invitation opens nothing any more. */
export async function voidInvitation(tx: Tx, sealUserId: string): Promise<void> {
  await voidCodes(tx, 'activate-seal', sealUserId)
  await dropRegistration(tx, sealUserId)
}

/** The seat that waits, turned into access of the account that has the invited e-mail; undefined when it no longer waits (SEA-4). */
export async function activateUser(tx: Tx, id: string, accountId: string): Promise<SealUserRow | undefined> {
  const { rows } = await sql<SealUserRow>`
    update seal_users u set status = 'active', account_id = ${accountId}, acquired_at = portal_now()
    where u.id = ${id} and u.status = any(${before('active')}) and u.expires_at > portal_now()
      and u.email_key = (select email_key from accounts where id = ${accountId}) and not ${hasSeat(sql`u.seal_id`, sql`${accountId}`)}
      and exists (select from seals s where s.id = u.seal_id and not ${sealHasEnded})
    returning ${sealUserColumns}`.execute(tx)
  return rows[0]
}
