import type { Given } from '../../contract/endpoint.ts'
import * as calls from '../../contract/seals.ts'
import type { Seal } from '../../contract/seals.ts'
import { isBeingStopped } from '../../contract/signatures-and-seals.ts'
import { changesOf } from '../../contract/status-requests.ts'
import { inactiveReasonOf } from '../certificates/certificate-conditions.ts'
import { certificateDetails, certificateFile, downloadAgreement } from '../certificates/certificate-files.ts'
import { readActivation, startActivation } from '../pairing/app-activation.ts'
import { confirmPairingCode } from '../pairing/app-pairing.ts'
import { findPairing, type Paired } from '../pairing/pairing-store.ts'
import { isoInstant } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import { listInvitations } from './seal-invitations.ts'
import {
  findSeal,
  findSealAgreement,
  findSealCertificate,
  listSealOrganisations,
  listSealPage,
  summariseOwnSeals,
  type SealPosition,
  type SealRow,
} from './seal-store.ts'

export const listSeals = handler(
  calls.listSeals,
  async ({ query, session: { accountId, now }, page }, { db, keys }) => {
    const { cursor, size: asked, ...filters } = query
    const { rows, next } = await page(
      { list: 'seals', cursor, size: asked },
      (after: SealPosition | undefined, size) => listSealPage(db, accountId, now, { ...filters, size, after }),
      ({ rank, sortKey, id }) => ({ rank, sortKey, id }),
    )
    return {
      items: rows.map((row) => sealOf(row, now)),
      next,
      organisations: await listSealOrganisations(db, accountId),
      invitations: await listInvitations(db, keys, accountId),
    }
  },
)

export const summariseSeals = handler(calls.summariseSeals, async ({ session: { accountId, now } }, { db, keys }) => {
  const { active, inactive, attention, nearest, begins } = await summariseOwnSeals(db, accountId, now)
  return {
    active,
    inactive,
    invitations: await listInvitations(db, keys, accountId),
    attention: attention.map((row) => sealOf(row, now)),
    nearestEnd: nearest ? sealOf(nearest, now) : null,
    begins,
  }
})

export const readSealCertificate = handler(calls.readSealCertificate, async ({ params, session, orNotFound }, { db }) =>
  certificateDetails(orNotFound(await findSealCertificate(db, session.accountId, params.id))),
)

export const downloadSealCertificate = handler(
  calls.downloadSealCertificate,
  async ({ params: { id, format }, session, transaction, orNotFound }, { db }) => {
    const files = orNotFound(await findSealCertificate(db, session.accountId, id))
    await transaction((tx, audit) => audit('certificate-downloaded', { seal: id, format }))
    return certificateFile(files, format)
  },
)

export const downloadSealAgreement = handler(
  calls.downloadSealAgreement,
  async ({ params, session: { accountId }, address, orFail, orNotFound }, portal) => {
    const agreement = orNotFound(await findSealAgreement(portal.db, accountId, params.id))
    const by = { accountId, address, details: { seal: params.id } }
    return orFail(await downloadAgreement(portal, agreement, by))
  },
)

const pairedWith = ({ membership }: SealRow): Paired => ({ kind: 'seal-user', id: membership })
const productName = { pl: 'pieczęć', en: 'seal' }

export const startSealPairing = handler(
  calls.startSealPairing,
  ({ params, session, fail, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const row = orNotFound(await findSeal(tx, session.accountId, params.id))
      if (!sealOf(row, session.now).canPair) throw fail('pairing-not-possible')
      const showing = {
        paired: pairedWith(row),
        details: { seal: row.id, user: row.membership },
        label: {
          person: `${session.firstName} ${session.surname}`,
          product: `${productName[session.locale]} ${row.organisation}`,
        },
      }
      return orNotFound(await startActivation(portal, { tx, audit, now: session.now, ...showing }))
    }),
)

export const readSealPairing = handler(calls.readSealPairing, async ({ params, session, orNotFound }, { db }) => {
  const row = orNotFound(await findSeal(db, session.accountId, params.id))
  return readActivation(db, pairedWith(row))
})

export const confirmSealPairing = handler(
  calls.confirmSealPairing,
  async ({ params, body, session, fail, orFail, transaction, orNotFound }, portal) => {
    const row = orNotFound(await findSeal(portal.db, session.accountId, params.id))
    const pairing = sealOf(row, session.now).canPair ? await findPairing(portal.db, pairedWith(row)) : undefined
    if (!pairing) throw fail('pairing-not-possible')
    const details = { seal: row.id, user: row.membership }
    const paired = pairedWith(row)
    orFail(
      await confirmPairingCode(portal, { code: body.code, now: session.now, transaction, paired, pairing, details }),
    )
    return sealOf(orNotFound(await findSeal(portal.db, session.accountId, row.id)), session.now)
  },
)

function sealOf(row: SealRow, now: Date): Given<typeof Seal> {
  const { id, product, name, period, psd2, role, administrators, hasRemovedUsers } = row
  const reason = inactiveReasonOf(row, now)
  const request = row.request && { ...row.request, deadline: isoInstant(row.request.deadline) }
  return {
    id,
    product,
    name,
    organisation: { name: row.organisation, identifier: row.organisationIdentifier },
    period,
    validFrom: row.validFrom,
    validTo: row.validTo,
    status: reason ? 'inactive' : 'active',
    reason,
    changes: role === 'admin' ? changesOf({ ...row, request, hasEnded: now >= row.validTo }) : [],
    request,
    agreement: row.hasAgreement ? 'ready' : 'generating',
    canPair: product === 'app' && !reason && !isBeingStopped(row),
    pairedAt: row.pairedAt,
    psd2,
    role,
    administrators,
    hasRemovedUsers,
  }
}
