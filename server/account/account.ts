import type { FastifyInstance } from 'fastify'
import {
  changeLocale,
  enterSignInCode,
  enterStepUpCode,
  extendSession,
  readSession,
  resendSignInCode,
  resendStepUpCode,
  sendSignInCode,
  signIn,
  signOut,
  startStepUp,
} from '../../contract/account.ts'
import { deviceOf } from '../../contract/device.ts'
import type { Body } from '../../contract/endpoint.ts'
import { raiseAlarm } from '../alarms.ts'
import { record } from '../audit.ts'
import { tellOfBlock } from '../block-notice.ts'
import { checkBot } from '../bot-check.ts'
import { enterCode, findOperation, openCode, openCodeOnce, resendCode, spendCode, type Operation } from '../codes.ts'
import { actOn, refusalOf, unsent } from '../code-answers.ts'
import type { Tx } from '../db.ts'
import { findDevice, forgetDevice } from '../devices.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { subnetOf } from '../network.ts'
import { hasPasskeys } from '../passkey-challenges.ts'
import type { Portal } from '../portal.ts'
import { openPhone, phoneOf } from '../sealed-fields.ts'
import { endSession, renewSession, sessionReply, startPending, type LiveSession } from '../session.ts'
import { confirmStepUp, hasObject } from '../step-up.ts'
import { blockForStrangers, findAccount, rehashPassword, setLocale } from './account-queries.ts'
import { finishSignIn } from './sign-in-finish.ts'
import { countWrong, endRow, payTry, type SignInTry } from './sign-in-tries.ts'

