import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import {
  phoneChangeMoves,
  phoneChangeSteps,
  type PhoneChangeEntry,
  type PhoneChangeStep,
} from '../../contract/phone-change.ts'
import { ApiError, orThrow, type Refusal } from '../platform/api-error.ts'
import type { RefusedEntry, ResendRefusal, SentCode } from '../platform/authentication/codes.ts'
import type { LiveSession } from '../platform/authentication/session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { column, decrypted, describeRows, type RowOf } from '../platform/database/described-rows.ts'
import {
  decryptNewPhone,
  encryptNewPhone,
  encryptPhone,
  phoneIndex,
  readAccountPhone,
} from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findNextFreeTry, type LimitKey } from '../platform/rate-limits/rate-limits.ts'

const changeRows = describeRows({
  id: column<string>`id`,
  step: column<PhoneChangeStep>`step`,
  newPhone: decrypted((keys, id, phone: Buffer | null) => phone && decryptNewPhone(keys, id, phone))`phone`,
  startedAt: column<Date>`started_at`,
})
export type PhoneChangeRow = RowOf<typeof changeRows>

/** Returns the steps at which an entry is accepted (R32). */
const stepsOf = (entry: PhoneChangeEntry) => phoneChangeSteps.filter((step) => phoneChangeMoves[step][entry])

export const findChange = (db: Db, keys: Keys, { id: sessionId }: LiveSession): Promise<PhoneChangeRow | undefined> =>
  changeRows(db, keys).first(sql`select ${changeRows.columns} from phone_changes where session_id = ${sessionId}`)

/** Starts a change in a session that has none; false if it has one. */
export const beginChange = (tx: Tx, { id: sessionId, accountId }: LiveSession): Promise<boolean> =>
  query(tx).changesOne(sql`
    insert into phone_changes (session_id, account_id) values (${sessionId}, ${accountId})
    on conflict (session_id) do nothing`)

/** Locks the session before its change, in the order of sign-out, so that two requests never wait for each other's rows. */
const lockSession = (tx: Tx, { id }: LiveSession) =>
  query(tx).run(sql`select from sessions where id = ${id} for no key update`)

/** Moves the change of a session to the next step, if it accepts the entry (R32). */
export async function moveChange(
  tx: Tx,
  keys: Keys,
  session: LiveSession,
  entry: 'document' | 'email-code',
): Promise<PhoneChangeRow | undefined> {
  await lockSession(tx, session)
  const [from] = stepsOf(entry)
  const next = from && phoneChangeMoves[from][entry]
  return changeRows(tx, keys).first(sql`
    update phone_changes set step = ${next}
    where session_id = ${session.id} and step = ${from} returning ${changeRows.columns}`)
}

/** Sets a new number, if the step accepts one; `isOther`: codes to the earlier number do not confirm this one (R2). */
export async function takeNumber(
  tx: Tx,
  keys: Keys,
  session: LiveSession,
  phone: string,
): Promise<(PhoneChangeRow & { isOther: boolean }) | undefined> {
  await lockSession(tx, session)
  const before = await findChange(tx, keys, session)
  if (!before) return undefined
  const change = await changeRows(tx, keys).first(sql`
    update phone_changes set step = 'sms', phone = ${encryptNewPhone(keys, before.id, phone)}
    where session_id = ${session.id} and step = any(${stepsOf('number')}) returning ${changeRows.columns}`)
  return change && { ...change, isOther: before.newPhone !== phone }
}

/** Finishes the change of a session after its last step, and sets the account's number. Returns both numbers. */
export async function finishChange(
  tx: Tx,
  keys: Keys,
  session: LiveSession,
): Promise<{ before: string; phone: string } | undefined> {
  await lockSession(tx, session)
  const done = await changeRows(tx, keys).first(sql`
    delete from phone_changes where session_id = ${session.id} and step = any(${stepsOf('sms-code')})
    returning ${changeRows.columns}`)
  if (!done?.newPhone) return undefined
  const { accountId } = session
  const before = await readAccountPhone(tx, keys, accountId)
  await query(tx).run(sql`
    update accounts set phone = ${encryptPhone(keys, accountId, done.newPhone)}, phone_index = ${phoneIndex(keys, done.newPhone)} where id = ${accountId}`)
  return { before, phone: done.newPhone }
}

