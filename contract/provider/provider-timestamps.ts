import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { formed, Instant } from './fields.ts'
import { ProviderId } from './provider-api.ts'
import { TimestampAuthentication, TimestampPackageKind, UsageDay } from './timestamps.ts'

/** The part of the provider API that is about timestamps: PUT states what is, as everywhere in it (OPS-4). */

/** An address as it can stand in a command line and in any program. */
const ServerUrl = formed(300, /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~-]+)*\/?$/)

export const ProviderTimestampAccount = z.strictObject({
  customer: ProviderId,
  /** As programs send it; RFC 7617 has no colon in it. */
  login: formed(64, /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/),
  authentication: TimestampAuthentication,
  serverUrl: ServerUrl,
  status: z.enum(['active', 'inactive']),
})
export type ProviderTimestampAccount = z.infer<typeof ProviderTimestampAccount>

const accountParams = z.strictObject({ account: ProviderId })

export const putTimestampAccount = endpoint({
  method: 'PUT',
  path: '/provider/v1/timestamp-accounts/:account',
  summary: 'Creates or updates a timestamp account of a customer; its password never enters the portal',
  access: 'provider',
  params: accountParams,
  body: ProviderTimestampAccount,
  reply: ProviderTimestampAccount,
  errors: ['not-found'],
})

export const getTimestampAccount = endpoint({
  method: 'GET',
  path: '/provider/v1/timestamp-accounts/:account',
  summary: 'A timestamp account as the portal knows it',
  access: 'provider',
  params: accountParams,
  reply: ProviderTimestampAccount,
  errors: ['not-found'],
})

const Count = z.int().check(z.minimum(0), z.maximum(2_000_000_000))
const Size = z.int().check(z.minimum(1), z.maximum(2_000_000_000))

const PackageFields = z.strictObject({
  account: ProviderId,
  kind: TimestampPackageKind,
  /** `inactive`: the provider has withdrawn it. Time and spending do the rest. */
  status: z.enum(['active', 'inactive']),
  /** Null for an unlimited one. */
  size: z.nullable(Size),
  /** The day of the month at whose 00:00 in Warsaw a recurring package is full again; in a shorter month its last day. */
  refillDay: z.nullable(z.int().check(z.minimum(1), z.maximum(31))),
  startsAt: Instant,
  /** The moment from which it is no longer valid; null is without end. */
  endsAt: z.nullable(Instant),
  /** Timestamps taken so far, of a recurring one since `countedFrom`. */
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

const packageParams = z.strictObject({ package: ProviderId })

export const putTimestampPackage = endpoint({
  method: 'PUT',
  path: '/provider/v1/timestamp-packages/:package',
  summary: 'Creates or updates a package of a timestamp account; what was reported as spent is never less than before',
  access: 'provider',
  params: packageParams,
  body: ProviderTimestampPackage,
  reply: PackageState,
  errors: ['not-found'],
})

export const getTimestampPackage = endpoint({
  method: 'GET',
  path: '/provider/v1/timestamp-packages/:package',
  summary: 'A package as the portal knows it',
  access: 'provider',
  params: packageParams,
  reply: PackageState,
  errors: ['not-found'],
})

/** Reports of one call, so that it stays below the limit of a request (R70). */
export const reportsAtOnce = 200

export const TimestampUsage = z.strictObject({
  /** What an account has spent on a day of the Polish calendar, up to now. */
  days: z.array(z.strictObject({ account: ProviderId, day: UsageDay, spent: Count })).check(z.maxLength(reportsAtOnce)),
  /** What was spent of a package; `countedFrom` as in the package. */
  packages: z
    .array(z.strictObject({ package: ProviderId, spent: Count, countedFrom: z.nullable(Instant) }))
    .check(z.maxLength(reportsAtOnce)),
})
export type TimestampUsage = z.infer<typeof TimestampUsage>

/** Counts only grow, so a report that comes twice, or after a newer one, changes nothing. */
export const reportTimestampUsage = endpoint({
  method: 'PUT',
  path: '/provider/v1/timestamp-usage',
  summary: 'Reports what was spent; the higher count stands, and what the portal does not know is named in the reply',
  access: 'provider',
  body: TimestampUsage,
  reply: z.strictObject({ unknownAccounts: z.array(ProviderId), unknownPackages: z.array(ProviderId) }),
})
