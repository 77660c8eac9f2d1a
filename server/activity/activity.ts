import type { FastifyInstance } from 'fastify'
import { exportActivity, listActivity, type ActivityWish } from '../../contract/activity.ts'
import { limits } from '../../contract/limits.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { activityCsv, activityJson } from './activity-file.ts'
import { activityOf } from './activity-queries.ts'

const exports: Budget = { name: 'activity-exports', ...limits.activity.exports }

/** AUT-9: the customer's own part of the audit trail, by page and as a file (DAT-6). */
export function serveActivity(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  const listOf = ({ kind, from = '', to = '' }: ActivityWish) => `activity ${kind ?? 'all'} ${from} ${to}`

  serve(app, portal, listActivity, async ({ query: { cursor, size: wanted, ...wish }, session: { accountId } }) => {
    const size = Number(wanted ?? limits.list.size)
    const [before] = cursor === undefined ? [] : readCursor(keys, listOf(wish), accountId, cursor)
    const rows = await activityOf(db, accountId, wish, {
      before: before === undefined ? undefined : String(before),
      size: size + 1,
    })
    const items = rows.slice(0, size)
    const last = items.at(-1)
    return { items, next: rows.length > size && last ? makeCursor(keys, listOf(wish), accountId, [last.id]) : null }
  })

  serve(app, portal, exportActivity, async ({ query: { format, locale, ...wish }, session, address, fail }) => {
    const { accountId } = session
    const paid = await spend(db, keys, exports, accountId)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
    const entries = await activityOf(db, accountId, wish, { before: undefined, size: limits.activity.exported })
    const content = Buffer.from((format === 'csv' ? activityCsv : activityJson)(locale, entries))
    await db
      .transaction()
      .execute((tx) =>
        record(tx, { act: 'activity-exported', accountId, actor: 'customer', address, details: { format } }),
      )
    return {
      name: `${locale === 'pl' ? 'historia-aktywnosci' : 'activity-history'}.${format}`,
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
      bytes: content.length,
      content,
    }
  })
}
