import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from './db.ts'
import { seal, unseal, type Keys } from './keys.ts'
import type { AgreementSignature } from './agreement-signing.ts'
import type { DataExportOrder } from './data-exports.ts'
import type { CustomerInvitation, LinkRequest } from './password-link.ts'
import type { RegistrationRequest } from './registrations.ts'
import type { InvitationRequest } from './seal-invitations.ts'
import { delivered, deliveries as observedDeliveries } from './observed.ts'
import { DeliveryFailed, type Mail } from './ports/ports.ts'
import type { SmsOrder } from './sms-policy.ts'
import type { WebhookOrder } from './webhooks.ts'

/**
 * Messages leave through a table: written in the transaction of the act they tell of, sent by a worker afterwards,
 * so that nothing is sent for an act that did not happen and nothing is lost when a gateway is down (R92).
 */
export type Message =
  | ({ channel: 'mail' } & Omit<Mail, 'id'>)
  | ({ channel: 'sms' } & Omit<SmsOrder, 'id'>)
  | ({ channel: 'password-link' } & LinkRequest)
  | ({ channel: 'registration' } & RegistrationRequest)
  | ({ channel: 'seal-invitation' } & InvitationRequest)
  | ({ channel: 'agreement-signature' } & AgreementSignature)
  | ({ channel: 'data-export' } & DataExportOrder)
  | ({ channel: 'customer-invitation' } & CustomerInvitation)
  | ({ channel: 'webhook' } & WebhookOrder)

/** What becomes of a message of each channel; `id` stays the same over all tries. */
export type Deliveries = {
  mail: (mail: Mail) => Promise<void>
  sms: (sms: SmsOrder) => Promise<void>
  'password-link': (request: LinkRequest) => Promise<void>
  registration: (request: RegistrationRequest) => Promise<void>
  'seal-invitation': (request: InvitationRequest) => Promise<void>
  'agreement-signature': (request: AgreementSignature) => Promise<void>
  'data-export': (order: DataExportOrder) => Promise<void>
  'customer-invitation': (invitation: CustomerInvitation) => Promise<void>
  webhook: (order: WebhookOrder) => Promise<void>
}

type Channel = Message['channel']
/** Channels that a sender has room in, and for how many messages each. */
type Room = readonly { channel: Channel; places: number }[]

/** Which messages a sender takes. */
export type Queue = {
  /** The notice by which its senders are woken. */
  notice: string
  channels: readonly Channel[]
  /** What has to be done before they look. */
  prepare?: (db: Db, keys: Keys) => Promise<void>
  /** The ids of messages that can be sent now, at most so many of each channel, their rows held. */
  due: (room: Room) => RawBuilder<unknown>
  /** Whether the end of one delivery lets another one begin. */
  frees?: true
}

/** A message that nobody holds and whose next try has come. */
export const isDue = sql`outcome is null and next_try_at <= portal_now() and (leased_until is null or leased_until <= portal_now())`

/**
 * Everything but webhooks, which have senders of their own. Each channel has places of its own: behind each is somebody else, who
 * may hang, and a code by SMS must not wait until a mail server has been given up on (R93).
 */
const messageQueue: Queue = {
  notice: 'outbox',
  channels: [
    'sms',
    'mail',
    'password-link',
    'registration',
    'seal-invitation',
    'customer-invitation',
    'agreement-signature',
    'data-export',
  ],
  due: (room) => sql`
    select one.id from unnest(${room.map(({ channel }) => channel)}::text[], ${room.map(({ places }) => places)}::int[]) as free (channel, places)
    cross join lateral (
      select id from outbox
      where outbox.channel = free.channel and ${isDue} and webhook_id is null and (drop_at is null or drop_at > portal_now())
      order by bulk, next_try_at limit free.places for update skip locked
    ) one`,
}

