import { sql } from 'kysely'
import pg from 'pg'
import { auditParts } from '../audit/audit-parts.ts'
import type { Db } from '../database/database.ts'
import type { PortalJob } from '../portal.ts'

/**
 * Makes the tables of the audit trail for the next three months. While anything reads the trail, such as a dump, no table can join it:
 * the next run tries again, and only a run in the last month is reported.
 */
async function makeMonths(db: Db): Promise<void> {
  try {
    await db.transaction().execute((tx) => sql`select make_audit_months()`.execute(tx))
  } catch (error) {
    const isLockTimeout = error instanceof pg.DatabaseError && error.code === '55P03'
    if (!isLockTimeout || (await isLastMonth(db))) throw error
  }
}

async function isLastMonth(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from (${auditParts}) part where ends > portal_now() + interval '1 month' limit 1`.execute(db)
  return !rows.length
}

/** Every node runs it, apart from the cleanup, which does not have to wait for the trail. */
export const auditMonthsJob: PortalJob = { name: 'audit-months', everySeconds: 600, run: ({ db }) => makeMonths(db) }
