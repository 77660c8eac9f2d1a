import * as calls from '../../contract/phone-confirmation.ts'
import { orThrow } from '../platform/api-error.ts'
import { sendsToUnconfirmed } from '../platform/authentication/code-limits.ts'
import * as codes from '../platform/authentication/codes.ts'
import { operationIn, type LiveSession } from '../platform/authentication/session.ts'
import type { Tx } from '../platform/database/database.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'
import {
  findUnconfirmedPhone,
  lockUnconfirmedPhone,
  replaceUnconfirmedPhone,
  setPhoneConfirmed,
} from './account-store.ts'
import { finishSignIn, type SpendFactor } from './sign-in-finish.ts'

type SendCall = Call<typeof calls.sendPhoneConfirmation>
type Send = typeof codes.createCodeOnce | typeof codes.resendOrCreateCode

// After the password, the owner of a registered number confirms it by a code, or corrects it (REG-6, R115).

const operationOf = (session: LiveSession) => operationIn(session, 'confirm-phone', session.id)

export const readPhoneConfirmation = handler(
  calls.readPhoneConfirmation,
  async ({ session, address, fail }, { db, keys }) => {
    const phone = await findUnconfirmedPhone(db, keys, session.accountId)
    if (phone === undefined) throw fail('state-passed')
    const sent = await codes.findLatestCode(db, operationOf(session), { phone, locale: session.locale, address })
    return { phone: maskPhone(phone), sent: sent ?? null }
  },
)

/** Sends a code by `send` to the number that is to be confirmed. */
const sendCode = (portal: Portal, send: Send, { session, address, fail, transaction }: Omit<SendCall, 'orNotFound'>) =>
  transaction(async (tx) => {
    const phone = await lockUnconfirmedPhone(tx, portal.keys, session.accountId)
    if (phone === undefined) throw fail('state-passed')
    return sendTo(tx, portal, send, phone, { session, address })
  })

/** Sends a code to a number. A refusal is thrown, which rolls back what it has charged. */
async function sendTo(
  tx: Tx,
  portal: Portal,
  send: Send,
  phone: string,
  { session, address }: Pick<SendCall, 'session' | 'address'>,
) {
  const sent = orThrow(await send(tx, portal, operationOf(session), { phone, locale: session.locale, address }))
  return { phone: maskPhone(phone), sent }
}

export const sendPhoneConfirmation = handler(calls.sendPhoneConfirmation, (call, portal) =>
  sendCode(portal, codes.createCodeOnce, call),
)

export const resendPhoneConfirmation = handler(calls.resendPhoneConfirmation, (call, portal) =>
  sendCode(portal, codes.resendOrCreateCode, call),
)

export const correctUnconfirmedPhone = handler(
  calls.correctUnconfirmedPhone,
  ({ body, session, address, fail, limit, transaction }, portal) =>
    transaction(async (tx, audit) => {
      const { accountId } = session
      const phone = await lockUnconfirmedPhone(tx, portal.keys, accountId)
      if (phone === undefined) throw fail('state-passed')
      if (body.phone === phone) throw fail('phone-unchanged')
      await limit('too-many-attempts', ['phone-corrections', accountId], tx)
      await replaceUnconfirmedPhone(tx, portal.keys, accountId, body.phone)
      await codes.voidAccountCodes(tx, accountId)
      await audit('phone-corrected')
      return sendTo(tx, portal, codes.createCode, body.phone, { session, address })
    }),
)

export const confirmPhone = handler(calls.confirmPhone, async ({ body, fail, transaction, ...call }, portal) => {
  const { session } = call
  const { accountId } = session
  if ((await findUnconfirmedPhone(portal.db, portal.keys, accountId)) === undefined) throw fail('state-passed')
  const entry = call.orFail(await codes.enterCode(portal.db, portal, operationOf(session), body.code))
  return transaction(async (tx, audit) => {
    const phone = await lockUnconfirmedPhone(tx, portal.keys, accountId)
    if (phone === undefined) throw fail('state-passed')
    const spend: SpendFactor = (clear) => codes.spendCode(tx, portal, entry, [...clear, sendsToUnconfirmed(phone)])
    const finished = await finishSignIn(tx, portal.settings, { ...call, audit, factor: 'sms' }, spend)
    if (!finished) throw fail('code-void')
    await setPhoneConfirmed(tx, accountId)
    await audit('phone-confirmed')
    return finished
  }).catch(codes.refundOnFailure(portal, entry))
})
