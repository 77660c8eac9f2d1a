import { hash, randomBytes } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Device } from '../../../contract/device.ts'
import type { Given } from '../../../contract/endpoint.ts'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { LoginReason } from '../../../contract/pages.ts'
import type { Session } from '../../../contract/session.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import type { Settings } from '../settings.ts'

// Sessions (R1, R4–R7). The browser has an opaque 256-bit token, the database its hash. The database's clock decides when a
// session ends, so a node with a wrong clock never revives one.

/** The cookie with the token of a customer's session. */
export const sessionCookie = '__Host-sygnet'

/** A live session and the account data that every request needs, read in one statement. */
export type LiveSession = {
  id: string
  accountId: string
  stage: 'pending' | 'signed-in'
  now: Date
  endsAt: Date
  absoluteEndsAt: Date
  usedAt: Date
  login: string
  email: string
  firstName: string
  surname: string
  locale: Locale
  tokenHash: Buffer
}

/** Returns the operation that a code or a passkey confirms: of this session, for one purpose and object (R2). */
export const operationIn = <Purpose extends string>(
  { accountId, id }: Pick<LiveSession, 'accountId' | 'id'>,
  purpose: Purpose,
  object: string,
) => ({ accountId, sessionId: id, purpose, object })

export const newToken = () => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Finds the live session of a token. `isActivity` extends it, with at most one write per second (R6). */
export async function findSession(db: Db, settings: Settings, token: string, isActivity: boolean) {
  const tokenHash = hashToken(token)
  const found = await query(db).first(sql<Omit<LiveSession, 'tokenHash'>>`
    select s.id, s.account_id, s.stage, portal_now() as now, s.ends_at, s.absolute_ends_at, s.used_at,
      a.login, a.email, a.first_name, a.surname, a.locale
    from sessions s join accounts a on a.id = s.account_id
    where s.token_hash = ${tokenHash} and s.ends_at > portal_now()`)
  const session = found && { ...found, tokenHash }
  return isActivity ? afterActivity(db, settings, session) : session
}

/** Extends a session after activity of its customer; undefined if it has ended meanwhile. */
export async function afterActivity(db: Db, settings: Settings, session: LiveSession | undefined) {
  if (session?.stage !== 'signed-in' || session.usedAt.getTime() >= session.now.getTime() - 1000) return session
  return extendSession(db, settings, session)
}

/** Returns why the session of a token is over. Its row is kept for a day, unless it was ended early (AUT-5). */
export async function endReason(db: Db, token: string): Promise<LoginReason> {
  const row = await query(db).first(sql<{ isFull: boolean }>`
    select ends_at >= absolute_ends_at as is_full from sessions
    where token_hash = ${hashToken(token)} and stage = 'signed-in'`)
  return row ? (row.isFull ? 'session-full' : 'session-ended') : 'session-gone'
}

/** Restarts the idle time. Undefined if the session has ended meanwhile. */
async function extendSession(db: Db, settings: Settings, session: LiveSession): Promise<LiveSession | undefined> {
  const extended = await query(db).first(sql<{ endsAt: Date }>`
    update sessions set ends_at = least(absolute_ends_at, portal_now() + make_interval(secs => ${settings.session.idle})),
      used_at = portal_now()
    where token_hash = ${session.tokenHash} and ends_at > portal_now() returning ends_at`)
  return extended && { ...session, ...extended }
}

type PendingSession = { id: string; token: string; hasPasskeys: boolean }

/**
 * Starts a session after the password, and locks the account until the transaction ends. Undefined if the password has changed
 * since it was checked, or the account is blocked (R9). `known`: the device is known, so strangers cannot block it (R118).
 */
export async function startPendingSession(
  tx: Tx,
  account: { id: string; passwordHash: string | null },
  { address, device, isKnown }: { address: string; device: Device; isKnown: boolean },
): Promise<PendingSession | undefined> {
  const openCondition = sql`password_hash = ${account.passwordHash} and (blocked_at is null or (blocked_for_strangers and ${isKnown}))`
  return insertPendingSession(tx, account.id, openCondition, { address, device })
}

async function insertPendingSession(
  tx: Tx,
  accountId: string,
  condition: RawBuilder<unknown>,
  { address, device }: { address: string; device: Device },
): Promise<PendingSession | undefined> {
  const token = newToken()
  const session = await query(tx).first(sql<Omit<PendingSession, 'token'>>`
    insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at, address, browser, system)
    select ${hashToken(token)}, account.id, 'pending', ends, ends, ${address}, ${device.browser}, ${device.system}
    from (
      select id from accounts where id = ${accountId} and ${condition}
      for no key update
    ) account, (select portal_now() + make_interval(secs => ${limits.session.pending}) as ends) expiry
    returning id, exists (select from passkeys where passkeys.account_id = sessions.account_id) as has_passkeys`)
  return session && { ...session, token }
}

