import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { inLocale, pages } from '../../contract/pages.ts'
import {
  declineAgreement,
  downloadRenewalAgreement,
  downloadRenewalCalendar,
  resendAgreementCode,
  returnToPersonalData,
  signAgreement,
  startAgreementSigning,
  type Expected,
} from '../../contract/renewal.ts'
import { calendarFile } from '../calendar-file.ts'
import { actOn, refusalOf, unsent } from '../code-answers.ts'
import { enterCode, openCodeOnce, resendCode, spendCode, voidCodes, type Operation } from '../codes.ts'
import type { Db } from '../db.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { enqueue } from '../outbox.ts'
import type { Portal } from '../portal.ts'
import { isAgreed, moveRenewal } from '../renewal-moves.ts'
import { findRenewal, type RenewalRow } from '../renewals.ts'
import type { LiveSession } from '../session.ts'
import { nameSigningOrder } from './renewal-queries.ts'
import { passed, recordOn, renewalMoving } from './renewal-moving.ts'
import { stopsNow, termsHold } from './renewal-terms.ts'

/**
 * What a code is made for: the renewal at its version, the agreement and the terms by their hashes. Whatever of these
 * changes, the code that was sent is for something else (R33, PSD2 RTS art. 5).
 */
function objectOf({ id, version, termsSha256, agreement }: RenewalRow): string {
  const bound = createHash('sha256').update(`${id} ${version} ${termsSha256} ${agreement!.sha256}`).digest('hex')
  return bound.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The agreement: read, signed by code or declined (REN-7, REN-8), and the day of its certificate (REN-9). */
export function serveRenewalSigning(app: FastifyInstance, portal: Portal): void {
  const { db, keys, settings } = portal
  const { moving, reread } = renewalMoving(portal)

  const operationOf = ({ accountId, id }: LiveSession, row: RenewalRow): Operation => ({
    accountId,
    sessionId: id,
    purpose: 'sign-agreement',
    object: objectOf(row),
    mark: row.agreement!.sha256.slice(0, 8),
  })

  /** The renewal whose agreement the page shows; throws unless exactly that can be signed now. */
  async function signable(
    from: Db,
    owner: string,
    uid: string,
    { expected, sha256 }: { expected: Expected; sha256: string },
  ) {
    const row = await findRenewal(from, keys, owner, uid)
    if (!row) throw new Failed('not-found')
    if (row.state !== 'signing' || expected.state !== 'signing') throw passed(row.state)
    if (!row.agreement) throw new Failed('agreement-not-ready', { retryAfter: 3 })
    if (row.version !== expected.version || row.agreement.sha256 !== sha256) throw new Failed('signing-changed')
    const [stop] = stopsNow(row)
    if (stop) throw new Failed('renewal-refused', { reason: stop })
    if (!termsHold(row)) throw new Failed('renewal-refused', { reason: 'DATA_MISMATCH' })
    return row
  }

  const hashes = ({ agreement, termsSha256 }: RenewalRow) => ({ agreement: agreement!.sha256, terms: termsSha256! })

  const sending =
    (send: typeof openCodeOnce | typeof resendCode) =>
    ({
      params,
      body,
      session,
      address,
    }: {
      params: { uid: string }
      body: { expected: Expected; sha256: string }
      session: LiveSession
      address: string
    }) =>
      db.transaction().execute(async (tx) => {
        const row = await signable(tx, session.accountId, params.uid, body)
        const to = { phone: row.person.phone, locale: session.locale, address }
        const sent = await send(tx, portal, operationOf(session, row), to)
        if ('refused' in sent) throw unsent(sent)
        await recordOn(tx, row, 'renewal-code-bound', address, { ...hashes(row), code: sent.id })
        return sent
      })

  serve(app, portal, startAgreementSigning, sending(openCodeOnce))
  serve(app, portal, resendAgreementCode, sending(resendCode))

  serve(app, portal, signAgreement, async ({ params, body, session, address, fail }) => {
    const { accountId } = session
    const row = await signable(db, accountId, params.uid, body).catch(async (error: unknown) => {
      if (error instanceof Failed && error.code === 'signing-changed')
        await tellOfChange(accountId, params.uid, body.sha256, address)
      throw error
    })
    const entry = await enterCode(db, portal, operationOf(session, row), body.code)
    if (!entry.ok) throw refusalOf(entry)
    await actOn(portal, entry, async (tx) => {
      const { expected, sha256 } = body
      // R33, R59: the one statement that takes the agreement as signed takes exactly what the code was made for.
      const only = isAgreed(sha256, row.termsSha256!)
      if (!(await moveRenewal(tx, row.id, expected, 'authorised', { signing_failed: false }, only)))
        throw passed((await findRenewal(tx, keys, accountId, row.id))!.state)
      const held = (await findRenewal(tx, keys, accountId, row.id))!
      const [stop] = stopsNow(held)
      if (stop) throw fail('renewal-refused', { reason: stop })
      if (!termsHold(held)) throw fail('renewal-refused', { reason: 'DATA_MISMATCH' })
      if (!(await spendCode(tx, portal, entry))) throw fail('code-void')
      const order = await enqueue(tx, keys, { channel: 'agreement-signature', renewal: row.id })
      await nameSigningOrder(tx, row.id, order)
      await recordOn(tx, row, 'renewal-authorised', address, { ...hashes(row), code: entry.codeId })
    })
    return reread(accountId, params.uid)
  })

  /** The audit shows what the customer meant to sign and what lies there now (R33). */
  async function tellOfChange(owner: string, uid: string, meant: string, address: string) {
    await db.transaction().execute(async (tx) => {
      const row = await findRenewal(tx, keys, owner, uid)
      if (row?.agreement) await recordOn(tx, row, 'renewal-code-unbound', address, { meant, ...hashes(row) })
    })
  }

  serve(app, portal, declineAgreement, ({ params, body, session: { accountId }, address }) =>
    moving(accountId, params.uid, body.expected, 'declined', {
      from: ['signing'],
      async after(tx, row) {
        if (row.agreement) await voidCodes(tx, 'sign-agreement', objectOf({ ...row, version: body.expected.version }))
        await recordOn(tx, row, 'renewal-declined', address, row.termsSha256 ? { terms: row.termsSha256 } : {})
      },
    }),
  )

  serve(app, portal, returnToPersonalData, async ({ params, body, session: { accountId }, address }) => {
    const before = await findRenewal(db, keys, accountId, params.uid)
    const renewal = await moving(accountId, params.uid, body.expected, 'personal-data', {
      from: ['signing'],
      changes: () => ({
        terms: null,
        terms_sha256: null,
        agreement_key: null,
        agreement_bytes: null,
        agreement_sha256: null,
      }),
      after: (tx, row) => recordOn(tx, row, 'renewal-returned', address),
    })
    // Nobody signed it and nothing names it any more.
    if (before?.agreement) await portal.ports.documents.remove(before.agreement.key)
    return renewal
  })

  serve(app, portal, downloadRenewalAgreement, async ({ params, session: { accountId }, address, fail }) => {
    const row = await findRenewal(db, keys, accountId, params.uid)
    if (!row) throw fail('not-found')
    const pdf = row.signed ?? row.agreement
    const file = pdf && (await portal.ports.documents.read(pdf.key))
    if (!pdf || !file) throw fail('agreement-not-ready', { retryAfter: 3 })
    await db
      .transaction()
      .execute((tx) => recordOn(tx, row, 'renewal-agreement-downloaded', address, { agreement: pdf.sha256 }))
    return { name: row.terms?.language === 'en' ? 'agreement.pdf' : 'umowa.pdf', type: 'application/pdf', ...file }
  })

  serve(app, portal, downloadRenewalCalendar, async ({ params, session: { accountId, locale }, fail }) => {
    const row = await findRenewal(db, keys, accountId, params.uid)
    if (!row) throw fail('not-found')
    const from = row.issued?.validFrom ?? (row.signed && row.terms?.from ? new Date(row.terms.from) : undefined)
    if (!from) throw fail('state-passed', { current: row.state })
    const { product } = settings.brand
    const content = calendarFile({
      uid: `renewal-${row.id}@${new URL(settings.publicUrl).hostname}`,
      at: from,
      writtenAt: row.now,
      summary: {
        pl: `${product}: połącz nowy podpis z aplikacją`,
        en: `${product}: connect your new signature to the app`,
      }[locale],
      description: {
        pl: 'Od teraz działa Twój nowy certyfikat. Otwórz portal i zeskanuj kod QR w aplikacji.',
        en: 'Your new certificate is valid from now on. Open the portal and scan the QR code in the app.',
      }[locale],
      url: settings.publicUrl + inLocale(locale, pages.renewal.path.replace(':uid', row.id)),
    })
    return {
      name: locale === 'pl' ? 'nowy-podpis.ics' : 'new-signature.ics',
      type: 'text/calendar; charset=utf-8',
      bytes: content.length,
      content,
    }
  })
}
