import type { FastifyInstance } from 'fastify'
import { listEvents } from '../../contract/events.ts'
import { limits } from '../../contract/limits.ts'
import { eventOf, placeEvents } from '../events.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { eventsAfter, feedEnds } from './provider-event-queries.ts'

/** The feed that the provider's systems read at their own pace (OPS-4). */
export function serveProviderEvents(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, listEvents, async ({ query, fail }) => {
    await placeEvents(db)
    const rows = await eventsAfter(db, Number(query.after ?? 0), Number(query.limit ?? limits.events.usual))
    // After the rows: what is removed between the two is missed by nobody unnoticed.
    const { first, last } = await feedEnds(db)
    const after = Number(query.after ?? first - 1)
    if (after < first - 1 || after > last) throw fail('cursor-refused')
    return { items: rows.map(eventOf), next: Number(rows.at(-1)?.position ?? after) }
  })
}
