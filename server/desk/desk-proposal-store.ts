import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { CustomerProposal, ProposalKind } from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { StaffSession } from '../platform/authentication/staff-session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { removalFrom, removeExpired } from '../platform/database/remove-expired.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { DeskRow } from './desk-customer-store.ts'

/** What is proposed: the new value, and what the customer had at the time. */
type Content = { value: string | null; seen: Contact }
type Contact = Pick<DeskRow, 'login' | 'email' | 'phone'>

/** A proposed change of a customer's data, as it is stored. */
export type Proposal = Omit<CustomerProposal, 'proposed' | 'proposedAt' | 'until'> & {
  accountId: string
  /** The content; null from the decision on (R249). */
  content: Content | null
  proposedAt: Date
  until: Date
}
type EncryptedRow = Omit<Proposal, 'content'> & { content: Buffer | null }
type Person = Pick<StaffSession, 'subject' | 'name'>

const columns = sql`id, account_id, kind, content, reason, proposer as by, proposed_by as subject, proposed_at, expires_at as until, outcome, decider, note`
const openCondition = sql`outcome is null and expires_at > portal_now()`

const contents = encryptionOf('desk_proposals', 'content')
const decryptRow = (keys: Keys, { content, ...row }: EncryptedRow): Proposal => ({
  ...row,
  content: content && (JSON.parse(contents.decrypt(keys, row.id, content)) as Content),
})

export const seenOf = ({ login, email, phone }: Contact): Contact => ({ login, email, phone })

/** Adds a proposal; undefined while one of the same kind is open. */
export async function addProposal(
  tx: Tx,
  keys: Keys,
  row: DeskRow,
  { kind, value, reason }: { kind: ProposalKind; value: string | null; reason: string },
  { subject, name }: Person,
): Promise<string | undefined> {
  const id = randomUUIDv7()
  const content = contents.encrypt(keys, id, JSON.stringify({ value, seen: seenOf(row) } satisfies Content))
  const found = await query(tx).first(sql<{ id: string }>`
    insert into desk_proposals (id, account_id, kind, content, reason, proposed_by, proposer, expires_at)
    values (${id}, ${row.id}, ${kind}, ${content}, ${reason}, ${subject}, ${name}, portal_now() + make_interval(secs => ${deskLimits.proposal}))
    on conflict (account_id, kind) where outcome is null do update set id = excluded.id, content = excluded.content, reason = excluded.reason,
      proposed_by = excluded.proposed_by, proposer = excluded.proposer, proposed_at = excluded.proposed_at, expires_at = excluded.expires_at
      where desk_proposals.expires_at <= portal_now()
    returning id`)
  return found?.id
}

export async function findProposal(
  db: Db,
  keys: Keys,
  id: string,
): Promise<(Proposal & { isOver: boolean }) | undefined> {
  const row = await query(db).first(sql<EncryptedRow & { isOver: boolean }>`
    select ${columns}, expires_at <= portal_now() as is_over from desk_proposals where id = ${id}`)
  return row && { ...decryptRow(keys, row), isOver: row.isOver }
}

/** Lists the proposals for a customer that have not expired, the newest first. */
export async function listProposalsFor(db: Db, keys: Keys, accountId: string): Promise<Proposal[]> {
  const rows = await query(db).all(sql<EncryptedRow>`
    select ${columns} from desk_proposals where account_id = ${accountId} and expires_at > portal_now()
    order by proposed_at desc limit 10`)
  return rows.map((row) => decryptRow(keys, row))
}

/** Lists everybody's open proposals, without their content. */
export async function listOpenProposals(db: Db): Promise<Omit<Proposal, 'content'>[]> {
  return query(db).all(sql<EncryptedRow>`
    select ${columns} from desk_proposals
    where ${openCondition} order by expires_at limit ${deskLimits.listedProposals}`)
}

export async function countOpenProposals(db: Db, { subject }: Person): Promise<number> {
  const { open } = await query(db).one(sql<{ open: number }>`
    select count(*)::int as open from (
      select from desk_proposals
      where ${openCondition} and proposed_by <> ${subject} limit ${deskLimits.listedProposals}) p`)
  return open
}

/** Decides an open proposal of another person, at most once (R247, R248); its content goes. False if there is nothing to decide. */
export async function decideProposal(
  tx: Tx,
  id: string,
  outcome: NonNullable<Proposal['outcome']>,
  { subject, name }: Person,
  note: string | null = null,
): Promise<boolean> {
  return query(tx).changesOne(sql`
    update desk_proposals set outcome = ${outcome}, decided_by = ${subject}, decider = ${name}, note = ${note}, content = null
    where id = ${id} and ${openCondition} and proposed_by <> ${subject}`)
}

/** Removes an own open proposal. */
export async function removeProposal(tx: Tx, id: string, { subject }: Person): Promise<boolean> {
  return query(tx).changesOne(sql`
    delete from desk_proposals where id = ${id} and ${openCondition} and proposed_by = ${subject}`)
}

/** Removes expired proposals, with what was decided until then. */
export const removeExpiredProposals = (db: Db): Promise<void> =>
  removeExpired(db, [removalFrom('desk_proposals', sql`expires_at <= portal_now()`)])

/** Returns the statement that removes the proposals for an erased customer (R249). */
export const proposalRemoval = (accountId: string) => sql`delete from desk_proposals where account_id = ${accountId}`
