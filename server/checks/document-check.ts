import { randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { chooseDocumentStore, documentsPlaceOf } from '../adapters/choose-adapters.ts'
import { serviceFault } from '../adapters/service-fault.ts'
import { ownerUrlOf, type Configuration } from '../platform/configuration/configuration.ts'
import { inspectDataDirectory, unwritable } from '../platform/configuration/data-directory.ts'
import { hasMark, findMarkAt, otherStore } from '../platform/files/documents-store.ts'
import { StorageFull, StorageUnreachable } from '../platform/ports.ts'
import { failed, notTested, ok, warning, type Check, type CheckFinding } from './check.ts'

/** Writes, reads and deletes an object, and compares the store with the one that the database knows. */
export const documentCheck = (configuration: Configuration): Check => ({
  name: 'documents',
  async run() {
    const directory = resolve(configuration.dataDir ?? '.data')
    const folder = inspectDataDirectory(directory)
    if (folder === 'missing') return notTested(`${directory} does not exist: the first start makes it.`)
    // Files of another user would be in the portal's way.
    if (folder === 'of another user')
      return notTested(`${directory} belongs to another user: run this as the user of the portal.`)
    try {
      return await writeAndRead(configuration, directory)
    } catch (error) {
      if (error instanceof StorageFull)
        return failed(`The store is full, or ${directory} has less than DISK_KEEP_FREE_MB left: free some space.`)
      if (error instanceof StorageUnreachable) return failed(bucketFault(error.message))
      if (error instanceof Error && 'path' in error) throw unwritable(directory, error)
      throw error
    }
  },
})

async function writeAndRead(configuration: Configuration, directory: string): Promise<CheckFinding> {
  const folder = join(directory, 'documents')
  const documents = chooseDocumentStore(configuration, folder)
  const key = `checks/${crypto.randomUUID()}`
  const content = randomBytes(64)
  await documents.write(
    key,
    (async function* () {
      yield content
    })(),
    content.length,
  )
  try {
    const stored = await documents.read(key)
    const isSame = stored !== undefined && content.equals(await buffer(stored.content))
    if (!isSame) return failed('An object that was just written reads differently: check the store.')
  } finally {
    await documents.remove(key)
  }
  const place = documentsPlaceOf(configuration, folder)
  const mark = await tryReadMark(configuration)
  if (mark && !(await hasMark(documents, mark))) return failed(otherStore(place, mark))
  const found = `${configuration.s3Url ? 'The bucket' : folder} takes, returns and deletes an object.`
  const megabytes = await freeMegabytes(directory)
  const kept = configuration.diskKeepFreeMb
  if (megabytes < 2 * kept)
    return warning(
      `${found} The disk of ${directory} has ${megabytes} MB left, and below ${kept} MB (DISK_KEEP_FREE_MB) uploads are refused: free some space.`,
    )
  return ok(found)
}

async function freeMegabytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return Math.floor((bavail * bsize) / 1_000_000)
}

/** Reads the mark of the database; undefined if that fails, because the database has its own check. */
async function tryReadMark(configuration: Configuration): Promise<string | undefined> {
  const url = configuration.databaseUrl && ownerUrlOf(configuration)
  return url ? findMarkAt(url).catch(() => undefined) : undefined
}

/** Describes the store's answer, such as “PutObject was answered with 403”, or the fault of a call. */
const bucketFault = (message: string) =>
  message.includes(' was answered with ')
    ? `${message}: check S3_URL, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the rights of that key.`
    : serviceFault('the bucket', message, 'S3_URL')
