import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { hashToken } from '../platform/authentication/session.ts'
import type { CalendarOwner } from '../platform/messages/calendar-ends.ts'
import { query } from '../platform/database/query.ts'

/** When the account’s address was made; undefined if it has none. */
export async function addressMadeAt(db: Db, accountId: string): Promise<Date | undefined> {
  const row = await query(db).first(sql<{ madeAt: Date }>`
    select made_at from calendar_addresses where account_id = ${accountId}`)
  return row?.madeAt
}

/** The address before ends with it. */
export const putAddress = (tx: Tx, accountId: string, token: string): Promise<unknown> =>
  sql`
    insert into calendar_addresses (account_id, token_hash) values (${accountId}, ${hashToken(token)})
    on conflict (account_id) do update set token_hash = excluded.token_hash, made_at = portal_now()`.execute(tx)

/** Returns whether there was one. */
export async function removeAddress(tx: Tx, accountId: string): Promise<boolean> {
  return query(tx).changesOne(sql`delete from calendar_addresses where account_id = ${accountId}`)
}

/** Whose calendar an address opens. An account that is blocked for unknown devices only is its owner’s as before (R211). */
export async function findOwner(db: Db, token: string): Promise<(CalendarOwner & { now: Date }) | undefined> {
  return query(db).first(sql<CalendarOwner & { now: Date }>`
    select a.id as account_id, a.locale, portal_now() as now
    from calendar_addresses c join accounts a on a.id = c.account_id
    where c.token_hash = ${hashToken(token)} and (a.blocked_at is null or a.blocked_for_strangers)`)
}
