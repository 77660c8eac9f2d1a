import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { piecesOf } from '../pieces.ts'
import { DocumentTooLarge, StorageFull, type DocumentStore } from './ports.ts'

const incoming = '.incoming'
/** No sender is waited for that long: what has not grown since is nobody’s, and it is personal data (R53, R87). */
const unfinishedAfterMs = 900_000

/**
 * Keeps each document as one file under `directory`, named by its key. A document is either there whole and on the disk
 * or not there at all: it is written beside, synced, and renamed into place (R90). `keepFree`
 * bytes stay free for the database beside it, whatever comes (R50).
 */
export function documentsOnDisk(directory: string, { keepFree = 0, free = freeOf }: Room = {}): DocumentStore {
  let prepared = false
  /** Bytes that the writing under way may still take. */
  let promised = 0

  async function demandRoom(): Promise<void> {
    if ((await free(directory)) - promised < keepFree) throw new StorageFull()
  }

  return {
    async write(key, content, maxBytes) {
      const path = pathOf(directory, key)
      const pieces = piecesOf(content)
      if (!prepared) await prepare(directory)
      prepared = true
      const partial = join(directory, incoming, randomUUID())
      promised += maxBytes
      try {
        await demandRoom()
        const file = await open(partial, 'wx', 0o600)
        const written = await copy(pieces, file, maxBytes).finally(() => file.close())
        await makeFolder(directory, folderOf(key))
        await rename(partial, path)
        // The new name is on the disk only when its folder is (fsync(2)).
        await syncFolder(join(directory, folderOf(key)))
        return written
      } catch (error) {
        await rm(partial, { force: true })
        const { code } = error as NodeJS.ErrnoException
        throw code === 'ENOSPC' || code === 'EDQUOT' ? new StorageFull() : error
      } finally {
        promised -= maxBytes
      }
    },

    async read(key) {
      const path = pathOf(directory, key)
      const file = await open(path, 'r').catch(absent)
      if (!file) return undefined
      const { size } = await file.stat()
      return { content: file.createReadStream(), bytes: size }
    },

    async remove(key) {
      const path = pathOf(directory, key)
      await rm(path, { force: true })
      await syncFolder(join(directory, folderOf(key))).catch(absent)
    },

    async removeUnfinished() {
      const folder = join(directory, incoming)
      for (const name of (await readdir(folder).catch(absent)) ?? []) {
        const path = join(folder, name)
        const age = await stat(path).then(({ mtimeMs }) => Date.now() - mtimeMs, absent)
        if (age !== undefined && age > unfinishedAfterMs) await rm(path, { force: true })
      }
    },
  }
}

type Room = {
  keepFree?: number
  /** Bytes that are free where the folder is. */
  free?: (directory: string) => Promise<number>
}

async function freeOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

const folderOf = (key: string) => key.split('/')[0]!

/** Keys are ours, so any other is a fault in the program and is refused before the disk is touched (R49). */
function pathOf(directory: string, key: string): string {
  if (!/^[a-z-]+\/[0-9a-f-]{36}$/.test(key)) throw new Error('not a key of a document')
  return join(directory, key)
}

async function copy(pieces: AsyncIterable<Uint8Array>, file: FileHandle, maxBytes: number) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of pieces) {
    bytes += part.length
    if (bytes > maxBytes) throw new DocumentTooLarge(`more than ${maxBytes} bytes`)
    hash.update(part)
    await file.appendFile(part)
  }
  await file.sync()
  return { bytes, sha256: hash.digest('hex') }
}

async function prepare(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await makeFolder(directory, incoming)
}

async function makeFolder(directory: string, name: string): Promise<void> {
  const made = await mkdir(join(directory, name), { recursive: true, mode: 0o700 })
  if (made) await syncFolder(directory)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
