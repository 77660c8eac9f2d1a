import type { FastifyInstance } from 'fastify'
import * as calls from '../../contract/desk/desk-session.ts'
import { deviceOf } from '../../contract/device.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { newToken } from '../platform/authentication/session.ts'
import { recentUntil, startStaffSession, type StaffSession } from '../platform/authentication/staff-session.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import { StaffProviderUnreachable, type StaffClaims, type StaffSignInPort } from '../platform/ports.ts'
import { takeToken } from '../platform/rate-limits/rate-limits.ts'
import { endSessionOfToken, endStaffSession, listStaffSessions, endSessionsOf } from './staff-session-store.ts'
import type { DeskPortal } from './staff-limits.ts'

// DSK-2: sign-in at the OpenID provider, and the sessions that follow.

const shown = (portal: Portal, session: StaffSession) => {
  const { subject, name, roles, endsAt, absoluteEndsAt } = session
  return {
    subject,
    name,
    roles,
    endsAt,
    absoluteEndsAt,
    recentUntil: recentUntil(session) ?? null,
    tasks: portal.settings.deskTasks,
  }
}

const start = async (
  { staffSignIn }: DeskPortal,
  { fail, setSignIn }: Pick<Call<typeof calls.startDeskSignIn>, 'fail' | 'setSignIn'>,
  isAgain: boolean,
) => {
  const secret = newToken()
  const url = await orUnavailable(staffSignIn.start(secret, { isAgain }), fail)
  setSignIn(secret)
  return { url }
}

export const startDeskSignIn = handler(calls.startDeskSignIn, (call, portal: DeskPortal) => start(portal, call, false))
export const renewDeskSignIn = handler(calls.renewDeskSignIn, (call, portal: DeskPortal) => start(portal, call, true))

export const finishDeskSignIn = handler(calls.finishDeskSignIn, async (call, portal: DeskPortal) => {
  const { body, signIn, staffToken, address, userAgent, fail, setStaff, setSignIn } = call
  const claims =
    signIn === undefined ? undefined : await orUnavailable(portal.staffSignIn.finish(signIn, body.answer), fail)
  const refusal = refusalOf(claims)
  if (!claims || refusal) {
    await recordRefusal(portal, { claims, address, cause: refusal ?? 'answer' })
    throw fail('login-refused', { reason: refusal === 'no-role' ? refusal : 'answer' })
  }
  const started = await portal.db.transaction().execute(async (tx) => {
    await addAuditEntry(tx, { action: 'desk-signed-in', ...byStaff(address, claims) })
    // The browser loses the cookie of an earlier session, which would go on without it (DSK-29).
    const earlier = staffToken && (await endSessionOfToken(tx, staffToken))
    if (earlier) {
      const { details, ...by } = byStaff(address, earlier)
      await addAuditEntry(tx, { action: 'desk-signed-out', ...by, details: { ...details, by: 'new-sign-in' } })
    }
    return startStaffSession(tx, claims, { address, device: deviceOf(userAgent) })
  })
  setStaff(started.token)
  setSignIn(null)
  return shown(portal, started.session)
})

export const readDeskSession = handler(calls.readDeskSession, async ({ staff }, portal) => shown(portal, staff))

export const endDeskSession = handler(
  calls.endDeskSession,
  async ({ staff, transaction, setStaff }, { staffSignIn }: DeskPortal) => {
    await transaction(async (tx, audit) => {
      if (await endStaffSession(tx, staff.id)) await audit('desk-signed-out')
      setStaff(null)
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

export const revokeDeskSession = handler(calls.revokeDeskSession, ({ params, staff, transaction, found }) =>
  transaction(async (tx, audit) => {
    const ended = found(await endStaffSession(tx, params.id, ownOnly(staff)))
    await audit('desk-session-revoked', { session: ended.id, of: ended.subject })
  }),
)

type Refusal = 'answer' | 'context' | 'no-role'

function refusalOf(claims: StaffClaims | undefined): Refusal | undefined {
  if (!claims) return 'answer'
  if (!claims.isInContext) return 'context'
  return claims.roles.length ? undefined : 'no-role'
}

/** Anybody can send answers that fit no browser: of each network ten at once have an entry, and then one a minute (R242). */
const anonymousRefusals = { name: 'desk-sign-in-refused', perSecond: 1 / 60, burst: 600 }

/** The entry of a refused sign-in, with the person if the OpenID provider has named one (DSK-6, R242). */
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

/** Whose sessions somebody may see and end: an administrator those of everybody. */
const ownOnly = ({ roles, subject }: StaffSession) => (roles.includes('administrator') ? undefined : subject)

/** The answer of the OpenID provider, or a failure that says when to try again. */
async function orUnavailable<T>(answer: Promise<T>, fail: Call<typeof calls.startDeskSignIn>['fail']): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof StaffProviderUnreachable ? fail('unavailable', { retryAfter: 10 }) : error
  }
}

export const logoutPath = '/desk/back-channel-logout'
const longestToken = 8192

/**
 * OpenID Connect Back-Channel Logout 1.0: the provider itself ends the sessions of somebody who has signed out elsewhere, or whose
 * access was withdrawn (R233). Anybody can call it, as often as the limit of an address allows (R110); the signature of the token decides.
 */
export function serveBackChannelLogout(app: FastifyInstance, { db }: Portal, provider: StaffSignInPort): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: longestToken },
      (_request, body, done) => done(null, new URLSearchParams(body.toString()).get('logout_token') ?? ''),
    )
    scope.post<{ Body: string | undefined }>(logoutPath, { config: { counted: true } }, async ({ body, ip }, reply) => {
      const ended = await provider.logout(body ?? '').catch((error: unknown) => {
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
