import { sql } from 'kysely'
import type { Tx } from './db.ts'

/** What is recorded, one word an act. The browser and the auditors read these; never rename one. */
export type Act =
  | 'sign-in-refused'
  | 'sign-in-limit-reached'
  | 'sign-in-finished'
  | 'code-sent'
  | 'code-refused'
  | 'code-limit-reached'
  | 'step-up-confirmed'
  | 'signed-out'
  | 'session-extended'
  | 'account-blocked'
  | 'account-unblocked'
  | 'customer-created'
  | 'customer-updated'
  | 'customer-invited'
  | 'password-reset-requested'
  | 'password-set'
  | 'password-changed'
  | 'signature-stored'
  | 'agreement-stored'
  | 'agreement-downloaded'
  | 'certificate-downloaded'
  | 'pairing-started'
  | 'pairing-confirmed'
  | 'pairing-refused'
  | 'software-stored'
  | 'software-removed'

export type Record = {
  act: Act
  accountId: string | null
  actor: 'customer' | 'provider' | 'operator' | 'system'
  /** The peer's network address. */
  address?: string | undefined
  /** Ids and counts only: no names, numbers or texts of people (R86). */
  details?: { [name: string]: string | number | boolean }
}

/** Writes what was done into the transaction that does it: the act and its record come and go together (R84). */
export async function record(tx: Tx, { act, accountId, actor, address, details }: Record): Promise<void> {
  await sql`
    insert into audit (act, account_id, actor, address, details)
    values (${act}, ${accountId}, ${actor}, ${address ?? null}, ${JSON.stringify(details ?? {})})`.execute(tx)
}
