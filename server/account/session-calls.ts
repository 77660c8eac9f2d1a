import type { FastifyInstance } from 'fastify'
import { changeLocale, extendSession, readSession, signOut } from '../../contract/account.ts'
import { ApiError } from '../platform/api-error.ts'
import { endSession, renewSession, sessionReply } from '../platform/authentication/session.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { setLocale } from './account-store.ts'

/** The session that is signed in: its customer, its end and its language. */
export function serveSession(app: FastifyInstance, portal: Portal): void {
  const { db, settings } = portal

  serve(app, portal, readSession, async ({ session }) => sessionReply(session))

  serve(app, portal, extendSession, ({ session, setToken, transaction }) =>
    transaction(async (tx, audit) => {
      const renewed = await renewSession(tx, settings, session)
      // Any endpoint that needs a session may answer this, so none declares it.
      if (!renewed) throw new ApiError('signed-out')
      await audit('session-extended')
      setToken(renewed.token)
      return sessionReply(renewed.session)
    }),
  )

  serve(app, portal, signOut, async ({ token, setToken, transaction }) => {
    if (token)
      await transaction(async (tx, audit) => {
        const accountId = await endSession(tx, token)
        if (accountId) await audit('signed-out', {}, accountId)
      })
    setToken(null)
  })

  serve(app, portal, changeLocale, ({ body, session }) => setLocale(db, session.accountId, body.locale))
}
