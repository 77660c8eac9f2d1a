import { sql } from 'kysely'
import { inTurn, refillAfter, remainingOf, type TimestampPackage } from '../contract/timestamp-packages.ts'
import type { AccountPackage } from '../contract/timestamps.ts'

/** A package as its row tells it. */
export type PackageRow = {
  id: string
  timestampAccountId: string
  kind: 'recurring' | 'one-time' | 'unlimited'
  active: boolean
  size: number | null
  refillDay: number | null
  startsAt: Date
  endsAt: Date | null
  spent: number
  countedFrom: Date | null
}

export const packageColumns = sql`p.id, p.timestamp_account_id as "timestampAccountId", p.kind, p.active, p.size, p.refill_day as "refillDay",
  p.starts_at as "startsAt", p.ends_at as "endsAt", p.spent, p.counted_from as "countedFrom"`

/** What the rules of spending see of it. */
export function ruleOf({
  id,
  kind,
  size,
  refillDay,
  startsAt,
  endsAt,
  spent,
  countedFrom,
}: PackageRow): TimestampPackage {
  const held = { id, startsAt, endsAt, spent }
  if (kind === 'unlimited') return { ...held, kind }
  if (kind === 'one-time') return { ...held, kind, size: size! }
  return { ...held, kind, size: size!, refillDay: refillDay!, countedFrom: countedFrom! }
}

/** Null without a limit. */
export const leftOf = (row: PackageRow, now: Date): number | null =>
  row.kind === 'unlimited' ? null : remainingOf(ruleOf(row), now)

/** What the browser shows of it. */
export function packageOf(row: PackageRow, now: Date): AccountPackage {
  const reason = reasonOf(row, now)
  return {
    id: row.id,
    kind: row.kind,
    status: reason ? 'inactive' : 'active',
    reason,
    size: row.size,
    remaining: leftOf(row, now),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt?.toISOString() ?? null,
    refillsAt: row.kind === 'recurring' ? refillAfter(row.refillDay!, now).toISOString() : null,
  }
}

function reasonOf(row: PackageRow, now: Date): AccountPackage['reason'] {
  if (!row.active) return 'withdrawn'
  if (row.endsAt && now >= row.endsAt) return 'expired'
  if (now < row.startsAt) return 'not-yet-valid'
  return row.kind === 'one-time' && leftOf(row, now) === 0 ? 'used-up' : null
}

/** Active ones in the order in which they are spent (TSP-2). */
export function activeInTurn(rows: readonly PackageRow[], now: Date): AccountPackage[] {
  const byId = new Map(rows.map((row) => [row.id, packageOf(row, now)]))
  return inTurn(rows.map(ruleOf), now)
    .map(({ id }) => byId.get(id)!)
    .filter(({ status }) => status === 'active')
}

/** What is left in all of them together; null as soon as one has no limit. */
export const leftInAll = (packages: readonly { remaining: number | null }[]): number | null =>
  packages.reduce<number | null>(
    (sum, { remaining }) => (sum === null || remaining === null ? null : sum + remaining),
    0,
  )
