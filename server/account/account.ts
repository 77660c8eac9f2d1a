import type { FastifyInstance } from 'fastify'
import {
  changeLocale,
  enterSignInCode,
  enterStepUpCode,
  extendSession,
  readSession,
  resendSignInCode,
  resendStepUpCode,
  signIn,
  signOut,
  startStepUp,
} from '../../contract/account.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { record } from '../audit.ts'
import { checkBot } from '../bot-check.ts'
import { clear, refund, spend, type Budget } from '../budgets.ts'
import { canonicalLogin } from '../canonical.ts'
import { enterCode, openCode, resendCode, useCode, type Entry, type Operation } from '../codes.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { voidLinks } from '../links.ts'
import type { Portal } from '../portal.ts'
import { endSession, renewSession, sessionReply, startPending, type LiveSession } from '../session.ts'
import { confirmStepUp } from '../step-up.ts'
import { blockAccount, findAccount, rehashPassword, setLocale, type Account } from './account-queries.ts'

/** Five wrong passwords in a row pause an account for an address (AUT-4, R16). */
const pause: Budget = { name: 'sign-in-pause', ...limits.signIn.pause, locks: true }
/** Ten in a day block it. This budget refuses nothing itself, or a blocked account would look unlike an absent one (R14). */
const block: Budget = { name: 'sign-in-block', ...limits.signIn.block }

