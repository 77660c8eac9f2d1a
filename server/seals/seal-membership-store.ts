import { sql, type RawBuilder } from 'kysely'
import type * as z from 'zod/mini'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { SealUserForm } from '../../contract/seal-user-form.ts'
import { sealUserMoves, SealUserStatus } from '../../contract/seal-users.ts'
import type { SealUserRole } from '../../contract/seals.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { voidCodes } from '../platform/authentication/codes.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import { encryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Portal } from '../platform/portal.ts'
import { removeRegistration } from '../registration/registration-store.ts'

// The users of a seal. Administrators change them in the portal and the provider by its API; both follow the rules of this file.

export const sealUserRows = describeRows({
  id: column<string>`u.id`,
  sealId: column<string>`u.seal_id`,
  providerId: column<string>`u.provider_id`,
  number: column<number>`u.number`,
  accountId: column<string | null>`u.account_id`,
  email: column<string>`u.email`,
  /** The encrypted number. */
  phone: column<Buffer>`u.phone`,
  firstName: column<string>`u.first_name`,
  surname: column<string>`u.surname`,
  role: column<SealUserRole>`u.role`,
  status: column<SealUserStatus>`u.status`,
  locale: column<Locale>`u.locale`,
  invitedAt: column<Date>`u.invited_at`,
  expiresAt: column<Date>`u.expires_at`,
  acquiredAt: column<Date | null>`u.acquired_at`,
  deletedAt: column<Date | null>`u.deleted_at`,
})
export type SealUserRow = RowOf<typeof sealUserRows>

const before = (status: SealUserStatus) => SealUserStatus.options.filter((from) => sealUserMoves[from].includes(status))

/**
 * Returns the SQL condition that an account is an active Administrator of a seal. Every statement checks it again; it is never cached (R38,
 * R40).
 */
export const administratorCondition = (sealId: string, accountId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from seal_users me where me.seal_id = ${sealId} and me.account_id = ${accountId} and me.status = 'active' and me.role = 'admin')`

/**
 * Returns the SQL condition that an account uses a seal already, such as under an earlier e-mail: nobody has two memberships in a seal
 * (R40).
 */
export const membershipCondition = (
  sealId: RawBuilder<unknown>,
  accountId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from seal_users member where member.seal_id = ${sealId} and member.account_id = ${accountId} and member.status = 'active')`

/** A seal that has expired or was revoked gets no more users. */
export const sealEndedCondition = sql<boolean>`(s.status = 'revoked' or s.valid_to <= portal_now())`

/**
 * Serialises the changes of a seal's users: two concurrent changes would each still see the Administrator whom the other removes
 * (R39). The statements that follow in the transaction see the earlier changes.
 */
export async function lockSeal(tx: Tx, sealId: string): Promise<void> {
  await query(tx).run(sql`select from seals where id = ${sealId} for no key update`)
}

export async function lockSealOf(tx: Tx, sealUserId: string): Promise<void> {
  await query(tx).run(sql`
    select from seals where id = (select seal_id from seal_users where id = ${sealUserId}) for no key update`)
}

type NewSealUser = z.infer<typeof SealUserForm>

/** Values that only the provider can set for a new user. */
type StatedMembership = {
  providerId: string
  status: SealUserStatus
  accountId: string | null
  acquiredAt: string | undefined
  deletedAt: string | undefined
}

/**
 * Adds a user, for an active Administrator (`by`) or for the provider (`stated`). Undefined, and to be rolled back, if `by` is not
 * an Administrator, the e-mail is a user of the seal already, or the seal is full.
 */
