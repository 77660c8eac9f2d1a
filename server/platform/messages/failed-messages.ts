import { sql, type RawBuilder } from 'kysely'
import { addAuditEntry } from '../audit/audit.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import { recipientIndex, recipientOf } from './outbox.ts'

/** A dead letter: a mail, SMS or other message that failed permanently (R93). Its recipient is in its content, which is encrypted. */
export type FailedMessage = { id: string; channel: string; createdAt: string; tries: number; failure: string | null }

const deadCondition = sql`outcome = 'dead' and webhook_id is null`
const selectedCondition = (ids: readonly string[]) => (ids.length ? sql`id = any(${ids}::uuid[])` : sql`true`)

/**
 * Lists dead letters, oldest first, at most `most`. Messages to webhooks are left out: the provider has calls for them.
 */
export async function listFailed(db: Db, most: number): Promise<FailedMessage[]> {
  const rows = await query(db).all(sql<Omit<FailedMessage, 'createdAt'> & { createdAt: Date }>`
    select id, channel, created_at, tries, failure from outbox where ${deadCondition}
    order by created_at, id limit ${most}`)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

/** A message whose tries have failed and which is tried again (R92), also to a webhook. */
export type WaitingMessage = FailedMessage & { nextTryAt: string }

/** Lists messages that wait for another try, oldest first, at most `most`. */
export async function listWaitingMessages(db: Db, most: number): Promise<WaitingMessage[]> {
  type Row = Omit<WaitingMessage, 'createdAt' | 'nextTryAt'> & { createdAt: Date; nextTryAt: Date }
  const rows = await query(db).all(sql<Row>`
    select id, channel, created_at, tries, failure, next_try_at from outbox
    where outcome is null and failure is not null and (drop_at is null or drop_at > portal_now())
    order by created_at, id limit ${most}`)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), nextTryAt: row.nextTryAt.toISOString() }))
}

/** A mail or an SMS that was not delivered, with its recipient. */
export type UndeliveredMail = {
  id: string
  channel: 'mail' | 'sms'
  createdAt: Date
  tries: number
  cause: string
  recipient: string | undefined
  /** The time of the next try; null for a dead letter. */
  nextTryAt: Date | null
}

const channels = ['mail', 'sms'] as const
const ofChannel = (channel: 'mail' | 'sms' | undefined) =>
  sql`channel = any(${channel === undefined ? [...channels] : [channel]}::text[])`

type UndeliveredRow = Omit<UndeliveredMail, 'recipient'> & { message: Buffer }

/** Lists the newest undelivered messages of both kinds, at most `most` of each, dead letters first. */
async function listUndeliveredRows(
  db: Db,
  chosenCondition: RawBuilder<unknown>,
  most: number,
): Promise<UndeliveredRow[]> {
  const columns = sql`id, channel, message, created_at, tries, coalesce(failure, '') as cause`
  return query(db).all(sql<UndeliveredRow>`
    (select ${columns}, null::timestamptz as next_try_at from outbox where ${deadCondition} and ${chosenCondition}
      order by created_at desc, id limit ${most})
    union all
    (select ${columns}, next_try_at from outbox
      where outcome is null and webhook_id is null and failure is not null and ${chosenCondition}
        and (drop_at is null or drop_at > portal_now())
      order by created_at desc, id limit ${most})`)
}

/** Lists undelivered messages of one channel, or of both. */
export async function listUndeliveredMails(
  db: Db,
  keys: Keys,
  { channel, most }: { channel: 'mail' | 'sms' | undefined; most: number },
): Promise<UndeliveredMail[]> {
  const rows = await listUndeliveredRows(db, ofChannel(channel), most)
  return rows.map(({ message, ...row }) => ({ ...row, recipient: recipientOf(keys, row.id, message) }))
}

/** Counts the dead letters by cause, for the most frequent causes. */
export async function countFailureCauses(db: Db, channel: 'mail' | 'sms' | undefined) {
  return query(db).all(sql<{ channel: 'mail' | 'sms'; cause: string; messages: number }>`
    select channel, failure as cause, count(*)::int as messages from outbox
    where ${deadCondition} and ${ofChannel(channel)} and failure <> ''
    group by channel, failure order by count(*) desc, failure limit 50`)
}

/** Lists the undelivered messages to any of these recipients, found by their keyed hashes, because recipients are encrypted. */
export function listUndeliveredTo(db: Db, keys: Keys, recipients: readonly string[], most: number) {
  const indexes = recipients.map((recipient) => recipientIndex(keys, recipient))
  return listUndeliveredRows(db, sql`recipient_index = any(${indexes}::bytea[])`, most)
}

/** Resets all of them, or those with the given ids, as if they had never been tried. An expired code is not sent again. */
export const resendFailed = async (tx: Tx, ids: readonly string[]): Promise<number> =>
  auditChanged(tx, 'messages-resent', await resetFailed(tx, selectedCondition(ids)))

/** Resets one mail or SMS, or the oldest ones of one cause, as if they had never been tried; the caller writes the audit entry. */
export function resetUndelivered(
  tx: Tx,
  which: { id: string } | { channel: 'mail' | 'sms'; cause: string },
  most: number,
): Promise<number> {
  if ('id' in which) return resetFailed(tx, sql`id = ${which.id} and ${ofChannel(undefined)}`)
  const causeCondition = sql`${deadCondition} and ${ofChannel(which.channel)} and failure = ${which.cause}`
  const unexpiredCondition = sql`(drop_at is null or drop_at > portal_now())`
  return resetFailed(
    tx,
    sql`id = any(array(select id from outbox where ${causeCondition} and ${unexpiredCondition} order by created_at, id limit ${most}))`,
  )
}

async function resetFailed(tx: Tx, chosenCondition: RawBuilder<unknown>): Promise<number> {
  return query(tx).changes(sql`
    update outbox set outcome = null, tries = 0, failure = null, next_try_at = portal_now()
    where ${deadCondition} and ${chosenCondition} and (drop_at is null or drop_at > portal_now())`)
}

/** Sends these messages now: dead letters as if they had never been tried, and those that wait for their next try. */
export async function sendNow(tx: Tx, ids: readonly string[]): Promise<number> {
  return query(tx).changes(sql`
    update outbox set tries = case when outcome = 'dead' then 0 else tries end, outcome = null, next_try_at = portal_now()
    where id = any(${ids}::uuid[]) and (outcome is null or outcome = 'dead') and webhook_id is null
      and (drop_at is null or drop_at > portal_now())`)
}

export async function removeFailed(tx: Tx, ids: readonly string[]): Promise<number> {
  const dropped = await query(tx).changes(sql`delete from outbox where ${deadCondition} and ${selectedCondition(ids)}`)
  return auditChanged(tx, 'messages-dropped', dropped)
}

async function auditChanged(tx: Tx, action: 'messages-resent' | 'messages-dropped', messages: number) {
  if (messages) await addAuditEntry(tx, { action, accountId: null, actor: 'operator', details: { messages } })
  return messages
}
