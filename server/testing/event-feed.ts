import { listEvents, type ProviderEvent } from '../../contract/events.ts'
import { putWebhook } from '../../contract/webhooks.ts'
import type { TestPortal } from './portal-nodes.ts'
import { openBrowser } from './browser.ts'

/** The feed from a place on, to its end, a page at a time. */
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

/** Where the feed ends now. */
export const endOfFeed = async (portal: TestPortal): Promise<number> => (await readFeed(portal)).at(-1)?.position ?? 0

/** A webhook of its own that leads to a receiver; its secret is told once. */
export async function giveWebhook(portal: TestPortal, url: string, types: ProviderEvent['type'][] | null = null) {
  const webhook = `w-${crypto.randomUUID()}`
  const { status, body, problem } = await openBrowser(portal).call(putWebhook, {
    params: { webhook },
    body: { url, types },
  })
  if (status !== 200) throw new Error(JSON.stringify(problem))
  return { webhook, secret: body.secret! }
}
