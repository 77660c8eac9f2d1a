import type { FastifyInstance } from 'fastify'
import { caseStatusOf } from '../../contract/case-status.ts'
import { limits } from '../../contract/limits.ts'
import {
  getProviderCase,
  getVoucherCode,
  listProviderCases,
  putCaseStatus,
  putVoucherCodes,
  type ProviderCaseState,
} from '../../contract/provider-vouchers.ts'
import { raiseAlarm } from '../alarms.ts'
import { record } from '../audit.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { tellOfCase } from '../voucher-mails.ts'
import { findCase, findCodes, listCases, moveCase, storeCodes, type CaseRow } from './provider-voucher-queries.ts'

/** Codes to be sold, and the cases that they open, as the provider makes and follows them (OPS-4). */
export function serveProviderVouchers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, putVoucherCodes, ({ body, client, address }) =>
    db.transaction().execute(async (tx) => {
      await storeCodes(tx, keys, body.codes)
      const ids = body.codes.map(({ id }) => id)
      const codes = await findCodes(tx, keys, ids)
      await record(tx, {
        act: 'voucher-codes-stored',
        accountId: null,
        actor: 'provider',
        address,
        details: { client: client.id, codes: codes.length },
      })
      const known = new Set(codes.map(({ id }) => id))
      return { codes, unknown: ids.filter((id) => !known.has(id)) }
    }),
  )

  serve(app, portal, getVoucherCode, async ({ params, fail }) => {
    const [code] = await findCodes(db, keys, [params.code])
    if (!code) throw fail('not-found')
    return code
  })

  serve(app, portal, listProviderCases, async ({ query: { status, known, cursor }, client }) => {
    const size = limits.list.sizes[2]
    const list = `provider voucher cases ${status ?? 'all'} ${known ?? 'all'}`
    const [after] = cursor === undefined ? [] : readCursor(keys, list, client.id, cursor)
    const rows = await listCases(db, {
      status,
      known: known === undefined ? undefined : known === 'true',
      after: after === undefined ? undefined : String(after),
      size,
    })
    const last = rows[size - 1]
    const next = rows.length > size && last ? makeCursor(keys, list, client.id, [last.id]) : null
    return { items: rows.slice(0, size).map(stateOf), next }
  })

  serve(app, portal, getProviderCase, async ({ params, fail }) => {
    const row = await findCase(db, params.case)
    if (!row) throw fail('not-found')
    return stateOf(row)
  })

  serve(app, portal, putCaseStatus, async ({ params, body, client, address, fail }) => {
    const known = caseStatusOf(body.status)
    const status = known ?? 'in-progress'
    const { row, isMoved } = await db.transaction().execute(async (tx) => {
      const moved = await moveCase(tx, params.case, { status, known: known !== undefined, report: body })
      if (moved) {
        const { id, owner, was, ...told } = moved
        if (status !== was && status !== 'in-progress') await tellOfCase(tx, portal, { ...told, news: status })
        await record(tx, {
          act: 'voucher-case-moved',
          accountId: owner,
          actor: 'provider',
          address,
          details: { client: client.id, voucherCase: id, status, known: known !== undefined },
        })
      }
      return { row: await findCase(tx, params.case), isMoved: moved !== undefined }
    })
    if (!row) throw fail('not-found')
    if (isMoved && known === undefined) raiseAlarm(portal, { name: 'case-status-unknown', about: client.name })
    return stateOf(row)
  })
}

const stateOf = ({ id: _, ...row }: CaseRow): ProviderCaseState => ({
  ...row,
  at: row.at?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
