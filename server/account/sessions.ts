import * as calls from '../../contract/account.ts'
import { endSession, renewSession, sessionReply } from '../platform/authentication/session.ts'
import { handler } from '../platform/http/http.ts'
import { setLocale } from './account-store.ts'

// The session that is signed in: its customer, its end and its language.

export const readSession = handler(calls.readSession, async ({ session }) => sessionReply(session))

export const extendSession = handler(calls.extendSession, ({ session, fail, setCookies, transaction }, { settings }) =>
  transaction(async (tx, audit) => {
    const renewed = await renewSession(tx, settings, session)
    if (!renewed) throw fail('signed-out')
    await audit('session-extended')
    setCookies({ token: renewed.token })
    return sessionReply(renewed.session)
  }),
)

export const signOut = handler(calls.signOut, async ({ cookies: { token }, setCookies, transaction }) => {
  if (token)
    await transaction(async (tx, audit) => {
      const accountId = await endSession(tx, token)
      if (accountId) await audit('signed-out', {}, accountId)
    })
  setCookies({ token: null })
})

export const changeLocale = handler(calls.changeLocale, ({ body, session }, { db }) =>
  setLocale(db, session.accountId, body.locale),
)
