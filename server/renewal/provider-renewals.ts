import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Given } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/provider-renewals.ts'
import type { ProviderRenewal, ProviderTerms, Judgement } from '../../contract/provider/provider-renewals.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import { commonName } from '../../contract/rules/renewal-rules.ts'
import { readCertificate, type CertificateContent } from '../../pki/asn1/certificate.ts'
import { wholeSeconds } from '../../pki/asn1/der.ts'
import type { Refusal } from '../platform/api-error.ts'
import { type Tx, query } from '../platform/database/database.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { readUpload } from '../platform/files/stored-pdfs.ts'
import { handler, type BoundAudit } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { removeUnlessStored } from './agreement-delivery.ts'
import { makeProviderMove, moveForProvider, moveRenewal, type ProviderMove } from './renewal-moves.ts'
import { findAnyRenewal, listRenewalsAfter, type AgreedTerms, type RenewalRow } from './renewal-store.ts'
import { isOpenState } from './renewal-view.ts'

// The provider's calls for renewals: it judges identity documents, makes agreements and issues certificates. A repeated call takes
// effect once and a late one not at all (R55, R60). Every answer is the current state, from which the provider continues.

const shown = ({ settings }: Portal, row: RenewalRow) => stateOf(row, settings.renewalTemplates)

export const listProviderRenewals = handler(
  calls.listProviderRenewals,
  async ({ query: { task, cursor }, pageById }, portal) => {
    const { rows, next } = await pageById({ list: `renewals ${task ?? 'all'}`, cursor }, (at) =>
      listRenewalsAfter(portal.db, portal.keys, { task, ...at }),
    )
    return { items: rows.map((row) => shown(portal, row)), next }
  },
)

export const getProviderRenewal = handler(calls.getProviderRenewal, async ({ params, orNotFound }, portal) =>
  shown(portal, orNotFound(await findAnyRenewal(portal.db, portal.keys, params.renewal))),
)

/** Checks whether the judged document is still the one that is entered: the customer may have entered another one since it was checked. */
export const isCurrentDocument = ({ identity }: RenewalRow, { document }: z.infer<typeof Judgement>): boolean =>
  JSON.stringify(identity?.document) === JSON.stringify(document)

/**
 * Applies the provider's judgement of the identity document in a renewal (REN-6), by its own system or at the desk. A repeated one takes
 * effect once and a late one not at all (R55, R60).
 */
export async function judgeDocument(
  tx: Tx,
  portal: Portal,
  row: RenewalRow,
  judgement: z.infer<typeof Judgement>,
  audit: BoundAudit,
): Promise<Refusal<'state-passed'> | undefined> {
  const move = judgementMove(row, judgement)
  return !move || 'refused' in move ? move : makeProviderMove(tx, portal, row, move, audit)
}

/** Returns the move that a judgement makes, or why it comes too late; none if it was made before. */
function judgementMove(
  row: RenewalRow,
  judgement: z.infer<typeof Judgement>,
): ProviderMove | Refusal<'state-passed'> | undefined {
  const { verdict } = judgement
  const isSameDocument = isCurrentDocument(row, judgement)
  if (isSameDocument && row.identity?.state === verdict) return undefined
  if (!isSameDocument || row.identity?.state !== 'asked' || !isOpenState(row.state))
    return { refused: 'state-passed', data: { current: row.state } }
  return {
    to: row.state,
    changes: { identityState: verdict },
    action: 'renewal-document-judged',
    details: { verdict },
    news: verdict === 'confirmed' ? 'document-confirmed' : 'document-refused',
  }
}

export const judgeIdentity = handler(calls.judgeIdentity, async (call, portal) =>
  shown(portal, await moveForProvider(portal, call, async (row) => call.orFail(judgementMove(row, call.body)))),
)

export const putRenewalAgreement = handler(
  calls.putRenewalAgreement,
  async ({ params, upload, fail, transaction, orNotFound }, portal) => {
    const before = orNotFound(await findAnyRenewal(portal.db, portal.keys, params.renewal))
    const fits = (row: RenewalRow) => row.state === 'signing' && row.termsSha256 === params.terms
    if (!fits(before)) throw fail('state-passed', { current: before.state })
    const pdf = await readUpload(portal, upload)
    const key = `agreements/${crypto.randomUUID()}`
    const stored = await portal.ports.documents.write(key, Readable.from([pdf]), limits.http.pdfBytes)
    const dropped = await transaction(async (tx, audit) => {
      const row = orNotFound(await findAnyRenewal(tx, portal.keys, params.renewal))
      // The same file again: the stored one stays, because it may be being signed.
      if (row.termsSha256 === params.terms && row.agreement?.sha256 === stored.sha256) return key
      const agreement = { agreementKey: key, agreementBytes: stored.bytes, agreementSha256: stored.sha256 }
      if (!fits(row) || !(await moveRenewal(tx, row, 'signing', agreement)))
        throw fail('state-passed', { current: row.state })
      const details = {
        renewal: row.id,
        terms: params.terms,
        agreement: stored.sha256,
        ...(row.agreement && { was: row.agreement.sha256 }),
      }
      await audit('renewal-agreement-stored', details, row.accountId)
      return row.agreement?.key
    }).catch(async (error: unknown) => {
      await removeUnlessStored(portal, params.renewal, key)
      throw error
    })
    if (dropped) await portal.ports.documents.remove(dropped)
    return shown(portal, orNotFound(await findAnyRenewal(portal.db, portal.keys, params.renewal)))
  },
)

