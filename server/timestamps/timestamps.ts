import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Given } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import { addDays, warsawDay } from '../../contract/rules/warsaw-time.ts'
import * as calls from '../../contract/timestamps.ts'
import { isLow, stateOfAccount, TimestampState, type TimestampAccount } from '../../contract/timestamps.ts'
import { handler } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import {
  listActivePackages,
  findTimestampAccount,
  listInactivePackages,
  listAccounts,
  readUsage,
  type AccountRow,
  type PackagePosition,
  activeInSpendingOrder,
  totalRemaining,
  packageOf,
} from './timestamp-store.ts'

type AccountPosition = { rank: number; login: string; id: string }

const isAfter = (a: AccountPosition, b: AccountPosition) =>
  a.rank === b.rank ? (a.login === b.login ? a.id > b.id : a.login > b.login) : a.rank > b.rank

// The customer's timestamp accounts, their packages and what was spent (TSP-1, TSP-2, TSP-4).

export const listTimestampAccounts = handler(
  calls.listTimestampAccounts,
  async ({ query, session: { accountId, now }, page }, portal) => {
    const accounts = (await withPackages(portal, await listAccounts(portal.db, accountId, now, query), now))
      .filter(({ account }) => !query.state || stateOfAccount(account) === query.state)
      .map(({ account }) => {
        const { login, id } = account
        return { account, rank: TimestampState.options.indexOf(stateOfAccount(account)), login, id }
      })
      .toSorted((a, b) => (isAfter(a, b) ? 1 : -1))
    const { rows, next } = await page(
      { list: 'timestamp accounts', cursor: query.cursor, size: query.size },
      async (after: AccountPosition | undefined, size) =>
        accounts.filter((each) => !after || isAfter(each, after)).slice(0, size + 1),
      ({ rank, login, id }) => ({ rank, login, id }),
    )
    return { items: rows.map(({ account }) => account), next }
  },
)

export const summariseTimestamps = handler(
  calls.summariseTimestamps,
  async ({ session: { accountId, now } }, portal) => {
    const all = (await withPackages(portal, await listAccounts(portal.db, accountId, now), now)).map((each) => ({
      ...each,
      low: each.active.find(isLow) ?? null,
    }))
    const working = all.filter(({ account }) => account.status === 'active')
    return {
      active: working.length,
      inactive: all.length - working.length,
      remaining: totalRemaining(working.map(({ account }) => account)),
      attention: working
        .filter(({ account, low, recentlyValid }) => low || (account.remaining === 0 && recentlyValid))
        // Accounts with nothing left come first: they are the most urgent.
        .toSorted((a, b) => Number(a.account.remaining !== 0) - Number(b.account.remaining !== 0))
        .map(({ account, low }) => ({ account, low })),
    }
  },
)

export const listTimestampPackages = handler(
  calls.listTimestampPackages,
  async ({ params, query, session: { accountId, now }, orNotFound, page }, { db }) => {
    const account = orNotFound(await findTimestampAccount(db, accountId, params.id, now))
    const first =
      query.cursor === undefined ? activeInSpendingOrder(await listActivePackages(db, [account.id], now), now) : []
    const { rows, next } = await page(
      { list: `timestamp packages ${account.id}`, cursor: query.cursor },
      (after: PackagePosition | undefined, size) => listInactivePackages(db, account.id, now, { after, size }),
      ({ startsAt, id }) => ({ startsAt: startsAt.toISOString(), id }),
    )
    return { items: [...first, ...rows.map((row) => packageOf(row, now))], next, now }
  },
)

export const readTimestampUsage = handler(
  calls.readTimestampUsage,
  async ({ params, query, session: { accountId, now }, orNotFound }, { db }) => {
    const account = orNotFound(await findTimestampAccount(db, accountId, params.id, now))
    const today = warsawDay(now)
    const last = query.until === undefined || query.until > today ? today : query.until
    const { usageDays } = limits.timestamps
    const first = addDays(last, 1 - usageDays)
    const days = Array.from({ length: usageDays }, (_, i) => addDays(last, i + 1 - usageDays))
    const { spent, hasEarlier } = await readUsage(db, account.id, { first, last })
    return { days: days.map((day) => ({ day, spent: spent.get(day) ?? 0 })), today, hasEarlier }
  },
)

async function withPackages(portal: Portal, rows: readonly AccountRow[], now: Date) {
  const ids = rows.map(({ id }) => id)
  const byAccount = Map.groupBy(
    await listActivePackages(portal.db, ids, now),
    ({ timestampAccountId }) => timestampAccountId,
  )
  return rows.map((row) => {
    const { providerId: _, active: isActive, recentlyValid, ...shown } = row
    const active = activeInSpendingOrder(byAccount.get(row.id) ?? [], now)
    const current = active.find(({ remaining }) => remaining !== 0) ?? active[0] ?? null
    const account: Given<typeof TimestampAccount> = {
      ...shown,
      status: isActive ? 'active' : 'inactive',
      canChangePassword: isPasswordChangeable(portal, row),
      current,
      remaining: totalRemaining(active),
    }
    return { account, active, recentlyValid }
  })
}

/**
 * Checks whether an active account has a password that can be changed (TSP-3): only basic authentication has one, and the provider must
 * accept new passwords from the portal.
 */
export const isPasswordChangeable = ({ ports }: Portal, { authentication, active }: AccountRow): boolean =>
  authentication === 'basic' && active && ports.timestampAccounts !== undefined

/** Changes a password on the timestamp server; it is not stored here (TSP-3). */
export const changeTimestampPassword = handler(
  calls.changeTimestampPassword,
  async ({ params, body, session, fail, limit, transaction, orNotFound }, portal) => {
    const account = orNotFound(await findTimestampAccount(portal.db, session.accountId, params.id, session.now))
    const { timestampAccounts } = portal.ports
    if (!timestampAccounts || !isPasswordChangeable(portal, account)) throw fail('timestamp-password-fixed')
    await limit('too-many-attempts', ['timestamp-password', account.id])
    const addEntry = (action: AuditAction) =>
      transaction((_tx, audit) => audit(action, { timestampAccount: account.id }))
    // The audit entry comes first, because a rollback of ours cannot undo what another server has done (R84).
    await addEntry('timestamp-password-asked')
    const outcome = await timestampAccounts.setPassword(account.providerId, body.newPassword)
    if (outcome === 'refused') throw fail('timestamp-password-fixed')
    if (outcome === 'unreachable') throw fail('unavailable')
    await addEntry('timestamp-password-changed')
  },
)
