import { randomBytes } from 'node:crypto'
import { single } from './database.ts'
import { UnsupportedDatabaseError, withClient } from './migrate.ts'

/** An address of the database, and the setting that has it. */
export type DatabaseAddress = { key: string; url: string }

/**
 * Requires that an address leads to the owner's database. Otherwise the keys and rights of one portal would be used on the data of
 * another. A lock is seen in its own database only, so a restored copy, which has the same ids, is found too, and so is a standby.
 */
export async function requireSameDatabase(owner: DatabaseAddress, other: DatabaseAddress): Promise<void> {
  const lock = randomBytes(8).readBigInt64BE().toString()
  const isLocked = await withClient(owner.url, async (holder) => {
    await holder.query('select pg_advisory_lock($1)', [lock])
    const { rows } = await withClient(other.url, (client) =>
      // Until the end of its statement, because behind a pooler the connection goes on to others.
      client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [lock]),
    )
    return !single(rows).free
  })
  if (!isLocked)
    throw new UnsupportedDatabaseError(
      `${other.key} and ${owner.key} lead to different databases. Set both to the one database of this portal, and to no copy or standby of it.`,
    )
}
