import { sql, type RawBuilder } from 'kysely'
import { commitsLater, noticeAtCommit, onCommit, type Db, type Tx, query } from '../database/database.ts'
import { encryptionOf } from '../encrypted-data/encrypted-columns.ts'
import { mac, type Keys } from '../encryption/keys.ts'
import { delivered, deliveries as observedDeliveries } from '../observability/events.ts'
import { DeliveryFailed } from '../ports.ts'
import type { Channel, Deliveries, Message } from './message.ts'

// Messages are sent from a table. They are written in the transaction of the change that they report, and a worker sends
// them afterwards, so that a change that is rolled back sends nothing and no message is lost while a gateway is down (R92).

/** The number of messages of each channel that a sender can take now. */
type Room = readonly { channel: Channel; slots: number }[]

/** The messages that a sender takes. */
export type Queue = {
  /** Name of the commit notice that wakes the sender of this node. */
  notice: string
  channels: readonly Channel[]
  /** Runs before messages are leased. */
  prepare?: (db: Db, keys: Keys) => Promise<void>
  /** Selects the ids of messages that can be sent now, of each channel as many as there is room for, and locks their rows. */
  due: (room: Room) => RawBuilder<unknown>
  /** Whether the end of one delivery lets another one begin. */
  frees?: true
}

/** A condition: no worker has leased the message, and its next try is due. */
export const messageDueCondition = sql`outcome is null and next_try_at <= portal_now() and (leased_until is null or leased_until <= portal_now())`

const unreadable = 'unreadable'

/**
 * All messages but those to webhooks, which have their own senders. Each channel has its own limit, because each depends on
 * another service that may hang: a code by SMS must not wait for the timeout of a mail server (R93).
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
    'app-activation',
    'certificate-status',
    'lost-phone',
  ],
  due: (room) => sql`
    select due.id from unnest(${room.map(({ channel }) => channel)}::text[], ${room.map(({ slots }) => slots)}::int[]) as room (channel, slots)
    cross join lateral (
      select id from outbox
      where outbox.channel = room.channel and ${messageDueCondition} and webhook_id is null and (drop_at is null or drop_at > portal_now())
      order by bulk, next_try_at limit room.slots for update skip locked
    ) due`,
}

/** The labels of the outcomes of deliveries: the channels, and what stands for that of a message that cannot be decrypted. */
export const deliveryChannels: readonly (Channel | typeof unreadable)[] = [
  ...messageQueue.channels,
  'webhook',
  unreadable,
]

/** The number of tries after which a message is a dead letter, a day after the first (R93). */
const maxTries = 83
/** A worker renews its lease while it delivers; once the lease has expired, another worker may take the message. */
const leaseSeconds = 60
/** Longest time of a delivery, in seconds: longer than the ports' timeouts for one delivery; after that another worker has to try. */
const maxDeliverySeconds = 600
/** The deliveries of each channel that one node makes at the same time. */
const atOnce = 20

/** Adds a message in the transaction and returns its id. `dropAt`: when the message expires and is no longer sent. */
export async function enqueue(tx: Tx, keys: Keys, message: Message, dropAt?: Date): Promise<string> {
  const row = newRow(keys, message)
  await insertRows(tx, [row], { dropAt: dropAt ?? null, isBulk: false })
  return row.id
}

/** Adds many messages at once. They are sent after all other messages of their channel that are due. */
export async function enqueueBulk(tx: Tx, keys: Keys, messages: readonly Message[], dropAt?: Date): Promise<void> {
  const rows = messages.map((message) => newRow(keys, message))
  await insertRows(tx, rows, { dropAt: dropAt ?? null, isBulk: true })
}

function newRow(keys: Keys, message: Message) {
  const id = crypto.randomUUID()
  return { id, channel: message.channel, encrypted: encryptMessage(keys, id, message) }
}

async function insertRows(
  tx: Tx,
  rows: readonly ReturnType<typeof newRow>[],
  { dropAt, isBulk }: { dropAt: Date | null; isBulk: boolean },
): Promise<void> {
  await query(tx).run(sql`
    insert into outbox (id, channel, message, drop_at, bulk)
    select n.id, n.channel, n.message, ${dropAt}::timestamptz, ${isBulk}::boolean
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ channel }) => channel)}::text[], ${rows.map(({ encrypted }) => encrypted)}::bytea[])
      as n (id, channel, message)`)
  noticeAtCommit(tx, messageQueue.notice)
}

