import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { StepUpPurpose } from '../../../contract/step-up-purpose.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import type { Portal } from '../portal.ts'

/**
 * Checks for a fresh second factor. This is the only mechanism for it (AUT-7): an SMS code or a passkey confirms one purpose on one object,
 * for five minutes of one session. Without it the call is refused with `step-up-required`.
 */
export async function isSteppedUp(db: Db, sessionId: string, purpose: StepUpPurpose, object: string): Promise<boolean> {
  return query(db).finds(sql`
    select from step_ups where session_id = ${sessionId} and purpose = ${purpose} and object = ${object}
      and confirmed_at > portal_now() - make_interval(secs => ${limits.session.stepUp})`)
}

/** Checks whether the customer owns the object of a step-up. No message is sent for others (R25, R34). */
export async function ownsStepUpObject(
  { db, features }: Portal,
  accountId: string,
  purpose: StepUpPurpose,
  id: string,
): Promise<boolean> {
  const objects = features.map(({ stepUpObjects }) => stepUpObjects?.[purpose]).find(Boolean)
  if (!objects) throw new Error(`No feature has objects for the step-up purpose ${purpose}.`)
  return query(db).finds(objects(accountId, id))
}

/** Removes the confirmations of a session whose codes went to a number that no longer belongs to the account. */
export async function removeStepUps(tx: Tx, sessionId: string): Promise<void> {
  await query(tx).run(sql`delete from step_ups where session_id = ${sessionId}`)
}

export async function confirmStepUp(tx: Tx, sessionId: string, purpose: string, object: string): Promise<void> {
  await query(tx).run(sql`
    insert into step_ups (session_id, purpose, object, confirmed_at) values (${sessionId}, ${purpose}, ${object}, portal_now())
    on conflict (session_id, purpose, object) do update set confirmed_at = excluded.confirmed_at`)
}
