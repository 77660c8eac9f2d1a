import { sql } from 'kysely'
import type { AuditActor } from '../../contract/provider/audit-trail.ts'
import type { CaseKind } from '../../contract/desk/desk-cases.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { VoucherProcess, CaseStatus } from '../../contract/vouchers.ts'
import type { Text } from '../../contract/enums.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'

type Step = { at: Date; action: string; actor: AuditActor }

/** How entries of the trail name the case. */
export const nameInTrail = {
  renewal: 'renewal',
  document: 'documentCase',
  voucher: 'voucherCase',
} as const satisfies Record<CaseKind, string>

/**
 * The newest entries about a case of this account, the oldest first. An index has the entries of an account, in parts for months: none from
 * before the case is read.
 */
export async function stepsOf(db: Db, owner: string, kind: CaseKind, id: string, since: Date): Promise<Step[]> {
  const rows = await query(db).all(sql<Step>`
    select at, act as action, actor from audit
    where account_id = ${owner} and at >= ${since}::timestamptz - interval '1 minute' and details ->> ${nameInTrail[kind]}::text = ${id}
      and act <> all(array['desk-case-read', 'data-read'])
    order by audit.id desc limit ${deskLimits.steps}`)
  return rows.toReversed()
}

type VoucherRow = {
  id: string
  number: string
  process: VoucherProcess
  status: CaseStatus
  note: Text | null
  createdAt: Date
  updatedAt: Date
}

/** The owner's voucher case. */
export async function findVoucherCase(db: Db, owner: string, id: string): Promise<VoucherRow | undefined> {
  return query(db).first(sql<VoucherRow>`
    select c.id, c.number, v.process, c.status, c.note, c.created_at, c.updated_at
    from voucher_cases c join voucher_codes v on v.id = c.code_id
    where c.id = ${id} and c.account_id = ${owner}`)
}

type SigningOrder = { id: string; cause: string | null; tries: number; nextTryAt: Date }

/** The message that makes the signature of a renewal, while it is tried. */
export async function findSigningOrder(db: Db, renewal: string): Promise<SigningOrder | undefined> {
  return query(db).first(sql<SigningOrder>`
    select o.id, o.failure as cause, o.tries, o.next_try_at from renewals r join outbox o on o.id = r.signing_order and o.outcome is null
    where r.id = ${renewal} and r.state = 'authorised'`)
}

/** The seal of a pending invitation to the customer's present address. */
export async function findSealOfInvitation(db: Db, owner: string, id: string) {
  return query(db).first(sql<{ sealId: string; hasEnded: boolean }>`
    select u.seal_id, s.status = 'revoked' or s.valid_to <= portal_now() as has_ended
    from accounts a join seal_users u on u.email_key = a.email_key join seals s on s.id = u.seal_id
    where a.id = ${owner} and u.id = ${id} and u.status = 'pending'`)
}
