import { sql } from 'kysely'
import type { ActivityEntry, ActivityFilters } from '../../contract/activity.ts'
import { auditActionsOf } from '../../contract/audit-actions.ts'
import type { Device } from '../../contract/device.ts'
import { isoInstant, type Db } from '../platform/database/database.ts'

/** The audit trail writes only known browsers, systems and factors. */
type ActivityRow = Omit<ActivityEntry, 'device'> & { [K in keyof Device]: Device[K] | null }

/** Days begin at midnight in Poland, in any time zone of the caller. */
const dayBegins = (day: string, more = 0) =>
  sql`((${day}::date + ${more}::int)::timestamp at time zone 'Europe/Warsaw')`

/**
 * The audit entries of an account, newest first. Only the customer's own addresses are included, not those of the provider or an
 * operator.
 */
export async function activityOf(
  db: Db,
  accountId: string,
  { kind, from, to }: ActivityFilters,
  { before, size }: { before: string | undefined; size: number },
): Promise<ActivityEntry[]> {
  const { rows } = await sql<ActivityRow>`
    select id::text, at::text, act, actor, case when actor = 'customer' then address end as address,
      details ->> 'browser' as browser, details ->> 'system' as system, case when details ? 'alone' then 'passkey-alone' else details ->> 'factor' end as factor
    from audit
    where account_id = ${accountId} and act = any(${auditActionsOf(kind)}::text[])
      and ${before ? sql`id < ${before}::bigint` : sql`true`}
      and ${from ? sql`at >= ${dayBegins(from)}` : sql`true`} and ${to ? sql`at < ${dayBegins(to, 1)}` : sql`true`}
    order by audit.id desc limit ${size}`.execute(db)
  return rows.map(({ browser, system, at, ...row }) => ({
    ...row,
    at: isoInstant(at),
    device: browser || system ? { browser, system } : null,
  }))
}
