import type { SignInLimit } from '../../../contract/desk/desk-customers.ts'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { CodePurpose } from '../../../contract/step-up-purpose.ts'
import type { Refusal } from '../api-error.ts'
import type { Tx } from '../database/database.ts'
import { decryptPhone } from '../encrypted-data/encrypted-fields.ts'
import type { Keys } from '../encryption/keys.ts'
import { refusedByPolicy, sendsToRange } from '../messages/sms-policy.ts'
import { networkOf } from '../observability/network.ts'
import type { Portal } from '../portal.ts'
import { rateLimit, type LimitName } from '../rate-limits/rate-limit-table.ts'
import { charge, type LimitKey } from '../rate-limits/rate-limits.ts'
import type { Settings } from '../settings.ts'
import { knownDevice, wrongCodesKey } from './account-block.ts'
import { canonicalLogin } from './canonical-login.ts'

// Entries and sends of codes are charged to their rate limits in the database before they are judged or made (R20–R25).

/** What one code belongs to, and no other: an account, a session, a purpose and an object (R2). */
export type Operation = {
  accountId: string
  sessionId: string
  purpose: CodePurpose
  object: string
  /** The known device of a sign-in, which has entries of its own and no limit of its network (R118, R120). */
  device?: string | undefined
  /** The first digits of a hash, which show in the message what exactly is confirmed (R33). */
  mark?: string
}

export type CodeOwner = Pick<Operation, 'accountId' | 'purpose' | 'device'>

const wrongEntries = (purpose: CodePurpose): LimitName =>
  purpose === 'phone-email' || purpose === 'phone-sms' ? 'phone-change' : `code-entries ${purpose}`
/** Selects the counts of an operation: those of strangers where only the password was checked, or those of known devices (R118). */
const deviceKey = ({ purpose, device }: Pick<Operation, 'purpose' | 'device'>): string[] =>
  (purpose === 'sign-in' || purpose === 'confirm-phone') && !device ? [] : [knownDevice]
/**
 * Returns the limit of SMS to a number. The last SMS of a day are reserved for signing in, so no other operation can lock a customer out.
 */
const sendsToNumber = ({ sends }: Settings, purpose: CodePurpose) =>
  rateLimit('sms-number', {
    limit: purpose === 'sign-in' ? sends.perNumber : Math.max(1, sends.perNumber - limits.code.sendsKeptForSignIn),
  })
const sendsWithEntered = ({ sends }: Settings) =>
  rateLimit('sms-number-entered', { limit: sends.perNumber * limits.code.sendsWithEntered })
export const sendsToUnconfirmed = (phone: string): LimitKey => ['sms-unconfirmed', phone]
/** Purposes that confirm a number. All other codes go only to the account's confirmed number. */
const confirmingPurposes: ReadonlySet<CodePurpose> = new Set(['confirm-phone', 'phone-sms', 'activate-seal'])
const goesToOwnNumber = (purpose: CodePurpose) => !confirmingPurposes.has(purpose) && purpose !== 'phone-email'
const sendsForAddress = ({ sends }: Settings, address: string, isConfirmed: boolean): LimitKey => [
  rateLimit(isConfirmed ? 'sms-address' : 'sms-address-unconfirmed', { limit: sends.perAddress }),
  networkOf(address),
]
/** Checks whether a send counts for the address: a signed-in customer's own number and a known device are exempt. */
const countsForAddress = ({ purpose, device }: Pick<Operation, 'purpose' | 'device'>) =>
  purpose === 'sign-in' ? !device : confirmingPurposes.has(purpose)
export const pauseAfterSends = (operation: Operation): LimitKey => [
  `code-pause ${operation.purpose}`,
  operation.accountId,
  ...deviceKey(operation),
]

/** Returns the limits that keep somebody with the right password from signing in by SMS; each known device has more of its own. */
export function codeLimitKeys(
  settings: Settings,
  accountId: string,
  phone: string,
): Record<Exclude<SignInLimit, 'passwords-wrong'>, LimitKey> {
  const sends = sendsToNumber(settings, 'sign-in')
  const inAll = sendsWithEntered(settings)
  return {
    'codes-wrong': [wrongEntries('sign-in'), accountId],
    'codes-never-right': wrongCodesKey(accountId),
    'codes-sent': [sends, accountId, phone],
    'codes-sent-known': [sends, accountId, phone, knownDevice],
    'codes-in-all': [inAll, accountId, phone],
    'codes-in-all-known': [inAll, accountId, phone, knownDevice],
    'codes-pause': ['code-pause sign-in', accountId],
    'codes-of-range': sendsToRange(settings, phone, 'code'),
  }
}

const sendsToUnprovenNumber: Partial<Record<CodePurpose, (operation: Operation) => LimitKey>> = {
  'activate-seal': ({ object }) => ['code-sends activate-seal', object],
  'phone-sms': ({ accountId }) => ['code-sends phone-sms', accountId],
}

