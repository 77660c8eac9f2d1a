import * as z from 'zod/mini'
import { Day } from './day.ts'
import { component, described } from './documented.ts'
import { endpoint, type Given } from './endpoint.ts'
import type { FieldProblem } from './errors.ts'
import { Instant, secret, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { pages, PageSize, searches } from './list-pages.ts'
import { repeatsPassword } from './rules/password-rules.ts'

export const TimestampAuthentication = component(
  'TimestampAuthentication',
  'How a program authenticates: `basic` by login and password, `cms` by requests that are signed with the certificate of the account (PKCS#7/CMS).',
  z.enum(['basic', 'cms']),
)
export type TimestampAuthentication = z.infer<typeof TimestampAuthentication>

export const TimestampPackageKind = component(
  'TimestampPackageKind',
  '`recurring` is refilled each month, `one-time` is used up, `unlimited` has no limit.',
  z.enum(['recurring', 'one-time', 'unlimited']),
)
export type TimestampPackageKind = z.infer<typeof TimestampPackageKind>

export const AccountPackage = component(
  'AccountPackage',
  'A package of timestamps, as its customer sees it.',
  z.strictObject({
    id: Uuid,
    kind: TimestampPackageKind,
    status: described('Whether it can be used now.', z.enum(['active', 'inactive'])),
    reason: described(
      'Why it is inactive; null if it is active.',
      z.nullable(z.enum(['not-yet-valid', 'expired', 'used-up', 'withdrawn'])),
    ),
    size: described('The number of timestamps; null without a limit.', z.nullable(z.int())),
    remaining: described('How many are left; null without a limit.', z.nullable(z.int())),
    startsAt: described('From when on it is valid.', Instant),
    endsAt: described('Until when it is valid; null if it does not expire.', z.nullable(Instant)),
    refillsAt: described('When a recurring package is refilled; null for others.', z.nullable(Instant)),
  }),
)
export type AccountPackage = z.infer<typeof AccountPackage>

export const TimestampAccount = component(
  'OwnTimestampAccount',
  'A timestamp account, as its customer sees it.',
  z.strictObject({
    id: Uuid,
    login: z.string(),
    authentication: TimestampAuthentication,
    serverUrl: described('The address of the timestamp server.', z.string()),
    status: described('Whether it can be used.', z.enum(['active', 'inactive'])),
    canChangePassword: described('Whether its password can be changed in the portal.', z.boolean()),
    packages: described('The number of all packages that the account has or had.', z.int()),
    current: described(
      'The package of the next timestamp, or the one that is refilled next; null if there is none.',
      z.nullable(AccountPackage),
    ),
    remaining: described('What is left in the active packages together; null without a limit.', z.nullable(z.int())),
    nextPackageAt: described(
      'When the next package begins that is not valid yet; null if there is none.',
      z.nullable(Instant),
    ),
  }),
)
export type TimestampAccount = z.infer<typeof TimestampAccount>

/** Checks whether little is left of a package: a tenth or less, but not nothing. Never true without a limit. */
export const isLow = ({ size, remaining }: Pick<AccountPackage, 'size' | 'remaining'>) =>
  size !== null && remaining !== null && remaining > 0 && remaining * 100 <= size * limits.timestamps.lowPercent

export const TimestampState = component(
  'TimestampState',
  'What an account needs: `empty` has no timestamps left, `low` a tenth or less of its package.',
  z.enum(['empty', 'low', 'active', 'inactive']),
)
export type TimestampState = z.infer<typeof TimestampState>

export function stateOfAccount({ status, current, remaining }: Given<typeof TimestampAccount>): TimestampState {
  if (status === 'inactive') return 'inactive'
  if (remaining === 0) return 'empty'
  return current && current.remaining === remaining && isLow(current) ? 'low' : 'active'
}

export const listTimestampAccounts = endpoint('customer', 'GET /api/timestamps', {
  summary: 'Lists the customer’s timestamp accounts by page, state, search and id, the most urgent first',
  description: 'Filters by state, and a search.',
  offlineCopy: true,
  ...pages(TimestampAccount, {
    size: PageSize,
    state: described('Only those in this state.', TimestampState),
    ...searches,
  }),
})

/** The timestamps on the home page (HOM-3): active accounts with little or nothing left. */
export const summariseTimestamps = endpoint('customer', 'GET /api/timestamps/summary', {
  summary: 'Returns counts, and the accounts whose packages are running out',
  description: 'For the home page.',
  offlineCopy: true,
  reply: z.strictObject({
    active: described('How many can be used.', z.int()),
    inactive: described('How many cannot.', z.int()),
    remaining: described('What is left in all active packages together; null without a limit.', z.nullable(z.int())),
    attention: described(
      'Active accounts with little or nothing left.',
      z.array(
        z.strictObject({
          account: TimestampAccount,
          low: described(
            'The package with little left; null if no timestamp is left at all.',
            z.nullable(AccountPackage),
          ),
        }),
      ),
    ),
  }),
})

export const listTimestampPackages = endpoint('customer', 'GET /api/timestamps/:id/packages', {
  summary:
    'Lists the packages of an account: active ones in the order in which they are used, then the others by page, newest first',
  description: 'With the number of timestamps that remain.',
  ...pages(
    AccountPackage,
    {},
    { now: described('The time of the portal, for what the page says of each package.', Instant) },
  ),
  errors: ['not-found', 'cursor-refused'],
})

/** A day of the usage: no account is older, and earlier days could be outside the database's calendar. */
export const UsageDay = component(
  'UsageDay',
  'A day of the Polish calendar, from 2000-01-01 on.',
  Day.check(z.refine((day) => day >= '2000-01-01')),
)

export const readTimestampUsage = endpoint('customer', 'GET /api/timestamps/:id/usage', {
  summary: 'Counts the timestamps that an account used on each day, up to the given day', // TSP-4
  description: 'Days of the Polish calendar.',
  query: z.strictObject({ until: described('The last day of the answer; today by default.', z.optional(UsageDay)) }),
  reply: z.strictObject({
    days: described(
      'Every day of the page, oldest first, also days without timestamps.',
      z.array(
        z.strictObject({
          day: described('A day of the Polish calendar.', z.iso.date()),
          spent: described('Timestamps that were used on it.', z.int()),
        }),
      ),
    ),
    today: described('The current day of the Polish calendar.', z.iso.date()),
    hasEarlier: described('Whether any timestamps were used before the first of them.', z.boolean()),
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

/**
 * Call without an Idempotency-Key, because the portal would store a hash of the request with the password; a repetition changes nothing.
 */
export const changeTimestampPassword = endpoint('customer', 'POST /api/timestamps/:id/password', {
  summary: 'Sets the password of an account on the timestamp server; it is valid at once',
  description: 'The portal passes the password on and does not store it.',
  body: TimestampPasswordForm,
  stepUp: 'timestamp-password',
  errors: ['not-found', 'timestamp-password-fixed', 'too-many-attempts', 'unavailable'],
})
