import { sql } from 'kysely'
import type pg from 'pg'
import { single, type Db } from '../database/database.ts'
import { currentMaster, type Keys } from '../encryption/keys.ts'

/** The second number of the advisory lock "a node knows this master key": the first bytes of the key's id. */
const lockNumber = ({ id }: Keys['masters'][number]) => id.readInt32BE(0)

/**
 * Publishes which master keys this node knows, by shared advisory locks. They last as long as the connection, so those of a killed
 * node disappear.
 */
export async function publishKnownKeys(client: pg.Client, { masters }: Keys): Promise<void> {
  for (const master of masters)
    await client.query(`select pg_advisory_lock_shared(hashtext('sygnet-master-keys'), $1)`, [lockNumber(master)])
}

/** How many running nodes do not know the current master key, and so could not decrypt with it (R82). */
export async function nodesWithoutCurrent(db: Db, keys: Keys): Promise<number> {
  const { rows } = await sql<{ nodes: number }>`
    select count(*)::int as nodes from (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 2 and classid = hashtext('sygnet-master-keys')::oid
        and database = (select oid from pg_database where datname = current_database())
      group by pid having not bool_or(objid = ${lockNumber(currentMaster(keys))}::int4::oid)
    ) node`.execute(db)
  return single(rows).nodes
}
