import { sql } from 'kysely'
import type { Act } from '../contract/acts.ts'
import { content, hmacPads } from './audit-chain.ts'
import { writeNextLink, type Tx } from './db.ts'
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
  recorded.tell({ act })
}
