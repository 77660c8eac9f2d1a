import type { FastifyInstance } from 'fastify'
import { plainNumber } from '../../contract/identifier-numbers.ts'
import {
  cancelPhoneChange,
  enterDocumentNumber,
  enterEmailCode,
  enterNewPhone,
  enterPhoneCode,
  phoneChangeMoves,
  readPhoneChange,
  resendPhoneChangeCode,
  startPhoneChange,
  type PhoneChange,
  type PhoneChangeEntry,
} from '../../contract/phone-change.ts'
import { freeAgain, refund, spend } from '../budgets.ts'
import { actOn } from '../code-answers.ts'
import {
  codeSentBefore,
  enterCode,
  openCode,
  openCodeOnce,
  resendCode,
  sendsToUnconfirmed,
  spendCode,
  voidCodes,
  voidCodesOf,
  type Operation,
} from '../codes.ts'
import type { Db, Tx } from '../db.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { mac, sameBytes } from '../keys.ts'
import { maskPhone } from '../masks.ts'
import { enqueue } from '../outbox.ts'
import { readPersonalData } from '../personal-data.ts'
import type { Portal } from '../portal.ts'
import { phoneOf } from '../sealed-fields.ts'
import { renewSession, revokeSessions, sessionReply, type LiveSession } from '../session.ts'
import { numberChangedBySms } from '../sms-text.ts'
import { dropStepUps } from '../step-up.ts'
import { phoneChangedMail } from './phone-change-mails.ts'
import {
  blocked,
  claimOf,
  demandFree,
  endIfSpent,
  entriesLeft,
  refusalAt,
  say,
  sentOrFailed,
  type Caller,
} from './phone-change-pause.ts'
import {
  beginChange,
  dropChange,
  findChange,
  finishChange,
  holdAccount,
  moveChange,
  takeNumber,
  type Change,
} from './phone-change-queries.ts'

