import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { CodeSent } from '../contract/account.ts'
import { stepUpPurposes, type CodePurpose } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { known, rowOfWrongCodes } from './account-block.ts'
import { record } from './audit.ts'
import { refund, secondsUntilFree, settle, spend, spendAll, type Budget, type Claim } from './budgets.ts'
import { canonicalLogin } from './canonical.ts'
import { codeMail } from './code-mail.ts'
import type { Db, Tx } from './db.ts'
import { mac, sameBytes } from './keys.ts'
import { networkOf } from './network.ts'
import { maskEmail, maskPhone } from './masks.ts'
import { enqueue, type Message } from './outbox.ts'
import type { Portal, Settings } from './portal.ts'
import { refusedByPolicy, sendsToRange } from './sms-policy.ts'
import { hasConfirmed } from './sealed-fields.ts'
import { codeActs, textBySms } from './sms-text.ts'

/**
 * The one mechanism for one-time codes (R2, R20–R25). A code belongs to one operation: an account, a session, a
 * purpose and an object. Entries and sends are paid for, in the database, before they are looked at or made.
 */
export type Operation = {
  accountId: string
  sessionId: string
  purpose: CodePurpose
  object: string
  /** Of a sign-in, if it is known to the account: it has entries of its own, and no limit of its network (R118, R120). */
  device?: string | undefined
  /** Names in the message what exactly is confirmed: the first digits of a hash (R33). */
  mark?: string
}

/** Wrong entries of a phone change, those of the document's number included: all steps share one count (R32). */
export const wrongInPhoneChange: Budget = { name: 'phone-change', ...limits.phoneChange.wrong, locks: true }

const wrongEntries = (purpose: CodePurpose): Budget =>
  purpose === 'phone-email' || purpose === 'phone-sms'
    ? wrongInPhoneChange
    : { name: `code-entries ${purpose}`, ...limits.code.wrongPerPurpose, locks: true }
/** Whose counts an operation goes to: those of strangers in half a sign-in, which needs the password only, or those of the known (R118). */
const ownCounts = ({ purpose, device }: Pick<Operation, 'purpose' | 'device'>): string[] =>
  (purpose === 'sign-in' || purpose === 'confirm-phone') && !device ? [] : [known]
/**
 * SMS to a number, of the account that has confirmed it: no other account takes any of them (R115), and strangers none of those of a known
 * device (R118). The last ones of its day are kept for signing in: no other act can lock a customer out.
 */
const sendsToNumber = ({ sends }: Settings, purpose: CodePurpose): Budget => ({
  name: 'sms-number',
  ...limits.code.sendsPerRecipient,
  limit: purpose === 'sign-in' ? sends.perNumber : Math.max(1, sends.perNumber - limits.code.sendsKeptForSignIn),
})
/** SMS to a number from all who only claim it, until somebody confirms it (R115). */
export const sendsToUnconfirmed = (phone: string): Claim => [
  { name: 'sms-unconfirmed', ...limits.phoneConfirmation.sends },
  phone,
]
/** What confirms a number; no other code goes to one that is not the account's confirmed number. */
const confirming: ReadonlySet<CodePurpose> = new Set(['confirm-phone', 'phone-sms', 'activate-seal'])
/**
 * Codes that nobody has entered yet: each that is entered is given back, or an office behind one address would use it up (R120).
 * Those to numbers that are only claimed are counted apart: they take none of those of a sign-in.
 */
const sendsForAddress = ({ sends }: Settings, address: string, confirmed: boolean): Claim => [
  {
    name: confirmed ? 'sms-address' : 'sms-address-unconfirmed',
    ...limits.code.sendsPerAddress,
    limit: sends.perAddress,
  },
  networkOf(address),
]
/** A signed-in customer's own number and a known device vouch for themselves. */
const isForAddress = ({ purpose, device }: Pick<Operation, 'purpose' | 'device'>) =>
  purpose === 'sign-in' ? !device : confirming.has(purpose)
const pauseAfterSends = (operation: Operation): Claim => [
  { name: `code-pause ${operation.purpose}`, limit: 1, window: limits.code.pauseAfterSends, locks: true },
  operation.accountId,
  ...ownCounts(operation),
]

