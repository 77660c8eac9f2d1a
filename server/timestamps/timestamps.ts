import type { FastifyInstance } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { warsawDay } from '../../contract/warsaw-time.ts'
import {
  isLow,
  listTimestampAccounts,
  listTimestampPackages,
  readTimestampUsage,
  summariseTimestamps,
  type TimestampAccount,
} from '../../contract/timestamps.ts'
import { makeCursor, readCursor } from '../cursor.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { activeInTurn, leftInAll, packageOf } from '../timestamp-packages.ts'
import {
  activePackages,
  findAccount,
  inactivePackages,
  listAccounts,
  usageBetween,
  type AccountRow,
} from './timestamp-queries.ts'

const dayMs = 86_400_000
/** More accounts than a person looks after; home names what it can of them. */
const summarisedAtMost = 500

/** The customer's timestamp accounts, their packages and what was spent (TSP-1, TSP-2, TSP-4). */
export function serveTimestamps(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, listTimestampAccounts, async ({ query, session: { accountId, now } }) => {
    const { size } = limits.list
    const list = 'timestamp accounts'
    const [active, login, id] = query.cursor === undefined ? [] : readCursor(keys, list, accountId, query.cursor)
    const after = id === undefined ? undefined : { active: active === 1, login: String(login), id: String(id) }
    const rows = await listAccounts(db, accountId, now, { after, size })
    const items = await withPackages(rows.slice(0, size), now)
    const last = rows[size - 1]
    const next =
      rows.length > size && last ? makeCursor(keys, list, accountId, [Number(last.active), last.login, last.id]) : null
    return { items: items.map(({ account }) => account), next }
  })

  serve(app, portal, summariseTimestamps, async ({ session: { accountId, now } }) => {
    const rows = await listAccounts(db, accountId, now, { after: undefined, size: summarisedAtMost })
    const all = (await withPackages(rows, now)).map((each) => ({ ...each, low: each.active.find(isLow) ?? null }))
    const working = all.filter(({ account }) => account.status === 'active')
    return {
      active: working.length,
      inactive: all.length - working.length,
      remaining: leftInAll(working.map(({ account }) => account)),
      attention: working
        .filter(({ account, low, lately }) => low || (account.remaining === 0 && lately))
        // Who has nothing left waits the most.
        .toSorted((one, other) => Number(one.account.remaining !== 0) - Number(other.account.remaining !== 0))
        .map(({ account, low }) => ({ account, low })),
    }
  })

  serve(app, portal, listTimestampPackages, async ({ params, query, session: { accountId, now }, fail }) => {
    const account = await findAccount(db, accountId, params.id, now)
    if (!account) throw fail('not-found')
    const { size } = limits.list
    const list = `timestamp packages ${account.id}`
    const [startsAt, id] = query.cursor === undefined ? [] : readCursor(keys, list, accountId, query.cursor)
    const after = id === undefined ? undefined : { startsAt: String(startsAt), id: String(id) }
    const first = after ? [] : activeInTurn(await activePackages(db, [account.id], now), now)
    const rows = await inactivePackages(db, account.id, now, { after, size })
    const last = rows[size - 1]
    const next =
      rows.length > size && last ? makeCursor(keys, list, accountId, [last.startsAt.toISOString(), last.id]) : null
    return {
      items: [...first, ...rows.slice(0, size).map((row) => packageOf(row, now))],
      next,
      now: now.toISOString(),
    }
  })

  serve(app, portal, readTimestampUsage, async ({ params, query, session: { accountId, now }, fail }) => {
    const account = await findAccount(db, accountId, params.id, now)
    if (!account) throw fail('not-found')
    const today = warsawDay(now)
    const last = query.until === undefined || query.until > today ? today : query.until
    const days = Array.from({ length: limits.timestamps.usageDays }, (_, i) => dayBefore(last, i)).toReversed()
    const { spent, earlier } = await usageBetween(db, account.id, { first: days[0]!, last })
    return { days: days.map((day) => ({ day, spent: spent.get(day) ?? 0 })), today, earlier }
  })

  async function withPackages(rows: readonly AccountRow[], now: Date) {
    const ids = rows.map(({ id }) => id)
    const byAccount = Map.groupBy(await activePackages(db, ids, now), ({ timestampAccountId }) => timestampAccountId)
    return rows.map((row) => {
      const active = activeInTurn(byAccount.get(row.id) ?? [], now)
      const current = active.find(({ remaining }) => remaining !== 0) ?? active[0] ?? null
      const account: TimestampAccount = {
        id: row.id,
        login: row.login,
        authentication: row.authentication,
        serverUrl: row.serverUrl,
        status: row.active ? 'active' : 'inactive',
        passwordChangeable: isPasswordChangeable(portal, row),
        packages: row.packages,
        current,
        remaining: leftInAll(active),
      }
      return { account, active, lately: row.lately }
    })
  }
}

/** Only what has a password has one to change (TSP-3), and somebody must be there to be told of it. */
export const isPasswordChangeable = ({ ports }: Portal, { authentication, active }: AccountRow): boolean =>
  authentication === 'basic' && active && ports.timestampAccounts !== undefined

const dayBefore = (day: string, days: number) => new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
