import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { patternText, Instant, ProviderId } from '../fields.ts'
import { pages } from '../list-pages.ts'
import { TimestampAuthentication, TimestampPackageKind, UsageDay } from '../timestamps.ts'
import { removes } from './provider-api.ts'

// Timestamps in the provider API: a PUT states the whole state, as everywhere in it (OPS-4).

/** A URL that works in a command line and in any program. */
const ServerUrl = component(
  'TimestampServerUrl',
  'The address of the timestamp server, at most 300 characters, without a query.',
  patternText(300, /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~-]+)*\/?$/),
)

export const TimestampAccountStatus = component(
  'TimestampAccountStatus',
  'Whether the account can be used.',
  z.enum(['active', 'inactive']),
)

export const ProviderTimestampAccount = component(
  'TimestampAccount',
  'A timestamp account, as you put it.',
  z.strictObject({
    customer: described('Your id of the customer.', ProviderId),
    login: described(
      'The login that programs send: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.',
      patternText(64, /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/),
    ),
    authentication: TimestampAuthentication,
    serverUrl: ServerUrl,
    status: TimestampAccountStatus,
  }),
)
export type ProviderTimestampAccount = z.infer<typeof ProviderTimestampAccount>

export const putTimestampAccount = endpoint('provider', 'PUT /provider/v1/timestamp-accounts/:account', {
  summary: 'Creates or updates a timestamp account of a customer; its password never enters the portal',
  description:
    'Sets the login, address and way of authentication that the customer’s programs use. The portal never stores a password.',
  body: ProviderTimestampAccount,
  ...readsOne(ProviderTimestampAccount),
})

export const getTimestampAccount = endpoint('provider', 'GET /provider/v1/timestamp-accounts/:account', {
  summary: 'Returns a timestamp account as the portal knows it',
  description: 'The account as you put it.',
  ...readsOne(ProviderTimestampAccount),
})

export const removeTimestampAccount = endpoint('provider', 'DELETE /provider/v1/timestamp-accounts/:account', {
  summary: 'Removes a timestamp account that was filed by mistake, with its packages and its usage',
  description:
    '`reason` says why it was filed by mistake. Its packages and its usage are removed with it. Repeating the call answers `"removed": false`.',
  ...removes,
})

export const listTimestampAccounts = endpoint('provider', 'GET /provider/v1/timestamp-accounts', {
  summary: 'Lists timestamp accounts by page, optionally of one customer or one status',
  description: 'Pages of 100. Pass `next` as `cursor` to get the next page; it is null on the last page.',
  ...pages(
    z.strictObject({ account: described('Your id of the account.', ProviderId), ...ProviderTimestampAccount.shape }),
    {
      customer: described('Only those of this customer, by your id.', ProviderId),
      status: described('Only those with this status.', TimestampAccountStatus),
    },
  ),
})

const Count = component(
  'TimestampCount',
  'A number of timestamps, at most 2,000,000,000.',
  z.int().check(z.minimum(0), z.maximum(2_000_000_000)),
)
const Size = z.int().check(z.minimum(1), z.maximum(2_000_000_000))

const PackageFields = component(
  'TimestampPackage',
  'A package of timestamps, as you put it.',
  z.strictObject({
    account: described('Your id of the account.', ProviderId),
    kind: TimestampPackageKind,
    status: described(
      '`inactive`: you have withdrawn it. Expiry and use follow from the other fields.',
      z.enum(['active', 'inactive']),
    ),
    size: described('The number of timestamps; null for an unlimited package.', z.nullable(Size)),
    refillDay: described(
      'The day of the month on which a recurring package is refilled, at 00:00 in Warsaw; the last day of a shorter month. Null for others.',
      z.nullable(z.int().check(z.minimum(1), z.maximum(31))),
    ),
    startsAt: described('From when on it is valid.', Instant),
    endsAt: described('From when on it is no longer valid; null if it does not expire.', z.nullable(Instant)),
    spent: described('Timestamps used so far, in a recurring package since `countedFrom`.', Count),
    countedFrom: described('Since when `spent` counts, for a recurring package; null for others.', z.nullable(Instant)),
  }),
)