/** The same for codes that go by mail: to one mailbox, however it is spelled (R26), and for one address. */
const mailsToBox: Budget = { name: 'code-mails', ...limits.code.sendsPerRecipient }
const mailsForAddress: Budget = { name: 'code-mails-address', ...limits.code.sendsPerAddress }

/** Codes in a day whatever the session, where they go to a number that is not yet proven to be anybody's. */
const sendsToUnproven: Partial<Record<CodePurpose, (operation: Operation) => Claim>> = {
  'activate-seal': ({ object }) => [{ name: 'code-sends activate-seal', ...limits.seal.codes }, object],
  'phone-sms': ({ accountId }) => [{ name: 'code-sends phone-sms', ...limits.phoneChange.codes }, accountId],
}

/** Six digits, uniform, leading zeros kept (R23). */
export const drawCode = () => String(randomInt(10 ** limits.code.digits)).padStart(limits.code.digits, '0')

type Recipient = { locale: 'pl' | 'en'; address: string } & ({ phone: string } | { email: string })
type Refusal = {
  refused:
    | 'sends-spent'
    | 'too-many-attempts'
    | 'sms-country-refused'
    | 'sms-stopped'
    | 'phone-unconfirmed'
    | 'phone-sends-spent'
  retryAfter?: number
}

/** By whom a send to a recipient is paid, before any other limit. */
const sendsTo = (settings: Settings, operation: Operation, to: Recipient, confirmed: boolean): Claim[] =>
  'phone' in to
    ? [
        confirmed
          ? [sendsToNumber(settings, operation.purpose), operation.accountId, to.phone, ...ownCounts(operation)]
          : sendsToUnconfirmed(to.phone),
        ...(isForAddress(operation) ? [sendsForAddress(settings, to.address, confirmed)] : []),
      ]
    : [
        [mailsToBox, canonicalLogin(to.email)],
        [mailsForAddress, networkOf(to.address)],
      ]

/**
 * Whether another code may be sent to this recipient, for this address and, as its entries go, for this purpose. Pays for
 * the send (R25). `pause`: also not while sends of the purpose pause. `confirmed`: the recipient is the account's.
 */
async function paySend(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
  pause: readonly Claim[] = [],
): Promise<Refusal | { confirmed: boolean }> {
  const { accountId, purpose } = operation
  const unwanted = 'phone' in to && refusedByPolicy(portal, to.phone)
  if (unwanted) return { refused: unwanted }
  const confirmed = !('phone' in to) || (await hasConfirmed(tx, portal.keys, accountId, to.phone))
  if (!confirmed && !confirming.has(purpose)) return { refused: 'phone-unconfirmed' }
  const toUnproven = sendsToUnproven[purpose]
  const sends = sendsTo(portal.settings, operation, to, confirmed)
  if (toUnproven) sends.push(toUnproven(operation))
  const range = 'phone' in to ? [sendsToRange(portal.settings, to.phone, confirmed)] : []
  const ofPerson = [...pause, ...entryClaims(operation)]
  const paid = await spendAll(tx, portal.keys, sends, [...range, ...ofPerson])
  if (paid.ok) return { confirmed }
  const { refused, retryAfter } = paid
  if (!confirmed && refused === 0) return { refused: 'phone-sends-spent' }
  if (range.length && refused === sends.length) return { refused: 'sms-stopped', retryAfter }
  const isEntries = refused >= sends.length + range.length + pause.length
  return { refused: isEntries ? 'too-many-attempts' : 'sends-spent', retryAfter }
}

/**
 * Opens a code, unless the operation has one that can still be entered: then that one is meant and nothing is sent,
 * or opening a dialog again and again would get round the cool-down and spend the customer's messages (R25).
 */
