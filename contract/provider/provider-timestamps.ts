import * as z from 'zod/mini'
import { endpoint, readsOne } from '../endpoint.ts'
import { formed, Instant, ProviderId } from '../fields.ts'
import { pages } from '../list-pages.ts'
import { removes } from './provider-api.ts'
import { TimestampAuthentication, TimestampPackageKind, UsageDay } from '../timestamps.ts'

/** Timestamps in the provider API: a PUT states the whole state, as everywhere in it (OPS-4). */

/** A URL that works in a command line and in any program. */
const ServerUrl = formed(300, /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~-]+)*\/?$/)

export const TimestampAccountStatus = z.enum(['active', 'inactive'])

export const ProviderTimestampAccount = z.strictObject({
  customer: ProviderId,
  /** As programs send it; without a colon, as in RFC 7617. */
  login: formed(64, /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/),
  authentication: TimestampAuthentication,
  serverUrl: ServerUrl,
  status: TimestampAccountStatus,
})
export type ProviderTimestampAccount = z.infer<typeof ProviderTimestampAccount>

export const putTimestampAccount = endpoint('provider', 'PUT /provider/v1/timestamp-accounts/:account', {
  summary: 'Creates or updates a timestamp account of a customer; its password never enters the portal',
  description:
    'Sets the login, address and way of authentication that the customer’s programs use. The portal never stores a password.',
  body: ProviderTimestampAccount,
  ...readsOne(ProviderTimestampAccount),
})

export const getTimestampAccount = endpoint('provider', 'GET /provider/v1/timestamp-accounts/:account', {
  summary: 'A timestamp account as the portal knows it',
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
  summary: 'Timestamp accounts by page, optionally of one customer or one status',
  description: 'Pages of 100. Pass `next` as `cursor` to get the next page; it is null on the last page.',
  ...pages(z.strictObject({ account: ProviderId, ...ProviderTimestampAccount.shape }), {
    customer: ProviderId,
    status: TimestampAccountStatus,
  }),
})

const Count = z.int().check(z.minimum(0), z.maximum(2_000_000_000))
const Size = z.int().check(z.minimum(1), z.maximum(2_000_000_000))

const PackageFields = z.strictObject({
  account: ProviderId,
  kind: TimestampPackageKind,
  /** `inactive`: the provider has withdrawn it. Expiry and use follow from the other fields. */
  status: z.enum(['active', 'inactive']),
  /** Null for an unlimited package. */
  size: z.nullable(Size),
  /** The day of the month on which a recurring package is refilled, at 00:00 in Warsaw; the last day of a shorter month. */
  refillDay: z.nullable(z.int().check(z.minimum(1), z.maximum(31))),
  startsAt: Instant,
  /** The moment from which it is no longer valid; null if it does not expire. */
  endsAt: z.nullable(Instant),
  /** Timestamps used so far, in a recurring package since `countedFrom`. */
  spent: Count,
  countedFrom: z.nullable(Instant),
})

export const ProviderTimestampPackage = PackageFields.check(
  z.refine(({ kind, size }) => (kind === 'unlimited') === (size === null), { path: ['size'] }),
  z.refine(({ kind, refillDay }) => (kind === 'recurring') === (refillDay !== null), { path: ['refillDay'] }),
  z.refine(({ kind, countedFrom }) => (kind === 'recurring') === (countedFrom !== null), { path: ['countedFrom'] }),
)
export type ProviderTimestampPackage = z.infer<typeof ProviderTimestampPackage>

/** `remaining`: as the portal shows it now; null without a limit. */
const PackageState = z.extend(PackageFields, { remaining: z.nullable(Count) })

export const putTimestampPackage = endpoint('provider', 'PUT /provider/v1/timestamp-packages/:package', {
  summary: 'Creates or updates a package of a timestamp account; the number of used timestamps never decreases',
  description:
    '`kind` is `recurring` (with `refillDay` and `countedFrom`), `one-time` (both null) or `unlimited` (`size` null too). A lower `spent` than the portal knows is ignored.',
  body: ProviderTimestampPackage,
  ...readsOne(PackageState),
})

export const getTimestampPackage = endpoint('provider', 'GET /provider/v1/timestamp-packages/:package', {
  summary: 'A package as the portal knows it',
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

export const TimestampUsage = z.strictObject({
  /** Timestamps that an account has used so far on a day of the Polish calendar. */
  days: z.array(z.strictObject({ account: ProviderId, day: UsageDay, spent: Count })).check(z.maxLength(reportsAtOnce)),
  /** Timestamps used of a package; `countedFrom` as in the package. */
  packages: z
    .array(z.strictObject({ package: ProviderId, spent: Count, countedFrom: z.nullable(Instant) }))
    .check(z.maxLength(reportsAtOnce)),
})
export type TimestampUsage = z.infer<typeof TimestampUsage>

/** Counts only grow, so a report that arrives twice, or after a newer one, changes nothing. */
export const reportTimestampUsage = endpoint('provider', 'PUT /provider/v1/timestamp-usage', {
  summary: 'Reports used timestamps; the higher count wins, and the reply names unknown accounts and packages',
  description:
    'Send totals, not increments: up to 200 days and 200 packages in a call, in any order and as often as you like. Days are those of the Polish calendar. The rows of known accounts and packages are applied even if others are unknown.',
  body: TimestampUsage,
  reply: z.strictObject({ unknownAccounts: z.array(ProviderId), unknownPackages: z.array(ProviderId) }),
  impersonal: true,
})
