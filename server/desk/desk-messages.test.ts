import { beforeEach, expect, test } from 'vitest'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { listUndelivered, resendUndelivered } from '../../contract/desk/desk-messages.ts'
import { readDeskCustomer } from '../../contract/desk/desk-customers.ts'
import { resendMessagesAtDesk } from '../../contract/desk/desk-cases.ts'
import { indexUndelivered } from '../platform/messages/failed-messages.ts'
import { encryptMessage, enqueue, sendDue } from '../platform/messages/outbox.ts'
import { deliveriesOf } from '../platform/operations/deliveries.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { letStaffIn, openDesk } from '../testing/open-desk.ts'
import { openPortal } from '../testing/open-portal.ts'
import { portalId } from '../testing/portal-ids.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { indexesOf, pretendManyRows, statementsOf, wholeReads } from '../testing/statement-plans.ts'

const portal = await openPortal()
const desk = await openDesk(portal)
const administrator = await letStaffIn(portal, desk, { subject: 'Iga Zych', roles: ['administrator'] })
beforeEach(() => portal.owner.query('delete from outbox'))

type State = { outcome?: 'dead' | 'sent'; failure?: string; dropAt?: string }

/** A message in the outbox, as it would be after its tries. */
async function store(channel: 'mail' | 'sms', { outcome, failure = 'refused', dropAt }: State = {}) {
  const id = crypto.randomUUID()
  const text = 'Kod 123456, https://portal.example/setup-password/tajny'
  const message = encryptMessage(
    portal.portal.keys,
    id,
    channel === 'sms'
      ? { channel, to: '+48600100417', text }
      : { channel, to: 'anna.nowak@mail.example', subject: 'Kod', text, html: text },
  )
  await portal.owner.query(
    `insert into outbox (id, channel, message, outcome, tries, failure, drop_at, next_try_at)
      values ($1, $2, $3, $4, 5, $5, $6, portal_now() + interval '1 hour')`,
    [id, channel, message, outcome ?? null, failure, dropAt ?? null],
  )
  return id
}

const stateOf = async (id: string) => {
  const { rows } = await portal.owner.query<{ outcome: string | null; tries: number }>(
    'select outcome, tries from outbox where id = $1',
    [id],
  )
  return rows[0]
}

const entries = async (act: string) => {
  const { rows } = await portal.owner.query<{ details: object }>(
    `select details from audit where act = $1 and actor = 'staff' order by id`,
    [act],
  )
  return rows.map(({ details }) => details)
}

test('DSK-32 R254 undelivered messages are listed by channel with causes and masked recipients, and nothing of their content', async () => {
  const dead = await store('mail', { outcome: 'dead', failure: 'HTTP 500' })
  const waiting = await store('sms')
  await store('sms', { outcome: 'sent' })
  const { body } = await administrator.call(listUndelivered)
  expect(body).toMatchObject({
    more: false,
    items: [
      { id: dead, channel: 'mail', tries: 5, cause: 'HTTP 500', nextTryAt: null },
      { id: waiting, channel: 'sms', cause: 'refused', nextTryAt: expect.any(String) as string },
    ],
    causes: [{ channel: 'mail', cause: 'HTTP 500', messages: 1 }],
  })
  for (const whole of ['anna.nowak', 'mail.example', '600100417', '123456', 'setup-password', 'Kod'])
    expect(JSON.stringify(body)).not.toContain(whole)
  expect(body.items.map(({ recipient }) => recipient)).toEqual([
    expect.stringContaining('•••'),
    expect.stringMatching(/417$/),
  ])
  const response = await administrator.visit('/desk/api/operations/messages?channel=sms')
  expect(await response.json()).toMatchObject({ items: [{ id: waiting }], causes: [] })
  expect(await entries('desk-messages-read')).toMatchObject([
    { actorName: 'Iga Zych', found: 2 },
    { actorName: 'Iga Zych', found: 1 },
  ])
})

