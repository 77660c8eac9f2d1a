import { sql } from 'kysely'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ProblemData } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { openStates, type RenewalState, type Expected, type Renewal } from '../../contract/renewal.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { BoundAudit, Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findRenewal, type RenewalRow } from './renewal-row-store.ts'
import { moveRenewal, type Changes } from './renewal-state-store.ts'
import { renewalOf } from './renewal-view.ts'
import { isBeingStopped } from '../service-authorisation/service-authorisation.ts'

type OpenRenewalRow = { id: string; state: RenewalState }

/** Finds the open or completed renewal of a certificate. */
export const findOfSignature = (db: Db, owner: string, signatureId: string): Promise<OpenRenewalRow | undefined> =>
  query(db).first(sql<OpenRenewalRow>`
    select id, state from renewals
    where account_id = ${owner} and signature_id = ${signatureId} and state not in ('expired', 'declined', 'failed')
      and not (state = any(${openStates}::text[]) and ends_at <= portal_now())`)

/** Finds the renewal that a code has opened, unless it has expired. */
export const findOfCode = (db: Db, owner: string, codeId: string): Promise<OpenRenewalRow | undefined> =>
  query(db).first(sql<OpenRenewalRow>`
    select id, state from renewals where account_id = ${owner} and code_id = ${codeId} and state <> 'expired'`)

/** Checks whether a code was used by a renewal that has expired: then it opens another one (defaults.md, draft). */
export const wasUsedByExpiredRenewal = (db: Db, owner: string, codeId: string): Promise<boolean> =>
  query(db).finds(sql`
    select from renewals
    where account_id = ${owner} and code_id = ${codeId} and state = 'expired' and parameters_sha256 is not null`)

/**
 * Opens a draft for 14 days, at most until the certificate ends; undefined if another request was first (R31), the certificate is another
 * customer's by now (R243), or the code was withdrawn (R260).
 */
export async function insertRenewal(
  tx: Tx,
  { owner, signatureId, codeId }: { owner: string; signatureId: string; codeId: string },
): Promise<string | undefined> {
  // The statement after the locks sees a move of the certificate and a withdrawal of the code.
  await sql`
    select from signatures s, voucher_codes v where s.id = ${signatureId} and v.id = ${codeId}
    for key share of s for share of v`.execute(tx)
  const row = await query(tx).first(sql<{ id: string }>`
    insert into renewals (account_id, signature_id, code_id, ends_at)
    select s.account_id, s.id, v.id, least(s.valid_to, portal_now() + make_interval(secs => ${limits.renewal.draft}))
    from signatures s join voucher_codes v on v.id = ${codeId} and (v.used_at is not null or v.expires_at > portal_now())
    where s.id = ${signatureId} and s.account_id = ${owner}
    on conflict do nothing returning id`)
  return row?.id
}

/** Removes a renewal that this transaction has opened and that a rule forbids. */
export async function deleteRenewal(tx: Tx, id: string): Promise<void> {
  await sql`delete from renewals where id = ${id}`.execute(tx)
}

/** Records the message that signs the agreement, in the transaction that enqueues it. */
export async function linkSigningOrder(tx: Tx, id: string, order: string): Promise<void> {
  await sql`update renewals set signing_order = ${order} where id = ${id}`.execute(tx)
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

type UnsignedAgreement = {
  id: string
  /** Whether no message is left that will make the signature. */
  isAbandoned: boolean
}

/** Lists agreements that were signed by code at least so many seconds ago and have no signature. */
export const listUnsigned = (db: Db, seconds: number): Promise<UnsignedAgreement[]> =>
  query(db).all(sql<UnsignedAgreement>`
    select r.id, o.id is null as is_abandoned
    from renewals r left join outbox o on o.id = r.signing_order and o.outcome is null
    where r.state = 'authorised' and r.updated_at <= portal_now() - make_interval(secs => ${seconds})
    order by r.id limit 1000`)

/** Lists the renewals that are not finished: open, being signed or issued. */
export const listWaiting = (db: Db, owner: string): Promise<OpenRenewal[]> =>
  query(db).all(sql<OpenRenewal>`
    select r.id as uid, r.signature_id as signature, r.state, s.name, s.valid_to as certificate_valid_to, r.ends_at, r.issued_signature as issued, n.valid_from
    from renewals r join signatures s on s.id = r.signature_id left join signatures n on n.id = r.issued_signature
    where r.account_id = ${owner}
      and (r.state in ('authorised', 'signed', 'issued') or (r.state = any(${openStates}::text[]) and r.ends_at > portal_now()))
    order by r.ends_at, r.id limit ${limits.list.sizes[2]}`)

export const findRenewable = (db: Db, owner: string, id: string) =>
  query(db).first(sql<{
    product: SignatureProduct
    validTo: Date
    status: 'good' | 'suspended' | 'revoked'
    isBeingStopped: boolean
  }>`
    select s.product, s.valid_to, s.status, ${isBeingStopped(sql`s.id`)} as is_being_stopped
    from signatures s where s.id = ${id} and s.account_id = ${owner}`)

/** Call of a customer on a renewal; its endpoint declares at least these failures. */
type RenewalCall = {
  params: { uid: string }
  session: { accountId: string }
  transaction: Call<Endpoint>['transaction']
  fail: (code: 'state-passed', data: ProblemData) => Error
  found: <Row>(row: Row | undefined | null) => Row
}

type Move = {
  /** The states from which the call can move a renewal. */
  from: readonly RenewalState[]
  /** Returns the columns that are written with the move. */
  changes?: (row: RenewalRow) => Changes
  /** Does what else belongs to the move, with the rows after and before it; a failure undoes the move. */
  after?: (tx: Tx, row: RenewalRow, audit: BoundAudit, before: RenewalRow) => Promise<void>
}

/** Reads the renewal of a call as it is now. */
export async function reread(
  { db, keys }: Portal,
  { params, session, found }: Pick<RenewalCall, 'params' | 'session' | 'found'>,
): Promise<Renewal> {
  return renewalOf(found(await findRenewal(db, keys, session.accountId, params.uid)))
}

/** Moves a renewal for a call of its customer: by one conditional statement, from what its page showed (R56, R58). */
export async function moveOwnRenewal(
  portal: Portal,
  call: RenewalCall & { body: { expected: Expected } },
  to: RenewalState,
  { from, changes, after }: Move,
): Promise<Renewal> {
  const { params, session, body, transaction, fail, found } = call
  const { expected } = body
  await transaction(async (tx, audit) => {
    const find = async () => found(await findRenewal(tx, portal.keys, session.accountId, params.uid))
    const before = await find()
    const fits = from.includes(expected.state) && before.state === expected.state && before.version === expected.version
    if (!fits || !(await moveRenewal(tx, before.id, expected, to, changes?.(before))))
      throw fail('state-passed', { current: (await find()).state })
    await after?.(tx, await find(), audit, before)
  })
  return reread(portal, call)
}
