import { sql } from 'kysely'
import type { Device } from '../../contract/device.ts'
import type { Db } from '../db.ts'

export type SessionRow = Device & {
  id: string
  address: string | null
  country: string | null
  startedAt: Date
  usedAt: Date
}

/** The whole sessions of an account that are alive: its own first, then the last used. */
export async function sessionsOf(db: Db, accountId: string, own: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, browser, system, address, country, started_at as "startedAt", used_at as "usedAt" from sessions
    where account_id = ${accountId} and stage = 'signed-in' and ends_at > portal_now()
    order by id = ${own} desc, used_at desc, id`.execute(db)
  return rows
}

export async function keepCountry(db: Db, id: string, country: string): Promise<void> {
  await db.updateTable('sessions').set({ country }).where('id', '=', id).execute()
}
