import { sql } from 'kysely'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { limits } from '../../contract/limits.ts'
import { accountFields } from '../customers/customer-store.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import type { Keys } from '../platform/encryption/keys.ts'

const accountRows = describeRows({
  ...accountFields,
  customer: column<string | null>`provider_id`,
  hasPassword: column<boolean>`password_hash is not null`,
  isConfirmed: column<boolean>`unconfirmed_key is null`,
  phoneConfirmed: column<boolean>`phone_confirmed`,
  blockedAt: column<Date | null>`blocked_at`,
  blockedForStrangers: column<boolean>`blocked_for_strangers`,
  resetsFrom: column<Date | null>`case when resets_from > portal_now() then resets_from end`,
  createdAt: column<Date>`created_at`,
  heldAt: column<Date | null>`held_at`,
})
export type DeskRow = RowOf<typeof accountRows>

/** Lists the accounts with these ids, except those of erased customers (R238). */
export const listDeskRows = (db: Db, keys: Keys, ids: readonly string[]): Promise<DeskRow[]> =>
  accountRows(db, keys).all(sql`
    select ${accountRows.columns} from accounts
    where id = any(${ids}::uuid[]) and not exists (select from erasures where account_id = accounts.id) order by id`)

export const findDeskRow = async (db: Db, keys: Keys, id: string): Promise<DeskRow | undefined> =>
  (await listDeskRows(db, keys, [id]))[0]

/**
 * Locks an account until the transaction ends, and reads it in a separate statement: the one that locks does not see the erasure or the
 * change of contact details for which it has waited (R116, R238).
 */
export async function lockDeskRow(
  tx: Tx,
  keys: Keys,
  id: string,
  purpose: 'to-change' | 'to-delete' = 'to-change',
): Promise<DeskRow | undefined> {
  const strength = purpose === 'to-delete' ? sql`for update` : sql`for no key update`
  await query(tx).run(sql`select from accounts where id = ${id} ${strength}`)
  return findDeskRow(tx, keys, id)
}

export type PendingCode = { sentAt: Date; until: Date; wrong: number }

/** Lists the codes of a sign-in that can still be entered. */
export async function listPendingCodes(db: Db, accountId: string): Promise<PendingCode[]> {
  return query(db).all(sql<PendingCode>`
    select sent_at, expires_at as until, entries as wrong from codes
    where account_id = ${accountId} and purpose = 'sign-in' and used_at is null and entries < ${limits.code.entries}
      and expires_at > portal_now()
    order by sent_at desc limit 5`)
}

/**
 * Finds where the wrong passwords came from that can have paused a sign-in: the addresses of those within the pause, by
 * the newest 100, and the known devices.
 */
export async function findSourcesOfWrongPasswords(
  db: Db,
  accountId: string,
): Promise<{ addresses: string[]; devices: string[] }> {
  return query(db).one(sql<{ addresses: string[]; devices: string[] }>`
    select array(select distinct address from (
        select address, at from audit where account_id = ${accountId} and act = any(array['sign-in-refused']) order by id desc limit 100
      ) refused where address is not null and at > portal_now() - make_interval(secs => ${limits.signIn.pause.window})) as addresses,
      array(select encode(token_hash, 'hex') from devices where account_id = ${accountId} and expires_at > portal_now()
        order by expires_at desc limit 50) as devices`)
}

/** Finds the newest link that sets a password. */
export async function findNewestLink(
  db: Db,
  accountId: string,
): Promise<{ createdAt: Date; expiresAt: Date } | undefined> {
  return query(db).first(sql<{ createdAt: Date; expiresAt: Date }>`
    select created_at, expires_at from links
    where account_id = ${accountId} and purpose in ('set-up', 'reset') and used_at is null and voided_at is null
    order by created_at desc limit 1`)
}

/**
 * Finds the newest report of a lost phone, unless the number was changed since, with the numbers of own certificates that are suspended or
 * whose suspension is requested.
 */
export async function findNewestPhoneLoss(
  db: Db,
  accountId: string,
): Promise<{ since: Date; suspended: number; requested: number } | undefined> {
  return query(db).first(sql<{ since: Date; suspended: number; requested: number }>`
    select at as since,
      (select count(*)::int from signatures where account_id = ${accountId} and valid_to > portal_now() and status = 'suspended') as suspended,
      (select count(*)::int from signatures s where s.account_id = ${accountId} and s.valid_to > portal_now() and s.status <> 'suspended'
        and exists (select from status_requests where signature_id = s.id and state = 'requested' and change = 'suspend')) as requested
    from (
      select at, act from audit where account_id = ${accountId}
        and act = any(array['lost-phone-confirmed', 'phone-changed', 'customer-contact-changed'])
        and (act <> 'customer-contact-changed' or details->>'phone' = 'true')
      order by id desc limit 1
    ) newest where act = 'lost-phone-confirmed'
    and at > portal_now() - make_interval(secs => ${deskLimits.phoneLost})`)
}

/** Counts the live sessions and finds the last sign-in, as far as the newest months of the trail show it. */
export async function readSignIns(db: Db, accountId: string): Promise<{ sessions: number; lastSignIn: Date | null }> {
  return query(db).one(sql<{ sessions: number; lastSignIn: Date | null }>`
    select (select count(*)::int from sessions where account_id = ${accountId} and stage = 'signed-in' and ends_at > portal_now()) as sessions,
      (select at from audit where account_id = ${accountId} and act = any(array['sign-in-finished'])
        order by id desc limit 1) as last_sign_in`)
}
