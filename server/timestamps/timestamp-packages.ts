import { inTurn, refillAfter, remainingOf } from '../../contract/rules/timestamp-packages.ts'
import type { AccountPackage } from '../../contract/timestamps.ts'
import type { PackageRow } from './timestamp-store.ts'

/** Null without a limit. */
export const remainingIn = (row: PackageRow, now: Date): number | null =>
  row.kind === 'unlimited' ? null : remainingOf(row, now)

/** A package as the browser shows it. */
export function packageOf(row: PackageRow, now: Date): AccountPackage {
  const reason = reasonOf(row, now)
  return {
    id: row.id,
    kind: row.kind,
    status: reason ? 'inactive' : 'active',
    reason,
    size: row.size,
    remaining: remainingIn(row, now),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt?.toISOString() ?? null,
    refillsAt: row.kind === 'recurring' ? refillAfter(row.refillDay, now).toISOString() : null,
  }
}

function reasonOf(row: PackageRow, now: Date): AccountPackage['reason'] {
  if (!row.active) return 'withdrawn'
  if (row.endsAt && now >= row.endsAt) return 'expired'
  if (now < row.startsAt) return 'not-yet-valid'
  return row.kind === 'one-time' && remainingIn(row, now) === 0 ? 'used-up' : null
}

/** Active ones in the order in which they are spent (TSP-2). */
export const activeInSpendingOrder = (rows: readonly PackageRow[], now: Date): AccountPackage[] =>
  inTurn(rows, now)
    .map((row) => packageOf(row, now))
    .filter(({ status }) => status === 'active')

/** What remains in all of them together; null as soon as one has no limit. */
export const totalRemaining = (packages: readonly { remaining: number | null }[]): number | null =>
  packages.reduce<number | null>(
    (sum, { remaining }) => (sum === null || remaining === null ? null : sum + remaining),
    0,
  )
