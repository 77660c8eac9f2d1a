import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { listAuditEntries } from '../../contract/provider/audit-trail.ts'
import { endOfTrail, entriesAfter, hasNews, numberOf, positionAt, startOfTrail } from '../platform/audit/audit-list.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'

/** The audit trail for the provider's own systems, such as a SIEM (OPS-20). */
export function serveProviderAudit(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, listAuditEntries, async ({ query, fail, transaction }) => {
    const { after: given, limit, ...filters } = query
    const size = Number(limit ?? limits.audit.usual)
    const position = given ?? startOfTrail
    const { end, isComplete } = await endOfTrail(db)
    const after = await numberOf(db, position)
    if (after === undefined) throw fail('position-unknown')
    // The same question again, a moment later.
    if (!isComplete) return { items: [], next: position }
    const items = await entriesAfter(db, filters, { after, end, size })
    const next = await positionAt(db, items.length < size ? end : items.at(-1)!.position)
    const about = filters.account ?? null
    if (hasNews(items))
      await transaction((_, audit) => audit('data-read', { read: 'audit', found: items.length }, about))
    return { items: items.map(({ cursor: _, ...entry }) => entry), next }
  })
}
