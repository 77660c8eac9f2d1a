import type { FastifyInstance } from 'fastify'
import {
  getTimestampAccount,
  getTimestampPackage,
  putTimestampAccount,
  putTimestampPackage,
  reportTimestampUsage,
} from '../../contract/provider-timestamps.ts'
import { record } from '../audit.ts'
import { now, type Db } from '../db.ts'
import { serve } from '../http.ts'
import { tellOfSpending } from '../package-notices.ts'
import type { Portal } from '../portal.ts'
import { leftOf } from '../timestamp-packages.ts'
import {
  findAccountState,
  findPackageState,
  storeAccount,
  storeCounts,
  storeDays,
  storePackage,
} from './provider-timestamp-queries.ts'

export function serveProviderTimestamps(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, putTimestampAccount, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const stored = await storeAccount(tx, params.account, body)
      if (!stored) throw fail('not-found')
      await record(tx, {
        act: 'timestamp-account-stored',
        accountId: stored.owner,
        actor: 'provider',
        address,
        details: { client: client.id, timestampAccount: stored.id },
      })
      return (await findAccountState(tx, params.account))!
    }),
  )

  serve(app, portal, getTimestampAccount, async ({ params, fail }) => {
    const state = await findAccountState(db, params.account)
    if (!state) throw fail('not-found')
    return state
  })

  serve(app, portal, putTimestampPackage, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const stored = await storePackage(tx, params.package, body)
      if (!stored) throw fail('not-found')
      await record(tx, {
        act: 'timestamp-package-stored',
        accountId: stored.owner,
        actor: 'provider',
        address,
        details: { client: client.id, timestampPackage: stored.id },
      })
      // Nobody is told of what a package was when it came: they have just bought it, or know it from before.
      if (!stored.isNew) await tellOfSpending(tx, portal, [stored.id])
      return (await packageState(tx, params.package))!
    }),
  )

  serve(app, portal, getTimestampPackage, async ({ params, fail }) => {
    const state = await packageState(db, params.package)
    if (!state) throw fail('not-found')
    return state
  })

  /** A count of what was done elsewhere, and no act of its own: it leaves no record, as it may come every second. */
  serve(app, portal, reportTimestampUsage, ({ body }) =>
    db.transaction().execute(async (tx) => {
      const unknownAccounts = await storeDays(tx, body.days)
      const { changed, unknown } = await storeCounts(tx, body.packages)
      await tellOfSpending(tx, portal, changed)
      return { unknownAccounts, unknownPackages: unknown }
    }),
  )
}

async function packageState(from: Db, providerId: string) {
  const row = await findPackageState(from, providerId)
  if (!row) return undefined
  const { now: at } = await from.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()
  const { account, kind, active, size, refillDay, startsAt, endsAt, spent, countedFrom } = row
  return {
    account,
    kind,
    status: active ? ('active' as const) : ('inactive' as const),
    size,
    refillDay,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    spent,
    countedFrom: countedFrom?.toISOString() ?? null,
    remaining: leftOf(row, at),
  }
}
