import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import {
  confirmPhone,
  correctUnconfirmedPhone,
  readPhoneConfirmation,
  resendPhoneConfirmation,
  sendPhoneConfirmation,
  type PhoneConfirmation,
} from '../../contract/phone-confirmation.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import { actOn, refusalOf, unsent } from '../code-answers.ts'
import {
  codeSentBefore,
  enterCode,
  openCode,
  openCodeOnce,
  resendCode,
  sendsToUnconfirmed,
  spendCode,
  voidCodesOf,
  type Operation,
} from '../codes.ts'
import type { Db, Tx } from '../db.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { maskPhone } from '../masks.ts'
import type { Portal } from '../portal.ts'
import type { LiveSession } from '../session.ts'
import { findUnconfirmedPhone, replaceUnconfirmedPhone, setPhoneConfirmed } from './account-queries.ts'
import { finishSignIn } from './sign-in-finish.ts'

const corrections: Budget = { name: 'phone-corrections', ...limits.phoneConfirmation.corrections }

type Caller = { session: LiveSession; address: string }

/** REG-6, R115: after the password, the owner of a registered number confirms it by a code, or corrects it. */
export function servePhoneConfirmation(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  const operationOf = ({ id, accountId }: LiveSession): Operation => ({
    accountId,
    sessionId: id,
    purpose: 'confirm-phone',
    object: id,
  })

  /** The number that is to be confirmed; `hold` keeps it from being replaced until the transaction ends, so that a code fits it. */
  async function unconfirmedPhone(from: Db, { accountId }: LiveSession, hold = false): Promise<string> {
    const phone = await findUnconfirmedPhone(from, keys, accountId, hold)
    if (phone === undefined) throw new Failed('state-passed')
    return phone
  }

  serve(app, portal, readPhoneConfirmation, async ({ session, address }) => {
    const phone = await unconfirmedPhone(db, session)
    const sent = await codeSentBefore(db, operationOf(session), { phone, locale: session.locale, address })
    return { phone: maskPhone(phone), sent: sent ?? null }
  })

  const sending =
    (send: typeof openCodeOnce) =>
    ({ session, address }: Caller): Promise<PhoneConfirmation> =>
      db.transaction().execute(async (tx) => {
        const phone = await unconfirmedPhone(tx, session, true)
        return sendTo(tx, send, phone, { session, address })
      })

  async function sendTo(tx: Tx, send: typeof openCodeOnce, phone: string, { session, address }: Caller) {
    const sent = await send(tx, portal, operationOf(session), { phone, locale: session.locale, address })
    if ('refused' in sent) throw unsent(sent)
    return { phone: maskPhone(phone), sent }
  }

  serve(app, portal, sendPhoneConfirmation, sending(openCodeOnce))

  serve(
    app,
    portal,
    resendPhoneConfirmation,
    sending(async (tx, _portal, operation, to) => {
      const sent = await resendCode(tx, portal, operation, to)
      if (!('refused' in sent)) return sent
      // A code whose time is over cannot be sent again; another one takes its place.
      if (sent.refused === 'code-expired' || sent.refused === 'code-void') return openCode(tx, portal, operation, to)
      throw unsent(sent)
    }),
  )

  serve(app, portal, correctUnconfirmedPhone, ({ body, session, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const { accountId } = session
      if (body.phone === (await unconfirmedPhone(tx, session, true))) throw fail('phone-unchanged')
      const paid = await spend(tx, keys, corrections, accountId)
      if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
      await replaceUnconfirmedPhone(tx, keys, accountId, body.phone)
      await voidCodesOf(tx, accountId)
      await record(tx, { act: 'phone-corrected', accountId, actor: 'customer', address })
      return sendTo(tx, openCode, body.phone, { session, address })
    }),
  )

  serve(app, portal, confirmPhone, async ({ body, ...call }) => {
    const { session, address } = call
    const { accountId } = session
    await unconfirmedPhone(db, session)
    const entry = await enterCode(db, portal, operationOf(session), body.code)
    if (!entry.ok) throw refusalOf(entry)
    return actOn(portal, entry, async (tx) => {
      const phone = await unconfirmedPhone(tx, session, true)
      const spendAndClear: Parameters<typeof finishSignIn>[4] = (clear) =>
        spendCode(tx, portal, entry, [...clear, sendsToUnconfirmed(phone)])
      const risen = await finishSignIn(tx, settings, call, 'sms', spendAndClear)
      if (!risen) throw new Failed('code-void')
      await setPhoneConfirmed(tx, accountId)
      await record(tx, { act: 'phone-confirmed', accountId, actor: 'customer', address })
      return risen
    })
  })
}
