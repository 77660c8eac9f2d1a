import { sql, type RawBuilder } from 'kysely'
import type { StepUpPurpose } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import type { Db, Tx } from './db.ts'
import { isAdministrator } from './seal-users.ts'

/**
 * The one mechanism for a fresh second factor (AUT-7): an SMS code or a passkey confirms one purpose on one object for five
 * minutes of one session. The call that needs it is refused with `step-up-required` until then.
 */
export async function isSteppedUp(db: Db, sessionId: string, purpose: StepUpPurpose, object: string): Promise<boolean> {
  const { rows } = await sql`
    select from step_ups where session_id = ${sessionId} and purpose = ${purpose} and object = ${object}
      and confirmed_at > portal_now() - make_interval(secs => ${limits.session.stepUp})`.execute(db)
  return rows.length > 0
}

/** What a purpose can be confirmed for: what belongs to the customer, and nothing else. */
const objects: Record<StepUpPurpose, (accountId: string, id: string) => RawBuilder<unknown>> = {
  'pair-app': (accountId, id) => sql`select from signatures where id = ${id} and account_id = ${accountId}`,
  'pair-seal': (accountId, id) =>
    sql`select from seal_users where seal_id = ${id} and account_id = ${accountId} and status = 'active'`,
  'manage-seal-users': (accountId, id) => sql`select where ${isAdministrator(id, accountId)}`,
  'timestamp-password': (accountId, id) =>
    sql`select from timestamp_accounts where id = ${id} and account_id = ${accountId}`,
  'add-passkey': (accountId, id) => sql`select where ${id}::uuid = ${accountId}::uuid`,
  'remove-passkey': (accountId, id) => sql`select from passkeys where id = ${id} and account_id = ${accountId}`,
  'reveal-data': (accountId, id) => sql`select where ${id}::uuid = ${accountId}`,
  'change-phone': (accountId, id) => sql`select where ${id}::uuid = ${accountId}`,
  'export-data': (accountId, id) => sql`select where ${id}::uuid = ${accountId}`,
}

/** Whether the customer has such an object. No message is sent for anything else (R25, R34). */
export async function hasObject(db: Db, accountId: string, purpose: StepUpPurpose, id: string): Promise<boolean> {
  return (await objects[purpose](accountId, id).execute(db)).rows.length > 0
}

/** What a session has confirmed holds no longer: its codes went to a number that is not the account's any more. */
export async function dropStepUps(tx: Tx, sessionId: string): Promise<void> {
  await tx.deleteFrom('step_ups').where('session_id', '=', sessionId).execute()
}

export async function confirmStepUp(tx: Tx, sessionId: string, purpose: string, object: string): Promise<void> {
  await sql`
    insert into step_ups (session_id, purpose, object, confirmed_at) values (${sessionId}, ${purpose}, ${object}, portal_now())
    on conflict (session_id, purpose, object) do update set confirmed_at = excluded.confirmed_at`.execute(tx)
}
