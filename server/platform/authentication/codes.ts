import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Given } from '../../../contract/endpoint.ts'
import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { CodeSent } from '../../../contract/one-time-code.ts'
import { stepUpPurposes, type CodePurpose } from '../../../contract/step-up-purpose.ts'
import type { Refusal } from '../api-error.ts'
import { addAuditEntry } from '../audit/audit.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import { mac, sameBytes } from '../encryption/keys.ts'
import { renderMail } from '../messages/mail-template.ts'
import { maskEmail, maskPhone } from '../messages/masks.ts'
import type { Message } from '../messages/message.ts'
import { enqueue } from '../messages/outbox.ts'
import { codePurposeTexts, textBySms, codeName } from '../messages/sms-text.ts'
import type { Portal } from '../portal.ts'
import { charge, lockLimits, findNextFreeTry, settle, type LimitKey } from '../rate-limits/rate-limits.ts'
import type { Settings } from '../settings.ts'
import {
  chargeSend,
  entryKeys,
  pauseAfterSends,
  refundsOf,
  sharesCount,
  streakKey,
  type CodeOwner,
  type Operation,
  type Recipient,
  type SendRefusal,
  type UsedCode,
} from './code-limits.ts'

export type SentCode = Given<typeof CodeSent>

/** Draws a code of six digits, uniform, with leading zeros kept (R23). */
export const drawCode = () => String(randomInt(10 ** limits.code.digits)).padStart(limits.code.digits, '0')

/**
 * Creates a code, unless the operation has one that can still be entered: then nothing is sent, or opening a dialog again and
 * again would bypass the cool-down and use up the customer's messages (R25).
 */
export async function createCodeOnce(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<SentCode | SendRefusal> {
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
export async function findLatestCode(db: Db, operation: Operation, to: Recipient): Promise<SentCode | undefined> {
  const row = await query(db).first(sql<CodeRow & { now: Date }>`
    select ${codeColumns}, portal_now() as now from codes
    where session_id = ${operation.sessionId} and purpose = ${operation.purpose} and object = ${operation.object}
    order by sent_at desc limit 1`)
  return row && { ...codeSentReply(row, operation, to), sentAt: row.now }
}

/** Creates a code and queues its message. If it is refused, the caller must roll back. */
export async function createCode(
  tx: Tx,
  portal: Portal,
  operation: Operation,
  to: Recipient,
): Promise<SentCode | SendRefusal> {
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
  { row, code, isConfirmed }: { row: CodeRow; code: string; isConfirmed: boolean },
): Promise<SentCode> {
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
          ...(!isConfirmed && { kind: 'unconfirmed' as const }),
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
function codeSentReply({ id, ordinal, sentAt, expiresAt }: CodeRow, { purpose }: Operation, to: Recipient): SentCode {
  const maxSends = purpose === 'confirm-phone' ? limits.phoneConfirmation.sends.limit : limits.code.sends
  return {
    id,
    channel: 'phone' in to ? 'sms' : 'email',
    to: 'phone' in to ? maskPhone(to.phone) : maskEmail(to.email),
    ordinal,
    sentAt,
    expiresAt,
    resendAt: new Date(sentAt.getTime() + limits.code.resendAfter * 1000),
    sendsLeft: maxSends - ordinal,
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
): Promise<SentCode | ResendRefusal> {
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
): Promise<SentCode | ResendRefusal> {
  const sent = await resendCode(tx, portal, operation, to)
  const isOver = 'refused' in sent && (sent.refused === 'code-expired' || sent.refused === 'code-void')
  return isOver ? createCode(tx, portal, operation, to) : sent
}

async function resendRefusal(tx: Tx, portal: Portal, id: string, operation: Operation): Promise<ResendRefusal> {
  const state = await query(tx).one(sql<{ isExpired: boolean; isVoid: boolean; ordinal: number; wait: number }>`
    select expires_at <= portal_now() as is_expired, used_at is not null or entries >= ${limits.code.entries} as is_void, ordinal,
      ceil(extract(epoch from sent_at - portal_now()) + ${limits.code.resendAfter})::float8 as wait
    from codes where id = ${id}`)
  if (state.isVoid) return { refused: 'code-void' }
  if (state.isExpired) return { refused: 'code-expired' }
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
    change: (chargedCondition) => sql<{ id: string; object: string; codeMac: Buffer; entries: number }>`
      update codes set entries = entries + 1
      where ${chargedCondition} and id = (select id from codes where ${matchingCondition(operation)} order by sent_at desc limit 1)
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
const matchingCondition = ({ sessionId, purpose, codeId, object }: CodeFilter) => sql`
  session_id = ${sessionId} and purpose = ${purpose} and (${codeId ?? null}::uuid is null or id = ${codeId ?? null})
    and (${object ?? null}::uuid is null or object = ${object ?? null})`

async function findEntryRefusal(db: Db, operation: CodeFilter) {
  const row = await query(db).first(sql<{ isExpired: boolean }>`
    select expires_at <= portal_now() and used_at is null as is_expired from codes
    where ${matchingCondition(operation)} order by sent_at desc limit 1`)
  return row?.isExpired ? ('code-expired' as const) : ('code-void' as const)
}

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
  const row = await query(tx).first(sql<UsedCode>`
    update codes set used_at = portal_now() where id = ${entry.codeId} and used_at is null
    returning entries, ordinal, (select address from sessions where id = session_id),
      (select phone from accounts where accounts.id = account_id)`)
  if (!row) return false
  await settle(tx, keys, {
    refund: refundsOf(settings, keys, entry, row),
    clear: [streakKey(entry), ...alsoReset],
  })
  return true
}

/** Refunds a correct entry whose operation failed. If its code is used, another request has refunded it already. */
export async function refundEntry(db: Db, { keys }: Portal, entry: RightEntry): Promise<void> {
  const isUsed = await query(db).finds(sql`select from codes where id = ${entry.codeId} and used_at is not null`)
  if (!isUsed || sharesCount(entry)) await settle(db, keys, { refund: entryKeys(entry) })
}

/** Handles the failure of a transaction that a correct code confirms: the entry is refunded. */
export const refundOnFailure =
  (portal: Portal, entry: RightEntry) =>
  async (error: unknown): Promise<never> => {
    await refundEntry(portal.db, portal, entry)
    throw error
  }

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
