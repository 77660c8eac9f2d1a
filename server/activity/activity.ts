import * as calls from '../../contract/activity.ts'
import type { ActivityFilters } from '../../contract/activity.ts'
import { limits } from '../../contract/limits.ts'
import { handler } from '../platform/http/http.ts'
import { activityCsv, activityJson } from './activity-file.ts'
import { readRows } from './activity-rows.ts'
import { activityOf } from './activity-store.ts'

// AUT-9: the customer's own part of the audit trail, by page and as a file (DAT-6).

const listOf = ({ kind, from = '', to = '' }: ActivityFilters) => `activity ${kind ?? 'all'} ${from} ${to}`

export const listActivity = handler(calls.listActivity, async ({ query, session: { accountId }, page }, portal) => {
  const { cursor, size: requested, ...filters } = query
  const size = Number(requested ?? limits.list.size)
  const { rows, next } = await page(
    { list: listOf(filters), cursor, size },
    (after: { id: string } | undefined) =>
      readRows((before, most) => activityOf(portal, accountId, filters, { before, size: most }), after?.id, size + 1),
    ({ oldest }) => ({ id: oldest }),
  )
  return { items: rows.map(({ oldest: _, ...row }) => row), next }
})

export const exportActivity = handler(
  calls.exportActivity,
  async ({ query: { format, locale, ...filters }, session, limit, transaction }, portal) => {
    const { accountId } = session
    await limit('too-many-attempts', ['activity-exports', accountId])
    const entries = await activityOf(portal, accountId, filters, { before: undefined, size: limits.activity.exported })
    const content = Buffer.from((format === 'csv' ? activityCsv : activityJson)(locale, entries))
    await transaction((tx, audit) => audit('activity-exported', { format }))
    return {
      name: `${locale === 'pl' ? 'historia-aktywnosci' : 'activity-history'}.${format}`,
      type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
      bytes: content.length,
      content,
    }
  },
)
