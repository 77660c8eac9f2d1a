import { sql } from 'kysely'
import type { ActivityEntry, ActivityWish } from '../../contract/activity.ts'
import { actsOf } from '../../contract/acts.ts'
import { isoOf, type Db } from '../db.ts'

type Row = Omit<ActivityEntry, 'device' | 'factor'> & {
  browser: string | null
  system: string | null
  factor: string | null
}

/** The portal's days are Poland's, whatever the clock of whoever asks. */
const dayBegins = (day: string, more = 0) =>
  sql`((${day}::date + ${more}::int)::timestamp at time zone 'Europe/Warsaw')`

/**
 * What the trail says of an account, newest first. Of addresses only those of its own side: where the provider or an
 * operator works from is no concern of the customer's.
 */
export async function activityOf(
  db: Db,
  accountId: string,
  { kind, from, to }: ActivityWish,
  { before, size }: { before: string | undefined; size: number },
): Promise<ActivityEntry[]> {
  const { rows } = await sql<Row>`
    select id::text, at::text, act, actor, case when actor = 'customer' then address end as address,
      details ->> 'browser' as browser, details ->> 'system' as system, case when details ? 'alone' then 'passkey-alone' else details ->> 'factor' end as factor
    from audit
    where account_id = ${accountId} and act = any(${actsOf(kind)}::text[])
      and ${before ? sql`id < ${before}::bigint` : sql`true`}
      and ${from ? sql`at >= ${dayBegins(from)}` : sql`true`} and ${to ? sql`at < ${dayBegins(to, 1)}` : sql`true`}
    order by audit.id desc limit ${size}`.execute(db)
  return rows.map(({ browser, system, factor, at, ...row }) => ({
    ...row,
    at: isoOf(at),
    device: browser || system ? ({ browser, system } as ActivityEntry['device']) : null,
    factor: factor as ActivityEntry['factor'],
  }))
}