export type Recipient = { locale: Locale; address: string } & ({ phone: string } | { email: string })
export type SendRefusal = Refusal<
  | 'sends-spent'
  | 'too-many-attempts'
  | 'sms-country-refused'
  | 'sms-stopped'
  | 'phone-unconfirmed'
  | 'phone-sends-spent'
>

const wrongEntriesKey = ({ purpose, accountId, device }: CodeOwner): LimitKey => [
  wrongEntries(purpose),
  accountId,
  ...(device ? [device] : []),
]
export const streakKey = (owner: CodeOwner): LimitKey => wrongCodesKey(owner.accountId, ...deviceKey(owner))
export const entryKeys = (owner: CodeOwner): LimitKey[] => [wrongEntriesKey(owner), streakKey(owner)]

/** Returns the limits of a number that the account has confirmed; the first is refunded when the code is entered. */
const numberKeys = (
  settings: Settings,
  { accountId, purpose, device }: CodeOwner,
  phone: string,
): [LimitKey, LimitKey] => [
  [sendsToNumber(settings, purpose), accountId, phone, ...deviceKey({ purpose, device })],
  [sendsWithEntered(settings), accountId, phone, ...deviceKey({ purpose, device })],
]

/** Returns the limits to which a send to a recipient is charged first. */
const sendKeys = (settings: Settings, operation: Operation, to: Recipient, isConfirmed: boolean): LimitKey[] =>
  'phone' in to
    ? [
        ...(isConfirmed ? numberKeys(settings, operation, to.phone) : [sendsToUnconfirmed(to.phone)]),
        ...(countsForAddress(operation) ? [sendsForAddress(settings, to.address, isConfirmed)] : []),
      ]
    : [
        ['code-mails', canonicalLogin(to.email)],
        ['code-mails-address', networkOf(to.address)],
      ]

/**
 * Charges a send to the limits of its recipient, its address and the entries of its purpose, or refuses it (R25). `pause`: limits
 * that only refuse.
 */
export async function chargeSend(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
  { confirmedPhone, pause = [] }: { confirmedPhone: Buffer | null; pause?: readonly LimitKey[] },
): Promise<SendRefusal | { isConfirmed: boolean }> {
  const { accountId, purpose } = operation
  const refusedNumber = 'phone' in to && refusedByPolicy(portal, to.phone)
  if (refusedNumber) return { refused: refusedNumber }
  const isConfirmed =
    !('phone' in to) || (confirmedPhone !== null && decryptPhone(portal.keys, accountId, confirmedPhone) === to.phone)
  if (!isConfirmed && !confirmingPurposes.has(purpose)) return { refused: 'phone-unconfirmed' }
  const toUnproven = sendsToUnprovenNumber[purpose]
  const sends = sendKeys(portal.settings, operation, to, isConfirmed)
  if (toUnproven) sends.push(toUnproven(operation))
  const range = 'phone' in to ? [sendsToRange(portal.settings, to.phone, isConfirmed ? 'code' : 'unconfirmed')] : []
  const entries = entryKeys(operation)
  const charged = await charge(tx, portal.keys, sends, { gates: [...range, ...pause, ...entries] })
  return charged.ok ? { isConfirmed } : refusalOf(charged, range, entries)
}

type Spent = { refused: LimitKey; retryAfter: number }

/** Translates the limit that is spent into what the customer is told. */
function refusalOf({ refused, retryAfter }: Spent, range: LimitKey[], entries: LimitKey[]): SendRefusal {
  if (refused[0] === 'sms-unconfirmed') return { refused: 'phone-sends-spent' }
  if (range.includes(refused)) return { refused: 'sms-stopped', data: { retryAfter } }
  return { refused: entries.includes(refused) ? 'too-many-attempts' : 'sends-spent', data: { retryAfter } }
}

/**
 * Checks whether the purpose shares one count, as all steps of a phone change do (R32): a correct code of one step proves nothing for the
 * others.
 */
export const sharesCount = ({ purpose }: CodeOwner) => wrongEntries(purpose) === 'phone-change'

const repeated = (times: number, key: LimitKey): LimitKey[] => Array.from({ length: times }, () => key)

/** Counts of a code that is used, with the address of its session and the number of its account. */
export type UsedCode = { entries: number; ordinal: number; address: string | null; phone: Buffer }

/** Returns what is refunded to the person who has entered a code: its entries and its messages (R120). */
export function refundsOf(
  settings: Settings,
  keys: Keys,
  entry: CodeOwner,
  { entries, ordinal, address, phone }: UsedCode,
): LimitKey[] {
  const sentFor = entry.purpose === 'sign-in' && countsForAddress(entry) ? address : null
  const ownNumber = goesToOwnNumber(entry.purpose)
    ? numberKeys(settings, entry, decryptPhone(keys, entry.accountId, phone))[0]
    : undefined
  return [
    ...repeated(sharesCount(entry) ? 1 : entries, wrongEntriesKey(entry)),
    ...(sentFor === null ? [] : repeated(ordinal, sendsForAddress(settings, sentFor, true))),
    ...(ownNumber ? repeated(ordinal, ownNumber) : []),
  ]
}
