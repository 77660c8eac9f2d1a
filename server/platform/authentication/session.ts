import { hash, randomBytes } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Session } from '../contract/account.ts'
import type { Device } from '../contract/device.ts'
import { limits } from '../contract/limits.ts'
import type { LoginReason } from '../contract/pages.ts'
import { record } from './audit.ts'
import type { Db, Tx } from './db.ts'
import type { Settings } from './portal.ts'

/**
 * Sessions (R1, R4–R7). The browser holds an opaque 256-bit token, the database its hash. Ends are the database's:
 * what has ended is never revived, whatever a node's clock says.
 */
export const sessionCookie = '__Host-sygnet'

/** A live session with what every request needs of its account, read in one statement. */
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
  locale: 'pl' | 'en'
  tokenHash: Buffer
}

export const newToken = () => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Finds the live session of a token. `isActivity` moves its end, but writes at most once a second (R6). */
export async function findSession(
  db: Db,
  settings: Settings,
  token: string,
  isActivity: boolean,
): Promise<LiveSession | undefined> {
  const tokenHash = hashToken(token)
  const { rows } = await sql<Omit<LiveSession, 'tokenHash'>>`
    select s.id, s.account_id as "accountId", s.stage, portal_now() as now, s.ends_at as "endsAt",
      s.absolute_ends_at as "absoluteEndsAt", s.used_at as "usedAt", a.login, a.email, a.first_name as "firstName", a.surname, a.locale
    from sessions s join accounts a on a.id = s.account_id
    where s.token_hash = ${tokenHash} and s.ends_at > portal_now()`.execute(db)
  const session = rows[0] && { ...rows[0], tokenHash }
  if (!session || !isActivity || session.stage !== 'signed-in') return session
  return session.usedAt.getTime() < session.now.getTime() - 1000 ? prolong(db, settings, session) : session
}

/** Why the session of a token is over; its row is kept for a day, unless it was ended before its time (AUT-5). */
export async function reasonOfEnd(db: Db, token: string): Promise<LoginReason> {
  const { rows } = await sql<{ full: boolean }>`
    select ends_at >= absolute_ends_at as full from sessions
    where token_hash = ${hashToken(token)} and stage = 'signed-in'`.execute(db)
  return rows[0] ? (rows[0].full ? 'session-full' : 'session-ended') : 'session-gone'
}

/** The customer did something: the idle time begins anew. Undefined if the session has ended meanwhile. */
async function prolong(db: Db, settings: Settings, session: LiveSession): Promise<LiveSession | undefined> {
  const { rows } = await sql<{ endsAt: Date }>`
    update sessions set ends_at = least(absolute_ends_at, portal_now() + make_interval(secs => ${settings.session.idle})),
      used_at = portal_now()
    where token_hash = ${session.tokenHash} and ends_at > portal_now() returning ends_at as "endsAt"`.execute(db)
  return rows[0] && { ...session, ...rows[0] }
}

/**
 * Starts a session that has passed the password only, and keeps others from changing the account until the transaction
 * ends. Undefined when its password is another by now or it was blocked, so that nothing opens with what was checked
 * before (R9). `known`: the device is, so that strangers cannot block it (R118).
 */
export async function startPending(
  tx: Tx,
  account: { id: string; passwordHash: string | null },
  { address, device, known }: { address: string; device: Device; known: boolean },
): Promise<{ id: string; token: string } | undefined> {
  const isOpen = sql`password_hash = ${account.passwordHash} and (blocked_at is null or (blocked_for_strangers and ${known}))`
  return insertPending(tx, account.id, isOpen, { address, device })
}

async function insertPending(
  tx: Tx,
  accountId: string,
  condition: RawBuilder<unknown>,
  { address, device }: { address: string; device: Device },
): Promise<{ id: string; token: string } | undefined> {
  const token = newToken()
  const { rows } = await sql<{ id: string }>`
    insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at, address, browser, system)
    select ${hashToken(token)}, held.id, 'pending', ends, ends, ${address}, ${device.browser}, ${device.system}
    from (
      select id from accounts where id = ${accountId} and ${condition}
      for no key update
    ) held, (select portal_now() + make_interval(secs => ${limits.session.pending}) as ends) end_of
    returning id`.execute(tx)
  return rows[0] && { id: rows[0].id, token }
}

/**
 * Starts the session of a customer whose passkey was right, to rise in the same transaction (R121). Undefined when the
 * provider has blocked the account: strangers' wrong passwords block no passkey (R118).
 */
export async function startByPasskey(
  tx: Tx,
  settings: Settings,
  accountId: string,
  from: { address: string; device: Device },
): Promise<LiveSession | undefined> {
  const started = await insertPending(tx, accountId, sql`(blocked_at is null or blocked_for_strangers)`, from)
  return started && findSession(tx, settings, started.token, false)
}