const messages = encryptionOf('outbox', 'message')
export const encryptMessage = (keys: Keys, id: string, message: Message): Buffer =>
  messages.encrypt(keys, id, JSON.stringify(message))

/** Returns the recipient of a stored mail or SMS; undefined if it cannot be decrypted. */
export function recipientOf(keys: Keys, id: string, message: Buffer): string | undefined {
  try {
    return (JSON.parse(messages.decrypt(keys, id, message)) as { to?: string }).to
  } catch {
    return undefined
  }
}

/**
 * Finds the messages that were not delivered to somebody, which reveals nothing without the key: 128 bits of a MAC
 * (DSK-10). Empty without a recipient, as of a message that cannot be decrypted.
 */
export const recipientIndex = (keys: Keys, recipient: string | undefined): Buffer =>
  recipient === undefined ? Buffer.alloc(0) : mac(keys.index, 'recipient', recipient).subarray(0, 16)

/**
 * Returns the seconds before the next try: 2, 4, 8 … then every minute, so that messages leave soon after a short outage; after an hour
 * every hour.
 */
const backOff = (tries: number) => Math.min(2 ** tries, tries < 60 ? 60 : 3600)

type Leased = { id: string; channel: Channel; message: Buffer; tries: number }

/** Marks expired messages. Their content is not kept. */
async function dropExpired(db: Db): Promise<void> {
  await query(db).run(sql`
    update outbox set outcome = 'expired', message = '', recipient_index = null
    where outcome is null and webhook_id is null and drop_at <= portal_now() and (leased_until is null or leased_until <= portal_now())`)
}

/** Leases due messages for `leaseSeconds`, as many as there is room for. Skips messages that are expired or leased by another worker. */
async function lease(db: Db, queue: Queue, inFlight: (channel: Channel) => number): Promise<Leased[]> {
  const room = queue.channels
    .map((channel) => ({ channel, slots: atOnce - inFlight(channel) }))
    .filter(({ slots }) => slots > 0)
  if (!room.length) return []
  return query(db).all(sql<Leased>`
    update outbox set leased_until = portal_now() + make_interval(secs => ${leaseSeconds}), tries = tries + 1
    where id in (${queue.due(room)})
    returning id, channel, message, tries`)
}

/** Renews the lease of a message until the returned function is called (R92). A lease that has expired is not renewed. */
function keepLease(db: Db, { id, tries }: Leased): () => void {
  let left = maxDeliverySeconds / (leaseSeconds / 3)
  const renewal = sql`
    update outbox set leased_until = portal_now() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and tries = ${tries} and outcome is null and leased_until > portal_now()`
  const timer = setInterval(
    () => {
      if (left-- <= 0) return clearInterval(timer)
      query(db)
        .run(renewal)
        .catch(() => {})
    },
    leaseSeconds * (1000 / 3),
  )
  return () => clearInterval(timer)
}

/** A failed try to deliver a message. */
export type FailedTry = {
  id: string
  channel: Channel
  tries: number
  isPermanent: boolean
  /** The message; undefined if it cannot be decrypted. */
  message: Message | undefined
}

/** A function that is called for each failed try, and without `failed` for other errors. */
export type Report = (error: unknown, failed?: FailedTry) => void

/** What it takes to send messages. */
type Sending = {
  db: Db
  keys: Keys
  deliveries: Deliveries
  report?: Report | undefined
  /** The messages that are sent; by default all but those to webhooks. */
  queue?: Queue
}

