import { sql } from 'kysely'
import type { Device } from '../../contract/device.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'

export type SessionRow = Device & {
  id: string
  address: string | null
  country: string | null
  startedAt: Date
  usedAt: Date
}

/** The live signed-in sessions of an account: the caller's own first, then the last used. */
export async function listLiveSessions(db: Db, accountId: string, own: string): Promise<SessionRow[]> {
  return query(db).all(sql<SessionRow>`
    select id, browser, system, address, country, started_at, used_at from sessions
    where account_id = ${accountId} and stage = 'signed-in' and ends_at > portal_now()
    order by id = ${own} desc, used_at desc, id`)
}

export async function setCountry(db: Db, id: string, country: string): Promise<void> {
  await sql`update sessions set country = ${country} where id = ${id}`.execute(db)
}
