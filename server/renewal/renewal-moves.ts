import { sql, type RawBuilder } from 'kysely'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Given } from '../../contract/endpoint.ts'
import type * as providerCalls from '../../contract/provider/provider-renewals.ts'
import type * as calls from '../../contract/renewal.ts'
import { renewalMoves, type Expected, type Renewal, type RenewalState } from '../../contract/renewal.ts'
import type { Refusal } from '../platform/api-error.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { removeDiscarded } from '../platform/files/discarded-files.ts'
import type { BoundAudit, Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import type { DocumentStore } from '../platform/ports.ts'
import { notifyOfRenewal, type RenewalNews } from './renewal-mails.ts'
import { findAnyRenewal, findRenewal, openCondition, type RenewalRow } from './renewal-store.ts'
import { renewalOf } from './renewal-view.ts'

/** Returns the SQL condition that the stored agreement and terms are those that a code was made for (R33). */
export const agreedCondition = (agreement: string, terms: string): RawBuilder<unknown> =>
  sql`r.agreement_sha256 = ${agreement} and r.terms_sha256 = ${terms}`

/** The columns that change with a move. */
type Changes = {
  parameters?: Buffer
  parametersSha256?: string
  shortenedTo?: Date | null
  identity?: Buffer | null
  identityState?: 'asked' | 'confirmed' | 'refused' | null
  terms?: Buffer | null
  termsSha256?: string | null
  agreementKey?: string | null
  agreementBytes?: number | null
  agreementSha256?: string | null
  signingFailed?: boolean
  signingOrder?: string | null
  signedKey?: string
  signedBytes?: number
  signedSha256?: string
  signedAt?: Date
  archiveRenewBy?: Date | null
  archiveStampedAt?: Date | null
  issuedSignature?: string
  note?: RawBuilder<unknown> | string | null
}

/**
 * Makes a move, or a change within a state, and locks the row until the transaction ends; false if the renewal is not in the
 * state and at the version that the caller expects, or has expired. One statement decides, so that one of several concurrent
 * calls wins (R56, R58, R59). `only`: a further condition.
 */
export async function moveRenewal(
  tx: Tx,
  { id, state: expected, version }: { id: string; state: RenewalState; version?: number },
  to: RenewalState,
  changes: Changes = {},
  only: RawBuilder<unknown> = sql`true`,
): Promise<boolean> {
  if (expected !== to && !renewalMoves[expected].includes(to)) return false
  const set = Object.entries(changes).map(([column, value]) => sql`, ${sql.ref(column)} = ${value}`)
  const isMoved = await query(tx).changesOne(sql`
    update renewals as r set state = ${to}, version = version + 1, updated_at = portal_now() ${sql.join(set, sql``)}
    where r.id = ${id} and r.state = ${expected} and (${version ?? null}::int is null or r.version = ${version ?? null}::int)
      and (not ${openCondition} or r.ends_at > portal_now()) and ${only}`)
  // The certificate is not renewed after all, so its reminders are looked at again (SIG-5).
  if (isMoved && (to === 'failed' || (expected === 'authorised' && to === 'signing')))
    await query(tx).run(sql`
      update signatures set reminder_at = null
      where id = (select signature_id from renewals where id = ${id}) and valid_to > portal_now()`)
  return isMoved
}

/** A customer's call on a renewal, whose endpoint declares at least these failures. */
type RenewalCall = Pick<Call<typeof calls.finishRenewal>, 'params' | 'session' | 'transaction' | 'fail' | 'orNotFound'>

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
  { params, session, orNotFound }: Pick<RenewalCall, 'params' | 'session' | 'orNotFound'>,
): Promise<Given<typeof Renewal>> {
  return renewalOf(orNotFound(await findRenewal(db, keys, session.accountId, params.uid)))
}

/** Moves a renewal for a call of its customer: by one conditional statement, from what its page showed (R56, R58). */
export async function moveOwnRenewal(
  portal: Portal,
  call: RenewalCall & { body: { expected: Expected } },
  to: RenewalState,
  { from, changes, after }: Move,
): Promise<Given<typeof Renewal>> {
  const { params, session, body, transaction, fail, orNotFound } = call
  const { expected } = body
  await transaction(async (tx, audit) => {
    const find = async () => orNotFound(await findRenewal(tx, portal.keys, session.accountId, params.uid))
    const before = await find()
    const fits = from.includes(expected.state) && before.state === expected.state && before.version === expected.version
    if (!fits || !(await moveRenewal(tx, { ...expected, id: before.id }, to, changes?.(before))))
      throw fail('state-passed', { current: (await find()).state })
    await after?.(tx, await find(), audit, before)
  })
  return reread(portal, call)
}

