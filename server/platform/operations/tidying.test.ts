import { expect, test } from 'vitest'
import { openPortal } from '../../testing/open-portal.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'
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

test('OPS-7 REG-4 an account that is confirmed while the cleanup waits for its row is not removed', async () => {
  const { login } = await addCustomer(portal)
  await portal.owner.query(
    `update accounts set unconfirmed_key = email_key, email_key = null, login_key = null, created_at = portal_now() - interval '1 year' where login = $1`,
    [login],
  )
  await portal.owner.query('delete from links where account_id = (select id from accounts where login = $1)', [login])
  const confirming = await portal.owner.connect()
  await confirming.query('begin')
  await confirming.query(
    'update accounts set email_key = unconfirmed_key, login_key = login, unconfirmed_key = null where login = $1',
    [login],
  )
  const tidying = tidyUp(portal.portal)
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await portal.owner.query(waiting)).rows).toEqual([{ n: 1 }])
  await confirming.query('commit')
  confirming.release()
  await tidying
  expect((await portal.owner.query('select from accounts where login = $1', [login])).rowCount).toBe(1)
})
