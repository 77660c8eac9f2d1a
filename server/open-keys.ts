import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from './db.ts'
import { deriveKeys, seal, unseal, UnknownMaster, type Keys } from './keys.ts'
import { DatabaseUnfit } from './migrate.ts'
import { sealWhatWasClear } from './unsealed-rows.ts'

const rootPlace = 'secrets root'

/**
 * The keys of a migrated database, one node at a time; `url` is the owner's. A database that has none yet gets them, and
 * what an earlier version left in clear is sealed. The root is written last, so a start that was broken off begins again.
 */
export async function openKeys(url: string, masters: readonly Buffer[]): Promise<Keys> {
  const owner = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  owner.on('error', () => {})
  await owner.connect()
  try {
    await owner.query(`select pg_advisory_lock(hashtext('sygnet-migrations'))`)
    const { rows } = await owner.query<{ sealed: Buffer }>(`select sealed from secrets where name = 'root'`)
    if (rows[0]) return keysOf(rows[0].sealed, masters)
    const { rowCount: used } = await owner.query('select from audit limit 1')
    // Until there were roots, every key came from the one master key: chains, counts and codes go on with it.
    const root = used ? masters.at(-1)! : randomBytes(32)
    const keys = deriveKeys(root, masters)
    await sealWhatWasClear(owner, url, keys, masters.at(-1)!)
    const sealed = seal(keys, rootPlace, root.toString('base64'))
    await owner.query(`insert into secrets (name, sealed) values ('root', $1)`, [sealed])
    return keys
  } finally {
    await owner.end()
  }
}

/** The keys of a database that a portal has been started on, for the operator's command: none are made. */
export async function readKeys(url: string, masters: readonly Buffer[]): Promise<Keys> {
  const { db, close } = openDatabase(url, { connections: 1 })
  try {
    const row = await db.selectFrom('secrets').select('sealed').where('name', '=', 'root').executeTakeFirst()
    if (!row) throw new DatabaseUnfit('The database has no keys yet. Start the portal on it first.')
    return keysOf(row.sealed, masters)
  } finally {
    await close()
  }
}

function keysOf(sealed: Buffer, masters: readonly Buffer[]): Keys {
  try {
    const root = unseal(deriveKeys(masters[0]!, masters), rootPlace, sealed)
    return deriveKeys(Buffer.from(root, 'base64'), masters)
  } catch (error) {
    if (!(error instanceof UnknownMaster)) throw error
    throw new DatabaseUnfit(`The database belongs to another master key. ${error.message}`)
  }
}
