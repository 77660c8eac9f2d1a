import { sql } from 'kysely'
import { addAuditEntry } from '../audit/audit.ts'
import type { Db, Tx } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import { recipientOf } from './outbox.ts'

/** A mail, SMS or other message that failed permanently (R93). Its recipient is in its content, which is encrypted. */
export type FailedMessage = { id: string; channel: string; createdAt: string; tries: number; failure: string | null }

const isDead = sql`outcome = 'dead' and webhook_id is null`
const isSelected = (ids: readonly string[]) => (ids.length ? sql`id = any(${ids}::uuid[])` : sql`true`)

/** The oldest first, at most `most`. Messages to webhooks are left out: the provider has calls for them. */
export async function listFailed(db: Db, most: number): Promise<FailedMessage[]> {
  const { rows } = await sql<Omit<FailedMessage, 'createdAt'> & { createdAt: Date }>`
    select id, channel, created_at, tries, failure from outbox where ${isDead}
    order by created_at, id limit ${most}`.execute(db)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

/** A message whose tries have failed and which is tried again (R92), also to a webhook. */
export type WaitingMessage = FailedMessage & { nextTryAt: string }

/** The oldest first, at most `most`. */
export async function listWaiting(db: Db, most: number): Promise<WaitingMessage[]> {
  type Row = Omit<WaitingMessage, 'createdAt' | 'nextTryAt'> & { createdAt: Date; nextTryAt: Date }
  const { rows } = await sql<Row>`
    select id, channel, created_at, tries, failure, next_try_at from outbox
    where outcome is null and failure is not null and (drop_at is null or drop_at > portal_now())
    order by created_at, id limit ${most}`.execute(db)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    nextTryAt: row.nextTryAt.toISOString(),
  }))
}

/** A mail or an SMS to one of these recipients whose tries have failed. */
export type UndeliveredMessage = {
  channel: 'mail' | 'sms'
  createdAt: Date
  tries: number
  cause: string
  isFinal: boolean
}

/** Recipients are encrypted, so of all failures the newest are read to find theirs. */
const mostRead = 500

export async function undeliveredTo(db: Db, keys: Keys, recipients: readonly string[]): Promise<UndeliveredMessage[]> {
  type Row = UndeliveredMessage & { id: string; message: Buffer }
  const columns = sql`id, channel, message, created_at, tries, failure as cause`
  const isOwn = sql`webhook_id is null and failure is not null`
  const { rows } = await sql<Row>`
    (select ${columns}, true as is_final from outbox
      where outcome = 'dead' and ${isOwn} and channel = any(array['mail', 'sms']) order by created_at desc limit ${mostRead})
    union all
    (select ${columns}, false from outbox
      where outcome is null and ${isOwn} and channel = any(array['mail', 'sms']) and (drop_at is null or drop_at > portal_now())
      order by created_at desc limit ${mostRead})`.execute(db)
  return rows
    .filter(({ id, message }) => recipients.includes(recipientOf(keys, id, message) ?? ''))
    .map(({ id: _id, message: _message, ...row }) => row)
}

/** Resets all of them, or those with the given ids, as if they had never been tried. An expired code is not sent again. */
export async function resendFailed(tx: Tx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update outbox set outcome = null, tries = 0, failure = null, next_try_at = portal_now()
    where ${isDead} and ${isSelected(ids)} and (drop_at is null or drop_at > portal_now())`.execute(tx)
  return audited(tx, 'messages-resent', numAffectedRows)
}

export async function dropFailed(tx: Tx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`delete from outbox where ${isDead} and ${isSelected(ids)}`.execute(tx)
  return audited(tx, 'messages-dropped', numAffectedRows)
}

async function audited(tx: Tx, action: 'messages-resent' | 'messages-dropped', affected: bigint | undefined) {
  const messages = Number(affected)
  if (messages) await addAuditEntry(tx, { action, accountId: null, actor: 'operator', details: { messages } })
  return messages
}