/** A message is given up after this many tries, a day after the first (R93). */
const triesAtMost = 83
/** A message whose lease has run out is in nobody's hands: whoever holds one asks for more time before. */
const leaseSeconds = 60
/** Longer than all that ports may take for one delivery: what is not done by then never will be, and another worker shall try. */
const longestDelivery = 600
/** Deliveries of one node at the same time, of each channel. */
const atOnce = 20

/** Adds a message to the transaction and tells its id. `dropAt`: from then on it is of no use and is not sent any more. */
export async function enqueue(tx: Tx, keys: Keys, message: Message, dropAt?: Date): Promise<string> {
  const [id] = await add(tx, keys, [message], { dropAt: dropAt ?? null, bulk: false })
  return id!
}

/** Adds what goes to many at once: each waits until nothing else of its channel is due. */
export async function enqueueBulk(tx: Tx, keys: Keys, messages: readonly Message[], dropAt?: Date): Promise<void> {
  await add(tx, keys, messages, { dropAt: dropAt ?? null, bulk: true })
}

/** Tells the ids. */
async function add(
  tx: Tx,
  keys: Keys,
  messages: readonly Message[],
  { dropAt, bulk }: { dropAt: Date | null; bulk: boolean },
): Promise<string[]> {
  const rows = messages.map((message) => {
    const id = randomUUID()
    return { id, channel: message.channel, sealed: sealMessage(keys, id, message) }
  })
  await sql`
    with added as (
      insert into outbox (id, channel, message, drop_at, bulk)
      select n.id, n.channel, n.message, ${dropAt}::timestamptz, ${bulk}::boolean
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ channel }) => channel)}::text[], ${rows.map(({ sealed }) => sealed)}::bytea[])
        as n (id, channel, message)
      returning 1
    )
    select pg_notify(${messageQueue.notice}, '') from added limit 1`.execute(tx)
  return rows.map(({ id }) => id)
}

export const sealMessage = (keys: Keys, id: string, message: Message): Buffer =>
  seal(keys, `outbox ${id}`, JSON.stringify(message))

/** Seconds before the next try: 2, 4, 8 … then every minute, so that a gateway back within the hour is soon found; after that every hour. */
const backOff = (tries: number) => Math.min(2 ** tries, tries < 60 ? 60 : 3600)

type Leased = { id: string; channel: Channel; message: Buffer; tries: number }

/** What is of no use any more is not kept either. */
async function dropExpired(db: Db): Promise<void> {
  await sql`update outbox set outcome = 'expired', message = '' where outcome is null and webhook_id is null and drop_at <= portal_now() and (leased_until is null or leased_until <= portal_now())`.execute(
    db,
  )
}

/** Takes due messages for `leaseSeconds`, as many as there is room for; what another worker holds or what is out of date is passed over. */
async function lease(db: Db, queue: Queue, inHand: (channel: Channel) => number): Promise<Leased[]> {
  const room = queue.channels
    .map((channel) => ({ channel, places: atOnce - inHand(channel) }))
    .filter(({ places }) => places > 0)
  if (!room.length) return []
  const { rows } = await sql<Leased>`
    update outbox set leased_until = portal_now() + make_interval(secs => ${leaseSeconds}), tries = tries + 1
    where id in (${queue.due(room)})
    returning id, channel, message, tries`.execute(db)
  return rows
}

/** Holds a message for longer than its lease, until the returned function is called (R92). A worker that is too late holds nothing any more. */
function keepHold(db: Db, { id, tries }: Leased): () => void {
  let left = longestDelivery / (leaseSeconds / 3)
  const beat = setInterval(
    () => {
      if (left-- <= 0) return clearInterval(beat)
      sql`
      update outbox set leased_until = portal_now() + make_interval(secs => ${leaseSeconds})
      where id = ${id} and tries = ${tries} and outcome is null and leased_until > portal_now()`
        .execute(db)
        .catch(() => {})
    },
    leaseSeconds * (1000 / 3),
  )
  return () => clearInterval(beat)
}

/** `message`: one that was given up. */
export type Report = (error: unknown, message?: Message) => void

