import { link, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file atomically: after a crash it has either the old or the new content. */
export async function replaceFile(path: string, content: string | Uint8Array) {
  await rename(await writeTemporaryFile(path, content), path)
  await syncFolder(path)
}

/** Creates a file atomically; false if it already exists, which leaves it unchanged. */
export async function createFile(path: string, content: string | Uint8Array) {
  const temporary = await writeTemporaryFile(path, content)
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

/** Writes a temporary file that only the owner may read, because some of these files contain private keys. */
async function writeTemporaryFile(path: string, content: string | Uint8Array) {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  await using file = await open(temporary, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
  return temporary
}

/** Syncs the folder of a file, because a rename is durable only after that. */
async function syncFolder(path: string) {
  // Windows cannot open folders, and journals renames.
  if (process.platform === 'win32') return
  await using folder = await open(dirname(path), 'r')
  await folder.sync()
}
