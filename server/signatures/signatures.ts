import { isBeingStopped } from '../../contract/signatures-and-seals.ts'
import * as calls from '../../contract/signatures.ts'
import type { Signature } from '../../contract/signatures.ts'
import { changesOf } from '../../contract/status-requests.ts'
import { inactiveReasonOf } from '../certificates/certificate-conditions.ts'
import { certificateDetails, certificateFile, downloadAgreement } from '../certificates/certificate-files.ts'
import { readActivation, startActivation } from '../pairing/app-activation.ts'
import { confirmPairingCode } from '../pairing/app-pairing.ts'
import { findPairing, type Paired } from '../pairing/pairing-store.ts'
import { handler } from '../platform/http/http.ts'
import {
  findAgreement,
  findCertificate,
  findOwnSignature,
  listOrganisations,
  listPage,
  summariseOwnSignatures,
  type Position,
  type SignatureRow,
} from './signature-store.ts'

export const listSignatures = handler(
  calls.listSignatures,
  async ({ query, session: { accountId, now }, page }, { db, keys }) => {
    const sort = query.sort ?? 'urgency'
    const { cursor, size: asked, ...filters } = query
    const { rows, next } = await page(
      { list: `signatures ${sort}`, cursor, size: asked },
      (after: Position | undefined, size) => listPage(db, keys, accountId, now, { ...filters, sort, size, after }),
      ({ rank, sortKey, id }) => ({ rank, sortKey, id }),
    )
    return { items: signaturesOf(rows, now), next, organisations: await listOrganisations(db, accountId) }
  },
)

export const summariseSignatures = handler(
  calls.summariseSignatures,
  async ({ session: { accountId, now } }, { db, keys }) => {
    const { active, inactive, attention, further, nearest, begins } = await summariseOwnSignatures(
      db,
      keys,
      accountId,
      now,
    )
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

export const readSignatureCertificate = handler(
  calls.readSignatureCertificate,
  async ({ params, session, orNotFound }, { db, keys }) => {
    const row = orNotFound(await findOwnSignature(db, keys, session.accountId, params.id))
    const files = orNotFound(await findCertificate(db, keys, session.accountId, params.id))
    return { signature: signatureOf(row, session.now), ...certificateDetails(files) }
  },
)

export const downloadSignatureCertificate = handler(
  calls.downloadSignatureCertificate,
  async ({ params: { id, format }, session, transaction, orNotFound }, { db, keys }) => {
    const files = orNotFound(await findCertificate(db, keys, session.accountId, id))
    await transaction((tx, audit) => audit('certificate-downloaded', { signature: id, format }))
    return certificateFile(files, format)
  },
)

export const downloadSignatureAgreement = handler(
  calls.downloadSignatureAgreement,
  async ({ params, session: { accountId }, address, orFail, orNotFound }, portal) => {
    const agreement = orNotFound(await findAgreement(portal.db, accountId, params.id))
    const by = { accountId, address, details: { signature: params.id } }
    return orFail(await downloadAgreement(portal, agreement, by))
  },
)

export const signatureOf = (row: SignatureRow, now: Date): Signature => signatureAt(row, now.toISOString())

function signaturesOf(rows: SignatureRow[], now: Date): Signature[] {
  const instant = now.toISOString()
  return rows.map((row) => signatureAt(row, instant))
}

function signatureAt(row: SignatureRow, now: string): Signature {
  const reason = inactiveReasonOf(row, now)
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
    canPair: row.product === 'app' && !reason && !isBeingStopped(row),
    pairedAt: row.pairedAt,
    renewal: row.renewal,
    renewedFrom: row.renewedFrom,
  }
}

// Pairing of a signing app with a signature (SIG-3).

const pairedWith = (id: string): Paired => ({ kind: 'signature', id })
const productName = { pl: 'podpis', en: 'signature' }

export const startSignaturePairing = handler(
  calls.startSignaturePairing,
  ({ params, session, fail, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const row = orNotFound(await findOwnSignature(tx, portal.keys, session.accountId, params.id))
      if (!signatureOf(row, session.now).canPair) throw fail('pairing-not-possible')
      const showing = {
        paired: pairedWith(row.id),
        details: { signature: row.id },
        label: { person: row.name, product: productName[session.locale] },
      }
      return orNotFound(await startActivation(portal, { tx, audit, now: session.now, ...showing }))
    }),
)

export const readSignaturePairing = handler(
  calls.readSignaturePairing,
  async ({ params, session, orNotFound }, { db, keys }) => {
    const row = orNotFound(await findOwnSignature(db, keys, session.accountId, params.id))
    return readActivation(db, pairedWith(row.id))
  },
)

export const confirmSignaturePairing = handler(
  calls.confirmSignaturePairing,
  async ({ params, body, session, fail, orFail, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findOwnSignature(portal.db, portal.keys, session.accountId, params.id))
    const paired = pairedWith(row.id)
    const pairing = signatureOf(row, session.now).canPair ? await findPairing(portal.db, paired) : undefined
    if (!pairing) throw fail('pairing-not-possible')
    const details = { signature: row.id }
    orFail(
      await confirmPairingCode(portal, { code: body.code, now: session.now, transaction, paired, pairing, details }),
    )
    return signatureOf(
      orNotFound(await findOwnSignature(portal.db, portal.keys, session.accountId, row.id)),
      session.now,
    )
  },
)
