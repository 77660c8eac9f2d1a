import { sql } from 'kysely'
import { record } from './audit.ts'
import type { Db, Tx } from './db.ts'

/** A mail, SMS or other message that was given up (R93); whom it was for rests sealed in it. */
export type GivenUpMessage = { id: string; channel: string; createdAt: string; tries: number; failure: string | null }

const givenUp = sql`outcome = 'dead' and webhook_id is null`
const among = (ids: readonly string[]) => (ids.length ? sql`id = any(${ids}::uuid[])` : sql`true`)

/** The oldest first, at most so many. Those to webhooks are the provider's, who has calls for them. */
export async function listGivenUp(db: Db, most: number): Promise<GivenUpMessage[]> {
  const { rows } = await sql<Omit<GivenUpMessage, 'createdAt'> & { createdAt: Date }>`
    select id, channel, created_at as "createdAt", tries, failure from outbox where ${givenUp}
    order by created_at, id limit ${most}`.execute(db)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

/** As if they had never been tried: all of them, or those named. A code that has run out stays where it is. */
export async function resendGivenUp(tx: Tx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update outbox set outcome = null, tries = 0, failure = null, next_try_at = portal_now()
    where ${givenUp} and ${among(ids)} and (drop_at is null or drop_at > portal_now())`.execute(tx)
  await sql`select pg_notify('outbox', '')`.execute(tx)
  return noted(tx, 'messages-resent', numAffectedRows)
}

export async function dropGivenUp(tx: Tx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`delete from outbox where ${givenUp} and ${among(ids)}`.execute(tx)
  return noted(tx, 'messages-dropped', numAffectedRows)
}

async function noted(tx: Tx, act: 'messages-resent' | 'messages-dropped', affected: bigint | undefined) {
  const messages = Number(affected)
  if (messages) await record(tx, { act, accountId: null, actor: 'operator', details: { messages } })
  return messages
}