/** Live sessions of one account; the oldest ends when one more begins (R19). */
export const sessionsAtOnce = 5

/**
 * Gives a live session a new token, and with `rise` the full rights after the second factor (R4). The old token is
 * dead at once. Undefined when another request has done it first or the session has ended.
 */
export async function renewSession(
  tx: Tx,
  settings: Settings,
  session: LiveSession,
  rise?: 'signed-in',
): Promise<{ token: string; session: LiveSession } | undefined> {
  const token = newToken()
  const tokenHash = hashToken(token)
  const absolute = rise
    ? sql<Date>`portal_now() + make_interval(secs => ${settings.session.absolute})`
    : sql<Date>`absolute_ends_at`
  const { rows } = await sql<{ now: Date; endsAt: Date; absoluteEndsAt: Date }>`
    update sessions set token_hash = ${tokenHash}, stage = ${rise ?? session.stage}, absolute_ends_at = ${absolute}, used_at = portal_now(),
      ends_at = least(${absolute}, portal_now() + make_interval(secs => ${settings.session.idle}))
    where token_hash = ${session.tokenHash} and ends_at > portal_now()${rise ? ofHeldAccount(session) : sql``}
    returning portal_now() as now, ends_at as "endsAt", absolute_ends_at as "absoluteEndsAt"`.execute(tx)
  if (!rows[0]) return undefined
  if (rise) await endOldest(tx, session.accountId, tokenHash)
  return { token, session: { ...session, ...rows[0], tokenHash, stage: rise ?? session.stage } }
}

/** Lets one session of an account rise at a time, or two at once would not count each other. The account comes first, as in every act. */
const ofHeldAccount = ({ accountId }: LiveSession) =>
  sql` and account_id = (select id from accounts where id = ${accountId} for no key update)`

/** Ends what is beyond the most sessions of an account, those that rose first, and never the one that rises now; on the record (R19). */
async function endOldest(tx: Tx, accountId: string, risen: Buffer): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from sessions where token_hash in (
      select token_hash from sessions
      where account_id = ${accountId} and stage = 'signed-in' and token_hash <> ${risen} and ends_at > portal_now()
      order by absolute_ends_at desc, started_at desc offset ${sessionsAtOnce - 1}
    ) returning id`.execute(tx)
  for (const { id } of rows)
    await record(tx, {
      act: 'session-ended',
      accountId,
      actor: 'system',
      details: { session: id, by: 'newer-sign-in' },
    })
}

/** Ends the session of a token, in whatever stage it is. Returns whose it was. */
export async function endSession(tx: Tx, token: string): Promise<string | undefined> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('token_hash', '=', hashToken(token))
    .returning('account_id')
    .executeTakeFirst()
  return ended?.account_id
}

/** Ends every session and pending sign-in of accounts, with their codes and step-ups (R9). */
export async function endAllSessions(tx: Tx, ...accountIds: string[]): Promise<void> {
  await sql`delete from sessions where account_id = any(${accountIds}::uuid[])`.execute(tx)
}

/** What the record of a session's begin and end says of its device, in words of ours. */
export const deviceDetails = ({ browser, system }: Device) => ({
  ...(browser && { browser }),
  ...(system && { system }),
})

/**
 * Ends a session of an account, or without an id all others than the one that asks, half done ones included, with their
 * codes and step-ups (AUT-9, DAT-2). Each that was a whole one is on the record. Returns how many.
 */
export async function revokeSessions(
  tx: Tx,
  { id: own, accountId }: LiveSession,
  address: string,
  id?: string,
): Promise<number> {
  const { rows } = await sql<{ id: string; stage: LiveSession['stage'] } & Device>`
    delete from sessions where account_id = ${accountId} and ${id ? sql`id = ${id} and stage = 'signed-in'` : sql`id <> ${own}`}
      and ends_at > portal_now()
    returning id, stage, browser, system`.execute(tx)
  for (const ended of rows.filter(({ stage }) => stage === 'signed-in'))
    await record(tx, {
      act: 'session-revoked',
      accountId,
      actor: 'customer',
      address,
      details: { session: ended.id, ...deviceDetails(ended) },
    })
  return rows.length
}

/** What the browser keeps of a session. */
export const sessionReply = ({
  login,
  email,
  firstName,
  surname,
  locale,
  now,
  endsAt,
  absoluteEndsAt,
}: LiveSession): Session => ({
  customer: { login, email, firstName, surname, locale },
  now: now.toISOString(),
  endsAt: endsAt.toISOString(),
  absoluteEndsAt: absoluteEndsAt.toISOString(),
})
