import { sql } from 'kysely'
import { content, hmacPads } from './audit-chain.ts'
import { writeNextLink, type Tx } from './db.ts'

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
  | 'session-ended'
  | 'account-blocked'
  | 'account-unblocked'
  | 'customer-created'
  | 'customer-updated'
  | 'customer-invited'
  | 'password-reset-requested'
  | 'registration-requested'
  | 'consent-given'
  | 'consent-withdrawn'
  | 'password-set'
  | 'password-changed'
  | 'signature-stored'
  | 'agreement-stored'
  | 'agreement-downloaded'
  | 'certificate-downloaded'
  | 'pairing-started'
  | 'pairing-confirmed'
  | 'pairing-refused'
  | 'signature-reminder-sent'
  | 'reminders-switched'
  | 'seal-stored'
  | 'seal-user-stored'
  | 'seal-user-invited'
  | 'seal-user-removed'
  | 'seal-access-activated'
  | 'timestamp-account-stored'
  | 'timestamp-package-stored'
  | 'timestamp-notice-sent'
  | 'timestamp-password-asked'
  | 'timestamp-password-changed'
  | 'document-case-stored'
  | 'document-stored'
  | 'document-downloaded'
  | 'document-code-sent'
  | 'document-upload-checked'
  | 'document-upload-confirmed'
  | 'document-signing-started'
  | 'document-signing-voided'
  | 'document-signing-failed'
  | 'document-signed-in-place'
  | 'document-upload-fetched'
  | 'document-upload-refused'
  | 'document-countersigned'
  | 'document-finished'
  | 'document-canceled'
  | 'document-signed-downloaded'
  | 'voucher-codes-stored'
  | 'voucher-code-refused'
  | 'voucher-limit-reached'
  | 'voucher-redeemed'
  | 'voucher-case-moved'
  | 'renewal-opened'
  | 'renewal-parameters-fixed'
  | 'renewal-document-entered'
  | 'renewal-document-judged'
  | 'renewal-shortening-accepted'
  | 'renewal-data-confirmed'
  | 'renewal-returned'
  | 'renewal-agreement-stored'
  | 'renewal-agreement-downloaded'
  | 'renewal-code-bound'
  | 'renewal-code-unbound'
  | 'renewal-authorised'
  | 'renewal-declined'
  | 'renewal-signed'
  | 'renewal-signing-failed'
  | 'renewal-issued'
  | 'renewal-failed'
  | 'renewal-finished'
  | 'software-stored'
  | 'software-removed'
  | 'audit-head-signed'
  | 'keys-rotated'
  | 'alarm-raised'

export type Record = {
  act: Act
  accountId: string | null
  actor: 'customer' | 'provider' | 'operator' | 'system'
  /** The peer's network address. */
  address?: string | undefined
  /** Ids and counts only: no names, numbers or texts of people (R86). */
  details?: { [name: string]: string | number | boolean }
}

/**
 * Writes what was done into the transaction that does it: the act and its record come and go together (R84). One
 * statement: the place and its key are this process's, the time and the number are the database's.
 */
export async function record(tx: Tx, { act, accountId, actor, address, details }: Record): Promise<void> {
  await writeNextLink(tx, (key, { chain, seq, mac: previous }) => {
    const { inner, outer } = hmacPads(key, { chain, seq: seq + 1 })
    return sql`
      insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
      select *, ${previous}::bytea, sha256(${outer}::bytea || sha256(${inner}::bytea || ${previous}::bytea || convert_to(${content}, 'UTF8')))
      from (
        select ${chain}::uuid as chain, ${seq + 1}::bigint as seq, nextval('audit_id_seq') as id, portal_now() as at, ${act}::text as act,
          ${accountId}::uuid as account_id, ${actor}::text as actor, ${address ?? null}::text as address, ${JSON.stringify(details ?? {})}::jsonb as details
      ) one
      returning mac`
  })
}