export async function openCodeOnce(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<CodeSent | Refusal> {
  // One at a time in a session: two at once would not see each other's code.
  await sql`select from sessions where id = ${operation.sessionId} for no key update`.execute(tx)
  const open = await openRow(tx, operation)
  return open ? sentOf(open, operation, to) : openCode(tx, portal, operation, to)
}

/** The code of an operation that can still be entered. */
async function openRow(db: Db, { sessionId, purpose, object }: Operation) {
  const { rows } = await sql<Row>`
    select id, ordinal, sent_at, expires_at from codes
    where session_id = ${sessionId} and purpose = ${purpose} and object = ${object}
      and used_at is null and entries < ${limits.code.entries} and expires_at > portal_now()
    order by sent_at desc limit 1`.execute(db)
  return rows[0]
}

/** What a page that was loaded anew is told of the newest code, whose time may be over: it counts the seconds from this answer on. */
export async function codeSentBefore(db: Db, operation: Operation, to: Recipient): Promise<CodeSent | undefined> {
  const { rows } = await sql<Row & { now: Date }>`
    select id, ordinal, sent_at, expires_at, portal_now() as now from codes
    where session_id = ${operation.sessionId} and purpose = ${operation.purpose} and object = ${operation.object}
    order by sent_at desc limit 1`.execute(db)
  return rows[0] && { ...sentOf(rows[0], operation, to), sentAt: rows[0].now.toISOString() }
}

/** Makes a code and queues its message. Must be undone (rolled back) by the caller when it is refused. */
export async function openCode(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<CodeSent | Refusal> {
  const { accountId, sessionId, purpose, object } = operation
  const id = crypto.randomUUID()
  const code = drawCode()
  const [paid, { rows }] = await Promise.all([
    paySend(tx, portal, operation, to, [pauseAfterSends(operation)]),
    sql<Row>`
      insert into codes (id, account_id, session_id, purpose, object, code_mac, expires_at)
      values (${id}, ${accountId}, ${sessionId}, ${purpose}, ${object}, ${mac(portal.keys.code, id, code)},
        portal_now() + make_interval(secs => ${limits.code.life}))
      returning id, ordinal, sent_at, expires_at`.execute(tx),
  ])
  if ('refused' in paid) return paid
  return send(tx, portal, operation, rows[0]!, to, { code, ...paid })
}

type Row = { id: string; ordinal: number; sent_at: Date; expires_at: Date }

async function send(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  row: Row,
  to: Recipient,
  { code, confirmed }: { code: string; confirmed: boolean },
): Promise<CodeSent> {
  const { accountId, purpose, mark } = operation
  const said = { act: [codeActs[purpose][to.locale], mark].filter(Boolean).join(' '), code, ordinal: row.ordinal }
  const message: Message =
    'phone' in to
      ? {
          channel: 'sms',
          to: to.phone,
          text: textBySms(portal.settings, to.locale, said),
          ...(!confirmed && { unconfirmed: true }),
        }
      : { channel: 'mail', to: to.email, ...codeMail(portal.settings, to.locale, said) }
  await Promise.all([
    enqueue(tx, portal.keys, message, row.expires_at),
    record(tx, {
      act: 'code-sent',
      accountId,
      actor: 'customer',
      address: to.address,
      details: { code: row.id, purpose, ordinal: row.ordinal },
    }),
  ])
  return sentOf(row, operation, to)
}

/** What the customer is told of a code: never the code itself (R3). */
function sentOf(row: Row, { purpose }: Operation, to: Recipient): CodeSent {
  const most = purpose === 'confirm-phone' ? limits.phoneConfirmation.sends.limit : limits.code.sends
  return {
    id: row.id,
    channel: 'phone' in to ? 'sms' : 'email',
    to: 'phone' in to ? maskPhone(to.phone) : maskEmail(to.email),
    ordinal: row.ordinal,
    sentAt: row.sent_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    resendAt: new Date(row.sent_at.getTime() + limits.code.resendAfter * 1000).toISOString(),
    sendsLeft: most - row.ordinal,
  }
}

export type ResendRefusal =
  | Refusal
  | { refused: 'code-expired' | 'code-void' }
  | { refused: 'resend-too-early' | 'sends-spent'; retryAfter: number }

/**
 * Replaces the code by a new one; the old is void, wrong entries and the end of life stay (R24). The one UPDATE
 * decides who may send, so a thousand clicks at once send no more than the specification allows.
 */
export async function resendCode(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<CodeSent | ResendRefusal> {
  const { sessionId, purpose, object } = operation
  const current = await tx
    .selectFrom('codes')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('purpose', '=', purpose)
    .where('object', '=', object)
    .orderBy('sent_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!current) return { refused: 'code-void' }
  const code = drawCode()
  const { rows } = await sql<Row>`
    update codes set ordinal = ordinal + 1, code_mac = ${mac(portal.keys.code, current.id, code)}, sent_at = portal_now()
    where id = ${current.id} and used_at is null and entries < ${limits.code.entries} and expires_at > portal_now()
      and ordinal < ${limits.code.sends} and sent_at + make_interval(secs => ${limits.code.resendAfter}) <= portal_now()
    returning id, ordinal, sent_at, expires_at`.execute(tx)
  const row = rows[0]
  if (!row) return whyNotResent(tx, portal, current.id, operation)
  const paid = await paySend(tx, portal, operation, to)
  if ('refused' in paid) return paid
  if (row.ordinal === limits.code.sends) await spend(tx, portal.keys, ...pauseAfterSends(operation))
  return send(tx, portal, operation, row, to, { code, ...paid })
}

async function whyNotResent(tx: Tx, portal: Portal, id: string, operation: Operation): Promise<ResendRefusal> {
  const { rows } = await sql<{ expired: boolean; void: boolean; ordinal: number; wait: number }>`
    select expires_at <= portal_now() as expired, used_at is not null or entries >= ${limits.code.entries} as void, ordinal,
      ceil(extract(epoch from sent_at - portal_now()) + ${limits.code.resendAfter})::float8 as wait
    from codes where id = ${id}`.execute(tx)
  const state = rows[0]!
  if (state.void) return { refused: 'code-void' }
  if (state.expired) return { refused: 'code-expired' }
  if (state.ordinal < limits.code.sends) return { refused: 'resend-too-early', retryAfter: Math.max(1, state.wait) }
  return {
    refused: 'sends-spent',
    retryAfter: await secondsUntilFree(tx, portal.keys, ...pauseAfterSends(operation)),
  }
}

/** A right entry stays paid for until it is spent, or given back because the act failed. */
export type RightEntry = { ok: true; codeId: string; object: string } & Whose

/** `personLeft`: wrong entries that the person has left for the purpose. */
export type Entry =
  | RightEntry
  | { ok: false; refused: 'code-wrong'; entriesLeft: number; personLeft: number }
  /** With `personLeft` it was judged, as the last one of its code. */
  | { ok: false; refused: 'code-expired' | 'code-void'; personLeft?: number }
  | { ok: false; refused: 'too-many-attempts'; retryAfter: number }

type Whose = Pick<Operation, 'accountId' | 'purpose' | 'device'>

/** A known device's wrong entries are its own: strangers who have the password do not lock it out (R118). */
const wrongClaim = ({ purpose, accountId, device }: Whose): Claim => [
  wrongEntries(purpose),
  accountId,
  ...(device ? [device] : []),
]
const rowClaim = (whose: Whose): Claim => rowOfWrongCodes(whose.accountId, ...ownCounts(whose))
const entryClaims = (whose: Whose): Claim[] => [wrongClaim(whose), rowClaim(whose)]

/**
 * Judges one entry. The entry is paid for first, in statements of their own that stay even if the caller's act
 * fails afterwards: five a code, ten wrong ones a day for a person and purpose, a hundred without a success (R20, R21).
 * A right entry must be followed by `spendCode` in the act, or by `giveBack` when that fails.
 */
export async function enterCode(
  db: Db,
  portal: Portal,
  operation: Omit<Operation, 'object'> & { codeId?: string; object?: string },
  entry: string,
): Promise<Entry> {
  const { accountId, purpose, device } = operation
  const claims = entryClaims(operation)
  const paid = await spendAll(db, portal.keys, claims)
  if (!paid.ok) return { ok: false, refused: 'too-many-attempts', retryAfter: paid.retryAfter }
  const { rows } = await sql<{ id: string; object: string; code_mac: Buffer; entries: number }>`
    update codes set entries = entries + 1
    where id = (select id from codes where ${named(operation)} order by sent_at desc limit 1)
      and used_at is null and entries < ${limits.code.entries} and expires_at > portal_now()
    returning id, object, code_mac, entries`.execute(db)
  const code = rows[0]
  if (!code) {
    await refund(db, portal.keys, ...claims)
    return { ok: false, refused: await whyNotEvaluated(db, operation) }
  }
  if (sameBytes(mac(portal.keys.code, code.id, entry), code.code_mac))
    return { ok: true, codeId: code.id, accountId, purpose, device, object: code.object }
  const entriesLeft = limits.code.entries - code.entries
  await db.transaction().execute((tx) =>
    record(tx, {
      act: entriesLeft ? 'code-refused' : 'code-limit-reached',
      accountId,
      actor: 'customer',
      details: { code: code.id, purpose, entriesLeft },
    }),
  )
  const personLeft = paid.left[0]!
  return entriesLeft
    ? { ok: false, refused: 'code-wrong', entriesLeft, personLeft }
    : { ok: false, refused: 'code-void', personLeft }
}

type Named = { sessionId: string; purpose: CodePurpose; codeId?: string; object?: string }

/** The codes of a session for a purpose; of one operation, where its code or its object is named. */
const named = ({ sessionId, purpose, codeId, object }: Named) => sql`
  session_id = ${sessionId} and purpose = ${purpose} and (${codeId ?? null}::uuid is null or id = ${codeId ?? null})
    and (${object ?? null}::uuid is null or object = ${object ?? null})`

async function whyNotEvaluated(db: Db, operation: Named) {
  const { rows } = await sql<{ expired: boolean }>`
    select expires_at <= portal_now() and used_at is null as expired from codes
    where ${named(operation)} order by sent_at desc limit 1`.execute(db)
  return rows[0]?.expired ? ('code-expired' as const) : ('code-void' as const)
}

/**
 * Uses a code up, inside the act it confirms; false when another request was first (R22). Its entries are given back, the
 * wrong ones too: whoever made them has the code. Those of other codes stay, so a guesser gains nothing by it (R120).
 * The row of wrong ones ends; `alsoClear` ends with them.
 */
export async function spendCode(
  tx: Tx,
  { keys, settings }: Portal,
  entry: RightEntry,
  alsoClear: readonly Claim[] = [],
): Promise<boolean> {
  const { rows } = await sql<{ entries: number; ordinal: number; address: string | null }>`
    update codes set used_at = portal_now() where id = ${entry.codeId} and used_at is null
    returning entries, ordinal, (select address from sessions where id = session_id)`.execute(tx)
  if (!rows[0]) return false
  const { entries, ordinal, address } = rows[0]
  // All steps of a phone change share one count (R32): a right code of one says nothing of the others.
  const isShared = wrongEntries(entry.purpose) === wrongInPhoneChange
  const vouchedFor = entry.purpose === 'sign-in' && isForAddress(entry) && address !== null
  await settle(tx, keys, {
    refund: [
      ...Array.from({ length: isShared ? 1 : entries }, () => wrongClaim(entry)),
      ...Array.from({ length: vouchedFor ? ordinal : 0 }, () => sendsForAddress(settings, address!, true)),
    ],
    clear: [rowClaim(entry), ...alsoClear],
  })
  return true
}

/** The act of a right entry did not happen: the entry does not count. With its code used, another request has given it back. */
export async function giveBack(db: Db, { keys }: Portal, entry: RightEntry): Promise<void> {
  const { rows } = await sql`select from codes where id = ${entry.codeId} and used_at is not null`.execute(db)
  const isShared = wrongEntries(entry.purpose) === wrongInPhoneChange
  if (!rows.length || isShared) await refund(db, keys, ...entryClaims(entry))
}

/** Codes that are under way to a number which is no longer the account's confirm nothing any more. */
export async function voidCodesOf(tx: Tx, accountId: string): Promise<void> {
  await sql`update codes set used_at = portal_now() where account_id = ${accountId} and used_at is null`.execute(tx)
}

/** What an open code would confirm is no longer there to be confirmed (R40). */
export async function voidCodes(tx: Tx, purpose: CodePurpose, object: string): Promise<void> {
  await sql`update codes set used_at = portal_now() where purpose = ${purpose} and object = ${object} and used_at is null`.execute(
    tx,
  )
}

/**
 * The operation of a step-up's code, if it is this session's. Codes of other purposes have their own ways: theirs may go
 * to another number than the account's (R2, R41).
 */
export async function findOperation(
  db: Db,
  { id, accountId }: { id: string; accountId: string },
  code: string,
): Promise<Operation | undefined> {
  const row = await db
    .selectFrom('codes')
    .select(['purpose', 'object'])
    .where('id', '=', code)
    .where('session_id', '=', id)
    .where('purpose', 'in', stepUpPurposes)
    .executeTakeFirst()
  return row && { accountId, sessionId: id, purpose: row.purpose as Operation['purpose'], object: row.object }
}
