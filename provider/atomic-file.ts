import { randomUUID } from 'node:crypto'
import { link, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file as a whole: after a crash at any moment there is the old content or the new one. */
export async function replaceFile(path: string, content: string | Uint8Array) {
  await rename(await written(path, content), path)
  await syncFolder(path)
}

/** Creates a file as a whole; false if there is one already, which then stays. */
export async function createFile(path: string, content: string | Uint8Array) {
  const temporary = await written(path, content)
  try {
    await link(temporary, path)
    await syncFolder(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(temporary)
  }
}

/** Only the owner may read: some of these files hold private keys. */
async function written(path: string, content: string | Uint8Array) {
  const temporary = `${path}.${randomUUID()}.tmp`
  await using file = await open(temporary, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
  return temporary
}

/** A rename survives a power cut only once its folder is on the disk. */
async function syncFolder(path: string) {
  // Windows does not open folders, and keeps renames in its journal.
  if (process.platform === 'win32') return
  await using folder = await open(dirname(path), 'r')
  await folder.sync()
}
