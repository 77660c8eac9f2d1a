import { AwsV4Signer } from 'aws4fetch'
import { createReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { incomingFiles, type Room } from './incoming-files.ts'
import { callOut, faultOf, openOut } from './outgoing.ts'
import { demandKey, StorageFull, StorageUnreachable, type DocumentStore } from './ports.ts'

type Bucket = {
  /** The address of the bucket, in the form with the bucket in its path: `https://s3.provider.example/portal`. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** For each conversation; what a reader takes for itself does not count. */
  timeoutMs?: number
}

const hashOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Keeps documents as objects of a bucket (S3 API). A document is written to `directory` first and put with its length and SHA-256,
 * which the store checks: an object appears whole or not at all, and one request does it (PutObject).
 */
export function documentsInS3(bucket: Bucket, directory: string, room: Room = {}): DocumentStore {
  const incoming = incomingFiles(directory, room)
  const { accessKeyId, secretAccessKey, region, timeoutMs = 30_000 } = bucket
  /** The keys that SigV4 derives of the secret, one a day. */
  const cache = new Map<string, ArrayBuffer>()

  async function signed(method: 'GET' | 'PUT' | 'DELETE', key: string, sha256 = hashOfNothing) {
    const url = `${bucket.url}/${demandKey(key)}`
    const headers = { 'x-amz-content-sha256': sha256 }
    const signer = new AwsV4Signer({
      method,
      url,
      headers,
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache,
    })
    return { url: new URL(url), method, headers: Object.fromEntries((await signer.sign()).headers), timeoutMs }
  }

  return {
    write: (key, content, maxBytes) =>
      incoming.receive(content, maxBytes, async (path, { bytes, sha256 }) => {
        const call = await signed('PUT', key, sha256)
        const { status, body } = await callOut({ ...call, body: { content: createReadStream(path), bytes } }).catch(
          unreachable,
        )
        // 507 and these codes are how stores of other makers say that the disk or the quota is full.
        if (status === 507 || /<Code>(?:QuotaExceeded|XMinioStorageFull)<\/Code>/.test(body)) throw new StorageFull()
        if (status !== 200) throw new StorageUnreachable(`PutObject was answered with ${status}`)
      }),

    async read(key) {
      const answer = await openOut(await signed('GET', key)).catch(unreachable)
      const bytes = Number(answer.headers['content-length'])
      // Without its size nobody could be told of the document’s, nor of one that breaks off.
      if (answer.statusCode === 200 && Number.isInteger(bytes)) return { content: contentOf(answer, timeoutMs), bytes }
      // Only the key may be missing: without its bucket every document of the portal would look lost.
      if (answer.statusCode === 404 && (await text(answer)).includes('<Code>NoSuchKey</Code>')) return undefined
      answer.destroy()
      throw new StorageUnreachable(`GetObject was answered with ${answer.statusCode}`)
    },

    async remove(key) {
      const { status, body } = await callOut(await signed('DELETE', key)).catch(unreachable)
      // The same for one that is not there (DeleteObject); some stores say so, and it is gone in either case.
      if (status !== 204 && !(status === 404 && body.includes('<Code>NoSuchKey</Code>')))
        throw new StorageUnreachable(`DeleteObject was answered with ${status}`)
    },

    removeUnfinished: () => incoming.removeUnfinished(),
  }
}

/** The content as it comes. One that breaks off, or trickles, is no damaged document: its reader is told that the store is away. */
function contentOf(answer: IncomingMessage, timeoutMs: number): Readable {
  // Until somebody reads, nobody else hears of it.
  answer.on('error', () => {})
  const content = Readable.from(piecesInTime(answer, timeoutMs), { objectMode: false })
  content.on('close', () => answer.destroy())
  return content
}

async function* piecesInTime(answer: IncomingMessage, timeoutMs: number): AsyncGenerator<Buffer> {
  const parts = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let leftMs = timeoutMs
  for (;;) {
    const asked = performance.now()
    const late = setTimeout(() => answer.destroy(new DOMException('too slow', 'TimeoutError')), Math.max(0, leftMs))
    const next = await parts
      .next()
      .catch(unreachable)
      .finally(() => clearTimeout(late))
    leftMs -= performance.now() - asked
    if (next.done) return
    yield next.value
  }
}

function unreachable(error: unknown): never {
  throw new StorageUnreachable(faultOf(error))
}
