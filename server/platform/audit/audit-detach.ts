import { sql } from 'kysely'
import { type Db, type Tx, query } from '../database/database.ts'
import type { ChainLink } from '../encryption/audit-chain.ts'
import { addAuditEntry } from './audit.ts'

/**
 * The error of a month whose entries do not all come before those that would stay, because the clock was set back meanwhile or some are
 * in the default table.
 */
export class OverlappingMonthsError extends Error {
  override name = 'OverlappingMonthsError'
}

/** The tables of the trail, and the end of each but the default one. */
export const auditParts = sql<{ name: string; ends: Date | null }>`
  select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz as ends
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit'::regclass`

/**
 * Takes the months that ended before an instant out of the trail. Their tables stay in the database, under their names, to be dumped and
 * dropped. The newest one stays, because the next months follow it. Of each chain, the place where it goes on is kept, and an entry of the
 * trail has the digest of all these places.
 */
export async function detachMonths(tx: Tx, before: Date): Promise<string[]> {
  // A statement that waits for the trail makes others wait.
  await query(tx).run(sql`set local lock_timeout = '2s'`)
  await query(tx).run(sql`select pg_advisory_xact_lock(hashtext('sygnet-audit-head'))`)
  // Before anything is read: an open transaction may still add the last entry of a month.
  await query(tx).run(sql`lock table only audit in access exclusive mode`)
  const rows = await query(tx).all(sql<{ name: string }>`
    select name from (${auditParts}) part
    where ends <= least(${before}, date_trunc('month', portal_now(), 'UTC')) and ends < (select max(ends) from (${auditParts}) part)
    order by ends`)
  const names = rows.map(({ name }) => name)
  for (const name of names) {
    await keepEnds(tx, name)
    await query(tx).run(sql`alter table audit detach partition ${sql.id(name)}`)
  }
  const isOverlapping = await query(tx).finds(sql`
    select from detached_chains d where exists (select from audit where chain = d.chain and seq <= d.seq) limit 1`)
  if (isOverlapping)
    throw new OverlappingMonthsError(
      'An entry of these months comes after one that would stay, in another month or in audit_default; nothing was detached.',
    )
  if (names.length)
    await addAuditEntry(tx, {
      action: 'audit-months-detached',
      accountId: null,
      actor: 'operator',
      details: { months: names.join(' '), digest: await computeDetachedDigest(tx) },
    })
  return names
}

/** Finds the past months before an instant that have entries in the default table, so that they cannot be detached. */
export async function listMonthsWithoutTable(owner: Db, before: Date): Promise<string[]> {
  const rows = await query(owner).all(sql<{ month: string }>`
    select distinct to_char(at at time zone 'UTC', 'YYYY-MM') as month from audit_default
    where at < least(${before}, date_trunc('month', portal_now(), 'UTC')) order by 1`)
  return rows.map(({ month }) => month)
}

/** Stores the last entry of each chain in a table, found by its index with one step per chain. */
const keepEnds = (tx: Tx, name: string) =>
  query(tx).run(sql`
  insert into detached_chains (chain, seq, mac)
  with recursive ends as (
    (select chain, seq, mac from ${sql.id(name)} order by chain desc, seq desc limit 1)
    union all
    select next.* from ends, lateral (
      select chain, seq, mac from ${sql.id(name)} where chain < ends.chain order by chain desc, seq desc limit 1
    ) next
  )
  select chain, seq, mac from ends
  on conflict (chain) do update set seq = excluded.seq, mac = excluded.mac where excluded.seq > detached_chains.seq`)

/** Reads the last entry of each chain in the detached months, where the chain continues. */
export async function readDetachedEnds(tx: Tx): Promise<Map<string, ChainLink>> {
  const rows = await query(tx).all(sql<{ chain: string; seq: string; mac: Buffer }>`
    select chain, seq, mac from detached_chains`)
  return new Map(rows.map(({ chain, seq, mac }) => [chain, { chain, seq: Number(seq), mac }]))
}

export async function computeDetachedDigest(tx: Tx): Promise<string> {
  const { digest } = await query(tx).one(sql<{ digest: string }>`
    select encode(sha256(convert_to(coalesce(string_agg(format('%s %s %s', chain, seq, encode(mac, 'hex')), ' ' order by chain), ''), 'UTF8')), 'hex') as digest
    from detached_chains`)
  return digest
}
