import { sql } from 'kysely'
import { inLocale, pages } from '../../contract/pages.ts'
import * as calls from '../../contract/renewal.ts'
import type { Expected } from '../../contract/renewal.ts'
import { orThrow } from '../platform/api-error.ts'
import { createCodeOnce, resendCode, voidCodes } from '../platform/authentication/codes.ts'
import { operationIn, type LiveSession } from '../platform/authentication/session.ts'
import type { Db } from '../platform/database/database.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { calendarFile } from '../platform/messages/calendar-file.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { endAuthorisationsOf } from '../service-authorisation/authorisation-store.ts'
import { confirmByCode } from '../service-authorisation/confirm-by-code.ts'
import { requirementOf } from '../service-authorisation/service-authorisation.ts'
import { agreedCondition, moveRenewal, moveOwnRenewal, reread } from './renewal-moves.ts'
import {
  forbiddenBy,
  renewalObjectOf,
  signedObjectId,
  renewalSignedObject,
  agreementSubjectOf,
} from './renewal-signed-object.ts'
import { findRenewal, hasAgreement, type AgreedRow, linkSigningOrder } from './renewal-store.ts'
import { findSigningKey } from './renewal-view.ts'

/** State and version of the renewal and hash of the agreement, as the page shows them. */
type AgreementShown = { expected: Expected; sha256: string }

// The agreement is read, signed by code or declined (REN-7, REN-8); the day of its certificate is a calendar file (REN-9).

const operationOf = (session: LiveSession, row: AgreedRow) => ({
  ...operationIn(session, 'sign-agreement', signedObjectId(row)),
  mark: row.agreement.sha256.slice(0, 8),
})

/** Finds the renewal whose agreement the page shows, or returns why that cannot be signed now. */
async function findSignable(
  { keys }: Portal,
  db: Db,
  accountId: string,
  id: string,
  { expected, sha256 }: AgreementShown,
) {
  const row = await findRenewal(db, keys, accountId, id)
  if (!row) return { refused: 'not-found' as const }
  if (row.state !== 'signing' || expected.state !== 'signing')
    return { refused: 'state-passed' as const, data: { current: row.state } }
  if (!hasAgreement(row)) return { refused: 'agreement-not-ready' as const, data: { retryAfter: 3 } }
  if (row.version !== expected.version || row.agreement.sha256 !== sha256)
    return { refused: 'signing-changed' as const, row }
  const reason = forbiddenBy(row)
  return reason ? { refused: 'renewal-refused' as const, data: { reason } } : row
}

const hashes = ({ agreement, termsSha256 }: AgreedRow) => ({ agreement: agreement.sha256, terms: termsSha256 })

const sendAgreementCode = (
  portal: Portal,
  send: typeof createCodeOnce | typeof resendCode,
  { params, body, session, address, orFail, transaction }: Omit<Call<typeof calls.startAgreementSigning>, 'orNotFound'>,
) =>
  transaction(async (tx, audit) => {
    const row = orFail(await findSignable(portal, tx, session.accountId, params.uid, body))
    const to = { phone: row.person.phone, locale: session.locale, address }
    const sent = orThrow(await send(tx, portal, operationOf(session, row), to))
    await audit('renewal-code-bound', { renewal: row.id, ...hashes(row), code: sent.id })
    return sent
  })

export const startAgreementSigning = handler(calls.startAgreementSigning, async (call, portal) => {
  const { params, session, fail, orNotFound } = call
  // No code for what could not be signed; the service is called before the transaction (REN-12).
  const key = await findSigningKey(
    portal,
    orNotFound(await findRenewal(portal.db, portal.keys, session.accountId, params.uid)),
  )
  if ('obstacle' in key) throw fail('renewal-refused', { reason: key.obstacle })
  return sendAgreementCode(portal, createCodeOnce, call)
})
export const resendAgreementCode = handler(calls.resendAgreementCode, (call, portal) =>
  sendAgreementCode(portal, resendCode, call),
)

