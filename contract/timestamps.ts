import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { FieldProblem } from './errors.ts'
import { Day, Instant, secret, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { pages, PageSize, searches } from './list-pages.ts'
import { repeatsPassword } from './rules/password-rules.ts'

/** How a program authenticates: login and password, or requests signed with the account's certificate (PKCS#7/CMS). */
export const TimestampAuthentication = z.enum(['basic', 'cms'])
export type TimestampAuthentication = z.infer<typeof TimestampAuthentication>

export const TimestampPackageKind = z.enum(['recurring', 'one-time', 'unlimited'])
export type TimestampPackageKind = z.infer<typeof TimestampPackageKind>

/** TSP-2. `reason` says why a package is inactive. */
export const AccountPackage = z.strictObject({
  id: Uuid,
  kind: TimestampPackageKind,
  status: z.enum(['active', 'inactive']),
  reason: z.nullable(z.enum(['not-yet-valid', 'expired', 'used-up', 'withdrawn'])),
  /** Null for a package without a limit, as `remaining` is. */
  size: z.nullable(z.int()),
  remaining: z.nullable(z.int()),
  startsAt: Instant,
  /** Null if it does not expire. */
  endsAt: z.nullable(Instant),
  /** When a recurring package is refilled. */
  refillsAt: z.nullable(Instant),
})
export type AccountPackage = z.infer<typeof AccountPackage>

/** TSP-1. */
export const TimestampAccount = z.strictObject({
  id: Uuid,
  login: z.string(),
  authentication: TimestampAuthentication,
  serverUrl: z.string(),
  status: z.enum(['active', 'inactive']),
  passwordChangeable: z.boolean(),
  /** The number of all packages that the account has or had. */
  packages: z.int(),
  /** The package of the next timestamp, or the one that is refilled next; null if there is none. */
  current: z.nullable(AccountPackage),
  /** What is left in the active packages together; null without a limit. */
  remaining: z.nullable(z.int()),
  /** When the next package begins that is not valid yet; null if there is none. */
  nextPackageAt: z.nullable(Instant),
})
export type TimestampAccount = z.infer<typeof TimestampAccount>

/** Little is left of a package (ux 8.3): a tenth or less, but not nothing. Never true without a limit. */
export const isLow = ({ size, remaining }: Pick<AccountPackage, 'size' | 'remaining'>) =>
  size !== null && remaining !== null && remaining > 0 && remaining * 100 <= size * limits.timestamps.lowPercent

/** The most urgent first: without timestamps, with few left, other active ones, inactive ones (TSP-5). */
export const TimestampState = z.enum(['empty', 'low', 'active', 'inactive'])
export type TimestampState = z.infer<typeof TimestampState>

export function stateOfAccount({ status, current, remaining }: TimestampAccount): TimestampState {
  if (status === 'inactive') return 'inactive'
  if (remaining === 0) return 'empty'
  return current && current.remaining === remaining && isLow(current) ? 'low' : 'active'
}

export const listTimestampAccounts = endpoint('customer', 'GET /api/timestamps', {
  summary: 'The customer’s timestamp accounts by page, state, search and id, the most urgent first',
  description: 'Filters by state, and a search.',
  kept: true,
  ...pages(TimestampAccount, { size: PageSize, state: TimestampState, ...searches }),
})

/** The timestamps on the home page (HOM-3): active accounts with little or nothing left. */
export const summariseTimestamps = endpoint('customer', 'GET /api/timestamps/summary', {
  summary: 'Counts, and the accounts whose packages are running out',
  description: 'For the home page.',
  kept: true,
  reply: z.strictObject({
    active: z.int(),
    inactive: z.int(),
    /** What is left in all active packages together; null without a limit. */
    remaining: z.nullable(z.int()),
    attention: z.array(
      z.strictObject({
        account: TimestampAccount,
        /** The package with little left; null if no timestamp is left at all. */
        low: z.nullable(AccountPackage),
      }),
    ),
  }),
})

export const listTimestampPackages = endpoint('customer', 'GET /api/timestamps/:id/packages', {
  summary:
    'The packages of an account: active ones in the order in which they are used, then the others by page, newest first',
  description: 'With the number of timestamps that remain.',
  ...pages(AccountPackage, {}, { now: Instant }),
  errors: ['not-found', 'cursor-refused'],
})

/** No account is older, and earlier days could be outside the database's calendar. */
export const UsageDay = Day.check(z.refine((day) => day >= '2000-01-01'))

/** Days of the Polish calendar (TSP-4). */
export const readTimestampUsage = endpoint('customer', 'GET /api/timestamps/:id/usage', {
  summary: 'The timestamps that an account used on each day, up to the given day',
  description: 'Days of the Polish calendar.',
  query: z.strictObject({ until: z.optional(UsageDay) }),
  reply: z.strictObject({
    /** Every day of the page, oldest first, also days without timestamps. */
    days: z.array(z.strictObject({ day: z.iso.date(), spent: z.int() })),
    today: z.iso.date(),
    /** Whether any timestamps were used before the first of them. */
    earlier: z.boolean(),
  }),
  errors: ['not-found'],
})

const rule = (holds: (normalised: string) => boolean) => (password: string) => holds(password.normalize('NFKC'))

/** The rules of TSP-3, in the order of the checklist. Lengths are code points. */
export const timestampPasswordRules = {
  length: rule((password) => {
    const { length } = [...password]
    return length >= limits.timestamps.password.min && length <= limits.timestamps.password.max
  }),
  upper: rule((password) => /\p{Lu}/u.test(password)),
  digit: rule((password) => /\p{Nd}/u.test(password)),
} as const

const problem = (name: FieldProblem) => name

export const TimestampPasswordForm = z
  .strictObject({
    newPassword: secret('required').check(
      // RFC 7617 §2: a password that is sent by Basic has no control characters.
      z.refine((password) => !/\p{Cc}/u.test(password), problem('format')),
      z.refine(
        (password) => Object.values(timestampPasswordRules).every((holds) => holds(password)),
        problem('password-rules'),
      ),
    ),
    repeatPassword: secret('required'),
  })
  .check(repeatsPassword)

/** No Idempotency-Key, because the portal would store a hash of the request with the password; a repetition changes nothing. */
export const changeTimestampPassword = endpoint('customer', 'POST /api/timestamps/:id/password', {
  summary: 'Sets the password of an account on the timestamp server; it is valid at once',
  description: 'The portal passes the password on and does not store it.',
  body: TimestampPasswordForm,
  stepUp: 'timestamp-password',
  errors: ['not-found', 'timestamp-password-fixed', 'too-many-attempts', 'unavailable'],
})
