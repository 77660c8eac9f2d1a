import * as calls from '../../contract/provider/provider-timestamps.ts'
import { handler } from '../platform/http/http.ts'
import { removing } from '../platform/http/object-removal.ts'
import { notifyOfSpending } from './package-notices.ts'
import {
  findAccountState,
  findPackageState,
  listAllAccounts,
  removeRow,
  putAccountOf,
  putCounts,
  putDays,
  putPackageOf,
  type PackageState,
} from './provider-timestamp-store.ts'
import { remainingIn } from './timestamp-store.ts'

const removeAccount = removing('timestamp-account', 'account', (tx, filed) =>
  removeRow(tx, 'timestamp_accounts', filed),
)
const removePackage = removing('timestamp-package', 'package', (tx, filed) =>
  removeRow(tx, 'timestamp_packages', filed),
)

export const putTimestampAccount = handler(calls.putTimestampAccount, ({ params, body, transaction, orNotFound }) =>
  transaction(async (tx, audit) => {
    const stored = orNotFound(await putAccountOf(tx, params.account, body))
    await audit('timestamp-account-stored', { timestampAccount: stored.id }, stored.owner)
    return orNotFound(await findAccountState(tx, params.account))
  }),
)

export const getTimestampAccount = handler(calls.getTimestampAccount, async ({ params, orNotFound }, { db }) =>
  orNotFound(await findAccountState(db, params.account)),
)

export const removeTimestampAccount = handler(calls.removeTimestampAccount, removeAccount)

export const removeTimestampPackage = handler(calls.removeTimestampPackage, removePackage)

export const listTimestampAccounts = handler(
  calls.listTimestampAccounts,
  async ({ query: { customer, status, cursor }, pageById }, { db }) => {
    const { rows, next } = await pageById(
      { list: `provider timestamp accounts ${customer ?? ''} ${status ?? 'all'}`, cursor },
      (at) => listAllAccounts(db, { customer, status, ...at }),
    )
    return { items: rows.map(({ id: _, ...row }) => row), next }
  },
)

export const putTimestampPackage = handler(
  calls.putTimestampPackage,
  ({ params, body, transaction, orNotFound }, portal) =>
    transaction(async (tx, audit) => {
      const stored = orNotFound(await putPackageOf(tx, params.package, body))
      await audit('timestamp-package-stored', { timestampPackage: stored.id }, stored.owner)
      // No notice of a new package: its owner has just bought it, or knows it from before.
      if (!stored.isNew) await notifyOfSpending(tx, portal, [stored.id])
      return packageState(orNotFound(await findPackageState(tx, params.package)))
    }),
)

export const getTimestampPackage = handler(
  calls.getTimestampPackage,
  async ({ params, orNotFound, isAbout }, { db }) => {
    const row = orNotFound(await findPackageState(db, params.package))
    isAbout(row.owner)
    return packageState(row)
  },
)

/** Counts what was done elsewhere. It may come every second, so it has no audit entry. */
export const reportTimestampUsage = handler(calls.reportTimestampUsage, ({ body, transaction }, portal) =>
  transaction(async (tx) => {
    const unknownAccounts = await putDays(tx, body.days)
    const { changed, unknown } = await putCounts(tx, body.packages)
    await notifyOfSpending(tx, portal, changed)
    return { unknownAccounts, unknownPackages: unknown }
  }),
)

function packageState(row: PackageState) {
  const { account, kind, active, size, refillDay, startsAt, endsAt, spent, countedFrom } = row
  return {
    account,
    kind,
    status: active ? ('active' as const) : ('inactive' as const),
    size,
    refillDay,
    startsAt,
    endsAt,
    spent,
    countedFrom,
    remaining: remainingIn(row, row.now),
  }
}