export const signAgreement = handler(calls.signAgreement, async (call, portal) => {
  const { params, body, session, transaction, fail, orFail, orNotFound } = call
  const { accountId } = session
  const row = await findSignable(portal, portal.db, accountId, params.uid, body)
  if ('refused' in row) {
    // The audit shows what the customer meant to sign and what is to be signed now (R33).
    if (row.refused === 'signing-changed')
      await transaction((_, audit) =>
        audit('renewal-code-unbound', { renewal: row.row.id, meant: body.sha256, ...hashes(row.row) }),
      )
    throw fail(row.refused, row.data)
  }
  // While the service does not answer, the consent is kept and the agreement is signed later (REN-12).
  const key = await findSigningKey(portal, row)
  const asksMore = 'credential' in key && requirementOf(key.credential)
  const subject = agreementSubjectOf(row, session.now)
  const ready = asksMore ? orThrow(await renewalSignedObject.prepare(portal, subject)) : undefined
  const details = (code: string) => ({ renewal: row.id, ...hashes(row), code })
  const confirmed = await confirmByCode(portal, call, {
    operation: operationOf(session, row),
    subject,
    prepare: async () => ready,
    async confirm(tx, audit, spend, isAwaited) {
      if (isAwaited) return details(await spend())
      const find = async () => orNotFound(await findRenewal(tx, portal.keys, accountId, row.id))
      const { expected, sha256 } = body
      // The one statement that takes the agreement as signed takes exactly what the code was made for (R33, R59).
      const only = agreedCondition(sha256, row.termsSha256)
      if (!(await moveRenewal(tx, { ...expected, id: row.id }, 'authorised', { signingFailed: false }, only)))
        throw fail('state-passed', { current: (await find()).state })
      const reason = forbiddenBy(await find())
      if (reason) throw fail('renewal-refused', { reason })
      const authorised = details(await spend())
      const order = await enqueue(tx, portal.keys, { channel: 'agreement-signature', renewal: row.id })
      await linkSigningOrder(tx, row.id, order)
      await audit('renewal-authorised', authorised)
      return authorised
    },
  })
  const { authorisation } = orFail(confirmed)
  return { ...(await reread(portal, call)), authorisation }
})

export const declineAgreement = handler(calls.declineAgreement, (call, portal) =>
  moveOwnRenewal(portal, call, 'declined', {
    from: ['signing'],
    async after(tx, row, audit) {
      if (hasAgreement(row))
        await voidCodes(tx, 'sign-agreement', signedObjectId({ ...row, version: call.body.expected.version }))
      await endAuthorisationsOf(tx, renewalObjectOf(row))
      await audit('renewal-declined', { renewal: row.id, ...(row.termsSha256 && { terms: row.termsSha256 }) })
    },
  }),
)

export const returnToPersonalData = handler(calls.returnToPersonalData, (call, portal) =>
  moveOwnRenewal(portal, call, 'personal-data', {
    from: ['signing'],
    changes: () => ({
      terms: null,
      termsSha256: null,
      agreementKey: null,
      agreementBytes: null,
      agreementSha256: null,
    }),
    async after(tx, row, audit, { agreement }) {
      // The agreement was not signed, and no row refers to its file any more.
      if (agreement) await discardFiles(tx, sql`select ${agreement.key}::text`)
      await endAuthorisationsOf(tx, renewalObjectOf(row))
      await audit('renewal-returned', { renewal: row.id })
    },
  }),
)

export const downloadRenewalAgreement = handler(
  calls.downloadRenewalAgreement,
  async ({ params, session: { accountId }, fail, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findRenewal(portal.db, portal.keys, accountId, params.uid))
    const pdf = row.signed ?? row.agreement
    const file = pdf && (await portal.ports.documents.read(pdf.key))
    if (!pdf || !file) throw fail('agreement-not-ready', { retryAfter: 3 })
    await transaction((_, audit) => audit('renewal-agreement-downloaded', { renewal: row.id, agreement: pdf.sha256 }))
    return { name: row.terms?.language === 'en' ? 'agreement.pdf' : 'umowa.pdf', type: 'application/pdf', ...file }
  },
)

export const downloadRenewalCalendar = handler(
  calls.downloadRenewalCalendar,
  async ({ params, session: { accountId, locale }, fail, orNotFound }, { db, keys, settings }) => {
    const row = orNotFound(await findRenewal(db, keys, accountId, params.uid))
    const from = row.issued?.validFrom ?? (row.signed && row.terms?.from ? new Date(row.terms.from) : undefined)
    if (!from) throw fail('state-passed', { current: row.state })
    const { product } = settings.brand
    const content = calendarFile([
      {
        uid: `renewal-${row.id}@${new URL(settings.publicUrl).hostname}`,
        at: from,
        writtenAt: row.now,
        summary: {
          pl: `${product}: połącz nowy podpis z aplikacją`,
          en: `${product}: connect your new signature to the app`,
        }[locale],
        description: {
          pl: 'Od teraz działa Twój nowy certyfikat. Otwórz portal i\u00a0zeskanuj kod QR w\u00a0aplikacji.',
          en: 'Your new certificate is valid from now on. Open the portal and scan the QR code in the app.',
        }[locale],
        url: settings.publicUrl + inLocale(locale, pages.renewal.path.replace(':uid', row.id)),
      },
    ])
    return {
      name: locale === 'pl' ? 'nowy-podpis.ics' : 'new-signature.ics',
      type: 'text/calendar; charset=utf-8',
      bytes: content.length,
      content,
    }
  },
)
