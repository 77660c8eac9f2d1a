import * as calls from '../../contract/provider/events.ts'
import { limits } from '../../contract/limits.ts'
import { eventOf, assignPositions } from '../platform/audit/provider-events-feed.ts'
import { handler } from '../platform/http/http.ts'
import { eventsAfter, feedEnds } from './provider-event-store.ts'

/** The feed that the provider's systems read at their own pace (OPS-4). */
export const listEvents = handler(calls.listEvents, async ({ query, fail }, { db }) => {
  await assignPositions(db)
  const rows = await eventsAfter(db, Number(query.after ?? 0), Number(query.limit ?? limits.events.usual))
  // Read after the rows, so that a reader notices events that were removed meanwhile.
  const { first, last } = await feedEnds(db)
  const after = Number(query.after ?? first - 1)
  if (after < first - 1 || after > last) throw fail('cursor-refused')
  return { items: rows.map(eventOf), next: Number(rows.at(-1)?.position ?? after) }
})