/** Delivers one message and writes down how that went, unless another worker has taken the message over since: `tries` tells. */
async function deliver(db: Db, keys: Keys, deliveries: Deliveries, report: Report, leased: Leased): Promise<void> {
  const { id, message, tries } = leased
  let opened: Message | undefined
  const letGo = keepHold(db, leased)
  try {
    opened = JSON.parse(unseal(keys, `outbox ${id}`, message)) as Message
    const { channel, ...content } = opened
    await observedDeliveries.do({ channel }, () => deliveries[channel]({ id, ...content } as never))
  } catch (error) {
    const dead = tries >= triesAtMost || (error instanceof DeliveryFailed && error.permanent)
    await sql`
      update outbox set outcome = ${dead ? 'dead' : null}, leased_until = null,
        failure = ${error instanceof Error ? error.message.slice(0, 300) : 'unknown'},
        next_try_at = portal_now() + make_interval(secs => ${backOff(tries)})
      where id = ${id} and tries = ${tries} and outcome is null`.execute(db)
    delivered.tell({ channel: opened?.channel ?? 'unreadable', outcome: dead ? 'dead' : 'failed' })
    if (dead) report(error, opened)
    return
  } finally {
    letGo()
  }
  // The content goes with the sending: what was sent need not be kept (R3).
  await sql`
    update outbox set outcome = 'sent', sent_at = portal_now(), message = '', failure = null
    where id = ${id} and tries = ${tries} and outcome is null`.execute(db)
  delivered.tell({ channel: opened.channel, outcome: 'sent' })
}

/** Sends what is due now; tells how many messages it took. */
export async function sendDue(
  db: Db,
  keys: Keys,
  deliveries: Deliveries,
  report: Report = () => {},
  queue = messageQueue,
): Promise<number> {
  await dropExpired(db)
  await queue.prepare?.(db, keys)
  const leased = await lease(db, queue, () => 0)
  await Promise.all(leased.map((one) => deliver(db, keys, deliveries, report, one)))
  return leased.length
}

/**
 * Sends for as long as the node lives: woken by the database when a message is added, and looking every second for
 * those whose next try has come. A message that hangs keeps its own place only; the others go past it (R93).
 * `stop` resolves after the running deliveries.
 */
export function startSending(
  db: Db,
  keys: Keys,
  deliveries: Deliveries,
  listen: Listen,
  report: Report,
  queue = messageQueue,
): { stop: () => Promise<void> } {
  const inHand = new Map(queue.channels.map((channel) => [channel, new Set<Promise<void>>()]))
  let stopping = false
  // A notice that comes while we look for messages counts: what it tells of may have been too late for that look.
  let noticed = false
  let endSleep = () => {}
  const wake = () => {
    noticed = true
    endSleep()
  }
  const sleep = async () => {
    if (!noticed)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000)
        endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    noticed = false
  }
  const take = async () => {
    await queue.prepare?.(db, keys)
    for (const one of await lease(db, queue, (channel) => inHand.get(channel)!.size)) {
      const own = inHand.get(one.channel)!
      const delivery = deliver(db, keys, deliveries, report, one)
        .catch(report)
        .finally(() => {
          // More may wait for its place.
          if (queue.frees || own.size === atOnce) wake()
          own.delete(delivery)
        })
      own.add(delivery)
    }
  }
  const ears = listen(queue.notice, wake)
  let droppedAt = -Infinity
  const running = (async () => {
    while (!stopping) {
      if (performance.now() - droppedAt > 1000) {
        droppedAt = performance.now()
        await dropExpired(db).catch(report)
      }
      await take().catch(report)
      if (!stopping) await sleep()
    }
    await Promise.all([...inHand.values()].flatMap((own) => [...own]))
  })()
  return {
    async stop() {
      stopping = true
      wake()
      await ears.close()
      await running
    },
  }
}

/** Listens to a channel of the database; reconnects by itself. */
export type Listen = (channel: string, onNotice: () => void) => { close: () => Promise<void> }
