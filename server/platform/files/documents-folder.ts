import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { ConfigurationError } from '../configuration/startup-error.ts'
import { single } from '../database/database.ts'

/**
 * Requires that this folder has the documents of the database. Two nodes with a folder each would report each other's documents as
 * damaged. The folder's random id is in a file, so that it is moved, backed up and shared with the documents; the database knows the
 * id of the first folder. `url` is the owner's.
 */
export async function requireDocumentsFolder(url: string, directory: string): Promise<void> {
  const path = join(directory, 'folder-id')
  const owner = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  owner.on('error', () => {})
  await owner.connect()
  try {
    // One node at a time, also where several share a folder that has no id yet.
    await owner.query(`select pg_advisory_lock(hashtext('sygnet-migrations'))`)
    const own = idIn(path)
    await owner.query('insert into documents_folder (id) values ($1) on conflict do nothing', [own])
    const { rows } = await owner.query<{ id: string }>('select id from documents_folder')
    const { id } = single(rows)
    if (id !== own)
      throw new ConfigurationError(
        `The documents of this database are in another folder than ${directory}. Several nodes need a bucket (S3_URL). If this folder has the documents now, because they were moved or restored, write ${id} into ${path}.`,
      )
  } finally {
    await owner.end()
  }
}

function idIn(path: string): string {
  if (!existsSync(path)) {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    // Complete, or absent: a crash leaves no file without an id.
    writeFileSync(`${path}.new`, `${randomUUID()}\n`, { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  }
  const id = readFileSync(path, 'utf8').trim()
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
  throw new ConfigurationError(
    `${path} has no id of a folder. Restore it, or remove it: the next start says what belongs in it.`,
  )
}
