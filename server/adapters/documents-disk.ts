import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireKey, type DocumentStore } from '../platform/ports.ts'
import { incomingFiles, makeFolder, syncFolder, whenAbsent, type DiskSpace } from './incoming-files.ts'

/**
 * Stores each document as a file under `directory`, named by its key. A document is complete and on the disk, or absent: it is
 * written to another folder, synced, and renamed (R90).
 */
export function documentsOnDisk(directory: string, space: DiskSpace = {}): DocumentStore {
  const incoming = incomingFiles(directory, space)

  return {
    async write(key, content, maxBytes) {
      const path = pathOf(directory, key)
      return incoming.receive(content, maxBytes, async (partial) => {
        await makeFolder(directory, folderOf(key))
        await rename(partial, path)
        // The new name is on the disk only after its folder is synced (fsync(2)).
        await syncFolder(join(directory, folderOf(key)))
      })
    },

    async read(key) {
      const path = pathOf(directory, key)
      const file = await open(path, 'r').catch(whenAbsent)
      if (!file) return undefined
      const { size } = await file.stat()
      return { content: file.createReadStream(), bytes: size }
    },

    async remove(key) {
      const path = pathOf(directory, key)
      await rm(path, { force: true })
      await syncFolder(join(directory, folderOf(key))).catch(whenAbsent)
    },

    removeUnfinished: () => incoming.removeUnfinished(),
  }
}

const folderOf = (key: string) => key.split('/', 1).join('')

const pathOf = (directory: string, key: string) => join(directory, requireKey(key))
