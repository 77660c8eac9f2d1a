import { sql } from 'kysely'
import { addAuditEntry } from '../audit/audit.ts'
import type { Db, Tx } from '../database/database.ts'

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
