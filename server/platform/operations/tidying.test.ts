import { expect, test } from 'vitest'
import { openPortal } from '../../testing/open-portal.ts'
import { statements } from '../observability/events.ts'
import { tidyUp } from './tidying.ts'

const portal = await openPortal()

test('OPS-7 cleanup finds what it removes by an index, however much there is', async () => {
  const texts = new Set<string>()
  const stop = statements.follow({ end: ({ text }) => void texts.add(text) })
  await tidyUp(portal.portal)
  stop()
  const plans: string[] = []
  const client = await portal.owner.connect()
  await client.query('set enable_seqscan = off')
  for (const text of texts) {
    if (!/^\s*(?:delete|update|with)\b/.test(text)) continue
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  client.release(true)
  expect(plans.length).toBeGreaterThan(10)
  const read = plans.flatMap((plan) => [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table))
  // The counter of the feed, and the secrets of the provider's webhooks: a few rows.
  expect(new Set(read)).toEqual(new Set(['event_feed', 'webhook_secrets']))
})