/** Locks the account, before any of its sessions. */
export const lockAccount = (tx: Tx, accountId: string) =>
  query(tx).run(sql`select from accounts where id = ${accountId} for no key update`)

/** Cancels the change of a session; its id, if there was one. */
export async function removeChange(tx: Tx, session: LiveSession): Promise<string | undefined> {
  await lockSession(tx, session)
  const row = await query(tx).first(sql<{ id: string }>`
    delete from phone_changes where session_id = ${session.id} returning id`)
  return row?.id
}

/** Ends the changes of all sessions of an account, after too many wrong entries (DAT-4). */
export async function removeChangesOf(tx: Tx, accountId: string): Promise<void> {
  await query(tx).run(sql`delete from phone_changes where account_id = ${accountId}`)
}

/** Returns the limit key of wrong entries, which are counted by account over all steps and sessions (R32). */
export const limitKeyOf = ({ accountId }: LiveSession): LimitKey => ['phone-change', accountId]

/** Refuses while the pause lasts: the customer can change nothing, in any session (DAT-4). */
export async function refuseInPause({ db, keys }: Portal, session: LiveSession): Promise<Paused | undefined> {
  const pause = await findNextFreeTry(db, keys, limitKeyOf(session))
  return pause && { refused: 'phone-change-blocked', data: { retryAfter: pause.seconds } }
}

type Paused = Refusal<'phone-change-blocked'>

/** Returns the number of entries left, which the customer is shown from the third wrong entry on (defaults.md). */
export const entriesLeft = (left: number) =>
  left <= limits.phoneChange.wrong.limit - limits.code.entriesLeftShownFrom ? { entriesLeft: left } : {}

/** A call of the phone change that pauses after too many wrong entries. */
export type PhoneChangeCall = Pick<Call<object>, 'transaction'> & { session: LiveSession }

/** Ends every change in progress after the last wrong entry, audits it, and refuses. */
export async function endIfSpent(
  portal: Portal,
  { session, transaction }: PhoneChangeCall,
  left: number | undefined,
): Promise<Paused | undefined> {
  if (left !== 0) return undefined
  const { accountId } = session
  await transaction(async (tx, audit) => {
    await lockAccount(tx, accountId)
    await removeChangesOf(tx, accountId)
    await audit('phone-change-blocked')
  })
  return refuseInPause(portal, session)
}

/** Returns why the entry of a code is refused; `wrong` is the error code of this step (DAT-3). */
export async function findRefusalOfEntry<Wrong extends 'email-code-wrong' | 'code-wrong'>(
  portal: Portal,
  call: PhoneChangeCall,
  entry: RefusedEntry,
  wrong: Wrong,
): Promise<Paused | Refusal<Wrong | 'code-expired' | 'code-void'>> {
  if (entry.refused === 'too-many-attempts') return { refused: 'phone-change-blocked', data: entry.data }
  const paused = await endIfSpent(portal, call, entry.personLeft)
  if (paused) return paused
  const { refused, personLeft } = entry
  return refused === 'code-wrong' ? { refused: wrong, data: entriesLeft(personLeft) } : { refused }
}

/** Returns the code that was sent, or throws, so that a refusal rolls back what it has charged. */
export function requireSent(sent: SentCode | ResendRefusal): SentCode {
  if ('refused' in sent && sent.refused === 'too-many-attempts')
    throw new ApiError('phone-change-blocked', { retryAfter: sent.data?.retryAfter ?? 1 })
  return orThrow(sent)
}
