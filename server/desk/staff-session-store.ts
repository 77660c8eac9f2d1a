import { sql } from 'kysely'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { Device } from '../../contract/device.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { removalFrom, removeExpired } from '../platform/database/remove-expired.ts'
import type { StaffLogout } from '../platform/ports.ts'
import { hashToken } from '../platform/authentication/session.ts'
import type { StaffSession } from '../platform/authentication/staff-session.ts'

type ListedRow = Pick<StaffSession, 'id' | 'name' | 'roles' | 'usedAt'> & Device & { address: string; startedAt: Date }

const mostListed = 200

/** Live sessions, the newest first: of one person, or of everybody. */
export async function listStaffSessions(db: Db, subject: string | undefined): Promise<ListedRow[]> {
  return query(db).all(sql<ListedRow>`
    select id, name, roles, address, browser, system, started_at, used_at from staff_sessions
    where ${subject === undefined ? sql`true` : sql`subject = ${subject}`} and ends_at > portal_now()
    order by started_at desc limit ${mostListed}`)
}

/** Ends a session, of this person only if one is named. Returns whose it was. */
export async function endStaffSession(
  tx: Tx,
  id: string,
  subject?: string,
): Promise<Pick<StaffSession, 'id' | 'subject'> | undefined> {
  return query(tx).first(sql<Pick<StaffSession, 'id' | 'subject'>>`
    delete from staff_sessions where id = ${id} and ${subject === undefined ? sql`true` : sql`subject = ${subject}`}
      and ends_at > portal_now()
    returning id, subject`)
}

/** Ends the session of a token, if it is live. Returns whose it was. */
export async function endSessionOfToken(
  tx: Tx,
  token: string,
): Promise<Pick<StaffSession, 'subject' | 'name'> | undefined> {
  return query(tx).first(sql<Pick<StaffSession, 'subject' | 'name'>>`
    delete from staff_sessions
    where token_hash = ${hashToken(token)} and ends_at > portal_now() returning subject, name`)
}

/** Ends what a logout token names, once for each token (R233). Undefined if it was used before. */
export async function endSessionsOf(
  tx: Tx,
  { tokenId, subject, providerSession }: StaffLogout,
): Promise<{ subject: string }[] | undefined> {
  const isFirst = await query(tx).changesOne(sql`
    insert into staff_logouts (token_id, forget_at) values (${tokenId}, portal_now() + make_interval(secs => ${2 * deskLimits.logout}))
    on conflict do nothing`)
  if (!isFirst) return undefined
  // A session whose ID token had no `sid` ends with any of its person's sessions.
  const named = sql`(provider_session = ${providerSession} or (provider_session is null and subject = ${subject}))`
  return query(tx).all(sql<{ subject: string }>`
    delete from staff_sessions
    where ${providerSession === null ? sql`true` : named} and ${subject === null ? sql`true` : sql`subject = ${subject}`}
    returning subject`)
}

export const removeEndedStaffSessions = (db: Db): Promise<void> =>
  removeExpired(db, [
    removalFrom('staff_sessions', sql`ends_at < portal_now()`),
    removalFrom('staff_logouts', sql`forget_at < portal_now()`),
  ])
