import { sql } from 'kysely'
import { openStates, type RenewalState } from '../../contract/renewal.ts'
import { limits } from '../../contract/limits.ts'
import type { Db, Tx } from '../db.ts'

type Found = { id: string; state: RenewalState }

/** The renewal of a certificate that is under way or done. */
export async function findOfSignature(db: Db, owner: string, signatureId: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select id, state from renewals
    where account_id = ${owner} and signature_id = ${signatureId} and state not in ('expired', 'declined', 'failed')
      and not (state = any(${openStates}::text[]) and ends_at <= portal_now())`.execute(db)
  return rows[0]
}

/** What a code has opened, unless that has expired. */
export async function findOfCode(db: Db, owner: string, codeId: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select id, state from renewals where account_id = ${owner} and code_id = ${codeId} and state <> 'expired'`.execute(
    db,
  )
  return rows[0]
}

/** Whether a used code was used by a renewal that has expired since: then it opens another (defaults.md, draft). */
export async function wasUsedInVain(db: Db, owner: string, codeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from renewals
    where account_id = ${owner} and code_id = ${codeId} and state = 'expired' and parameters_sha256 is not null`.execute(
    db,
  )
  return rows.length > 0
}

/** Opens a draft until 14 days have passed or the certificate ends; undefined when another request was first (R31). */
export async function insertRenewal(
  tx: Tx,
  { owner, signatureId, codeId }: { owner: string; signatureId: string; codeId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into renewals (account_id, signature_id, code_id, ends_at)
    select account_id, id, ${codeId}::uuid, least(valid_to, portal_now() + make_interval(secs => ${limits.renewal.draft}))
    from signatures where id = ${signatureId} and account_id = ${owner}
    on conflict do nothing returning id`.execute(tx)
  return rows[0]?.id
}

/** What was opened in this very transaction, and cannot be. */
export async function dropRenewal(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('renewals').where('id', '=', id).execute()
}

/** The message by which the agreement is to be signed, in the transaction that puts it into the outbox. */
export async function nameSigningOrder(tx: Tx, id: string, order: string): Promise<void> {
  await tx.updateTable('renewals').set({ signing_order: order }).where('id', '=', id).execute()
}

export type OpenRenewal = {
  uid: string
  signature: string
  state: RenewalState
  name: string
  certificateValidTo: Date
  endsAt: Date
  issued: string | null
  validFrom: Date | null
}

/** What waits for something: open ones, and issued ones that are not closed. */
export async function listWaiting(db: Db, owner: string): Promise<OpenRenewal[]> {
  const { rows } = await sql<OpenRenewal>`
    select r.id as uid, r.signature_id as signature, r.state, s.name, s.valid_to as "certificateValidTo", r.ends_at as "endsAt", r.issued_signature as issued, n.valid_from as "validFrom"
    from renewals r join signatures s on s.id = r.signature_id left join signatures n on n.id = r.issued_signature
    where r.account_id = ${owner}
      and (r.state in ('authorised', 'signed', 'issued') or (r.state = any(${openStates}::text[]) and r.ends_at > portal_now()))
    order by r.ends_at, r.id limit ${limits.list.sizes[2]}`.execute(db)
  return rows
}

/** The signature that a renewal is asked for, before there is one. */
export async function findRenewable(db: Db, owner: string, id: string) {
  const { rows } = await sql<{
    product: 'app' | 'card' | 'file'
    validTo: Date
    status: 'good' | 'suspended' | 'revoked'
  }>`
    select product, valid_to as "validTo", status from signatures where id = ${id} and account_id = ${owner}`.execute(
    db,
  )
  return rows[0]
}