/** Delivers one message and stores the outcome, unless another worker has leased it since, which `tries` shows. */
async function deliver({ db, keys, deliveries, report }: Sending, leased: Leased): Promise<void> {
  const { id, message, tries } = leased
  let decrypted: Message | undefined
  const releaseLease = keepLease(db, leased)
  try {
    decrypted = JSON.parse(messages.decrypt(keys, id, message)) as Message
    const { channel, ...content } = decrypted
    await observedDeliveries.do({ channel }, () => deliveries[channel]({ id, ...content } as never))
  } catch (error) {
    const isDead = tries >= maxTries || (error instanceof DeliveryFailed && error.isPermanent)
    await query(db).run(sql`
      update outbox set outcome = ${isDead ? 'dead' : null}, leased_until = null,
        failure = ${error instanceof Error ? error.message.slice(0, 300) : 'unknown'},
        recipient_index = case when channel in ('mail', 'sms') then ${recipientIndex(keys, recipientOf(keys, id, message))}::bytea end,
        next_try_at = portal_now() + make_interval(secs => ${backOff(tries)})
      where id = ${id} and tries = ${tries} and outcome is null`)
    delivered.publish({ channel: decrypted?.channel ?? unreadable, outcome: isDead ? 'dead' : 'failed' })
    report?.(error, { id, channel: leased.channel, tries, isPermanent: isDead, message: decrypted })
    return
  } finally {
    releaseLease()
  }
  // The content is removed: it need not be kept after sending (R3).
  await query(db).run(sql`
    update outbox set outcome = 'sent', sent_at = portal_now(), message = '', failure = null, recipient_index = null
    where id = ${id} and tries = ${tries} and outcome is null and ${commitsLater}`)
  delivered.publish({ channel: decrypted.channel, outcome: 'sent' })
}

/** Sends the messages that are due now, and returns their number. */
export async function sendDue(sending: Sending): Promise<number> {
  const { db, keys, queue = messageQueue } = sending
  await dropExpired(db)
  await queue.prepare?.(db, keys)
  const leased = await lease(db, queue, () => 0)
  await Promise.all(leased.map((message) => deliver(sending, message)))
  return leased.length
}

/**
 * Sends until it is stopped: the commit of a transaction of this node that adds a message wakes it, and it checks every
 * second for messages of other nodes and those whose next try is due. A delivery that hangs occupies its own slot only
 * and does not delay the others (R93). `stop` resolves after the running deliveries.
 */
export function startSending(sending: Sending & { report: Report }): { stop: () => Promise<void> } {
  const { db, keys, report, queue = messageQueue } = sending
  const { wake, sleep } = openSleep()
  type Running = { channel: Channel; delivery: Promise<void> }
  const inFlight = new Set<Running>()
  const inFlightOf = (channel: Channel) => [...inFlight].filter((running) => running.channel === channel).length
  let isStopping = false
  const take = async () => {
    await queue.prepare?.(db, keys)
    for (const leased of await lease(db, queue, inFlightOf)) {
      const { channel } = leased
      const running: Running = {
        channel,
        delivery: deliver(sending, leased)
          .catch(report)
          .finally(() => {
            // Another message may wait for the slot.
            if (queue.frees || inFlightOf(channel) === atOnce) wake()
            inFlight.delete(running)
          }),
      }
      inFlight.add(running)
    }
  }
  const endListening = onCommit(db, queue.notice, wake)
  let droppedAt = -Infinity
  const stopped = (async () => {
    while (!isStopping) {
      if (performance.now() - droppedAt > 1000) {
        droppedAt = performance.now()
        await dropExpired(db).catch(report)
      }
      await take().catch(report)
      if (!isStopping) await sleep()
    }
    await Promise.all([...inFlight].map(({ delivery }) => delivery))
  })()
  return {
    async stop() {
      isStopping = true
      wake()
      endListening()
      await stopped
    },
  }
}

/** Returns a sleep of a second that `wake` ends. */
function openSleep() {
  let isWoken = false
  let end = () => {}
  return {
    wake() {
      isWoken = true
      end()
    },
    async sleep() {
      // A notice during a check counts, because its message may have been added too late for that check.
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 1000)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isWoken = false
    },
  }
}

/** Backlog of a channel: messages that wait, the age of the oldest in seconds, and the dead letters. */
type Backlog = { channel: string; waiting: number; oldest: number; dead: number }

export async function listOutboxBacklog(db: Db): Promise<Backlog[]> {
  return query(db).all(sql<Backlog>`
    select channel, count(*) filter (where outcome is null)::int as waiting, count(*) filter (where outcome = 'dead')::int as dead,
      coalesce(extract(epoch from portal_now() - min(created_at) filter (where outcome is null)), 0)::float8 as oldest
    from outbox where outcome is null or outcome = 'dead' group by channel order by channel`)
}