export const ProviderTimestampPackage = PackageFields.check(
  z.refine(({ kind, size }) => (kind === 'unlimited') === (size === null), { path: ['size'] }),
  z.refine(({ kind, refillDay }) => (kind === 'recurring') === (refillDay !== null), { path: ['refillDay'] }),
  z.refine(({ kind, countedFrom }) => (kind === 'recurring') === (countedFrom !== null), { path: ['countedFrom'] }),
)
export type ProviderTimestampPackage = z.infer<typeof ProviderTimestampPackage>

const PackageState = component(
  'TimestampPackageState',
  'A package of timestamps as the portal knows it.',
  z.extend(PackageFields, { remaining: described('How many are left now; null without a limit.', z.nullable(Count)) }),
)

export const putTimestampPackage = endpoint('provider', 'PUT /provider/v1/timestamp-packages/:package', {
  summary: 'Creates or updates a package of a timestamp account; the number of used timestamps never decreases',
  description:
    '`kind` is `recurring` (with `refillDay` and `countedFrom`), `one-time` (both null) or `unlimited` (`size` null too). A lower `spent` than the portal knows is ignored.',
  body: ProviderTimestampPackage,
  ...readsOne(PackageState),
})

export const getTimestampPackage = endpoint('provider', 'GET /provider/v1/timestamp-packages/:package', {
  summary: 'Returns a package as the portal knows it',
  description: 'The package, with the timestamps that remain at the moment; null if it is unlimited.',
  ...readsOne(PackageState),
})

export const removeTimestampPackage = endpoint('provider', 'DELETE /provider/v1/timestamp-packages/:package', {
  summary: 'Removes a package that was filed by mistake',
  description:
    '`reason` says why it was filed by mistake. The account and its other packages stay. Repeating the call answers `"removed": false`.',
  ...removes,
})

/** Rows in one call, so that it stays below the size limit of a request (R70). */
export const reportsAtOnce = 200

export const TimestampUsage = component(
  'TimestampUsage',
  'Totals of used timestamps.',
  z.strictObject({
    days: described(
      'How many an account has used so far on a day of the Polish calendar; at most 200 rows.',
      z
        .array(
          z.strictObject({
            account: described('Your id of the account.', ProviderId),
            day: described('The day, from 2000-01-01 on.', UsageDay),
            spent: described('Used so far on that day.', Count),
          }),
        )
        .check(z.maxLength(reportsAtOnce)),
    ),
    packages: described(
      'How many of a package are used; at most 200 rows.',
      z
        .array(
          z.strictObject({
            package: described('Your id of the package.', ProviderId),
            spent: described('Used so far, in a recurring package since `countedFrom`.', Count),
            countedFrom: described('As in the package.', z.nullable(Instant)),
          }),
        )
        .check(z.maxLength(reportsAtOnce)),
    ),
  }),
)
export type TimestampUsage = z.infer<typeof TimestampUsage>

/** Counts only grow, so a report that arrives twice, or after a newer one, changes nothing. */
export const reportTimestampUsage = endpoint('provider', 'PUT /provider/v1/timestamp-usage', {
  summary: 'Reports used timestamps; the higher count wins, and the reply names unknown accounts and packages',
  description:
    'Send totals, not increments: up to 200 days and 200 packages in a call, in any order and as often as you like. Days are those of the Polish calendar. The rows of known accounts and packages are applied even if others are unknown.',
  body: TimestampUsage,
  reply: z.strictObject({
    unknownAccounts: described(
      'The ids of accounts that the portal does not know: their rows were not applied.',
      z.array(ProviderId),
    ),
    unknownPackages: described('The ids of packages that the portal does not know.', z.array(ProviderId)),
  }),
  impersonal: true,
})
