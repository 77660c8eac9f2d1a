import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { piecesOf } from '../platform/files/byte-streams.ts'
import { DocumentTooLarge, StorageFull } from '../platform/ports.ts'

const folder = '.incoming'
/** Age after which an unfinished upload is abandoned. No upload takes that long, and the file is personal data (R53, R87). */
const unfinishedAfterMs = 900_000

export type DiskSpace = {
  keepFree?: number
  /** Returns the free bytes on the disk of the folder. */
  free?: (directory: string) => Promise<number>
}

type Written = { bytes: number; sha256: string }

/**
 * Writes incoming content to a file under `directory` first, for every store, so that it is complete and its size and hash are known before
 * it is used. `keepFree` bytes stay free for the database on the same disk (R50).
 */
export function incomingFiles(directory: string, { keepFree = 0, free = readFreeBytes }: DiskSpace) {
  let prepared = false
  /** Bytes that the current uploads may still use. */
  let promised = 0

  async function requireSpace(): Promise<void> {
    if ((await free(directory)) - promised < keepFree) throw new StorageFull()
  }

  return {
    /** Passes the complete, synced file to `take`, which may move it; otherwise it is removed. */
    async receive(
      content: AsyncIterable<Uint8Array>,
      maxBytes: number,
      take: (path: string, written: Written) => Promise<void>,
    ): Promise<Written> {
      const pieces = piecesOf(content)
      if (!prepared) {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await makeFolder(directory, folder)
      }
      prepared = true
      const path = join(directory, folder, crypto.randomUUID())
      promised += maxBytes
      try {
        await requireSpace()
        const file = await open(path, 'wx', 0o600)
        const written = await copy(pieces, file, maxBytes).finally(() => file.close())
        await take(path, written)
        return written
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        throw code === 'ENOSPC' || code === 'EDQUOT' ? new StorageFull() : error
      } finally {
        promised -= maxBytes
        await rm(path, { force: true })
      }
    },

    async removeUnfinished(): Promise<void> {
      for (const name of (await readdir(join(directory, folder)).catch(whenAbsent)) ?? []) {
        const path = join(directory, folder, name)
        const age = await stat(path).then(({ mtimeMs }) => Date.now() - mtimeMs, whenAbsent)
        if (age !== undefined && age > unfinishedAfterMs) await rm(path, { force: true })
      }
    },
  }
}

async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

async function copy(pieces: AsyncIterable<Uint8Array>, file: FileHandle, maxBytes: number): Promise<Written> {
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

export async function makeFolder(directory: string, name: string): Promise<void> {
  const created = await mkdir(join(directory, name), { recursive: true, mode: 0o700 })
  if (created) await syncFolder(directory)
}

export async function syncFolder(path: string): Promise<void> {
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}

/** Ignores, in a `catch`, that a file is missing. */
export function whenAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