export async function addUser(
  tx: Tx,
  { keys, settings }: Portal,
  sealId: string,
  user: NewSealUser,
  rights: { by: string } | { stated: StatedMembership },
): Promise<SealUserRow | undefined> {
  await lockSeal(tx, sealId)
  const id = crypto.randomUUID()
  const { email, phone, firstName, surname, role, locale } = user
  const stated: StatedMembership | undefined = 'stated' in rights ? rights.stated : undefined
  const status = stated?.status ?? 'pending'
  const permissionCondition = 'by' in rights ? administratorCondition(sealId, rights.by) : sql`true`
  return sealUserRows(tx).first(sql`
    with next as (
      update seals set last_number = last_number + 1
      where id = ${sealId} and ${permissionCondition} and ((select count(*) from seal_users where seal_id = ${sealId} and standing < 2) < ${settings.sealUsers}
        or ${status === 'deleted'})
      returning last_number
    )
    insert into seal_users as u (id, seal_id, provider_id, number, account_id, email, email_key, phone, first_name, surname, role, status,
      locale, expires_at, acquired_at, deleted_at)
    select ${id}::uuid, ${sealId}::uuid, ${stated?.providerId ?? id}, last_number, ${stated?.accountId ?? null}::uuid, ${email}, ${canonicalLogin(email)},
      ${encryptInvitedPhone(keys, id, phone)}::bytea, ${firstName}, ${surname}, ${role}, ${status}, ${locale},
      portal_now() + make_interval(secs => ${limits.link.invitation}), case when ${status}::text = 'pending' then null else coalesce(${stated?.acquiredAt ?? null}::timestamptz, portal_now()) end,
      case when ${status}::text = 'deleted' then coalesce(${stated?.deletedAt ?? null}::timestamptz, portal_now()) end
    from next on conflict do nothing
    returning ${sealUserRows.columns}`)
}

export const isSealUser = (db: Db, sealId: string, email: string): Promise<boolean> =>
  query(db).finds(sql`
    select from seal_users where seal_id = ${sealId} and email_key = ${canonicalLogin(email)} and status <> 'deleted'`)

/** Whether an active Administrator remains without the user `u` (SEA-5, R39). */
export const otherAdministratorCondition = sql`(u.status <> 'active' or u.role <> 'admin' or exists (
  select from seal_users admin
  where admin.seal_id = u.seal_id and admin.id <> u.id and admin.status = 'active' and admin.role = 'admin'))`

/**
 * Ends the access of a user, for an Administrator (`by`) of the same seal or for the provider, and removes the codes, the paired
 * app and the unconfirmed account of the invitation (R40). Undefined if there is nobody to remove, `by` is not permitted or is
 * that user, or the seal would have no Administrator.
 */
export async function removeUser(
  tx: Tx,
  { sealId, id, by, at }: { sealId: string; id: string; by?: string; at?: string | undefined },
): Promise<SealUserRow | undefined> {
  await lockSeal(tx, sealId)
  const permissionCondition =
    by === undefined ? sql`true` : sql`u.account_id is distinct from ${by} and ${administratorCondition(sealId, by)}`
  const removed = await sealUserRows(tx).first(sql`
    update seal_users u set status = 'deleted', deleted_at = coalesce(${at ?? null}::timestamptz, portal_now())
    where u.id = ${id} and u.seal_id = ${sealId} and u.status = any(${before('deleted')}) and ${permissionCondition} and ${otherAdministratorCondition}
    returning ${sealUserRows.columns}`)
  if (!removed) return undefined
  await query(tx).run(sql`delete from seal_pairings where seal_user_id = ${id}`)
  await voidInvitation(tx, id)
  return removed
}

/** Voids the codes and the link that were sent for an invitation. */
export async function voidInvitation(tx: Tx, sealUserId: string): Promise<void> {
  await voidCodes(tx, 'activate-seal', sealUserId)
  await removeRegistration(tx, sealUserId)
}

/** Activates a pending membership for the account with the invited e-mail; undefined if it is no longer pending (SEA-4). */
export const activateUser = (tx: Tx, id: string, accountId: string): Promise<SealUserRow | undefined> =>
  sealUserRows(tx).first(sql`
    update seal_users u set status = 'active', account_id = ${accountId}, acquired_at = portal_now()
    where u.id = ${id} and u.status = any(${before('active')}) and u.expires_at > portal_now()
      and u.email_key = (select email_key from accounts where id = ${accountId}) and not ${membershipCondition(sql`u.seal_id`, sql`${accountId}`)}
      and exists (select from seals s where s.id = u.seal_id and not ${sealEndedCondition})
    returning ${sealUserRows.columns}`)
