import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { createFile, replaceFile } from '../atomic-file.ts'
import {
  restoreKeys,
  storeKeys,
  StoredKeys,
  type AuthorityKeys,
  restoreHolder,
  storeHolder,
  StoredHolder,
  type CertificateHolder,
} from './authority-keys.ts'
import { RevocationReason, type Revocation } from './revocation-list.ts'

/**
 * The mutable state: revocations and the newest request of the portal by serial number, and the number of the newest list, which is never
 * reused.
 */
export type AuthorityRecord = {
  listNumber: number
  revocations: ReadonlyMap<string, Revocation>
  requests: ReadonlyMap<string, string>
}

const StoredRecord = z.strictObject({
  listNumber: z.int(),
  revocations: z.array(z.tuple([z.string(), z.strictObject({ at: z.iso.datetime(), reason: RevocationReason })])),
  // Older folders have none.
  requests: z.optional(z.array(z.tuple([z.string(), z.string()]))),
})

/**
 * The folder of an authority: `authority.json`, `timestamping.json`, `list-operator.json`, `record.json` and
 * `issued/<serial>.cer`. Files are replaced atomically, so the folder is consistent after a crash. Only one process may
 * write.
 */
export type AuthorityFolder = Awaited<ReturnType<typeof openFolder>>

export async function openFolder(
  directory: string,
  make: () => Promise<AuthorityKeys>,
  makeTimestamping: (issuing: CertificateHolder) => Promise<CertificateHolder>,
  makeListOperator: () => Promise<CertificateHolder>,
) {
  const issuedFolder = join(directory, 'issued')
  const recordFile = join(directory, 'record.json')
  await mkdir(issuedFolder, { recursive: true, mode: 0o700 })
  const keys = await readKeys(join(directory, 'authority.json'), make)
  const certificates = (await readdir(issuedFolder)).filter((name) => name.endsWith('.cer'))
  return {
    keys,
    timestamping: await readHolder(join(directory, 'timestamping.json'), () => makeTimestamping(keys.issuing)),
    listOperator: await readHolder(join(directory, 'list-operator.json'), makeListOperator),
    issued: certificates.map((name) => name.slice(0, -'.cer'.length)),
    record: await recordIn(recordFile),
    writeCertificate: (serialNumber: string, der: Uint8Array) =>
      replaceFile(join(issuedFolder, `${serialNumber}.cer`), der),
    async *readCertificates() {
      for (const name of await readdir(issuedFolder))
        if (name.endsWith('.cer')) yield new Uint8Array(await readFile(join(issuedFolder, name)))
    },
    writeRecord: ({ listNumber, revocations, requests }: AuthorityRecord) =>
      replaceFile(
        recordFile,
        JSON.stringify({ listNumber, revocations: [...revocations], requests: [...requests] }, null, 1),
      ),
  }
}

const readKeys = async (path: string, make: () => Promise<AuthorityKeys>) =>
  restoreKeys(StoredKeys.parse(JSON.parse(await readStored(path, async () => storeKeys(await make())))))

const readHolder = async (path: string, make: () => Promise<CertificateHolder>) =>
  restoreHolder(StoredHolder.parse(JSON.parse(await readStored(path, async () => storeHolder(await make())))))

/** Reads a file, which it creates if missing. If two processes open a new folder at once, both use the keys of the first one. */
async function readStored(path: string, make: () => Promise<object>) {
  const text = await readIfExists(path)
  if (text !== undefined) return text
  await createFile(path, JSON.stringify(await make(), null, 1))
  return readFile(path, 'utf8')
}

async function recordIn(path: string): Promise<AuthorityRecord> {
  const text = await readIfExists(path)
  if (text === undefined) return { listNumber: 0, revocations: new Map(), requests: new Map() }
  const { listNumber, revocations, requests = [] } = StoredRecord.parse(JSON.parse(text))
  const revoked = revocations.map(
    ([serialNumber, { at, reason }]) => [serialNumber, { at: new Date(at), reason }] as const,
  )
  return { listNumber, revocations: new Map(revoked), requests: new Map(requests) }
}

async function readIfExists(path: string) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
