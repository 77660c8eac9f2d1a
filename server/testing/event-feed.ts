import { listEvents, type ProviderEvent } from '../../contract/provider/events.ts'
import { putWebhook } from '../../contract/provider/webhooks.ts'
import type { TestPortal } from './portal-nodes.ts'
import { openBrowser } from './browser.ts'

/** Reads the feed from a position to its end, page by page. */
export async function readFeed(portal: TestPortal, after = 0, node = 0): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = []
  for (let next = after; ;) {
    const { status, body, problem } = await openBrowser(portal, { node }).call(listEvents, {
      query: { after: String(next), limit: '500' },
    })
    if (status !== 200) throw new Error(JSON.stringify(problem))
    if (!body.items.length) return events
    events.push(...body.items)
    next = body.next
  }
}

/** The last position of the feed. */
export const endOfFeed = async (portal: TestPortal): Promise<number> => (await readFeed(portal)).at(-1)?.position ?? 0

/** A new webhook to a receiver, with its secret. */
export async function giveWebhook(portal: TestPortal, url: string, types: ProviderEvent['type'][] | null = null) {
  const webhook = `w-${crypto.randomUUID()}`
  const { status, body, problem } = await openBrowser(portal).call(putWebhook, {
    params: { webhook },
    body: { url, types },
  })
  if (status !== 200) throw new Error(JSON.stringify(problem))
  return { webhook, secret: body.secret! }
}