export function serveAccount(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal
  const takesPasskeys = () => !settings.featuresOff.includes('passkeys')

  serve(app, portal, signIn, async ({ body, address, userAgent, token, device, fail, setToken }) => {
    portal.hasher.demandRoom()
    const account = await findAccount(db, body.login)
    const known = await findDevice(db, device, account?.id ?? null)
    const one: SignInTry = { login: body.login, account, address, device: known }
    const paid = await payTry(db, keys, one)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    const hash = (paid.mayFit && account?.passwordHash) || null
    const right = await judge(paid.needsProof, hash, body, address).catch(async (error: unknown) => {
      await paid.giveBack()
      throw error
    })
    if (!right || !account) {
      await refuse(one, paid)
      throw fail('login-refused')
    }
    if (account.blockedFor === 'everyone' || (account.blockedFor && !known)) {
      await endRow(db, keys, one)
      throw fail('account-blocked')
    }
    const stronger = portal.hasher.isOutdated(account.passwordHash!)
      ? await portal.hasher.hash(body.password)
      : undefined

    const begin = async (tx: Tx) => {
      const [pending, byPasskey] = await Promise.all([
        startPending(tx, account, { address, device: deviceOf(userAgent), known: known !== undefined }),
        takesPasskeys() && hasPasskeys(tx, account.id),
      ])
      if (!pending) throw fail('login-refused')
      if (token) await endSession(tx, token)
      if (stronger) await rehashPassword(tx, account, stronger)
      if (byPasskey) {
        await endRow(tx, keys, one)
        setToken(pending.token)
        return { channel: 'passkey' } as const
      }
      if (!account.phoneConfirmed) {
        await endRow(tx, keys, one)
        setToken(pending.token)
        return { channel: 'confirm-phone' } as const
      }
      const operation: Operation = {
        accountId: account.id,
        sessionId: pending.id,
        purpose: 'sign-in',
        object: pending.id,
        device: known,
      }
      const sent = await openCode(tx, portal, operation, {
        phone: openPhone(keys, account.id, account.phone),
        locale: account.locale,
        address,
      })
      if ('refused' in sent) throw unsent(sent)
      // Last, because all sign-ins from a network wait for each other at the rows of its budgets.
      await endRow(tx, keys, one)
      setToken(pending.token)
      return sent
    }
    return db
      .transaction()
      .execute(begin)
      .catch(async (error: unknown) => {
        // The password was right, also when no code can be sent.
        if (error instanceof Failed && error.code !== 'login-refused') await endRow(db, keys, one)
        throw error
      })
  })

  /** Whether the password fits, and where it is asked for, whether the proof of the bot check does. */
  async function judge(
    needsProof: boolean,
    hash: string | null,
    { password, botProof }: Body<typeof signIn>,
    address: string,
  ) {
    if (needsProof) {
      if (botProof === undefined) throw new Failed('bot-check-required')
      await checkBot(portal, botProof, 'sign-in', address)
    }
    return portal.hasher.verify(hash, password)
  }

  /** Does the same work whether or not there is such an account (R15). */
  async function refuse(one: SignInTry, { isLast, isSpraying }: { isLast: boolean; isSpraying: boolean }) {
    if (isSpraying) raiseAlarm(portal, { name: 'sign-in-spraying', about: subnetOf(one.address) })
    const accountId = one.account?.id ?? null
    const enough = await countWrong(db, keys, one)
    await db.transaction().execute(async (tx) => {
      await record(tx, { act: 'sign-in-refused', accountId, actor: 'customer', address: one.address })
      if (isLast) await record(tx, { act: 'sign-in-limit-reached', accountId, actor: 'customer', address: one.address })
      if (!enough || !one.account) return
      // A known device that was wrong so often is a stranger from now on.
      if (one.device) await forgetDevice(tx, one.device)
      if (!(await blockForStrangers(tx, one.account.id))) return
      await record(tx, { act: 'account-blocked', accountId, actor: 'system', address: one.address })
      await tellOfBlock(tx, portal, one.account, 'wrong-passwords')
    })
  }

  serve(app, portal, enterSignInCode, async ({ body, ...call }) => {
    const { session } = call
    const operation = await ofSignIn(session, call.device)
    const entry = await enterCode(db, portal, operation, body.code)
    if (!entry.ok) throw refusalOf(entry)
    return actOn(portal, entry, async (tx) => {
      const risen = await finishSignIn(tx, settings, call, 'sms', (clear) => spendCode(tx, portal, entry, clear))
      if (!risen) throw new Failed('code-void')
      return risen
    })
  })

  const ofSignIn = async ({ id, accountId }: LiveSession, device: string | undefined): Promise<Operation> => ({
    accountId,
    sessionId: id,
    purpose: 'sign-in',
    object: id,
    device: await findDevice(db, device, accountId),
  })

  serve(app, portal, sendSignInCode, async ({ session, address, device }) =>
    send(await ofSignIn(session, device), session, address),
  )

  serve(app, portal, resendSignInCode, async ({ session, address, device }) =>
    resend(await ofSignIn(session, device), session, address),
  )

  function send(operation: Operation, { locale }: LiveSession, address: string) {
    return db.transaction().execute(async (tx) => {
      const phone = await phoneOf(tx, keys, operation.accountId)
      const sent = await openCodeOnce(tx, portal, operation, { phone, locale, address })
      if ('refused' in sent) throw unsent(sent)
      return sent
    })
  }

  function resend(operation: Operation, { locale }: LiveSession, address: string) {
    return db.transaction().execute(async (tx) => {
      const phone = await phoneOf(tx, keys, operation.accountId)
      const sent = await resendCode(tx, portal, operation, { phone, locale, address })
      if ('refused' in sent) throw unsent(sent)
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

  serve(app, portal, startStepUp, async ({ body, session, address, fail }) => {
    const { id: sessionId, accountId } = session
    const { purpose, object = accountId, by } = body
    if (!(await hasObject(db, accountId, purpose, object))) throw fail('not-found')
    if (!by && takesPasskeys() && (await hasPasskeys(db, accountId))) return { channel: 'passkey' as const }
    return send({ accountId, sessionId, purpose, object }, session, address)
  })

  serve(app, portal, enterStepUpCode, async ({ params, body, session, address, setToken, fail }) => {
    const operation = await findOperation(db, session, params.id)
    if (!operation) throw fail('not-found')
    const entry = await enterCode(db, portal, { ...operation, codeId: params.id }, body.code)
    if (!entry.ok) throw refusalOf(entry)
    return actOn(portal, entry, async (tx) => {
      const renewed = await renewSession(tx, settings, session)
      if (!renewed || !(await spendCode(tx, portal, entry))) throw fail('code-void')
      await confirmStepUp(tx, session.id, operation.purpose, operation.object)
      await record(tx, {
        act: 'step-up-confirmed',
        accountId: session.accountId,
        actor: 'customer',
        address,
        details: { purpose: operation.purpose, object: operation.object },
      })
      setToken(renewed.token)
      return sessionReply(renewed.session)
    })
  })

  serve(app, portal, resendStepUpCode, async ({ params, session, address, fail }) => {
    const operation = await findOperation(db, session, params.id)
    if (!operation) throw fail('not-found')
    return resend(operation, session, address)
  })

  serve(app, portal, changeLocale, ({ body, session }) => setLocale(db, session.accountId, body.locale))
}
