import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { FieldProblem } from './errors.ts'
import { Cursor, Instant, secret, text, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { samePassword } from './password-rules.ts'

/** How a program shows whose account it uses: login and password, or requests signed by the account's certificate (PKCS#7/CMS). */
export const TimestampAuthentication = z.enum(['basic', 'cms'])
export type TimestampAuthentication = z.infer<typeof TimestampAuthentication>

export const TimestampPackageKind = z.enum(['recurring', 'one-time', 'unlimited'])
export type TimestampPackageKind = z.infer<typeof TimestampPackageKind>

/** TSP-2. `reason` says in which way a package is not active. */
export const AccountPackage = z.strictObject({
  id: Uuid,
  kind: TimestampPackageKind,
  status: z.enum(['active', 'inactive']),
  reason: z.nullable(z.enum(['not-yet-valid', 'expired', 'used-up', 'withdrawn'])),
  /** Null for a package without a limit, as `remaining` is. */
  size: z.nullable(z.int()),
  remaining: z.nullable(z.int()),
  startsAt: Instant,
  /** Null: no limit of validity. */
  endsAt: z.nullable(Instant),
  /** When a recurring package is full again. */
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
  /** All packages that the account has or had. */
  packages: z.int(),
  /** The one that the next timestamp is taken from, or whose turn comes with its refill; null when there is none. */
  current: z.nullable(AccountPackage),
  /** What is left in the active packages together; null without a limit. */
  remaining: z.nullable(z.int()),
})
export type TimestampAccount = z.infer<typeof TimestampAccount>

/** Little is left of a package (ux 8.3): a tenth or less, but something. Without a limit never. */
export const isLow = ({ size, remaining }: Pick<AccountPackage, 'size' | 'remaining'>) =>
  size !== null && remaining !== null && remaining > 0 && remaining * 100 <= size * limits.timestamps.lowPercent

export const listTimestampAccounts = endpoint({
  method: 'GET',
  path: '/api/timestamps',
  summary: 'The customer’s timestamp accounts by page, active ones first',
  access: 'customer',
  query: z.strictObject({ cursor: z.optional(Cursor) }),
  reply: z.strictObject({ items: z.array(TimestampAccount), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})

/** What home says of the timestamps (HOM-3): active accounts that are running out, or have run out. */
export const summariseTimestamps = endpoint({
  method: 'GET',
  path: '/api/timestamps/summary',
  summary: 'Counts, and the accounts whose packages are running out',
  access: 'customer',
  reply: z.strictObject({
    active: z.int(),
    inactive: z.int(),
    /** What is left in all active packages together; null without a limit. */
    remaining: z.nullable(z.int()),
    attention: z.array(
      z.strictObject({
        account: TimestampAccount,
        /** The one with little left; null when no timestamp is left at all. */
        low: z.nullable(AccountPackage),
      }),
    ),
  }),
})

const AccountId = z.strictObject({ id: Uuid })

export const listTimestampPackages = endpoint({
  method: 'GET',
  path: '/api/timestamps/:id/packages',
  summary:
    'The packages of an account: active ones in the order in which they are spent, then the others by page, newest first',
  access: 'customer',
  params: AccountId,
  query: z.strictObject({ cursor: z.optional(Cursor) }),
  reply: z.strictObject({ items: z.array(AccountPackage), next: z.nullable(z.string()), now: Instant }),
  errors: ['not-found', 'cursor-refused'],
})

/** Not so long ago that the days before it leave the calendar of the database; no account is older. */
export const UsageDay = text(10).check(
  z.iso.date(),
  z.refine((day) => day >= '2000-01-01'),
)

/** Days of the Polish calendar (TSP-4). */
export const readTimestampUsage = endpoint({
  method: 'GET',
  path: '/api/timestamps/:id/usage',
  summary: 'What an account spent, day by day, for the days up to the given one',
  access: 'customer',
  params: AccountId,
  query: z.strictObject({ until: z.optional(UsageDay) }),
  reply: z.strictObject({
    /** Oldest first, each day of the page, those without a timestamp too. */
    days: z.array(z.strictObject({ day: z.iso.date(), spent: z.int() })),
    today: z.iso.date(),
    /** Whether anything was spent before the first of them. */
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
  .check(
    z.refine((form) => samePassword(form.newPassword, form.repeatPassword), {
      error: problem('passwords-differ'),
      path: ['repeatPassword'],
    }),
  )

/** No Idempotency-Key: a hash of the request would be kept for it, and the password is in it; doing it twice changes nothing. */
export const changeTimestampPassword = endpoint({
  method: 'POST',
  path: '/api/timestamps/:id/password',
  summary: 'Sets the password of an account on the timestamp server, where it counts at once',
  access: 'customer',
  params: AccountId,
  body: TimestampPasswordForm,
  stepUp: 'timestamp-password',
  errors: ['not-found', 'timestamp-password-fixed', 'too-many-attempts', 'unavailable'],
})
