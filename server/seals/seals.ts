import type { FastifyInstance } from 'fastify'
import {
  confirmSealPairing,
  downloadSealAgreement,
  listSeals,
  startSealPairing,
  summariseSeals,
  type Seal,
} from '../../contract/seals.ts'
import { limits } from '../../contract/limits.ts'
import { drawPairing, provePairing } from '../app-pairing.ts'
import { record } from '../audit.ts'
import { downloadedAgreement } from '../agreement-download.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { listInvitations } from './invitation-queries.ts'
import {
  confirmSealStep,
  findSeal,
  findSealAgreement,
  findSealPairing,
  listSealPage,
  storeSealPairing,
  summariseRows,
  type SealRow,
} from './seal-queries.ts'

export function serveSeals(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal
  const list = 'seals'

  serve(app, portal, listSeals, async ({ query, session: { accountId, now } }) => {
    const size = Number(query.size ?? limits.list.size)
    const [rank, place, id] = query.cursor === undefined ? [] : readCursor(keys, list, accountId, query.cursor)
    const after = id === undefined ? undefined : { rank: Number(rank), place: Number(place), id: String(id) }
    const rows = await listSealPage(db, accountId, now, { after, size })
    const last = rows[size - 1]
    return {
      items: rows.slice(0, size).map((row) => sealOf(row, now)),
      next: rows.length > size && last ? makeCursor(keys, list, accountId, [last.rank, last.place, last.id]) : null,
      invitations: await listInvitations(db, keys, accountId),
    }
  })

  serve(app, portal, summariseSeals, async ({ session: { accountId, now } }) => {
    const { active, inactive, attention, nearest } = await summariseRows(db, accountId, now)
    return {
      active,
      inactive,
      invitations: await listInvitations(db, keys, accountId),
      attention: attention.map((row) => sealOf(row, now)),
      nearestEnd: nearest ? sealOf(nearest, now) : null,
    }
  })

  serve(app, portal, downloadSealAgreement, async ({ params, session: { accountId }, address }) =>
    downloadedAgreement(portal, await findSealAgreement(db, accountId, params.id), {
      accountId,
      address,
      details: { seal: params.id },
    }),
  )

  const placeOf = ({ seat }: SealRow) => `seal-pairing ${seat}`

  serve(app, portal, startSealPairing, async ({ params, session, address, tx, fail }) => {
    const row = await findSeal(tx, session.accountId, params.id)
    if (!row) throw fail('not-found')
    if (!sealOf(row, session.now).pairable) throw fail('pairing-not-possible')
    const { sealed, shown } = drawPairing(portal, session, placeOf(row))
    if (!(await storeSealPairing(tx, row.seat, sealed))) throw fail('not-found')
    await record(tx, {
      act: 'pairing-started',
      accountId: session.accountId,
      actor: 'customer',
      address,
      details: { seal: row.id },
    })
    return shown
  })

  serve(app, portal, confirmSealPairing, async ({ params, body, session, address, fail }) => {
    const row = await findSeal(db, session.accountId, params.id)
    if (!row) throw fail('not-found')
    const pairing = sealOf(row, session.now).pairable ? await findSealPairing(db, row.seat) : undefined
    if (!pairing) throw fail('pairing-not-possible')
    await provePairing(portal, {
      code: body.code,
      session,
      address,
      place: placeOf(row),
      counted: row.seat,
      pairing,
      details: { seal: row.id, user: row.seat },
      take: (tx, step) => confirmSealStep(tx, row.seat, pairing.secret, step),
    })
    const paired = await findSeal(db, session.accountId, row.id)
    if (!paired) throw fail('not-found')
    return sealOf(paired, session.now)
  })
}

function sealOf(row: SealRow, now: Date): Seal {
  const { id, product, name, organisation, organisationIdentifier, years, role, administrators, hasRemovedUsers } = row
  const reason = reasonOf(row, now)
  return {
    id,
    product,
    name,
    organisation: { name: organisation, identifier: organisationIdentifier },
    years,
    validFrom: row.validFrom.toISOString(),
    validTo: row.validTo.toISOString(),
    status: reason ? 'inactive' : 'active',
    reason,
    agreement: row.hasAgreement ? 'ready' : 'generating',
    pairable: product === 'app' && !reason,
    pairedAt: row.pairedAt?.toISOString() ?? null,
    role,
    administrators,
    hasRemovedUsers,
  }
}

function reasonOf({ status, validFrom, validTo }: SealRow, now: Date): Seal['reason'] {
  if (status !== 'good') return status
  if (now >= validTo) return 'expired'
  return now < validFrom ? 'not-yet-valid' : null
}