/** DAT-2…DAT-5, R32: document, e-mail code, new number, SMS code; in this order, with one count of wrong entries. */
export function servePhoneChange(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal

  const operationOf = ({ accountId, id }: LiveSession, purpose: 'phone-email' | 'phone-sms', { id: object }: Change) =>
    ({ accountId, sessionId: id, purpose, object }) satisfies Operation

  /** Whom a code of the step goes to, and for what. */
  function sendingOf({ session, address }: Caller, change: Change) {
    const common = { locale: session.locale, address }
    if (change.step === 'email')
      return { operation: operationOf(session, 'phone-email', change), to: { email: session.email, ...common } }
    return { operation: operationOf(session, 'phone-sms', change), to: { phone: change.newPhone!, ...common } }
  }

  async function viewOf(from: Db, caller: Caller, change: Change): Promise<PhoneChange> {
    const { step, newPhone } = change
    const { operation, to } = sendingOf(caller, change)
    const sent = step === 'email' || step === 'sms' ? await codeSentBefore(from, operation, to) : undefined
    return { step, newPhone, sent: sent ?? null }
  }

  const passed = (change: Change | undefined) => new Failed('state-passed', change && { current: change.step })

  /** The change of this session, where it takes the entry. Nothing is judged or paid for at another step (R32). */
  async function demandStep(session: LiveSession, entry: PhoneChangeEntry): Promise<Change> {
    await demandFree(portal, session)
    const change = await findChange(db, keys, session)
    if (!change || !phoneChangeMoves[change.step][entry]) throw passed(change)
    return change
  }

  serve(app, portal, readPhoneChange, async ({ session, address }) => {
    const pause = await freeAgain(db, keys, ...claimOf(session))
    const change = await findChange(db, keys, session)
    return {
      possible: !!(await readPersonalData(db, keys, session.accountId)),
      blockedUntil: pause?.at.toISOString() ?? null,
      change: change ? await viewOf(db, { session, address }, change) : null,
    }
  })

  serve(app, portal, startPhoneChange, async ({ params, session, address, fail }) => {
    if (params.id !== session.accountId) throw fail('not-found')
    await demandFree(portal, session)
    if (!(await readPersonalData(db, keys, session.accountId))) throw fail('document-unknown')
    return db.transaction().execute(async (tx) => {
      if (await beginChange(tx, session)) await say(tx, { session, address }, 'phone-change-started')
      return viewOf(tx, { session, address }, (await findChange(tx, keys, session))!)
    })
  })

  serve(app, portal, enterDocumentNumber, async ({ body, session, address, fail }) => {
    const caller = { session, address }
    await demandStep(session, 'document')
    const known = await readPersonalData(db, keys, session.accountId)
    const paid = await spend(db, keys, ...claimOf(session))
    if (!paid.ok) throw blocked(paid.retryAfter)
    // By MACs, so that the time tells nothing of how much of it fits; without a document nothing does.
    const index = (number: string) => mac(keys.index, 'document-number', number)
    const fits = sameBytes(index(body.documentNumber), index(plainNumber(known?.document.number ?? '')))
    if (!fits) {
      await db.transaction().execute((tx) => say(tx, caller, 'phone-document-refused', { left: paid.left }))
      await endIfSpent(portal, caller, paid.left)
      throw fail('document-number-wrong', entriesLeft(paid.left))
    }
    return db
      .transaction()
      .execute(async (tx) => {
        const change = await moveChange(tx, keys, session, 'document')
        if (!change) throw passed(undefined)
        const { operation, to } = sendingOf(caller, change)
        const sent = sentOrFailed(await openCode(tx, portal, operation, to))
        await refund(tx, keys, claimOf(session))
        await say(tx, caller, 'phone-document-confirmed')
        return { step: change.step, newPhone: null, sent }
      })
      .catch(async (error: unknown) => {
        await refund(db, keys, claimOf(session))
        throw error
      })
  })

  serve(app, portal, enterEmailCode, async ({ body, session, address, fail }) => {
    const caller = { session, address }
    const change = await demandStep(session, 'email-code')
    const entry = await enterCode(db, portal, operationOf(session, 'phone-email', change), body.code)
    if (!entry.ok) throw await refusalAt(portal, caller, entry, 'email-code-wrong')
    return actOn(portal, entry, async (tx) => {
      const moved = await moveChange(tx, keys, session, 'email-code')
      if (!moved) throw passed(undefined)
      if (!(await spendCode(tx, portal, entry))) throw fail('code-void')
      await say(tx, caller, 'phone-email-confirmed')
      return { step: moved.step, newPhone: null, sent: null }
    })
  })

  serve(app, portal, enterNewPhone, async ({ body, session, address, fail }) => {
    const caller = { session, address }
    await demandStep(session, 'number')
    if (body.phone === (await phoneOf(db, keys, session.accountId))) throw fail('phone-unchanged')
    return db.transaction().execute(async (tx) => {
      const change = await takeNumber(tx, keys, session, body.phone)
      if (!change) throw passed(undefined)
      if (change.isOther) await voidCodes(tx, 'phone-sms', change.id)
      const { operation, to } = sendingOf(caller, change)
      const sent = sentOrFailed(await openCodeOnce(tx, portal, operation, to))
      return { step: change.step, newPhone: change.newPhone, sent }
    })
  })

  serve(app, portal, enterPhoneCode, async ({ body, session, address, fail, setToken }) => {
    const caller = { session, address }
    const { accountId } = session
    const change = await demandStep(session, 'sms-code')
    const entry = await enterCode(db, portal, operationOf(session, 'phone-sms', change), body.code)
    if (!entry.ok) throw await refusalAt(portal, caller, entry, 'code-wrong')
    return actOn(portal, entry, async (tx) => {
      await holdAccount(tx, accountId)
      // Who signs in with the old number now, or has with it, is not taken along.
      const sessions = await revokeSessions(tx, session, address)
      const numbers = await finishChange(tx, keys, session)
      if (!numbers) throw passed(undefined)
      const renewed = await renewSession(tx, settings, session)
      if (!renewed || !(await spendCode(tx, portal, entry, [sendsToUnconfirmed(numbers.phone)])))
        throw fail('code-void')
      await voidCodesOf(tx, accountId)
      await dropStepUps(tx, session.id)
      await say(tx, caller, 'phone-changed', { sessions })
      await tellOfChange(tx, session, numbers)
      setToken(renewed.token)
      return { phone: maskPhone(numbers.phone), session: sessionReply(renewed.session) }
    })
  })

  /** DAT-5. */
  async function tellOfChange(tx: Tx, { email, locale }: LiveSession, numbers: { before: string; phone: string }) {
    const text = numberChangedBySms(settings, locale)
    await enqueue(tx, keys, { channel: 'sms', to: numbers.before, text })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...phoneChangedMail(settings, locale, numbers.phone) })
  }

  serve(app, portal, resendPhoneChangeCode, async ({ session, address }) => {
    await demandFree(portal, session)
    return db.transaction().execute(async (tx) => {
      const change = await findChange(tx, keys, session)
      if (change?.step !== 'email' && change?.step !== 'sms') throw passed(change)
      const { operation, to } = sendingOf({ session, address }, change)
      const sent = await resendCode(tx, portal, operation, to)
      // A code whose time is over cannot be sent again; another one takes its place.
      const isOver = 'refused' in sent && (sent.refused === 'code-expired' || sent.refused === 'code-void')
      return sentOrFailed(isOver ? await openCode(tx, portal, operation, to) : sent)
    })
  })

  serve(app, portal, cancelPhoneChange, ({ session, address }) =>
    db.transaction().execute(async (tx) => {
      const change = await dropChange(tx, session)
      if (!change) return
      for (const purpose of ['phone-email', 'phone-sms'] as const) await voidCodes(tx, purpose, change)
      await say(tx, { session, address }, 'phone-change-canceled')
    }),
  )
}
