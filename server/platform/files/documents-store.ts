import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { ApiError } from '../api-error.ts'
import { raiseAlarm, type AlarmContext } from '../audit/alarms.ts'
import { ConfigurationError, StartupError } from '../configuration/startup-error.ts'
import { holdConnection } from '../database/held-connection.ts'
import { withClient } from '../database/migrate.ts'
import { StorageFull, StorageRefused, StorageUnreachable, type DocumentStore } from '../ports.ts'

/**
 * Requires that this store, a folder or a bucket, has the documents of the database: a node with another one would report the
 * documents of the first as damaged. The database knows a random id, and the store has an object that is named by it, which is moved,
 * backed up and shared with the documents. `url` is the owner's. Returns why the store could not be checked, if so.
 */
export async function requireDocumentsStore(url: string, store: DocumentStore, place: string) {
  try {
    const mark = await withClient(url, async (client) => (await findMark(client)) ?? (await markFirst(client, store)))
    if (!(await hasMark(store, mark))) throw new ConfigurationError(otherStore(place, mark))
    return undefined
  } catch (error) {
    // The place may be another bucket, whose missing objects this key may not know of.
    if (error instanceof StorageRefused) throw new ConfigurationError(refusedByStore(place, error.message))
    // The portal starts without its documents (R96); a wrong store is refused at the next start.
    if (error instanceof StorageUnreachable || error instanceof StorageFull) return uncheckedStore(place)
    throw error
  }
}

/** Finds the key of the object that marks the store; undefined before a first start. */
export const findMarkAt = (url: string): Promise<string | undefined> => withClient(url, findMark)

export async function hasMark(store: DocumentStore, mark: string): Promise<boolean> {
  const found = await store.read(mark)
  found?.content.destroy()
  return found !== undefined
}

export const otherStore = (place: string, mark: string) =>
  `The documents of this database are in another folder or bucket than ${place}. Several nodes need one bucket (S3_URL). If the documents are there now, because they were moved, copied or restored, put a file named ${mark} there.`

const refusedByStore = (place: string, answer: string) =>
  `Whether ${place} has the documents of this database could not be checked: ${answer}. Check the key and its rights.`

const uncheckedStore = (place: string) =>
  `Whether ${place} has the documents of this database could not be checked, because it cannot be reached or is full.`

async function findMark(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>('select id from documents_store')
  return rows[0] && markNamed(rows[0].id)
}

/**
 * Marks a store at a first start. Of nodes that start together, one decides. The mark is written before the database knows its id, so every
 * reader of the id finds it.
 */
async function markFirst(client: pg.Client, store: DocumentStore): Promise<string> {
  await client.query(`select pg_advisory_lock(hashtext('sygnet-documents'))`)
  const known = await findMark(client)
  if (known) return known
  const id = crypto.randomUUID()
  await store.write(markNamed(id), Readable.from([Buffer.from(`${id}\n`)]), 100)
  await client.query('insert into documents_store (id) values ($1)', [id])
  return markNamed(id)
}

const markNamed = (id: string) => `documents-of/${id}`

/** Alarms the operator (R50). A retry after an hour can succeed, because unconfirmed files are removed by then. */
export function storageFull(portal: AlarmContext): ApiError {
  raiseAlarm(portal, { name: 'storage-full', about: 'documents' })
  return new ApiError('storage-full', { retryAfter: 3600 })
}

/** Number of attempts at a start, a second apart: PostgreSQL may notice the end of a killed node a moment later. */
const attempts = 5

/**
 * Requires that no node with another folder runs on this database, and lets none start: a copy of a folder has the same mark
 * (documents-store.ts), and each node would lack the documents of the other. Nodes of one machine can share a folder. The lock lasts as
 * long as its connection, so a killed node has none. `url` leads to PostgreSQL itself. `warn` is called if a node with another folder
 * started while the connection was lost.
 */
export async function lockDocumentsFolder(url: string, folder: string, warn: (problem: string) => void) {
  // A first start on a full disk has made none.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const locked = Promise.withResolvers<void>()
  let isLocked = false
  let failures = 0
  const connection = holdConnection(
    url,
    async (client) => {
      await announceFolder(client, folder)
      isLocked = true
      failures = 0
      locked.resolve()
    },
    (error) => {
      if (++failures !== attempts) return
      if (!isLocked) locked.reject(error)
      else if (error instanceof StartupError) warn(error.message)
    },
  )
  try {
    await locked.promise
  } catch (error) {
    await connection.close()
    throw error
  }
  return connection
}

async function announceFolder(client: pg.Client, folder: string): Promise<void> {
  const id = folderId(folder)
  // Of nodes that start together, one is first.
  await client.query(`select pg_advisory_lock(hashtext('sygnet-documents'))`)
  const { rowCount: others } = await client.query(
    `select from pg_locks
    where locktype = 'advisory' and objsubid = 2 and classid = hashtext('sygnet-documents-folder')::oid and objid <> $1::int4::oid
      and database = (select oid from pg_database where datname = current_database())`,
    [id],
  )
  if (others) throw new StartupError(otherFolder(folder))
  await client.query(`select pg_advisory_lock_shared(hashtext('sygnet-documents-folder'), $1)`, [id])
  await client.query(`select pg_advisory_unlock(hashtext('sygnet-documents'))`)
}

/**
 * Returns the id of a folder: the same for all containers of a machine that have the folder, and another for a copy of it, also on a copy
 * of the machine.
 */
function folderId(folder: string): number {
  const { dev, ino } = statSync(folder, { bigint: true })
  return hash('sha256', `${machineId()} ${dev} ${ino}`, 'buffer').readInt32BE(0)
}

/** Returns an id of the machine's start: a copy of a machine has its name and ids, but has started at another time. */
function machineId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    return hostname()
  }
}

const otherFolder = (folder: string) =>
  `Another node runs on this database with its documents in another folder than ${folder}, or on another machine, so each would lack those of the other. Several nodes need one bucket (S3_URL). To replace the other node, stop it first; if its machine was lost, wait half a minute.`
