import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import type pg from 'pg'
import { StartupError } from '../configuration/startup-error.ts'
import { holdConnection } from '../database/held-connection.ts'

/** How often a start tries it, a second apart: PostgreSQL may notice the end of a killed node a moment later. */
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

/** The same for all containers of a machine that have the folder, and another for a copy of it, also on a copy of the machine. */
function folderId(folder: string): number {
  const { dev, ino } = statSync(folder, { bigint: true })
  return createHash('sha256').update(`${machineId()} ${dev} ${ino}`).digest().readInt32BE(0)
}

/** A copy of a machine has its name and ids, but has started at another time. */
function machineId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    return hostname()
  }
}

const otherFolder = (folder: string) =>
  `Another node runs on this database with its documents in another folder than ${folder}, or on another machine, so each would lack those of the other. Several nodes need one bucket (S3_URL). To replace the other node, stop it first; if its machine was lost, wait half a minute.`