test('DSK-32 R254 one message is sent again, or those of a cause, at most 500; nothing that was sent, has expired or is a webhook’s', async () => {
  const dead = await store('mail', { outcome: 'dead' })
  const untouched = [
    await store('mail', { outcome: 'sent' }),
    await store('sms', { outcome: 'dead', dropAt: '2020-01-01' }),
    await store('sms', { outcome: 'dead', failure: 'another cause' }),
  ]
  const before = await Promise.all(untouched.map(stateOf))
  for (const id of untouched.slice(0, 2))
    expect((await administrator.call(resendUndelivered, { body: { which: { id } } })).body).toEqual({ resent: 0 })
  expect((await administrator.call(resendUndelivered, { body: { which: { id: dead } } })).body).toEqual({ resent: 1 })
  expect(await stateOf(dead)).toEqual({ outcome: null, tries: 0 })

  const webhook = crypto.randomUUID()
  await portal.owner.query(
    `with hook as (insert into webhooks (provider_id, url, position) values ('erp', 'https://hooks.example/', 0) returning id),
      happened as (insert into events (position, type, subject, data) values (1000000, 'customer.blocked', 'a', '{}') returning position)
      insert into outbox (id, channel, message, outcome, tries, failure, webhook_id, event, lane)
      select $1, 'webhook', 'x', 'dead', 83, 'refused', id, position, 'a' from hook, happened`,
    [webhook],
  )
  expect((await administrator.call(resendUndelivered, { body: { which: { id: webhook } } })).body).toEqual({
    resent: 0,
  })

  const most = deskLimits.resent
  await portal.owner.query(
    `insert into outbox (id, channel, message, outcome, tries, failure) select gen_random_uuid(), 'sms', 'x', 'dead', 83, 'refused'
      from generate_series(1, ${most + 1})`,
  )
  const cause = { channel: 'sms', cause: 'refused' } as const
  expect((await administrator.call(resendUndelivered, { body: { which: cause } })).body).toEqual({ resent: most })
  expect((await administrator.call(resendUndelivered, { body: { which: cause } })).body).toEqual({ resent: 1 })
  expect(await Promise.all(untouched.map(stateOf))).toEqual(before)
  expect(await stateOf(webhook)).toEqual({ outcome: 'dead', tries: 83 })
  expect((await entries('messages-resent')).at(-1)).toMatchObject({ actorName: 'Iga Zych', messages: 1 })
})

test('DSK-10 DSK-22 OPS-7 what was not delivered to a customer is found by an index, however much failed since', async () => {
  const person = await addCustomer(portal)
  const account = await portalId(portal, 'accounts', person.id)
  await portal.owner.query('delete from outbox')
  const agent = await letStaffIn(portal, desk, { subject: 'Ewa Lis', roles: ['agent'] })
  const { keys } = portal.portal
  const [mail, sms] = await portal.db
    .transaction()
    .execute(async (tx) => [
      await enqueue(tx, keys, { channel: 'mail', to: person.email, subject: 's', text: 't', html: 't' }),
      await enqueue(tx, keys, { channel: 'sms', to: person.phone, text: 'code' }),
    ])
  const failing = (isPermanent: boolean) => async () => {
    throw new DeliveryFailed('no answer', isPermanent)
  }
  await sendDue(portal.db, keys, { ...deliveriesOf(portal.portal), mail: failing(true), sms: failing(false) })
  await portal.owner.query(
    `insert into outbox (id, channel, message, recipient_index, outcome, tries, failure, created_at)
     select gen_random_uuid(), 'mail', 'x', case when n % 2 = 0 then sha256(n::text::bytea) end, case when n % 3 = 0 then 'dead' end, 5, 'x',
       portal_now() + interval '1 minute' from generate_series(1, 2000) n`,
  )
  const found = async () => {
    const { body } = await agent.call(readDeskCustomer, { params: { id: account } })
    return body.obstacles.filter(({ kind }) => kind === 'undelivered')
  }
  const expected = [
    { channel: 'mail', cause: 'no answer', tries: 1, isFinal: true },
    { channel: 'sms', cause: 'no answer', tries: 1, isFinal: false },
  ]
  expect(await found()).toMatchObject(expected)

  // A node of the previous version stores no keyed hash; the job adds it, and leaves what it cannot read.
  await portal.owner.query('update outbox set recipient_index = null where id = any($1)', [[mail, sms]])
  expect(await found()).toEqual([])
  const texts = await statementsOf(async () => {
    await indexUndelivered(portal.db, portal.portal.keys)
    expect(await found()).toMatchObject(expected)
  })
  const client = await portal.owner.connect()
  await client.query('set enable_seqscan = off')
  await pretendManyRows(client)
  const plans = [...texts.keys()].filter((text) => text.includes('recipient_index') && /^\s*\(?select/.test(text))
  const indexes = []
  for (const text of plans) {
    expect(await wholeReads(client, text)).toEqual([])
    indexes.push(...new Set(await indexesOf(client, text)))
  }
  client.release(true)
  expect(indexes).toEqual(['outbox_without_recipient', 'outbox_by_recipient'])

  await agent.call(resendMessagesAtDesk, { params: { id: account } })
  await portal.deliver()
  const { rows } = await portal.owner.query('select outcome, recipient_index from outbox where id = any($1)', [
    [mail, sms],
  ])
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ outcome: 'sent', recipient_index: null })))
})
