import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './db.ts'
import type { Keys } from './keys.ts'

/** Advisory locks have two numbers: these say "a node knows a master key" and which, by the beginning of its id. */
const numberOf = ({ id }: Keys['masters'][number]) => id.readInt32BE(0)

/**
 * Tells the other programs on the database which master keys this node knows, by locks that anybody can share: they are there
 * for as long as the connection is, so a node that was killed says nothing any more.
 */
export async function tellKnownKeys(client: pg.Client, { masters }: Keys): Promise<void> {
  // First, so that nobody sees the others without it.
  await client.query(`select pg_advisory_lock_shared(hashtext('sygnet-peppers'), 1)`)
  for (const master of masters)
    await client.query(`select pg_advisory_lock_shared(hashtext('sygnet-master-keys'), $1)`, [numberOf(master)])
}

/** How many running nodes are of a version that cannot check a password hash with a pepper (R124). */
export async function nodesWithoutPepper(db: Db): Promise<number> {
  const { rows } = await sql<{ nodes: number }>`
    select count(*)::int as nodes from (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 2 and database = (select oid from pg_database where datname = current_database())
      group by pid
      having bool_or(classid = hashtext('sygnet-master-keys')::oid) and not bool_or(classid = hashtext('sygnet-peppers')::oid)
    ) node`.execute(db)
  return rows[0]!.nodes
}

/** How many running nodes do not know the current master key, and could open nothing that is sealed under it (R82). */
export async function nodesWithoutCurrent(db: Db, { masters }: Keys): Promise<number> {
  const { rows } = await sql<{ nodes: number }>`
    select count(*)::int as nodes from (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 2 and classid = hashtext('sygnet-master-keys')::oid
        and database = (select oid from pg_database where datname = current_database())
      group by pid having not bool_or(objid = ${numberOf(masters[0]!)}::int4::oid)
    ) node`.execute(db)
  return rows[0]!.nodes
}
