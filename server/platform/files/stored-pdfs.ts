import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { limits } from '../../../contract/limits.ts'
import { ApiError } from '../api-error.ts'
import { raiseAlarm, type AlarmContext } from '../audit/alarms.ts'
import { DocumentTooLarge, StorageFull, StorageUnreachable } from '../ports.ts'
import { chunksOf, piecesOf, releasingPieces } from './byte-streams.ts'
import { storageFull } from './documents-store.ts'

/** A PDF in the document store: its key there, and what was stored. */
export type StoredPdf = { key: string; bytes: number; sha256: string }

class NotPdfError extends Error {}

/** Passes a PDF through, and refuses other content at its first bytes (R43). */
async function* requirePdf(content: Readable): AsyncGenerator<Uint8Array> {
  const start = Buffer.from('%PDF-')
  let first: Uint8Array = Buffer.alloc(0)
  let isPdf = false
  for await (const part of piecesOf(content)) {
    if (isPdf) {
      yield part
      continue
    }
    first = Buffer.concat([first, part])
    const known = Math.min(start.length, first.length)
    if (start.compare(first, 0, known, 0, known) !== 0) throw new NotPdfError()
    isPdf = known === start.length
    if (isPdf) yield first
  }
  if (!isPdf) throw new NotPdfError()
}

/** Converts refusals of the store and of `requirePdf` to the contract's codes. */
function asApiError(portal: AlarmContext, error: unknown): unknown {
  if (error instanceof StorageFull) return storageFull(portal)
  if (error instanceof DocumentTooLarge) return new ApiError('body-too-large')
  return error instanceof NotPdfError ? new ApiError('pdf-required') : error
}

/** Stores a PDF under a key, as it arrives and in bounded memory. `content` is refused at its first bytes if it is not a PDF. */
export async function writePdf(
  portal: AlarmContext,
  key: string,
  content: Readable,
  largest: number = limits.http.pdfBytes,
): Promise<StoredPdf> {
  try {
    return { key, ...(await portal.ports.documents.write(key, releasingPieces(requirePdf(content)), largest)) }
  } catch (error) {
    throw asApiError(portal, error)
  }
}

/** Reads the provider's PDF into memory. */
export async function readUpload(portal: AlarmContext, content: Readable): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of requirePdf(content)) {
      bytes += part.length
      if (bytes > limits.http.pdfBytes) throw new DocumentTooLarge()
      parts.push(part)
    }
  } catch (error) {
    throw asApiError(portal, error)
  }
  return Buffer.concat(parts)
}

/**
 * Opens a file after its hash was checked. If it is damaged or missing, returns undefined and raises an alarm (R54). The file is
 * read twice, because damage at its end must prevent serving its beginning.
 */
export async function openStoredPdf(portal: AlarmContext, { key, bytes, sha256 }: StoredPdf) {
  const { documents } = portal.ports
  try {
    const hash = createHash('sha256')
    const first = await documents.read(key)
    if (first) for await (const chunk of chunksOf(first.content)) hash.update(chunk)
    const second = first && hash.digest('hex') === sha256 ? await documents.read(key) : undefined
    if (second) return { content: second.content, bytes }
  } catch (error) {
    if (error instanceof StorageUnreachable) throw error
    // Any other error means a damaged file.
  }
  raiseAlarm(portal, { name: 'document-damaged', about: key })
  return undefined
}

/** Reads a whole file; undefined as for `openPdf`. */
export async function readPdf(portal: AlarmContext, file: StoredPdf): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const opened = await openStoredPdf(portal, file)
  if (!opened) return undefined
  const bytes = new Uint8Array(file.bytes)
  let at = 0
  for await (const chunk of chunksOf(opened.content)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Opens a file for a check; its stream fails at its end if the file is damaged (R54). */
export function verifiedPdf(portal: AlarmContext, { key, bytes, sha256 }: StoredPdf) {
  async function* verifyPieces() {
    const hash = createHash('sha256')
    try {
      const stored = await portal.ports.documents.read(key)
      if (stored)
        for await (const chunk of chunksOf(stored.content)) {
          hash.update(chunk)
          yield chunk
        }
      if (hash.digest('hex') === sha256) return
    } catch (error) {
      if (error instanceof StorageUnreachable) throw error
      // Any other error means a damaged file.
    }
    raiseAlarm(portal, { name: 'document-damaged', about: key })
    throw new Error('A stored file is damaged.')
  }
  return { content: Readable.from(verifyPieces()), bytes }
}
