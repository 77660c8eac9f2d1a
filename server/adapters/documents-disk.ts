import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { incomingFiles, makeFolder, syncFolder, whenAbsent, type Room } from './incoming-files.ts'
import { demandKey, type DocumentStore } from './ports.ts'

/**
 * Keeps each document as one file under `directory`, named by its key. A document is either there whole and on the disk
 * or not there at all: it is written beside, synced, and renamed into place (R90).
 */
export function documentsOnDisk(directory: string, room: Room = {}): DocumentStore {
  const incoming = incomingFiles(directory, room)

  return {
    async write(key, content, maxBytes) {
      const path = pathOf(directory, key)
      return incoming.receive(content, maxBytes, async (partial) => {
        await makeFolder(directory, folderOf(key))
        await rename(partial, path)
        // The new name is on the disk only when its folder is (fsync(2)).
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

const folderOf = (key: string) => key.split('/')[0]!

const pathOf = (directory: string, key: string) => join(directory, demandKey(key))
