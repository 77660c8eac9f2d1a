import { Readable } from 'node:stream'
import { limits } from '../../contract/limits.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import * as calls from '../../contract/provider/provider-renewals.ts'
import type { ProviderRenewal, ProviderTerms } from '../../contract/provider/provider-renewals.ts'
import { readUpload } from '../platform/files/document-files.ts'
import { handler } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { removeUnlessStored } from './agreement-files.ts'
import { judgeDocument } from './identity-judgement.ts'
import { notifyOfRenewal } from './renewal-mails.ts'
import { moveRenewal } from './renewal-state-store.ts'
import { findAnyRenewal, listForProvider, type AgreedTerms, type RenewalRow } from './renewal-row-store.ts'
import { fitsTerms, findIssued } from './provider-renewal-store.ts'

// The provider's calls for renewals: it judges identity documents, makes agreements and issues certificates. A repeated call takes
// effect once and a late one not at all (R55, R60). Every answer is the current state, from which the provider continues.

const shown = ({ settings }: Portal, row: RenewalRow) => stateOf(row, settings.renewalTemplates)

export const listProviderRenewals = handler(
  calls.listProviderRenewals,
  async ({ query: { task, cursor }, pageById }, portal) => {
    const { rows, next } = await pageById({ list: `renewals ${task ?? 'all'}`, cursor }, (at) =>
      listForProvider(portal.db, portal.keys, { task, ...at }),
    )
    return { items: rows.map((row) => shown(portal, row)), next }
  },
)

export const getProviderRenewal = handler(calls.getProviderRenewal, async ({ params, found }, portal) =>
  shown(portal, found(await findAnyRenewal(portal.db, portal.keys, params.renewal))),
)

export const judgeIdentity = handler(
  calls.judgeIdentity,
  async ({ params, body, fail, transaction, found }, portal) => {
    await transaction(async (tx, audit) => {
      const row = found(await findAnyRenewal(tx, portal.keys, params.renewal))
      await judgeDocument(tx, portal, row, body, { audit, fail })
    })
    return shown(portal, found(await findAnyRenewal(portal.db, portal.keys, params.renewal)))
  },
)

export const putRenewalAgreement = handler(
  calls.putRenewalAgreement,
  async ({ params, upload, fail, transaction, found }, portal) => {
    const before = found(await findAnyRenewal(portal.db, portal.keys, params.renewal))
    const fits = (row: RenewalRow) => row.state === 'signing' && row.termsSha256 === params.terms
    if (!fits(before)) throw fail('state-passed', { current: before.state })
    const pdf = await readUpload(portal, upload)
    const key = `agreements/${crypto.randomUUID()}`
    const stored = await portal.ports.documents.write(key, Readable.from([pdf]), limits.http.pdfBytes)
    const dropped = await transaction(async (tx, audit) => {
      const row = found(await findAnyRenewal(tx, portal.keys, params.renewal))
      // The same file again: the stored one stays, because it may be being signed.
      if (row.termsSha256 === params.terms && row.agreement?.sha256 === stored.sha256) return key
      const agreement = { agreementKey: key, agreementBytes: stored.bytes, agreementSha256: stored.sha256 }
      if (!fits(row) || !(await moveRenewal(tx, row.id, row, 'signing', agreement)))
        throw fail('state-passed', { current: row.state })
      const details = {
        renewal: row.id,
        terms: params.terms,
        agreement: stored.sha256,
        ...(row.agreement ? { was: row.agreement.sha256 } : {}),
      }
      await audit('renewal-agreement-stored', details, row.owner)
      return row.agreement?.key
    }).catch(async (error: unknown) => {
      await removeUnlessStored(portal, params.renewal, key)
      throw error
    })
    if (dropped) await portal.ports.documents.remove(dropped)
    return shown(portal, found(await findAnyRenewal(portal.db, portal.keys, params.renewal)))
  },
)

export const downloadSignedAgreement = handler(
  calls.downloadSignedAgreement,
  async ({ params, fail, found, isAbout }, { db, keys, ports }) => {
    const { signed, owner } = found(await findAnyRenewal(db, keys, params.renewal))
    isAbout(owner)
    const file = signed && (await ports.documents.read(signed.key))
    if (!file) throw fail('document-not-ready')
    return { name: 'agreement.pdf', type: 'application/pdf', ...file }
  },
)

export const reportIssued = handler(calls.reportIssued, async ({ params, body, fail, transaction, found }, portal) => {
  await transaction(async (tx, audit) => {
    const row = found(await findAnyRenewal(tx, portal.keys, params.renewal))
    if (row.issued?.providerId === body.signature) return
    if (row.state !== 'signed') throw fail('state-passed', { current: row.state })
    const issued = await findIssued(tx, portal.keys, row.owner, body.signature)
    if (!issued || issued.id === row.signature.id || !fitsTerms(row, issued)) throw fail('certificate-differs')
    if (!(await moveRenewal(tx, row.id, row, 'issued', { issuedSignature: issued.id })))
      throw fail('state-passed', { current: found(await findAnyRenewal(tx, portal.keys, row.id)).state })
    await audit('renewal-issued', { renewal: row.id, signature: issued.id }, row.owner)
    await notifyOfRenewal(tx, portal, row, 'issued')
  })
  return shown(portal, found(await findAnyRenewal(portal.db, portal.keys, params.renewal)))
})

export const reportNotIssued = handler(
  calls.reportNotIssued,
  async ({ params, body, fail, transaction, found }, portal) => {
    await transaction(async (tx, audit) => {
      const row = found(await findAnyRenewal(tx, portal.keys, params.renewal))
      if (row.state === 'failed') return
      const note = body.note && JSON.stringify(body.note)
      if (!(await moveRenewal(tx, row.id, { state: 'signed', version: row.version }, 'failed', { note })))
        throw fail('state-passed', { current: found(await findAnyRenewal(tx, portal.keys, row.id)).state })
      await audit('renewal-failed', { renewal: row.id }, row.owner)
      await notifyOfRenewal(tx, portal, row, 'failed')
    })
    return shown(portal, found(await findAnyRenewal(portal.db, portal.keys, params.renewal)))
  },
)

/** The period of a renewal, by which the provider knows its certificate templates. */
const periods = { 1: '1_year', 2: '2_year', 3: '3_year' } as const

function termsOf({ years, ...terms }: AgreedTerms): ProviderTerms {
  return { ...terms, period: periods[years] }
}

const stateOf = (row: RenewalRow, templates: Settings['renewalTemplates']): ProviderRenewal => ({
  renewal: row.id,
  number: renewalNumber(row.id),
  customer: row.person.customer,
  renews: row.signature.providerId,
  state: row.state,
  identity: row.identity,
  terms: row.terms && termsOf(row.terms),
  termsSha256: row.termsSha256,
  template: (row.terms && templates[periods[row.terms.years]]) ?? null,
  agreement: row.agreement && { sha256: row.agreement.sha256, bytes: row.agreement.bytes },
  signed: row.signed && { sha256: row.signed.sha256, bytes: row.signed.bytes },
  signedAt: row.signedAt?.toISOString() ?? null,
  issued: row.issued?.providerId ?? null,
  openedAt: row.openedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
