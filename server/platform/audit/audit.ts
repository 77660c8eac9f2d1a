import { sql } from 'kysely'
import { writeNextLinks, type Tx } from '../database/database.ts'
import { entryContent, hmacPads } from '../encryption/audit-chain.ts'
import { auditEntryAdded } from '../observability/events.ts'
import type { AuditEntry } from './audit-entry.ts'
import { addEvent } from './provider-events-feed.ts'

/**
 * Writes an audit entry in the transaction of the action, so that both are committed or neither (R84). One statement: the
 * position in the chain and its key are this process's, the time and the id are the database's.
 */
export async function addAuditEntry(tx: Tx, entry: AuditEntry): Promise<void> {
  const { action, accountId, actor, address } = entry
  await writeNextLinks(tx, (key, { chain, seq, mac: previous }, operator) => {
    const { inner, outer } = hmacPads(key, { chain, seq: seq + 1 })
    return sql`
      insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
      select *, ${previous}::bytea, sha256(${outer}::bytea || sha256(${inner}::bytea || ${previous}::bytea || convert_to(${entryContent}, 'UTF8')))
      from (
        select ${chain}::uuid as chain, ${seq + 1}::bigint as seq, nextval('audit_id_seq') as id, portal_now() as at, ${action}::text as act,
          ${accountId}::uuid as account_id, ${actor}::text as actor, ${address ?? null}::text as address, ${detailsText(entry, operator)}::jsonb as details
      ) entry
      returning mac`
  })
  await addEvent(tx, entry)
  auditEntryAdded.publish({ action })
}

/** Returns the details as JSON, with the name of an operator, which the chain covers like all details. */
const detailsText = ({ actor, details }: AuditEntry, operator: string | undefined) =>
  JSON.stringify(actor === 'operator' && operator ? { actorName: operator, ...details } : (details ?? {}))

/**
 * Writes many entries of one transaction in one statement, with the same result as `addAuditEntry()` for each in turn. Each MAC
 * depends on the one before, so the statement follows the chain.
 */
export async function addAuditEntries(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (!entries.length) return
  await writeNextLinks(tx, (key, { chain, seq: before, mac: previous }, operator) => {
    const pads = entries.map((_, i) => hmacPads(key, { chain, seq: before + i + 1 }))
    return sql`
      with recursive entry as materialized (
        select n.ordinal, ${chain}::uuid as chain, ${before}::bigint + n.ordinal as seq, nextval('audit_id_seq') as id, portal_now() as at, n.act,
          n.account_id, n.actor, n.address, n.details::jsonb as details, n.inside, n.outside
        from unnest(${entries.map(({ action }) => action)}::text[], ${entries.map(({ accountId }) => accountId)}::uuid[],
            ${entries.map(({ actor }) => actor)}::text[], ${entries.map(({ address }) => address ?? null)}::text[],
            ${entries.map((entry) => detailsText(entry, operator))}::text[], ${pads.map(({ inner }) => inner)}::bytea[],
            ${pads.map(({ outer }) => outer)}::bytea[])
          with ordinality as n (act, account_id, actor, address, details, inside, outside, ordinal)
      ), signed as materialized (
        select *, convert_to(${entryContent}, 'UTF8') as content from entry
      ), linked as (
        select ordinal, ${previous}::bytea as previous, sha256(outside || sha256(inside || ${previous}::bytea || content)) as mac
        from signed where ordinal = 1
        union all
        select s.ordinal, l.mac, sha256(s.outside || sha256(s.inside || l.mac || s.content)) from linked l join signed s on s.ordinal = l.ordinal + 1
      )
      insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
      select s.chain, s.seq, s.id, s.at, s.act, s.account_id, s.actor, s.address, s.details, l.previous, l.mac
      from signed s join linked l using (ordinal) order by ordinal
      returning mac`
  })
  for (const entry of entries) await addEvent(tx, entry)
  for (const { action } of entries) auditEntryAdded.publish({ action })
}