export const downloadSignedAgreement = handler(
  calls.downloadSignedAgreement,
  async ({ params, fail, orNotFound, isAbout }, { db, keys, ports }) => {
    const { signed, accountId } = orNotFound(await findAnyRenewal(db, keys, params.renewal))
    isAbout(accountId)
    const file = signed && (await ports.documents.read(signed.key))
    if (!file) throw fail('document-not-ready')
    return { name: 'agreement.pdf', type: 'application/pdf', ...file }
  },
)

type Issued = { id: string; status: string; product: string; certificate: CertificateContent }

/** Finds the owner's signature by the provider's id, with its certificate. */
async function findIssued(tx: Tx, keys: Keys, accountId: string, providerId: string): Promise<Issued | undefined> {
  const row = await query(tx).first(sql<Omit<Issued, 'certificate'> & { certificates: Buffer }>`
    select id, status, product, certificates from signatures
    where provider_id = ${providerId} and account_id = ${accountId}`)
  if (!row) return undefined
  const { certificate } = decryptCertificates(keys, row.id, row.certificates)
  return { ...row, certificate: readCertificate(Buffer.from(certificate, 'base64')) }
}

/**
 * Checks whether the certificate contains what the customer has signed, and nothing else (R57). If it was to start at its issuance, or the
 * chosen start has passed, its start must be after the signing and not in the future.
 */
function fitsTerms({ terms, signedAt, now }: RenewalRow, { status, product, certificate }: Issued): boolean {
  if (!terms || !signedAt || status !== 'good' || product !== 'app') return false
  const { subject, from, to } = terms
  const { organisation } = subject
  const expected: Record<string, string | undefined> = {
    C: subject.country,
    O: organisation?.name,
    organizationIdentifier: organisation?.identifier,
    OU: organisation?.unit ?? undefined,
    title: organisation?.position ?? undefined,
    SN: subject.surname,
    GN: subject.givenName,
    serialNumber: subject.serialNumber,
    CN: commonName(subject),
  }
  const issued = Object.fromEntries(certificate.subject.map(({ name, value }) => [name, value]))
  const names = new Set([...Object.keys(expected), ...Object.keys(issued)])
  if ([...names].some((name) => issued[name] !== expected[name])) return false
  if (certificate.notAfter.getTime() !== new Date(to).getTime()) return false
  const begins = certificate.notBefore.getTime()
  if (from !== null && new Date(from) >= signedAt) return begins === new Date(from).getTime()
  return begins >= wholeSeconds(signedAt).getTime() && begins <= now.getTime()
}

export const reportIssued = handler(calls.reportIssued, async (call, portal) => {
  const { body, fail } = call
  const moved = await moveForProvider(portal, call, async (row, tx) => {
    if (row.issued?.providerId === body.signature) return undefined
    if (row.state !== 'signed') throw fail('state-passed', { current: row.state })
    const issued = await findIssued(tx, portal.keys, row.accountId, body.signature)
    if (!issued || issued.id === row.signature.id || !fitsTerms(row, issued)) throw fail('certificate-differs')
    const details = { signature: issued.id }
    return { to: 'issued', changes: { issuedSignature: issued.id }, action: 'renewal-issued', details, news: 'issued' }
  })
  return shown(portal, moved)
})

export const reportNotIssued = handler(calls.reportNotIssued, async (call, portal) => {
  const { body, fail } = call
  const moved = await moveForProvider(portal, call, async (row) => {
    if (row.state === 'failed') return undefined
    if (row.state !== 'signed') throw fail('state-passed', { current: row.state })
    const note = body.note && JSON.stringify(body.note)
    return { to: 'failed', changes: { note }, action: 'renewal-failed', news: 'failed' }
  })
  return shown(portal, moved)
})

/** The period of a renewal, by which the provider knows its certificate templates. */
const periods = { 1: '1_year', 2: '2_year', 3: '3_year' } as const

function termsOf({ years, ...terms }: AgreedTerms): ProviderTerms {
  return { ...terms, period: periods[years] }
}

const stateOf = (row: RenewalRow, templates: Settings['renewalTemplates']): Given<typeof ProviderRenewal> => ({
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
  signedAt: row.signedAt,
  issued: row.issued?.providerId ?? null,
  openedAt: row.openedAt,
  updatedAt: row.updatedAt,
})
