import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import * as calls from '../../contract/phone-change.ts'
import { phoneChangeMoves, type PhoneChange, type PhoneChangeEntry } from '../../contract/phone-change.ts'
import { findPersonalData, fitsDocument } from '../personal-data/personal-data-store.ts'
import { lockAccount } from '../platform/authentication/account-names.ts'
import { sendsToUnconfirmed } from '../platform/authentication/code-limits.ts'
import {
  refundOnFailure,
  findLatestCode,
  enterCode,
  createCode,
  createCodeOnce,
  resendOrCreateCode,
  spendCode,
  voidCodes,
  voidAccountCodes,
} from '../platform/authentication/codes.ts'
import {
  operationIn,
  renewSession,
  revokeSessions,
  sessionReply,
  type LiveSession,
} from '../platform/authentication/session.ts'
import { removeStepUps } from '../platform/authentication/step-up.ts'
import type { Db } from '../platform/database/database.ts'
import { readAccountPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { reasons, type ExportedList } from '../platform/exported-data.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import { numberChangedBySms } from '../platform/messages/sms-text.ts'
import type { ServerFeature, Portal } from '../platform/portal.ts'
import { findNextFreeTry, settle } from '../platform/rate-limits/rate-limits.ts'
import type { Settings } from '../platform/settings.ts'
import {
  endIfSpent,
  entriesLeft,
  limitKeyOf,
  findRefusalOfEntry,
  refuseInPause,
  requireSent,
  type PhoneChangeCall,
} from './phone-change-pause.ts'
import {
  beginChange,
  removeChange,
  findChange,
  finishChange,
  moveChange,
  takeNumber,
  type PhoneChangeRow,
} from './phone-change-store.ts'

/** A change of the phone number that is under way, in the copy of all data. */
const exportedPhoneChanges: ExportedList = {
  table: 'phone_changes',
  columns: 'id step started_at phone',
  omitted: { session_id: reasons.internal },
  order: 'started_at',
  title: { pl: 'Zmiana numeru telefonu w\u00a0toku', en: 'Phone number change in progress' },
  isRare: true,
  rows: [
    [{ pl: 'Rozpoczęta', en: 'Started' }, 'startedAt'],
    [{ pl: 'Nowy numer', en: 'New number' }, 'phone'],
  ],
}

/** A call that sends a code. */
type SendingCall = Pick<Call<typeof calls.enterNewPhone>, 'session' | 'address'>

/** Notifies the owner that codes go to another number from now on (DAT-5). */
function phoneChangedMail({ brand }: Settings, locale: Locale, phone: string) {
  const masked = maskPhone(phone)
  const text = {
    pl: {
      subject: 'numer telefonu został zmieniony',
      paragraphs: [
        `Kody SMS wysyłamy teraz na numer ${masked}. Wylogowaliśmy Cię na innych urządzeniach.`,
        `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
      ],
    },
    en: {
      subject: 'your phone number was changed',
      paragraphs: [
        `We now send text-message codes to ${masked}. We’ve signed you out on your other devices.`,
        `If this wasn’t you, call us right away: ${brand.phone}.`,
      ],
    },
  }[locale]
  return renderMail(locale, brand, text)
}

// Document, e-mail code, new number, SMS code; in this order, with one count of wrong entries (DAT-2 to DAT-5, R32).

const operationOf = (session: LiveSession, purpose: 'phone-email' | 'phone-sms', { id }: PhoneChangeRow) =>
  operationIn(session, purpose, id)

/** Returns the operation and the recipient of a step that sends a code. */
function sendingOf({ session, address }: SendingCall, change: PhoneChangeRow) {
  const { step, newPhone } = change
  const common = { locale: session.locale, address }
  if (step === 'email')
    return { operation: operationOf(session, 'phone-email', change), to: { email: session.email, ...common } }
  if (step === 'sms' && newPhone !== null)
    return { operation: operationOf(session, 'phone-sms', change), to: { phone: newPhone, ...common } }
  return undefined
}

async function readChange(db: Db, call: SendingCall, change: PhoneChangeRow): Promise<Given<typeof PhoneChange>> {
  const { step, newPhone } = change
  const sending = sendingOf(call, change)
  const sent = sending && (await findLatestCode(db, sending.operation, sending.to))
  return { step, newPhone, sent: sent ?? null }
}

const stepOf = (change: PhoneChangeRow | undefined) => (change ? { current: change.step } : {})

/** Finds the change of this session if it accepts the entry. Nothing is checked or charged at another step (R32). */
async function findChangeAccepting(portal: Portal, session: LiveSession, entry: PhoneChangeEntry) {
  const paused = await refuseInPause(portal, session)
  if (paused) return paused
  const change = await findChange(portal.db, portal.keys, session)
  return change && phoneChangeMoves[change.step][entry]
    ? change
    : { refused: 'state-passed' as const, data: stepOf(change) }
}

const emailCode = { step: 'email-code', purpose: 'phone-email', wrong: 'email-code-wrong' } as const
const smsCode = { step: 'sms-code', purpose: 'phone-sms', wrong: 'code-wrong' } as const

/** Enters a code at its step; `wrong` names the refusal of a wrong one. */
async function enterCodeAtStep<Step extends typeof emailCode | typeof smsCode>(
  portal: Portal,
  call: PhoneChangeCall,
  { step, purpose, wrong }: Step,
  code: string,
) {
  const change = await findChangeAccepting(portal, call.session, step)
  if ('refused' in change) return change
  const entry = await enterCode(portal.db, portal, operationOf(call.session, purpose, change), code)
  return 'refused' in entry ? findRefusalOfEntry<Step['wrong']>(portal, call, entry, wrong) : entry
}

const readPhoneChange = handler(calls.readPhoneChange, async ({ session, address }, { db, keys }) => {
  const pause = await findNextFreeTry(db, keys, limitKeyOf(session))
  const change = await findChange(db, keys, session)
  return {
    isPossible: !!(await findPersonalData(db, keys, session.accountId)),
    blockedUntil: pause?.at ?? null,
    change: change ? await readChange(db, { session, address }, change) : null,
  }
})

const startPhoneChange = handler(
  calls.startPhoneChange,
  async ({ params, session, address, fail, orFail, orNotFound, transaction }, portal) => {
    if (params.id !== session.accountId) throw fail('not-found')
    orFail(await refuseInPause(portal, session))
    if (!(await findPersonalData(portal.db, portal.keys, session.accountId))) throw fail('document-unknown')
    return transaction(async (tx, audit) => {
      if (await beginChange(tx, session)) await audit('phone-change-started')
      const change = orNotFound(await findChange(tx, portal.keys, session))
      return readChange(tx, { session, address }, change)
    })
  },
)

const enterDocumentNumber = handler(calls.enterDocumentNumber, async ({ body, limit, ...call }, portal) => {
  const { session, transaction, fail, orFail } = call
  orFail(await findChangeAccepting(portal, session, 'document'))
  const known = await findPersonalData(portal.db, portal.keys, session.accountId)
  const [left] = await limit('phone-change-blocked', limitKeyOf(session))
  if (!fitsDocument(portal.keys, body.documentNumber, known)) {
    await transaction((_tx, audit) => audit('phone-document-refused', { left }))
    orFail(await endIfSpent(portal, call, left))
    throw fail('document-number-wrong', entriesLeft(left))
  }
  return transaction(async (tx, audit) => {
    const change = await moveChange(tx, portal.keys, session, 'document')
    const sending = change && sendingOf(call, change)
    if (!sending) throw fail('state-passed')
    const sent = requireSent(await createCode(tx, portal, sending.operation, sending.to))
    await settle(tx, portal.keys, { refund: limitKeyOf(session) })
    await audit('phone-document-confirmed')
    return { step: change.step, newPhone: null, sent }
  }).catch(async (error: unknown) => {
    await settle(portal.db, portal.keys, { refund: limitKeyOf(session) })
    throw error
  })
})

const enterEmailCode = handler(calls.enterEmailCode, async ({ body, ...call }, portal) => {
  const { session, transaction, fail, orFail } = call
  const entry = orFail(await enterCodeAtStep(portal, call, emailCode, body.code))
  return transaction(async (tx, audit) => {
    const moved = await moveChange(tx, portal.keys, session, 'email-code')
    if (!moved) throw fail('state-passed')
    if (!(await spendCode(tx, portal, entry))) throw fail('code-void')
    await audit('phone-email-confirmed')
    return { step: moved.step, newPhone: null, sent: null }
  }).catch(refundOnFailure(portal, entry))
})

const enterNewPhone = handler(
  calls.enterNewPhone,
  async ({ body, session, address, fail, transaction, ...call }, portal) => {
    call.orFail(await findChangeAccepting(portal, session, 'number'))
    if (body.phone === (await readAccountPhone(portal.db, portal.keys, session.accountId)))
      throw fail('phone-unchanged')
    return transaction(async (tx) => {
      const change = await takeNumber(tx, portal.keys, session, body.phone)
      const sending = change && sendingOf({ session, address }, change)
      if (!sending) throw fail('state-passed')
      if (change.isOther) await voidCodes(tx, 'phone-sms', change.id)
      const sent = requireSent(await createCodeOnce(tx, portal, sending.operation, sending.to))
      return { step: change.step, newPhone: change.newPhone, sent }
    })
  },
)

const enterPhoneCode = handler(calls.enterPhoneCode, async ({ body, setCookies, ...call }, portal) => {
  const { session, address, transaction, fail, orFail } = call
  const { accountId, email, locale } = session
  const entry = orFail(await enterCodeAtStep(portal, call, smsCode, body.code))
  return transaction(async (tx, audit) => {
    await lockAccount(tx, accountId)
    // Sessions that were started, or are being started, with the old number do not continue.
    const sessions = await revokeSessions(tx, session, address)
    const numbers = await finishChange(tx, portal.keys, session)
    if (!numbers) throw fail('state-passed')
    const renewed = await renewSession(tx, portal.settings, session)
    if (!renewed || !(await spendCode(tx, portal, entry, [sendsToUnconfirmed(numbers.phone)]))) throw fail('code-void')
    await voidAccountCodes(tx, accountId)
    await removeStepUps(tx, session.id)
    await audit('phone-changed', { sessions })
    // The former number and the mailbox hear of it, in case that a thief has changed the number (DAT-5).
    await enqueue(tx, portal.keys, {
      channel: 'sms',
      kind: 'notice',
      to: numbers.before,
      text: numberChangedBySms(portal.settings, locale),
    })
    await enqueue(tx, portal.keys, {
      channel: 'mail',
      to: email,
      ...phoneChangedMail(portal.settings, locale, numbers.phone),
    })
    setCookies({ token: renewed.token })
    return { phone: maskPhone(numbers.phone), session: sessionReply(renewed.session) }
  }).catch(refundOnFailure(portal, entry))
})

const resendPhoneChangeCode = handler(
  calls.resendPhoneChangeCode,
  async ({ session, address, fail, orFail, transaction }, portal) => {
    orFail(await refuseInPause(portal, session))
    return transaction(async (tx) => {
      const change = await findChange(tx, portal.keys, session)
      const sending = change && sendingOf({ session, address }, change)
      if (!sending) throw fail('state-passed', stepOf(change))
      return requireSent(await resendOrCreateCode(tx, portal, sending.operation, sending.to))
    })
  },
)

const cancelPhoneChange = handler(calls.cancelPhoneChange, ({ session, transaction }) =>
  transaction(async (tx, audit) => {
    const change = await removeChange(tx, session)
    if (!change) return
    for (const purpose of ['phone-email', 'phone-sms'] as const) await voidCodes(tx, purpose, change)
    await audit('phone-change-canceled')
  }),
)

export const phoneChangeFeature: ServerFeature = {
  calls: [
    readPhoneChange,
    startPhoneChange,
    enterDocumentNumber,
    enterEmailCode,
    enterNewPhone,
    enterPhoneCode,
    resendPhoneChangeCode,
    cancelPhoneChange,
  ],
  stepUpObjects: { 'change-phone': (accountId, id) => sql`select where ${id}::uuid = ${accountId}` },
  exportData: [exportedPhoneChanges],
}
