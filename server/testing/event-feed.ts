import { listEvents, type ProviderEvent } from '../../contract/provider/events.ts'
import { putWebhook } from '../../contract/provider/webhooks.ts'
import type { TestPortal } from './portal-nodes.ts'
import { bodyOf, openBrowser } from './browser.ts'

/** Reads the feed from a position to its end, page by page. */
export async function readFeed(portal: TestPortal, after = 0, node = 0): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = []
  for (let next = after; ;) {
    const query = { after: String(next), limit: '500' }
    const page = bodyOf(await openBrowser(portal, { node }).call(listEvents, { query }))
    if (!page.items.length) return events
    events.push(...page.items)
    next = page.next
  }
}

/** The last position of the feed. */
export const endOfFeed = async (portal: TestPortal): Promise<number> => (await readFeed(portal)).at(-1)?.position ?? 0

/** A new webhook to a receiver, with its secret. */
export async function giveWebhook(portal: TestPortal, url: string, types: ProviderEvent['type'][] | null = null) {
  const webhook = `w-${crypto.randomUUID()}`
  const { secret } = bodyOf(await openBrowser(portal).call(putWebhook, { params: { webhook }, body: { url, types } }))
  return { webhook, secret: secret! }
}
