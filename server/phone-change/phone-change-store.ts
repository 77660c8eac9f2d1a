import { sql } from 'kysely'
import {
  phoneChangeMoves,
  phoneChangeSteps,
  type PhoneChangeEntry,
  type PhoneChangeStep,
} from '../../contract/phone-change.ts'
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
