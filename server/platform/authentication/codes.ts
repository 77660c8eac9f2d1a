import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { CodeSent } from '../../../contract/account.ts'
import type { SignInLimit } from '../../../contract/desk/desk-customers.ts'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { stepUpPurposes, type CodePurpose } from '../../../contract/step-up-purpose.ts'
import type { Refusal } from '../api-error.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import { decryptPhone } from '../encrypted-data/encrypted-fields.ts'
import { mac, sameBytes } from '../encryption/keys.ts'
import { renderMail } from '../messages/mail-template.ts'
import { maskEmail, maskPhone } from '../messages/masks.ts'
import type { Message } from '../messages/message.ts'
import { enqueue } from '../messages/outbox.ts'
import { refusedByPolicy, sendsToRange } from '../messages/sms-policy.ts'
import { codePurposeTexts, textBySms, codeName } from '../messages/sms-text.ts'
import { networkOf } from '../observability/network.ts'
import type { Portal } from '../portal.ts'
import { rateLimit, type LimitName } from '../rate-limits/rate-limit-table.ts'
import { charge, lockLimits, findNextFreeTry, settle, type LimitKey } from '../rate-limits/rate-limits.ts'
import type { Settings } from '../settings.ts'
import { knownDevice, wrongCodesKey } from './account-block.ts'
import { canonicalLogin } from './canonical-login.ts'

/**
 * The one mechanism for one-time codes (R2, R20–R25). A code belongs to one operation: an account, a session, a purpose and an
 * object. Entries and sends are charged to their rate limits in the database before they are judged or made.
 */
export type Operation = {
  accountId: string
  sessionId: string
  purpose: CodePurpose
  object: string
  /** The known device of a sign-in, which has entries of its own and no limit of its network (R118, R120). */
  device?: string | undefined
  /** Shows in the message what exactly is confirmed: the first digits of a hash (R33). */
  mark?: string
}

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
const sendsForAddress = ({ sends }: Settings, address: string, confirmed: boolean): LimitKey => [
  rateLimit(confirmed ? 'sms-address' : 'sms-address-unconfirmed', { limit: sends.perAddress }),
  networkOf(address),
]
/** Checks whether a send counts for the address: a signed-in customer's own number and a known device are exempt. */
const countsForAddress = ({ purpose, device }: Pick<Operation, 'purpose' | 'device'>) =>
  purpose === 'sign-in' ? !device : confirmingPurposes.has(purpose)
