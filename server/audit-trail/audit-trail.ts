import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/audit-trail.ts'
import type { ListedEntry } from '../../contract/provider/audit-trail.ts'
import {
  asLine,
  endOfTrail,
  listEntriesAfter,
  hasNews,
  findNumber,
  readPagesAfter,
  findPositionAt,
  startOfTrail,
} from '../platform/audit/audit-list.ts'
import { findAccountOfCustomer } from '../platform/authentication/account-names.ts'
import { handler } from '../platform/http/http.ts'
import type { ServerFeature } from '../platform/portal.ts'

/** The audit trail for the provider's own systems, such as a SIEM (OPS-20). */
const listAuditEntries = handler(
  calls.listAuditEntries,
  async ({ query, wantsLines, mayContinue, fail, transaction }, { db }) => {
    const { after: given, limit, ...filters } = query
    const position = given ?? startOfTrail
    const { end, isComplete } = await endOfTrail(db)
    const after = await findNumber(db, position)
    if (after === undefined) throw fail('position-unknown')
    const record = async (items: readonly ListedEntry[]) => {
      if (!hasNews(items)) return
      const { account, customer } = filters
      await transaction(async (tx, audit) => {
        const about = account ?? (customer === undefined ? null : await findAccountOfCustomer(tx, customer))
        await audit('data-read', { read: 'audit', found: items.length }, about)
      })
    }
    // While a transaction is open there is nothing yet: the same question again, a moment later.
    if (wantsLines) return readLinesAfter(after, isComplete ? Number(limit ?? limits.audit.maxStreamed) : 0)
    if (!isComplete) return { items: [], next: position }
    const size = Number(limit ?? limits.audit.usualPage)
    const items = await listEntriesAfter(db, filters, { after, end, size })
    const next = await findPositionAt(db, items.length < size ? end : items.at(-1)!.position)
    await record(items)
    return { items: items.map(({ cursor: _, ...entry }) => entry), next }

    async function* readLinesAfter(number: number, most: number) {
      for await (const page of readPagesAfter(db, filters, { after: number, end, maxEntries: most, mayContinue })) {
        await record(page)
        yield page.map(asLine)
      }
    }
  },
)

export const auditTrailFeature: ServerFeature = {
  calls: [listAuditEntries],
}
