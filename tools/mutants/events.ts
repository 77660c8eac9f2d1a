import type { Mutant } from '../mutants.ts'

const events = 'server/provider-api/provider-events.test.ts'
const webhooks = 'server/webhooks.test.ts'

export const mutants: Mutant[] = [
  {
    // A place that is drawn while the event is written.
    row: 'OPS-4',
    file: 'server/events.ts',
    find: '${rows[0]!.last}::bigint + next.place',
    replace: 'events.ordinal',
    test: events,
    title: 'OPS-4 an event that was written first and committed last',
  },
  {
    row: 'R80',
    file: 'server/webhook-signature.ts',
    find: 'update(`${id}.${timestamp}.${body}`)',
    replace: 'update(body)',
    test: webhooks,
    title: 'R80 what is signed is what Standard Webhooks says',
  },
  {
    row: 'R82',
    file: 'server/provider-api/provider-webhook-queries.ts',
    find: '  await sql`update webhook_secrets set ends_at = ${earlierEndsAt} where webhook_id = ${webhook}`.execute(tx)\n',
    replace: '  await sql`delete from webhook_secrets where webhook_id = ${webhook}`.execute(tx)\n',
    test: webhooks,
    title: 'R80 R82 a secret is told once',
  },
  {
    row: 'R81',
    file: 'server/provider-api/provider-webhooks.ts',
    find: '!isPlain || !settings.webhookHosts.includes(url.host)',
    replace: '!isPlain',
    test: webhooks,
    title: 'R81 a webhook leads to a configured host only',
  },
  {
    row: 'R81',
    file: 'server/webhooks.ts',
    find: '!settings.webhookHosts.includes(url.host)',
    replace: '!settings',
    test: webhooks,
    title: 'R81 a webhook leads to a configured host only',
  },
  {
    row: 'R92',
    file: 'server/webhooks.ts',
    find: 'earlier.lane = m.lane and earlier.event < m.event',
    replace: 'earlier.lane = m.lane and false',
    test: webhooks,
    title: 'OPS-4 R92 two nodes and a receiver that fails',
  },
  {
    row: 'R93',
    file: 'server/webhooks.ts',
    find: ' and earlier.lane = m.lane',
    replace: '',
    test: webhooks,
    title: 'R93 R92 one object’s events that are never taken',
  },
]