const pauseAfterSends = (operation: Operation): LimitKey => [
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

/** Draws a code of six digits, uniform, with leading zeros kept (R23). */
export const drawCode = () => String(randomInt(10 ** limits.code.digits)).padStart(limits.code.digits, '0')

type Recipient = { locale: 'pl' | 'en'; address: string } & ({ phone: string } | { email: string })
type SendRefusal = Refusal<
  | 'sends-spent'
  | 'too-many-attempts'
  | 'sms-country-refused'
  | 'sms-stopped'
  | 'phone-unconfirmed'
  | 'phone-sends-spent'
>

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
const sendKeys = (settings: Settings, operation: Operation, to: Recipient, confirmed: boolean): LimitKey[] =>
  'phone' in to
    ? [
        ...(confirmed ? numberKeys(settings, operation, to.phone) : [sendsToUnconfirmed(to.phone)]),
        ...(countsForAddress(operation) ? [sendsForAddress(settings, to.address, confirmed)] : []),
      ]
    : [
        ['code-mails', canonicalLogin(to.email)],
        ['code-mails-address', networkOf(to.address)],
      ]

/**
 * Charges a send to the limits of its recipient, its address and the entries of its purpose, or refuses it (R25). `pause`: limits
 * that only refuse. `confirmed`: the account has confirmed the recipient.
 */
async function chargeSend(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
  { confirmedPhone, pause = [] }: CodeRow & { pause?: readonly LimitKey[] },
): Promise<SendRefusal | { confirmed: boolean }> {
  const { accountId, purpose } = operation
  const refusedNumber = 'phone' in to && refusedByPolicy(portal, to.phone)
  if (refusedNumber) return { refused: refusedNumber }
  const confirmed =
    !('phone' in to) || (confirmedPhone !== null && decryptPhone(portal.keys, accountId, confirmedPhone) === to.phone)
  if (!confirmed && !confirmingPurposes.has(purpose)) return { refused: 'phone-unconfirmed' }
  const toUnproven = sendsToUnprovenNumber[purpose]
  const sends = sendKeys(portal.settings, operation, to, confirmed)
  if (toUnproven) sends.push(toUnproven(operation))
  const range = 'phone' in to ? [sendsToRange(portal.settings, to.phone, confirmed ? 'code' : 'unconfirmed')] : []
  const entries = entryKeys(operation)
  const charged = await charge(tx, portal.keys, sends, { gates: [...range, ...pause, ...entries] })
  if (charged.ok) return { confirmed }
  const { refused, retryAfter } = charged
  if (refused[0] === 'sms-unconfirmed') return { refused: 'phone-sends-spent' }
  if (range.includes(refused)) return { refused: 'sms-stopped', data: { retryAfter } }
  return { refused: entries.includes(refused) ? 'too-many-attempts' : 'sends-spent', data: { retryAfter } }
}

/**
 * Creates a code, unless the operation has one that can still be entered: then nothing is sent, or opening a dialog again and
 * again would bypass the cool-down and use up the customer's messages (R25).
 */
export async function createCodeOnce(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<CodeSent | SendRefusal> {
  // One request at a time per session: two at once would not see each other's code.
  await query(tx).run(sql`select from sessions where id = ${operation.sessionId} for no key update`)
  const current = await findEnterableCode(tx, operation)
  return current ? codeSentReply(current, operation, to) : createCode(tx, portal, operation, to)
}

async function findEnterableCode(db: Db, { sessionId, purpose, object }: Operation) {
  return query(db).first(sql<CodeRow>`
    select ${codeColumns} from codes
    where session_id = ${sessionId} and purpose = ${purpose} and object = ${object}
      and used_at is null and entries < ${limits.code.entries} and expires_at > portal_now()
    order by sent_at desc limit 1`)
}

/** Finds the newest code for a page that was reloaded, even if it has expired. The page counts seconds from this answer on. */
export async function findLatestCode(db: Db, operation: Operation, to: Recipient): Promise<CodeSent | undefined> {
  const row = await query(db).first(sql<CodeRow & { now: Date }>`
    select ${codeColumns}, portal_now() as now from codes
    where session_id = ${operation.sessionId} and purpose = ${operation.purpose} and object = ${operation.object}
    order by sent_at desc limit 1`)
  return row && { ...codeSentReply(row, operation, to), sentAt: row.now.toISOString() }
}

/** Creates a code and queues its message. If it is refused, the caller must roll back. */
export async function createCode(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<CodeSent | SendRefusal> {
  const { accountId, sessionId, purpose, object } = operation
  const id = crypto.randomUUID()
  const code = drawCode()
  const row = await query(tx).one(sql<CodeRow>`
    insert into codes (id, account_id, session_id, purpose, object, code_mac, expires_at)
    values (${id}, ${accountId}, ${sessionId}, ${purpose}, ${object}, ${mac(portal.keys.code, id, code)},
      portal_now() + make_interval(secs => ${limits.code.life}))
    returning ${codeColumns}`)
  const charged = await chargeSend(tx, portal, operation, to, { ...row, pause: [pauseAfterSends(operation)] })
  if ('refused' in charged) return charged
  return sendCode(tx, portal, operation, to, { row, code, ...charged })
}

type CodeRow = {
  id: string
  ordinal: number
  sentAt: Date
  expiresAt: Date
  /** The number that the account has confirmed, encrypted (R115). */
  confirmedPhone: Buffer | null
}
const codeColumns = sql`id, ordinal, sent_at, expires_at,
  (select phone from accounts where accounts.id = account_id and phone_confirmed) as confirmed_phone`

type CodeMail = { purpose: string; code: string; ordinal: number }

/** Writes a mail with a code, which is only in the body, because locked screens show subjects. */
function codeMail({ brand }: Settings, locale: Locale, { purpose, code, ordinal }: CodeMail) {
  const minutes = limits.code.life / 60
  const name = codeName(locale, ordinal)
  const heading = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${purpose}:`
  const texts = {
    pl: {
      subject: `kod ${purpose}`,
      paragraphs: [heading, { code }, `Jest ważny ${minutes}\u00a0minut. Nie podawaj go nikomu.`],
      note: `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      subject: `code ${purpose}`,
      paragraphs: [heading, { code }, `It’s valid for ${minutes} minutes. Don’t share it.`],
      note: `If this wasn’t you, call us right away: ${brand.phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, texts)
}

async function sendCode(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
  { row, code, confirmed }: { row: CodeRow; code: string; confirmed: boolean },
): Promise<CodeSent> {
  const { accountId, purpose, mark } = operation
  const content = {
    purpose: [codePurposeTexts[purpose][to.locale], mark].filter(Boolean).join(' '),
    code,
    ordinal: row.ordinal,
  }
  const message: Message =
    'phone' in to
      ? {
          channel: 'sms',
          to: to.phone,
          text: textBySms(portal.settings, to.locale, content),
          ...(!confirmed && { kind: 'unconfirmed' as const }),
        }
      : { channel: 'mail', to: to.email, ...codeMail(portal.settings, to.locale, content) }
  await Promise.all([
    enqueue(tx, portal.keys, message, row.expiresAt),
    addAuditEntry(tx, {
      action: 'code-sent',
      accountId,
      actor: 'customer',
      address: to.address,
      details: { code: row.id, purpose, ordinal: row.ordinal },
    }),
  ])
  return codeSentReply(row, operation, to)
}

/** Returns the data of a code for the browser, never the code itself (R3). */
function codeSentReply(row: CodeRow, { purpose }: Operation, to: Recipient): CodeSent {
  const maxSends = purpose === 'confirm-phone' ? limits.phoneConfirmation.sends.limit : limits.code.sends
  return {
    id: row.id,
    channel: 'phone' in to ? 'sms' : 'email',
    to: 'phone' in to ? maskPhone(to.phone) : maskEmail(to.email),
    ordinal: row.ordinal,
    sentAt: row.sentAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    resendAt: new Date(row.sentAt.getTime() + limits.code.resendAfter * 1000).toISOString(),
    sendsLeft: maxSends - row.ordinal,
  }
}

export type ResendRefusal = SendRefusal | Refusal<'code-expired' | 'code-void' | 'resend-too-early'>

/**
 * Replaces a code by a new one. The old one is void; wrong entries and the expiry stay (R24). A single UPDATE decides, so a
 * thousand clicks at once send no more messages than the specification allows.
 */
export async function resendCode(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<CodeSent | ResendRefusal> {
  const { sessionId, purpose, object } = operation
  const current = await query(tx).first(sql<{ id: string }>`
    select id from codes where session_id = ${sessionId} and purpose = ${purpose} and object = ${object}
    order by sent_at desc limit 1`)
  if (!current) return { refused: 'code-void' }
  const code = drawCode()
  const row = await query(tx).first(sql<CodeRow>`
    update codes set ordinal = ordinal + 1, code_mac = ${mac(portal.keys.code, current.id, code)}, sent_at = portal_now()
    where id = ${current.id} and used_at is null and entries < ${limits.code.entries} and expires_at > portal_now()
      and ordinal < ${limits.code.sends} and sent_at + make_interval(secs => ${limits.code.resendAfter}) <= portal_now()
    returning ${codeColumns}`)
  if (!row) return resendRefusal(tx, portal, current.id, operation)
  const charged = await chargeSend(tx, portal, operation, to, row)
  if ('refused' in charged) return charged
  if (row.ordinal === limits.code.sends) await charge(tx, portal.keys, pauseAfterSends(operation))
  return sendCode(tx, portal, operation, to, { row, code, ...charged })
}

/** Resends a code as `resendCode` does, but replaces an expired or void one by a new one. */
export async function resendOrCreateCode(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<CodeSent | ResendRefusal> {
  const sent = await resendCode(tx, portal, operation, to)
  const isOver = 'refused' in sent && (sent.refused === 'code-expired' || sent.refused === 'code-void')
  return isOver ? createCode(tx, portal, operation, to) : sent
}

async function resendRefusal(tx: Tx, portal: Portal, id: string, operation: Operation): Promise<ResendRefusal> {
  const state = await query(tx).one(sql<{ expired: boolean; void: boolean; ordinal: number; wait: number }>`
    select expires_at <= portal_now() as expired, used_at is not null or entries >= ${limits.code.entries} as void, ordinal,
      ceil(extract(epoch from sent_at - portal_now()) + ${limits.code.resendAfter})::float8 as wait
    from codes where id = ${id}`)
  if (state.void) return { refused: 'code-void' }
  if (state.expired) return { refused: 'code-expired' }
  if (state.ordinal < limits.code.sends)
    return { refused: 'resend-too-early', data: { retryAfter: Math.max(1, state.wait) } }
  const pause = await findNextFreeTry(tx, portal.keys, pauseAfterSends(operation))
  return { refused: 'sends-spent', data: { retryAfter: pause?.seconds ?? 0 } }
}

/** A correct entry stays charged until its code is spent, or refunded because the operation failed. */
export type RightEntry = { codeId: string; object: string } & CodeOwner

/** `personLeft`: wrong entries that the person still has for the purpose. */
export type RefusedEntry =
  | (Refusal<'code-wrong'> & { personLeft: number })
  /** `personLeft` is set if this entry was judged, as the last one of its code. */
  | (Refusal<'code-expired' | 'code-void'> & { personLeft?: number })
  | { refused: 'too-many-attempts'; data: { retryAfter: number } }

type CodeOwner = Pick<Operation, 'accountId' | 'purpose' | 'device'>

const wrongEntriesKey = ({ purpose, accountId, device }: CodeOwner): LimitKey => [
  wrongEntries(purpose),
  accountId,
  ...(device ? [device] : []),
]
const streakKey = (owner: CodeOwner): LimitKey => wrongCodesKey(owner.accountId, ...deviceKey(owner))
const entryKeys = (owner: CodeOwner): LimitKey[] => [wrongEntriesKey(owner), streakKey(owner)]

/**
 * Judges one entry. It is charged first, in statements that stay even if the caller's operation fails: five per code, ten wrong
 * ones a day per person and purpose, a hundred without a success (R20, R21). A correct entry must be followed by `spendCode`
 * in the operation's transaction, or by `refundEntry` if that fails.
 */
export async function enterCode(
  db: Db,
  portal: Portal,
  operation: Omit<Operation, 'object'> & { codeId?: string; object?: string },
  entry: string,
): Promise<RightEntry | RefusedEntry> {
  const { accountId, purpose, device } = operation
  const limitKeys = entryKeys(operation)
  const charged = await charge(db, portal.keys, limitKeys, {
    change: (isCharged) => sql<{ id: string; object: string; codeMac: Buffer; entries: number }>`
      update codes set entries = entries + 1
      where ${isCharged} and id = (select id from codes where ${matches(operation)} order by sent_at desc limit 1)
        and used_at is null and entries < ${limits.code.entries} and expires_at > portal_now()
      returning id, object, code_mac, entries`,
  })
  if (!charged.ok) return { refused: 'too-many-attempts', data: { retryAfter: charged.retryAfter } }
  const code = charged.changed
  if (!code) {
    await settle(db, portal.keys, { refund: limitKeys })
    return { refused: await findEntryRefusal(db, operation) }
  }
  if (sameBytes(mac(portal.keys.code, code.id, entry), code.codeMac))
    return { codeId: code.id, accountId, purpose, device, object: code.object }
  const entriesLeft = limits.code.entries - code.entries
  await db.transaction().execute((tx) =>
    addAuditEntry(tx, {
      action: entriesLeft ? 'code-refused' : 'code-limit-reached',
      accountId,
      actor: 'customer',
      details: { code: code.id, purpose, entriesLeft },
    }),
  )
  const [personLeft] = charged.left
  if (!entriesLeft) return { refused: 'code-void', personLeft }
  // Shown from the third wrong entry on (defaults.md).
  const isShown = entriesLeft <= limits.code.entries - limits.code.entriesLeftShownFrom
  return { refused: 'code-wrong', data: isShown ? { entriesLeft } : {}, personLeft }
}

type CodeFilter = { sessionId: string; purpose: CodePurpose; codeId?: string; object?: string }

/** Returns the condition for the codes of a session for a purpose, or only for those with a given id or object. */
const matches = ({ sessionId, purpose, codeId, object }: CodeFilter) => sql`
  session_id = ${sessionId} and purpose = ${purpose} and (${codeId ?? null}::uuid is null or id = ${codeId ?? null})
    and (${object ?? null}::uuid is null or object = ${object ?? null})`

async function findEntryRefusal(db: Db, operation: CodeFilter) {
  const row = await query(db).first(sql<{ expired: boolean }>`
    select expires_at <= portal_now() and used_at is null as expired from codes
    where ${matches(operation)} order by sent_at desc limit 1`)
  return row?.expired ? ('code-expired' as const) : ('code-void' as const)
}

const repeated = (times: number, key: LimitKey): LimitKey[] => Array.from({ length: times }, () => key)

/**
 * Uses up a code, inside the transaction it confirms; false if another request was first (R22). All its entries are
 * refunded, also the wrong ones, since the person who made them has the code, and so are its messages. Entries of other
 * codes stay, so guessing gains nothing (R120). The streak of wrong codes and the limits in `alsoReset` are reset.
 */
export async function spendCode(
  tx: Tx,
  { keys, settings }: Portal,
  entry: RightEntry,
  alsoReset: readonly LimitKey[] = [],
): Promise<boolean> {
  // In the order of `enterCode`, or a second entry at the same time would cause a deadlock.
  await lockLimits(tx, keys, entryKeys(entry))
  const row = await query(tx).first(sql<{ entries: number; ordinal: number; address: string | null; phone: Buffer }>`
    update codes set used_at = portal_now() where id = ${entry.codeId} and used_at is null
    returning entries, ordinal, (select address from sessions where id = session_id),
      (select phone from accounts where accounts.id = account_id)`)
  if (!row) return false
  const { entries, ordinal, address, phone } = row
  const isShared = sharesCount(entry)
  const sentFor = entry.purpose === 'sign-in' && countsForAddress(entry) ? address : null
  const ownNumber = goesToOwnNumber(entry.purpose)
    ? numberKeys(settings, entry, decryptPhone(keys, entry.accountId, phone))[0]
    : undefined
  await settle(tx, keys, {
    refund: [
      ...repeated(isShared ? 1 : entries, wrongEntriesKey(entry)),
      ...(sentFor === null ? [] : repeated(ordinal, sendsForAddress(settings, sentFor, true))),
      ...(ownNumber ? repeated(ordinal, ownNumber) : []),
    ],
    clear: [streakKey(entry), ...alsoReset],
  })
  return true
}

/** Refunds a correct entry whose operation failed. If its code is used, another request has refunded it already. */
export async function refundEntry(db: Db, { keys }: Portal, entry: RightEntry): Promise<void> {
  const isUsed = await query(db).finds(sql`select from codes where id = ${entry.codeId} and used_at is not null`)
  if (!isUsed || sharesCount(entry)) await settle(db, keys, { refund: entryKeys(entry) })
}

/**
 * Checks whether the purpose shares one count, as all steps of a phone change do (R32): a correct code of one step proves nothing for the
 * others.
 */
const sharesCount = ({ purpose }: RightEntry) => wrongEntries(purpose) === 'phone-change'

/** Voids the codes sent to a number that no longer belongs to the account. */
export async function voidAccountCodes(tx: Tx, accountId: string): Promise<void> {
  await query(tx).run(sql`update codes set used_at = portal_now() where account_id = ${accountId} and used_at is null`)
}

/** Voids the codes of an object that can no longer be confirmed (R40). The condition on sign-ins is that of the index `codes_by_object`. */
export async function voidCodes(tx: Tx, purpose: Exclude<CodePurpose, 'sign-in'>, object: string): Promise<void> {
  await query(tx).run(sql`
    update codes set used_at = portal_now()
    where purpose = ${purpose} and purpose <> 'sign-in' and object = ${object} and used_at is null`)
}

/**
 * Finds the operation of a step-up's code, if it belongs to this session. Other purposes have calls of their own, because their codes may
 * go to another number than the account's (R2, R41).
 */
export async function findOperation(db: Db, { id, accountId }: { id: string; accountId: string }, code: string) {
  const row = await query(db).first(sql<Pick<Operation, 'purpose' | 'object'>>`
    select purpose, object from codes
    where id = ${code} and session_id = ${id} and purpose = any(${stepUpPurposes}::text[])`)
  return row && { accountId, sessionId: id, ...row }
}
