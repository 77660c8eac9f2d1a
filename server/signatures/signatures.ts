import * as calls from '../../contract/signatures.ts'
import type { Signature } from '../../contract/signatures.ts'
import { isBeingStopped } from '../../contract/rules/being-stopped.ts'
import { changesOf } from '../../contract/rules/status-changes.ts'
import { limits } from '../../contract/limits.ts'
import { reasonOf } from '../platform/files/certificate-conditions.ts'
import { certificateDetails, certificateFile } from '../platform/files/certificate-files.ts'
import { downloadedAgreement } from '../platform/http/agreement-download.ts'
import { handler } from '../platform/http/http.ts'
import {
  findAgreement,
  findCertificate,
  findSignature,
  listOrganisations,
  listPage,
  summarise,
  type Position,
  type SignatureRow,
} from './signature-store.ts'

export const listSignatures = handler(
  calls.listSignatures,
  async ({ query, session: { accountId, now }, page }, { db, keys }) => {
    const size = Number(query.size ?? limits.list.size)
    const sort = query.sort ?? 'urgency'
    const { cursor, ...filters } = query
    const { rows, next } = await page(
      { list: `signatures ${sort}`, cursor, size },
      (after: Position | undefined) => listPage(db, keys, accountId, now, { ...filters, sort, size, after }),
      ({ rank, sortKey, id }) => ({ rank, sortKey, id }),
    )
    return { items: signaturesOf(rows, now), next, organisations: await listOrganisations(db, accountId) }
  },
)

export const summariseSignatures = handler(
  calls.summariseSignatures,
  async ({ session: { accountId, now } }, { db, keys }) => {
    const { active, inactive, attention, further, nearest, begins } = await summarise(db, keys, accountId, now)
    return {
      active,
      inactive,
      attention: signaturesOf(attention, now),
      further,
      nearestEnd: nearest ? signatureOf(nearest, now) : null,
      begins,
    }
  },
)

export const readCertificate = handler(calls.readCertificate, async ({ params, session, found }, { db, keys }) => {
  const row = found(await findSignature(db, keys, session.accountId, params.id))
  const files = found(await findCertificate(db, keys, session.accountId, params.id))
  return { signature: signatureOf(row, session.now), ...certificateDetails(files) }
})

export const downloadCertificate = handler(
  calls.downloadCertificate,
  async ({ params: { id, format }, session, transaction, found }, { db, keys }) => {
    const files = found(await findCertificate(db, keys, session.accountId, id))
    await transaction((tx, audit) => audit('certificate-downloaded', { signature: id, format }))
    return certificateFile(files, format)
  },
)

export const downloadAgreement = handler(
  calls.downloadAgreement,
  async ({ params, session: { accountId }, address }, portal) =>
    downloadedAgreement(portal, await findAgreement(portal.db, accountId, params.id), {
      accountId,
      address,
      details: { signature: params.id },
    }),
)

export const signatureOf = (row: SignatureRow, now: Date): Signature => signatureAt(row, now.toISOString())

function signaturesOf(rows: SignatureRow[], now: Date): Signature[] {
  const instant = now.toISOString()
  return rows.map((row) => signatureAt(row, instant))
}

/** A signature as the customer sees it. */
function signatureAt(row: SignatureRow, now: string): Signature {
  const reason = reasonOf(row, now)
  return {
    id: row.id,
    product: row.product,
    name: row.name,
    organisation: row.organisation,
    identifier: { type: row.identifierType, country: row.identifierCountry, value: row.identifierValue },
    period: row.period,
    validFrom: row.validFrom,
    validTo: row.validTo,
    status: reason ? 'inactive' : 'active',
    reason,
    changes: row.phoneLost ? [] : changesOf({ ...row, hasEnded: now >= row.validTo }),
    request: row.request,
    agreement: row.hasAgreement ? 'ready' : 'generating',
    pairable: row.product === 'app' && !reason && !isBeingStopped(row),
    pairedAt: row.pairedAt,
    renewal: row.renewal,
    renewedFrom: row.renewedFrom,
  }
}
