import { sql } from 'kysely'
import type { Locale, SealUserRole } from '../../contract/enums.ts'
import type { SealInvitation, SealProduct } from '../../contract/seals.ts'
import { limits } from '../../contract/limits.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { hasMembership, sealHasEnded } from './seal-membership-store.ts'
import { decryptInvitedPhone, encryptPhone, phoneIndex } from '../platform/encrypted-data/encrypted-fields.ts'

type PendingRow = Omit<SealInvitation, 'expiresAt' | 'phone'> & { phone: Buffer; expiresAt: Date }

/** The pending invitations to the e-mail of an account, nearest end first (R41). */
export async function listInvitations(db: Db, keys: Keys, accountId: string): Promise<SealInvitation[]> {
  const rows = await query(db).all(sql<PendingRow>`
    select u.id, s.organisation, u.role, u.phone, u.expires_at
    from accounts a join seal_users u on u.email_key = a.email_key and u.status = 'pending' and u.expires_at > portal_now()
      join seals s on s.id = u.seal_id and not ${sealHasEnded}
    where a.id = ${accountId} and not ${hasMembership(sql`u.seal_id`, sql`a.id`)} order by u.expires_at, u.id limit ${limits.seal.invitationsShown}`)
  return rows.map(({ phone, expiresAt, ...row }) => ({
    ...row,
    phone: maskPhone(decryptInvitedPhone(keys, row.id, phone)),
    expiresAt: expiresAt.toISOString(),
  }))
}

/** An invitation to the e-mail of an account, and whether it can be activated; anybody else's is not found. */
export async function findInvitation(db: Db, keys: Keys, accountId: string, id: string) {
  const row = await query(db).first(sql<{ sealId: string; phone: Buffer; expired: boolean; ended: boolean }>`
    select u.seal_id, u.phone, u.expires_at <= portal_now() as expired, ${sealHasEnded} as ended
    from accounts a join seal_users u on u.email_key = a.email_key join seals s on s.id = u.seal_id
    where a.id = ${accountId} and u.id = ${id} and u.status = 'pending'
      and not ${hasMembership(sql`u.seal_id`, sql`a.id`)}`)
  return row && { ...row, phone: decryptInvitedPhone(keys, id, row.phone) }
}

export type Invited = {
  id: string
  email: string
  phone: string
  firstName: string
  surname: string
  role: SealUserRole
  locale: Locale
  expiresAt: Date
  organisation: string
  product: SealProduct
  accountId: string | null
  accountLocale: Locale | null
  hasPassword: boolean
}

/** A pending invitation, with the account of its e-mail if there is one. */
export async function findInvited(db: Db, keys: Keys, id: string): Promise<Invited | undefined> {
  const row = await query(db).first(sql<Omit<Invited, 'phone'> & { phone: Buffer }>`
    select u.id, u.email, u.phone, u.first_name, u.surname, u.role, u.locale, u.expires_at, s.organisation, s.product,
      a.id as account_id, a.locale as account_locale, a.password_hash is not null as has_password
    from seal_users u join seals s on s.id = u.seal_id left join accounts a on a.email_key = u.email_key
    where u.id = ${id} and u.status = 'pending' and u.expires_at > portal_now()`)
  return row && { ...row, phone: decryptInvitedPhone(keys, id, row.phone) }
}

/** The unconfirmed account has the id of the invitation, so that a repeated mail finds it and it is removed with the invitation. */
export async function insertUnconfirmedAccount(
  tx: Tx,
  keys: Keys,
  { id, email, phone, firstName, surname, locale }: Invited,
): Promise<void> {
  await sql`
    insert into accounts (id, login, email, unconfirmed_key, phone, phone_index, phone_confirmed, first_name, surname, locale)
    values (${id}, ${email}, ${email}, ${canonicalLogin(email)}, ${encryptPhone(keys, id, phone)}, ${phoneIndex(keys, phone)}, false, ${firstName}, ${surname}, ${locale})
    on conflict (id) do nothing`.execute(tx)
}
