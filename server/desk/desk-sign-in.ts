import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import * as calls from '../../contract/desk/desk-session.ts'
import { parseDevice, type Device } from '../../contract/device.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { newToken, hashToken } from '../platform/authentication/session.ts'
import { recentUntil, startStaffSession, type StaffSession } from '../platform/authentication/staff-session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { removalFrom, removeExpired } from '../platform/database/remove-expired.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import {
  StaffProviderUnreachable,
  type StaffClaims,
  type StaffSignInPort,
  type StaffLogout,
} from '../platform/ports.ts'
import { takeToken } from '../platform/rate-limits/rate-limits.ts'
import type { DeskPortal } from './staff-limits.ts'

// Sign-in at the OpenID provider, and the sessions that follow (DSK-2).

const shown = (portal: Portal, session: StaffSession) => {
  const { subject, name, roles, endsAt, absoluteEndsAt } = session
  return {
    subject,
    name,
    roles,
    endsAt,
    absoluteEndsAt,
    recentUntil: recentUntil(session) ?? null,
    hasTasks: portal.settings.hasDeskTasks,
  }
}

const start = async (
  { staffSignIn }: DeskPortal,
  { fail, setCookies }: Pick<Call<typeof calls.startDeskSignIn>, 'fail' | 'setCookies'>,
  isAgain: boolean,
) => {
  const secret = newToken()
  const url = await failIfUnavailable(staffSignIn.start(secret, { isAgain }), fail)
  setCookies({ signIn: secret })
  return { url }
}

export const startDeskSignIn = handler(calls.startDeskSignIn, (call, portal: DeskPortal) => start(portal, call, false))
export const renewDeskSignIn = handler(calls.renewDeskSignIn, (call, portal: DeskPortal) => start(portal, call, true))

type ListedRow = Pick<StaffSession, 'id' | 'name' | 'roles' | 'usedAt'> & Device & { address: string; startedAt: Date }

const maxListed = 200

/** Lists live sessions, the newest first: of one person, or of everybody. */
async function listStaffSessions(db: Db, subject: string | undefined): Promise<ListedRow[]> {
  return query(db).all(sql<ListedRow>`
    select id, name, roles, address, browser, system, started_at, used_at from staff_sessions
    where ${subject === undefined ? sql`true` : sql`subject = ${subject}`} and ends_at > portal_now()
    order by started_at desc limit ${maxListed}`)
}

