import { sql } from 'kysely'
import type { Act } from '../contract/acts.ts'
import { content, hmacPads } from './audit-chain.ts'
import { writeNextLinks, type Tx } from './db.ts'
import { tellProvider } from './events.ts'
import { recorded } from './observed.ts'

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
export async function record(tx: Tx, done: Record): Promise<void> {
  const { act, accountId, actor, address, details } = done
  await writeNextLinks(tx, (key, { chain, seq, mac: previous }) => {
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
  await tellProvider(tx, done)
  recorded.tell({ act })
}

/**
 * Writes many records of one transaction in one statement: the same as `record()` for each in turn, but for the way to the
 * database. Each MAC is made of the one before, so the statement goes along the chain.
 */
export async function recordAll(tx: Tx, records: readonly Record[]): Promise<void> {
  if (!records.length) return
  await writeNextLinks(tx, (key, { chain, seq: before, mac: previous }) => {
    const pads = records.map((_, i) => hmacPads(key, { chain, seq: before + i + 1 }))
    return sql`
      with recursive one as materialized (
        select n.place, ${chain}::uuid as chain, ${before}::bigint + n.place as seq, nextval('audit_id_seq') as id, portal_now() as at, n.act,
          n.account_id, n.actor, n.address, n.details::jsonb as details, n.inside, n.outside
        from unnest(${records.map(({ act }) => act)}::text[], ${records.map(({ accountId }) => accountId)}::uuid[],
            ${records.map(({ actor }) => actor)}::text[], ${records.map(({ address }) => address ?? null)}::text[],
            ${records.map(({ details }) => JSON.stringify(details ?? {}))}::text[], ${pads.map(({ inner }) => inner)}::bytea[],
            ${pads.map(({ outer }) => outer)}::bytea[])
          with ordinality as n (act, account_id, actor, address, details, inside, outside, place)
      ), told as materialized (
        select *, convert_to(${content}, 'UTF8') as content from one
      ), linked as (
        select place, ${previous}::bytea as previous, sha256(outside || sha256(inside || ${previous}::bytea || content)) as mac
        from told where place = 1
        union all
        select t.place, l.mac, sha256(t.outside || sha256(t.inside || l.mac || t.content)) from linked l join told t on t.place = l.place + 1
      )
      insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
      select t.chain, t.seq, t.id, t.at, t.act, t.account_id, t.actor, t.address, t.details, l.previous, l.mac
      from told t join linked l using (place) order by place
      returning mac`
  })
  for (const done of records) await tellProvider(tx, done)
  for (const { act } of records) recorded.tell({ act })
}
