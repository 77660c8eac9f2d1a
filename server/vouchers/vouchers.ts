import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { listVoucherCases, readVoucherLimit, redeemVoucher } from '../../contract/vouchers.ts'
import { drawCaseNumber } from '../access-code.ts'
import { record } from '../audit.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import {
  acceptCode,
  enterCodeOfProvider,
  refusedCode,
  secondsUntilCodes,
  spendCodeOfProvider,
} from '../voucher-codes.ts'
import { tellOfCase } from '../voucher-mails.ts'
import { findCaseOfCode, listCases, openCase } from './voucher-queries.ts'

/** Vouchers and the cases that they open (VCH-1 … VCH-4). */
export function serveVouchers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, redeemVoucher, async ({ body, session: { accountId }, address }) => {
    const by = { accountId, address }
    const code = await enterCodeOfProvider(portal, by, body.code)
    const redeemed = await db.transaction().execute(async (tx) => {
      if (code.kind === 'renewal') {
        await acceptCode(tx, portal, by)
        return { kind: code.kind }
      }
      if (await spendCodeOfProvider(tx, code.id)) {
        const number = drawCaseNumber()
        const opened = await openCase(tx, { code: code.id, owner: accountId, number })
        await tellOfCase(tx, portal, { ...opened, number, news: 'opened', note: null })
        await record(tx, {
          act: 'voucher-redeemed',
          accountId,
          actor: 'customer',
          address,
          details: { voucher: code.id, voucherCase: opened.id },
        })
      }
      // Whoever else was first has the case, and nobody else gets to know of it.
      const found = await findCaseOfCode(tx, keys, accountId, code.id)
      if (found) await acceptCode(tx, portal, by)
      return found && { kind: code.kind, case: found }
    })
    if (!redeemed) throw await refusedCode(portal, by)
    return redeemed
  })

  serve(app, portal, readVoucherLimit, async ({ session: { accountId, now }, address }) => {
    const seconds = await secondsUntilCodes(portal, { accountId, address })
    return { blockedUntil: seconds ? new Date(now.getTime() + seconds * 1000).toISOString() : null }
  })

  serve(app, portal, listVoucherCases, async ({ query, session: { accountId } }) => {
    const size = Number(query.size ?? limits.list.size)
    const { status } = query
    const list = `voucher cases ${status ?? 'all'}`
    const [createdAt, id] = query.cursor === undefined ? [] : readCursor(keys, list, accountId, query.cursor)
    const after = id === undefined ? undefined : { createdAt: String(createdAt), id: String(id) }
    const { items, next } = await listCases(db, keys, accountId, { after, size, status })
    return { items, next: next ? makeCursor(keys, list, accountId, [next.createdAt, next.id]) : null }
  })
}