/** Call of the provider on a renewal; its endpoint declares at least these failures. */
type ProviderCall = Pick<Call<typeof providerCalls.judgeIdentity>, 'params' | 'transaction' | 'orFail' | 'orNotFound'>

export type ProviderMove = {
  to: RenewalState
  changes: Changes
  /** The audit entry, whose details name the renewal too. */
  action: AuditAction
  details?: AuditEntry['details']
  news: RenewalNews
}

/**
 * Makes a move for the provider, by its own system or at the desk, and notifies the customer. One conditional statement decides, so that a
 * late call takes no effect (R55, R60).
 */
export async function makeProviderMove(
  tx: Tx,
  portal: Portal,
  row: RenewalRow,
  { to, changes, action, details, news }: ProviderMove,
  audit: BoundAudit,
): Promise<Refusal<'state-passed'> | undefined> {
  if (!(await moveRenewal(tx, row, to, changes))) {
    const current = (await findAnyRenewal(tx, portal.keys, row.id))?.state ?? row.state
    return { refused: 'state-passed', data: { current } }
  }
  await audit(action, { renewal: row.id, ...details }, row.accountId)
  await notifyOfRenewal(tx, portal, row, news)
  return undefined
}

/** Moves a renewal for a call of the provider, unless `decide` finds that it has taken effect before. Returns the renewal as it is then. */
export async function moveForProvider(
  portal: Portal,
  { params, transaction, orFail, orNotFound }: ProviderCall,
  decide: (row: RenewalRow, tx: Tx) => Promise<ProviderMove | undefined>,
): Promise<RenewalRow> {
  const find = async (db: Db) => orNotFound(await findAnyRenewal(db, portal.keys, params.renewal))
  await transaction(async (tx, audit) => {
    const row = await find(tx)
    const move = await decide(row, tx)
    if (move) orFail(await makeProviderMove(tx, portal, row, move, audit))
  })
  return find(portal.db)
}

/**
 * Marks the expired renewals of one certificate, or of all, so that code and certificate can be used again. The entered data and
 * the agreement are removed, because it was not signed.
 */
export async function endOverdue(db: Db, documents: DocumentStore, signatureId?: string): Promise<void> {
  const ended = await db.transaction().execute(async (tx) => {
    const rows = await query(tx).all(sql<{ renewal: string; owner: string }>`
      with overdue as (
        select r.id from renewals r
        where ${openCondition} and r.ends_at <= portal_now() and (${signatureId ?? null}::uuid is null or r.signature_id = ${signatureId ?? null}::uuid)
        order by r.ends_at limit 1000 for no key update
      )
      update renewals r set state = 'expired', version = version + 1, updated_at = portal_now()
      from overdue where r.id = overdue.id returning r.id as renewal, r.account_id as owner`)
    for (const { renewal, owner } of rows)
      await addAuditEntry(tx, { action: 'renewal-expired', accountId: owner, actor: 'system', details: { renewal } })
    return discardExpired(tx, sql`r.id = any(${rows.map(({ renewal }) => renewal)}::uuid[])`)
  })
  if (ended.some(({ key }) => key)) await removeDiscarded(db, documents)
}

/** Removes what was entered in renewals that have expired, and their agreements, unless a legal hold keeps them (R251). */
const discardExpired = (tx: Tx, renewalCondition: RawBuilder<unknown>): Promise<{ key: string | null }[]> =>
  query(tx).all(sql<{ key: string | null }>`
    with ended as (
      select r.id, r.agreement_key from renewals r join accounts a on a.id = r.account_id
      where r.state = 'expired' and a.held_at is null and ${renewalCondition} for no key update of r
    ), discarded as (insert into discarded_files select agreement_key from ended where agreement_key is not null on conflict do nothing)
    update renewals r set parameters = null, identity = null, identity_state = null, terms = null, terms_sha256 = null,
      agreement_key = null, agreement_bytes = null, agreement_sha256 = null
    from ended where r.id = ended.id returning ended.agreement_key as key`)

/** Removes what a legal hold has kept, once it is released. The files follow when the node tidies up. */
export async function discardReleased(tx: Tx, accountId: string): Promise<void> {
  await discardExpired(tx, sql`r.account_id = ${accountId}`)
}

/** Checks whether a file is the agreement or the signed agreement of a renewal. Waits for a transaction that is about to change that. */
export async function isFileOf(tx: Tx, id: string, key: string): Promise<boolean> {
  const row = await query(tx).first(sql<{ isUsed: boolean }>`
    select ${key} in (agreement_key, signed_key) is true as is_used from renewals where id = ${id} for update`)
  return row?.isUsed === true
}
