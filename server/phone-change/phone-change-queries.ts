import { sql } from 'kysely'
import {
  phoneChangeMoves,
  phoneChangeSteps,
  type PhoneChangeEntry,
  type PhoneChangeStep,
} from '../../contract/phone-change.ts'
import type { Db, Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { openNewPhone, openPhone, sealNewPhone, sealPhone } from '../sealed-fields.ts'
import type { LiveSession } from '../session.ts'

export type Change = { id: string; step: PhoneChangeStep; newPhone: string | null }
type Row = { id: string; step: PhoneChangeStep; phone: Buffer | null }

const opened = (keys: Keys, { id, step, phone }: Row): Change => ({
  id,
  step,
  newPhone: phone && openNewPhone(keys, id, phone),
})

/** At which steps an entry is taken (R32). */
const stepsOf = (entry: PhoneChangeEntry) => phoneChangeSteps.filter((step) => phoneChangeMoves[step][entry])

export async function findChange(db: Db, keys: Keys, { id: sessionId }: LiveSession): Promise<Change | undefined> {
  const row = await db
    .selectFrom('phone_changes')
    .select(['id', 'step', 'phone'])
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row && opened(keys, row)
}

/** Begins a change in a session that has none. True when this call is the one that did. */
export async function beginChange(tx: Tx, { id: sessionId, accountId }: LiveSession): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into phone_changes (session_id, account_id) values (${sessionId}, ${accountId})
    on conflict (session_id) do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** The session comes before its change, as its end has them, so that two requests can never wait for each other's rows. */
const holdSession = (tx: Tx, { id }: LiveSession) =>
  sql`select from sessions where id = ${id} for no key update`.execute(tx)

/** Moves the change of a session on, if it is where the entry is taken (R32). */
export async function moveChange(
  tx: Tx,
  keys: Keys,
  session: LiveSession,
  entry: 'document' | 'email-code',
): Promise<Change | undefined> {
  await holdSession(tx, session)
  const [from] = stepsOf(entry)
  const { rows } = await sql<Row>`
    update phone_changes set step = ${phoneChangeMoves[from!][entry]}
    where session_id = ${session.id} and step = ${from} returning id, step, phone`.execute(tx)
  return rows[0] && opened(keys, rows[0])
}

/** Takes a new number, if it is time for one; `isOther`: what was sent to the one before confirms nothing for this one (R2). */
export async function takeNumber(
  tx: Tx,
  keys: Keys,
  session: LiveSession,
  phone: string,
): Promise<(Change & { isOther: boolean }) | undefined> {
  await holdSession(tx, session)
  const before = await findChange(tx, keys, session)
  if (!before) return undefined
  const { rows } = await sql<Row>`
    update phone_changes set step = 'sms', phone = ${sealNewPhone(keys, before.id, phone)}
    where session_id = ${session.id} and step = any(${stepsOf('number')}) returning id, step, phone`.execute(tx)
  return rows[0] && { ...opened(keys, rows[0]), isOther: before.newPhone !== phone }
}

/** Ends the change of a session with its last step, and gives the account the number. Returns both numbers. */
export async function finishChange(
  tx: Tx,
  keys: Keys,
  session: LiveSession,
): Promise<{ before: string; phone: string } | undefined> {
  await holdSession(tx, session)
  const { rows } = await sql<Row>`
    delete from phone_changes where session_id = ${session.id} and step = any(${stepsOf('sms-code')})
    returning id, step, phone`.execute(tx)
  const done = rows[0] && opened(keys, rows[0])
  if (!done?.newPhone) return undefined
  const { accountId } = session
  const account = await tx.selectFrom('accounts').select('phone').where('id', '=', accountId).executeTakeFirstOrThrow()
  await sql`update accounts set phone = ${sealPhone(keys, accountId, done.newPhone)} where id = ${accountId}`.execute(
    tx,
  )
  return { before: openPhone(keys, accountId, account.phone), phone: done.newPhone }
}

/** An act on the whole account begins with it, before any of its sessions. */
export const holdAccount = (tx: Tx, accountId: string) =>
  sql`select from accounts where id = ${accountId} for no key update`.execute(tx)

/** Breaks the change of a session off. True when there was one. */
export async function dropChange(tx: Tx, session: LiveSession): Promise<string | undefined> {
  await holdSession(tx, session)
  const row = await tx
    .deleteFrom('phone_changes')
    .where('session_id', '=', session.id)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Ends what is under way in every session of an account: too much of it was wrong (DAT-4). */
export async function dropChangesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('phone_changes').where('account_id', '=', accountId).execute()
}
