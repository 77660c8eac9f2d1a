import { createReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import { chunksOf } from '../platform/files/byte-streams.ts'
import { requireKey, StorageFull, StorageRefused, StorageUnreachable, type DocumentStore } from '../platform/ports.ts'
import { incomingFiles, type DiskSpace } from './incoming-files.ts'
import { callOut, faultOf, openOut } from './outgoing.ts'

type Bucket = {
  /** The address of the bucket, in the form with the bucket in its path: `https://s3.provider.example/portal`. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Time limit of each exchange, without the time that the reader takes. */
  timeoutMs?: number
}

const hashOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Stores documents as objects of a bucket (S3 API). A document is first written to `directory` and then sent by one request with its
 * length and SHA-256, which the store checks: an object appears completely or not at all (PutObject).
 */
export function documentsInS3(bucket: Bucket, directory: string, space: DiskSpace = {}): DocumentStore {
  const incoming = incomingFiles(directory, space)
  const { accessKeyId, secretAccessKey, region, timeoutMs = 30_000 } = bucket
  /** The signing keys that SigV4 derives from the secret, one per day. */
  const cache = new Map<string, ArrayBuffer>()

  async function signRequest(method: 'GET' | 'PUT' | 'DELETE', key: string, sha256 = hashOfNothing) {
    const url = `${bucket.url}/${requireKey(key)}`
    const headers = { 'x-amz-content-sha256': sha256 }
    const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, service: 's3', region, cache })
    return { url: new URL(url), method, headers: Object.fromEntries((await signer.sign()).headers), timeoutMs }
  }

  return {
    write: (key, content, maxBytes) =>
      incoming.receive(content, maxBytes, async (path, { bytes, sha256 }) => {
        const call = await signRequest('PUT', key, sha256)
        const { status, body } = await callOut({ ...call, body: { content: createReadStream(path), bytes } }).catch(
          unreachable,
        )
        // Other stores report a full disk or quota by 507 or these codes.
        if (status === 507 || /<Code>(?:QuotaExceeded|XMinioStorageFull)<\/Code>/.test(body)) throw new StorageFull()
        if (status !== 200) throw faultOfAnswer('PutObject', status, body)
      }),

    async read(key) {
      const answer = await openOut(await signRequest('GET', key)).catch(unreachable)
      const bytes = Number(answer.headers['content-length'])
      // Without the size a truncated document would go unnoticed.
      if (answer.statusCode === 200 && Number.isInteger(bytes)) return { content: contentOf(answer, timeoutMs), bytes }
      // Only a missing key means that the document is absent: without the bucket all documents would look lost.
      const status = answer.statusCode!
      const body = status === 404 || status === 403 ? await text(answer).catch(unreachable) : ''
      if (status === 404 && body.includes('<Code>NoSuchKey</Code>')) return undefined
      answer.destroy()
      throw faultOfAnswer('GetObject', status, body)
    },

    async remove(key) {
      const { status, body } = await callOut(await signRequest('DELETE', key)).catch(unreachable)
      // DeleteObject succeeds for a missing object too; some stores answer 404 instead.
      if (status !== 204 && !(status === 404 && body.includes('<Code>NoSuchKey</Code>')))
        throw faultOfAnswer('DeleteObject', status, body)
    },

    removeUnfinished: () => incoming.removeUnfinished(),
  }
}

/** Rights that the key needs. Without s3:ListBucket, Amazon answers 403 for a missing object. */
const neededRights = 's3:GetObject, s3:PutObject, s3:DeleteObject, and s3:ListBucket for objects that are missing'

function faultOfAnswer(call: string, status: number, body: string): StorageUnreachable {
  const fault = `${call} was answered with ${status}`
  // A clock can be repaired while the portal runs.
  if (status !== 403 || body.includes('<Code>RequestTimeTooSkewed</Code>')) return new StorageUnreachable(fault)
  return new StorageRefused(`${fault}, and the key needs ${neededRights}`)
}

/**
 * Returns the content as a stream. If it breaks off or stalls, the reader gets `StorageUnreachable`, because the document is not damaged.
 */
function contentOf(answer: IncomingMessage, timeoutMs: number): Readable {
  // Before anybody reads, an error has no other listener.
  answer.on('error', () => {})
  const content = Readable.from(piecesInTime(answer, timeoutMs), { objectMode: false })
  content.on('close', () => answer.destroy())
  return content
}

async function* piecesInTime(answer: IncomingMessage, timeoutMs: number): AsyncGenerator<Buffer> {
  const parts = chunksOf(answer)[Symbol.asyncIterator]()
  let leftMs = timeoutMs
  for (;;) {
    const startedAt = performance.now()
    const late = setTimeout(() => answer.destroy(new DOMException('too slow', 'TimeoutError')), Math.max(0, leftMs))
    const next = await parts
      .next()
      .catch(unreachable)
      .finally(() => clearTimeout(late))
    leftMs -= performance.now() - startedAt
    if (next.done) return
    yield next.value
  }
}

function unreachable(error: unknown): never {
  throw new StorageUnreachable(faultOf(error))
}
