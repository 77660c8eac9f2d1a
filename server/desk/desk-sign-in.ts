import type { FastifyInstance } from 'fastify'
import { deviceOf } from '../../contract/device.ts'
import {
  endDeskSession,
  finishDeskSignIn,
  listDeskSessions,
  readDeskSession,
  revokeDeskSession,
  startDeskSignIn,
  type DeskSession,
} from '../../contract/desk/desk-session.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { newToken } from '../platform/authentication/session.ts'
import { startStaffSession, type StaffSession } from '../platform/authentication/staff-session.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { StaffProviderUnreachable, type StaffSignInPort } from '../platform/ports.ts'
import { endStaffSession, listStaffSessions } from './staff-session-store.ts'

/** DSK-2: sign-in at the OpenID provider, and the sessions that follow. */
export function serveDeskSessions(app: FastifyInstance, portal: Portal, provider: StaffSignInPort): void {
  const { db } = portal

  serve(app, portal, startDeskSignIn, async ({ fail, setSignIn }) => {
    const secret = newToken()
    const url = await orUnreachable(provider.start(secret), () => fail('unavailable', { retryAfter: 10 }))
    setSignIn(secret)
    return { url }
  })

  serve(app, portal, finishDeskSignIn, async ({ body, signIn, address, userAgent, fail, setStaff, setSignIn }) => {
    if (!signIn) throw fail('login-refused', { reason: 'answer' })
    const claims = await orUnreachable(provider.finish(signIn, body.answer), () =>
      fail('unavailable', { retryAfter: 10 }),
    )
    if (!claims) throw fail('login-refused', { reason: 'answer' })
    const entry = { accountId: null, actor: 'staff', address, details: staffDetails(claims) } as const
    const started = await db.transaction().execute(async (tx) => {
      const isAllowed = claims.roles.length > 0
      await addAuditEntry(tx, { action: isAllowed ? 'desk-signed-in' : 'desk-sign-in-refused', ...entry })
      return isAllowed ? startStaffSession(tx, claims, { address, device: deviceOf(userAgent) }) : undefined
    })
    if (!started) throw fail('login-refused', { reason: 'no-role' })
    setStaff(started.token)
    setSignIn(null)
    return sessionReply(started.session)
  })

  serve(app, portal, readDeskSession, async ({ staff }) => sessionReply(staff))

  serve(app, portal, endDeskSession, ({ staff, transaction, setStaff }) =>
    transaction(async (tx, audit) => {
      if (await endStaffSession(tx, staff.id)) await audit('desk-signed-out')
      setStaff(null)
    }),
  )

  serve(app, portal, listDeskSessions, async ({ staff }) => {
    const rows = await listStaffSessions(db, ownOnly(staff))
    return {
      items: rows.map(({ browser, system, startedAt, usedAt, ...row }) => ({
        ...row,
        isOwn: row.id === staff.id,
        device: { browser, system },
        startedAt: startedAt.toISOString(),
        usedAt: usedAt.toISOString(),
      })),
    }
  })

  serve(app, portal, revokeDeskSession, ({ params, staff, transaction, found }) =>
    transaction(async (tx, audit) => {
      const ended = found(await endStaffSession(tx, params.id, ownOnly(staff)))
      await audit('desk-session-revoked', { session: ended.id, of: ended.subject })
    }),
  )
}

/** Whose sessions somebody may see and end: an administrator those of everybody. */
const ownOnly = ({ roles, subject }: StaffSession) => (roles.includes('administrator') ? undefined : subject)

const sessionReply = ({ name, roles, endsAt, absoluteEndsAt }: StaffSession): DeskSession => ({
  name,
  roles,
  endsAt: endsAt.toISOString(),
  absoluteEndsAt: absoluteEndsAt.toISOString(),
})

async function orUnreachable<T>(answer: Promise<T>, failure: () => Error): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof StaffProviderUnreachable ? failure() : error
  }
}
