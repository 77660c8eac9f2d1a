import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { query, connect, type Db } from '../database/database.ts'
import { UnsupportedDatabaseError, withClient } from '../database/migrate.ts'
import { deriveKeys, UnknownMasterKeyError, type Keys, currentMaster } from '../encryption/keys.ts'
import { encryptionOf } from './encrypted-columns.ts'

const rootKey = encryptionOf('secrets', 'encrypted')

/** Loads the keys of a migrated database, one node at a time; `url` is the owner's. For a new database it creates them. */
export const loadKeys = (url: string, masters: readonly Buffer[]): Promise<Keys> =>
  withClient(url, async (owner) => {
    await owner.query(`select pg_advisory_lock(hashtext('sygnet-migrations'))`)
    const { rows } = await owner.query<{ encrypted: Buffer }>(`select encrypted from secrets where name = 'root'`)
    if (rows[0]) return decryptKeys(rows[0].encrypted, masters)
    const { rowCount: entries } = await owner.query('select from audit limit 1')
    if (entries)
      throw new UnsupportedDatabaseError(
        'The database has entries, but not its root key. Restore its table secrets from the same backup.',
      )
    const root = randomBytes(32)
    const keys = deriveKeys(root, masters)
    const encryptedRoot = rootKey.encrypt(keys, 'root', root.toString('base64'))
    await owner.query(`insert into secrets (name, encrypted) values ('root', $1)`, [encryptedRoot])
    return keys
  })

/** Loads the keys of a portal's database, for the operator's command, which never creates any. */
export async function readKeys(url: string, masters: readonly Buffer[]): Promise<Keys> {
  const { db, close } = connect(url, { connections: 1 })
  try {
    const row = await query(db).first(sql<{ encrypted: Buffer }>`select encrypted from secrets where name = 'root'`)
    if (!row) throw new UnsupportedDatabaseError('The database has no keys yet. Start the portal on it first.')
    return decryptKeys(row.encrypted, masters)
  } finally {
    await close()
  }
}

function decryptKeys(encryptedRoot: Buffer, masters: readonly Buffer[]): Keys {
  try {
    // The root key is not known yet; decryption needs only the master keys.
    const root = rootKey.decrypt(deriveKeys(Buffer.alloc(32), masters), 'root', encryptedRoot)
    return deriveKeys(Buffer.from(root, 'base64'), masters)
  } catch (error) {
    if (!(error instanceof UnknownMasterKeyError)) throw error
    throw new UnsupportedDatabaseError(`The database belongs to another master key. ${error.message}`)
  }
}

/** Returns the second number of the advisory lock "a node knows this master key": the first bytes of the key's id. */
const lockNumber = ({ id }: Keys['masters'][number]) => id.readInt32BE(0)

/**
 * Publishes which master keys this node knows, by shared advisory locks. They last as long as the connection, so those of a killed
 * node disappear.
 */
export async function publishKnownKeys(client: pg.Client, { masters }: Keys): Promise<void> {
  for (const master of masters)
    await client.query(`select pg_advisory_lock_shared(hashtext('sygnet-master-keys'), $1)`, [lockNumber(master)])
}

/** Counts the running nodes that do not know the current master key, and so could not decrypt with it (R82). */
export async function countNodesWithoutCurrent(db: Db, keys: Keys): Promise<number> {
  const { nodes } = await query(db).one(sql<{ nodes: number }>`
    select count(*)::int as nodes from (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 2 and classid = hashtext('sygnet-master-keys')::oid
        and database = (select oid from pg_database where datname = current_database())
      group by pid having not bool_or(objid = ${lockNumber(currentMaster(keys))}::int4::oid)
    ) node`)
  return nodes
}