export function serveAccount(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  serve(app, portal, signIn, async ({ body, address, token, fail, setToken }) => {
    const account = await findAccount(db, body.login)
    // Unknown logins have the same budgets as known ones, so that limits tell nothing (R14, R29).
    const who = account?.id ?? canonicalLogin(body.login)
    const paid = await spend(db, keys, pause, who, address)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    if (paid.used >= limits.signIn.botCheckFrom) await demandBotProof(who, address, body.botProof)
    if (paid.left === 0) await db.transaction().execute((tx) => record(tx, { act: 'sign-in-limit-reached', accountId: account?.id ?? null, actor: 'customer', address }))

    const right = await portal.hasher.verify(account?.passwordHash ?? null, body.password)
    if (!right || !account) {
      await refuse(account, who, address)
      throw fail('login-refused')
    }
    await clear(db, keys, pause, who, address)
    if (account.blocked) throw fail('account-blocked')
    const stronger = portal.hasher.isOutdated(account.passwordHash!) ? await portal.hasher.hash(body.password) : undefined

    return db.transaction().execute(async (tx) => {
      if (token) await endSession(tx, token)
      if (stronger) await rehashPassword(tx, account, stronger)
      const pending = await startPending(tx, account.id)
      const operation: Operation = { accountId: account.id, sessionId: pending.id, purpose: 'sign-in', object: pending.id }
      const sent = await openCode(tx, portal, operation, { phone: account.phone, locale: account.locale, address })
      if ('refused' in sent) throw fail(sent.refused, { retryAfter: sent.retryAfter })
      await record(tx, { act: 'sign-in-password-accepted', accountId: account.id, actor: 'customer', address })
      setToken(pending.token)
      return sent
    })
  })

  /** From the third try on a robot must show that it is none; a try without the proof is not judged and not counted. */
  async function demandBotProof(who: string, address: string, proof: string | undefined) {
    try {
      if (proof === undefined) throw new Failed('bot-check-required')
      await checkBot(portal, proof, 'sign-in', address)
    } catch (error) {
      await refund(db, keys, pause, who, address)
      throw error
    }
  }

  async function refuse(account: Account | undefined, who: string, address: string) {
    const counted = await spend(db, keys, block, who)
    await db.transaction().execute(async (tx) => {
      await record(tx, { act: 'sign-in-refused', accountId: account?.id ?? null, actor: 'customer', address })
      if (account && (!counted.ok || counted.left === 0) && (await blockAccount(tx, account.id)))
        await record(tx, { act: 'account-blocked', accountId: account.id, actor: 'system', address })
    })
  }

  serve(app, portal, enterSignInCode, async ({ body, session, address, setToken }) => {
    const entry = await enterCode(db, portal, { accountId: session.accountId, sessionId: session.id, purpose: 'sign-in' }, body.code)
    if (!entry.ok) throw refusalOf(entry)
    return db.transaction().execute(async (tx) => {
      const risen = (await useCode(tx, portal, entry.codeId, session.accountId)) && (await renewSession(tx, settings, session, 'signed-in'))
      if (!risen) throw new Failed('code-void')
      await clear(tx, keys, block, session.accountId)
      await voidLinks(tx, session.accountId)
      await record(tx, { act: 'sign-in-finished', accountId: session.accountId, actor: 'customer', address })
      setToken(risen.token)
      return sessionReply(risen.session)
    })
  })

  serve(app, portal, resendSignInCode, ({ session, address }) =>
    resend({ accountId: session.accountId, sessionId: session.id, purpose: 'sign-in', object: session.id }, session, address),
  )

  function resend(operation: Operation, { phone, locale }: LiveSession, address: string) {
    return db.transaction().execute(async (tx) => {
      const sent = await resendCode(tx, portal, operation, { phone, locale, address })
      if ('refused' in sent) throw new Failed(sent.refused, 'retryAfter' in sent ? { retryAfter: sent.retryAfter } : {})
      return sent
    })
  }

  serve(app, portal, readSession, async ({ session }) => sessionReply(session))

  serve(app, portal, extendSession, ({ session, address, setToken, fail: _ }) =>
    db.transaction().execute(async (tx) => {
      const renewed = await renewSession(tx, settings, session)
      if (!renewed) throw new Failed('signed-out')
      await record(tx, { act: 'session-extended', accountId: session.accountId, actor: 'customer', address })
      setToken(renewed.token)
      return sessionReply(renewed.session)
    }),
  )

  serve(app, portal, signOut, async ({ token, address, setToken }) => {
    if (token)
      await db.transaction().execute(async (tx) => {
        const accountId = await endSession(tx, token)
        if (accountId) await record(tx, { act: 'signed-out', accountId, actor: 'customer', address })
      })
    setToken(null)
  })

  serve(app, portal, startStepUp, ({ body, session, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const operation: Operation = { accountId: session.accountId, sessionId: session.id, ...body }
      const sent = await openCode(tx, portal, operation, { phone: session.phone, locale: session.locale, address })
      if ('refused' in sent) throw fail(sent.refused, { retryAfter: sent.retryAfter })
      return sent
    }),
  )

  serve(app, portal, enterStepUpCode, async ({ params, body, session, address, setToken, fail }) => {
    const operation = await findOperation(session, params.id)
    if (!operation) throw fail('not-found')
    const entry = await enterCode(db, portal, { ...operation, codeId: params.id }, body.code)
    if (!entry.ok) throw refusalOf(entry)
    return db.transaction().execute(async (tx) => {
      const renewed = (await useCode(tx, portal, entry.codeId, session.accountId)) && (await renewSession(tx, settings, session))
      if (!renewed) throw fail('code-void')
      await confirmStepUp(tx, session.id, operation.purpose, operation.object)
      await record(tx, { act: 'step-up-confirmed', accountId: session.accountId, actor: 'customer', address, details: { purpose: operation.purpose, object: operation.object } })
      setToken(renewed.token)
      return sessionReply(renewed.session)
    })
  })

  serve(app, portal, resendStepUpCode, async ({ params, session, address, fail }) => {
    const operation = await findOperation(session, params.id)
    if (!operation) throw fail('not-found')
    return resend(operation, session, address)
  })

  /** The operation of a code, if it is this session's. */
  async function findOperation({ id, accountId }: LiveSession, code: string): Promise<Operation | undefined> {
    const row = await db.selectFrom('codes').select(['purpose', 'object']).where('id', '=', code).where('session_id', '=', id).executeTakeFirst()
    return row && { accountId, sessionId: id, purpose: row.purpose as Operation['purpose'], object: row.object }
  }

  serve(app, portal, changeLocale, ({ body, session }) => setLocale(db, session.accountId, body.locale))
}

function refusalOf(entry: Entry & { ok: false }): Failed {
  const code: ErrorCode = entry.refused
  if (entry.refused === 'too-many-attempts') return new Failed(code, { retryAfter: entry.retryAfter })
  if (entry.refused !== 'code-wrong') return new Failed(code)
  // The customer is told from the third wrong entry on (defaults.md).
  const shown = entry.entriesLeft <= limits.code.entries - limits.code.entriesLeftShownFrom
  return new Failed(code, shown ? { entriesLeft: entry.entriesLeft } : {})
}