/**
 * Starts the session of a customer with a correct passkey, which gets full rights in the same transaction (R121). Undefined if the
 * provider has blocked the account; strangers' wrong passwords do not block passkeys (R118).
 */
export async function startPasskeySession(
  tx: Tx,
  settings: Settings,
  accountId: string,
  from: { address: string; device: Device },
): Promise<LiveSession | undefined> {
  const started = await insertPendingSession(tx, accountId, sql`(blocked_at is null or blocked_for_strangers)`, from)
  return started && findSession(tx, settings, started.token, false)
}

/** Live sessions of one account; a further one ends the oldest (R19). */
export const maxSessions = 5

/**
 * Gives a live session a new token, and with `stage` the full rights after the second factor (R4). The old token is invalid at
 * once. Undefined if another request was first or the session has ended.
 */
export async function renewSession(
  tx: Tx,
  settings: Settings,
  session: LiveSession,
  stage?: 'signed-in',
): Promise<{ token: string; session: LiveSession } | undefined> {
  const token = newToken()
  const tokenHash = hashToken(token)
  const absolute = stage
    ? sql<Date>`portal_now() + make_interval(secs => ${settings.session.absolute})`
    : sql<Date>`absolute_ends_at`
  const changed = await query(tx).first(sql<{ now: Date; endsAt: Date; absoluteEndsAt: Date }>`
    update sessions set token_hash = ${tokenHash}, stage = ${stage ?? session.stage}, absolute_ends_at = ${absolute}, used_at = portal_now(),
      ends_at = least(${absolute}, portal_now() + make_interval(secs => ${settings.session.idle}))
    where token_hash = ${session.tokenHash} and ends_at > portal_now()${stage ? accountLock(session) : sql``}
    returning portal_now() as now, ends_at, absolute_ends_at`)
  if (!changed) return undefined
  return { token, session: { ...session, ...changed, tokenHash, stage: stage ?? session.stage } }
}

/**
 * Lets one session of an account at a time get full rights, or two at once would not count each other. Every change locks the account
 * first.
 */
const accountLock = ({ accountId }: LiveSession) =>
  sql` and account_id = (select id from accounts where id = ${accountId} for no key update)`

/**
 * Returns a statement that ends the oldest sessions beyond the limit of an account, never the current one (R19). The account must be locked
 * by an earlier statement.
 */
export const endOldestSessions = (accountId: string, current: Buffer): RawBuilder<{ id: string }> => sql`
    delete from sessions where token_hash in (
      select token_hash from sessions
      where account_id = ${accountId} and stage = 'signed-in' and token_hash <> ${current} and ends_at > portal_now()
      order by absolute_ends_at desc, started_at desc offset ${maxSessions - 1}
    ) returning id`

/** Ends the session of a token, in any stage. Returns its account. */
export async function endSession(tx: Tx, token: string): Promise<string | undefined> {
  const row = await query(tx).first(sql<{ accountId: string }>`
    delete from sessions where token_hash = ${hashToken(token)} returning account_id`)
  return row?.accountId
}

/** Ends every session and pending sign-in of accounts, with their codes and step-ups (R9). Returns how many were signed in. */
export async function endAllSessions(tx: Tx, ...accountIds: string[]): Promise<number> {
  const rows = await query(tx).all(sql<{ stage: string }>`
    delete from sessions where account_id = any(${accountIds}::uuid[]) returning stage`)
  return rows.filter(({ stage }) => stage === 'signed-in').length
}

/** Returns the device as audit entries of sessions name it. */
export const deviceDetails = ({ browser, system }: Device) => ({
  ...(browser && { browser }),
  ...(system && { system }),
})

/**
 * Ends a session of an account, or without an id all except the caller's, pending ones included, with their codes and step-ups
 * (AUT-9, DAT-2). Adds an audit entry for each signed-in one. Returns how many it ended.
 */
export async function revokeSessions(tx: Tx, { id: own, accountId }: LiveSession, address: string, id?: string) {
  const rows = await query(tx).all(sql<{ id: string; stage: LiveSession['stage'] } & Device>`
    delete from sessions where account_id = ${accountId} and ${id ? sql`id = ${id} and stage = 'signed-in'` : sql`id <> ${own}`}
      and ends_at > portal_now()
    returning id, stage, browser, system`)
  for (const ended of rows.filter(({ stage }) => stage === 'signed-in'))
    await addAuditEntry(tx, {
      action: 'session-revoked',
      accountId,
      actor: 'customer',
      address,
      details: { session: ended.id, ...deviceDetails(ended) },
    })
  return rows.length
}

export const sessionReply = ({
  accountId,
  login,
  email,
  firstName,
  surname,
  locale,
  now,
  endsAt,
  absoluteEndsAt,
}: LiveSession): Given<typeof Session> => ({
  customer: { id: accountId, login, email, firstName, surname, locale },
  now,
  endsAt,
  absoluteEndsAt,
})