/** Ends a session, of this person only if one is named. Returns whose it was. */
async function endStaffSession(
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
async function endSessionOfToken(tx: Tx, token: string): Promise<Pick<StaffSession, 'subject' | 'name'> | undefined> {
  return query(tx).first(sql<Pick<StaffSession, 'subject' | 'name'>>`
    delete from staff_sessions
    where token_hash = ${hashToken(token)} and ends_at > portal_now() returning subject, name`)
}

/** Ends what a logout token names, once for each token (R233). Undefined if it was used before. */
async function endSessionsOf(
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

export const finishDeskSignIn = handler(calls.finishDeskSignIn, async (call, portal: DeskPortal) => {
  const { body, cookies, address, userAgent, fail, setCookies } = call
  const claims =
    cookies.signIn === undefined
      ? undefined
      : await failIfUnavailable(portal.staffSignIn.finish(cookies.signIn, body.answer), fail)
  const refusal = refusalOf(claims)
  if (!claims || refusal) {
    await recordRefusal(portal, { claims, address, cause: refusal ?? 'answer' })
    throw fail('login-refused', { reason: refusal === 'no-role' ? refusal : 'answer' })
  }
  const started = await portal.db.transaction().execute(async (tx) => {
    await addAuditEntry(tx, { action: 'desk-signed-in', ...byStaff(address, claims) })
    // The browser loses the cookie of an earlier session, which would go on without it (DSK-29).
    const earlier = cookies.staff && (await endSessionOfToken(tx, cookies.staff))
    if (earlier) {
      const { details, ...by } = byStaff(address, earlier)
      await addAuditEntry(tx, { action: 'desk-signed-out', ...by, details: { ...details, by: 'new-sign-in' } })
    }
    return startStaffSession(tx, claims, { address, device: parseDevice(userAgent) })
  })
  setCookies({ staff: started.token, signIn: null })
  return shown(portal, started.session)
})

export const readDeskSession = handler(calls.readDeskSession, async ({ staff }, portal) => shown(portal, staff))

export const endDeskSession = handler(
  calls.endDeskSession,
  async ({ staff, transaction, setCookies }, { staffSignIn }: DeskPortal) => {
    await transaction(async (tx, audit) => {
      if (await endStaffSession(tx, staff.id)) await audit('desk-signed-out')
      setCookies({ staff: null })
    })
    return { url: await staffSignIn.signOutUrl() }
  },
)

export const listDeskSessions = handler(calls.listDeskSessions, async ({ staff }, { db }) => {
  const rows = await listStaffSessions(db, ownOnly(staff))
  return {
    items: rows.map(({ browser, system, ...row }) => ({
      ...row,
      isOwn: row.id === staff.id,
      device: { browser, system },
    })),
  }
})

export const revokeDeskSession = handler(calls.revokeDeskSession, ({ params, staff, transaction, orNotFound }) =>
  transaction(async (tx, audit) => {
    const ended = orNotFound(await endStaffSession(tx, params.id, ownOnly(staff)))
    await audit('desk-session-revoked', { session: ended.id, of: ended.subject })
  }),
)

type Refusal = 'answer' | 'context' | 'no-role'

function refusalOf(claims: StaffClaims | undefined): Refusal | undefined {
  if (!claims) return 'answer'
  if (!claims.isInContext) return 'context'
  return claims.roles.length ? undefined : 'no-role'
}

/** The limit for entries about answers that fit no browser, which anybody can send: ten at once of a network, then one a minute (R242). */
const anonymousRefusals = { name: 'desk-sign-in-refused', perSecond: 1 / 60, burst: 600 }

/** Records a refused sign-in, with the person if the OpenID provider has named one (DSK-6, R242). */
const recordRefusal = (
  { db, keys }: Portal,
  { claims, address, cause }: { claims: StaffClaims | undefined; address: string; cause: Refusal },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (!claims && !(await takeToken(tx, keys, anonymousRefusals, networkOf(address)))) return
    const { details, ...entry } = byStaff(address, claims)
    await addAuditEntry(tx, { action: 'desk-sign-in-refused', ...entry, details: { ...details, cause } })
  })

const byStaff = (address: string, claims: Parameters<typeof staffDetails>[0] | undefined) =>
  ({ accountId: null, actor: 'staff', address, details: claims ? staffDetails(claims) : {} }) as const

/** Limits the sessions that somebody may see and end to their own, except for an administrator. */
const ownOnly = ({ roles, subject }: StaffSession) => (roles.includes('administrator') ? undefined : subject)

/** Awaits the answer of the OpenID provider; if that is unreachable, throws a failure that says when to try again. */
async function failIfUnavailable<T>(answer: Promise<T>, fail: Call<typeof calls.startDeskSignIn>['fail']): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof StaffProviderUnreachable ? fail('unavailable', { retryAfter: 10 }) : error
  }
}

export const logoutPath = '/desk/back-channel-logout'
const maxTokenLength = 8192

/**
 * Serves OpenID Connect Back-Channel Logout 1.0: the provider itself ends the sessions of somebody who has signed out elsewhere, or whose
 * access was withdrawn (R233). Anybody can call it, within the rate limit of an address (R110); the signature of the token decides.
 */
export function serveBackChannelLogout(app: FastifyInstance, { db }: Portal, provider: StaffSignInPort): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxTokenLength },
      (_request, body, done) => done(null, new URLSearchParams(body.toString()).get('logout_token') ?? ''),
    )
    scope.post<{ Body: string | undefined }>(logoutPath, { config: { counted: true } }, async ({ body, ip }, reply) => {
      const ended = await provider.readLogout(body ?? '').catch((error: unknown) => {
        if (error instanceof StaffProviderUnreachable) return 'unreachable' as const
        throw error
      })
      if (ended === 'unreachable') return reply.code(503).header('retry-after', '10').send()
      const sessions =
        ended &&
        (await db.transaction().execute(async (tx) => {
          const rows = await endSessionsOf(tx, ended)
          for (const { subject } of rows ?? [])
            await addAuditEntry(tx, {
              action: 'desk-signed-out',
              accountId: null,
              actor: 'staff',
              address: ip,
              details: { staff: subject, by: 'identity-provider' },
            })
          return rows
        }))
      return sessions ? reply.code(200).send() : reply.code(400).send({ error: 'invalid_request' })
    })
  })
}
