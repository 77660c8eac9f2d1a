import { FetchError, ofetch } from 'ofetch'
import type { Endpoint, Params, Query } from '../contract/endpoint.ts'
import { ApiError, sendFromPage, downloadUrl, failureOf } from './api.ts'

/** Bytes received and the total, which is unknown where a proxy removes the length. */
export type Progress = { received: number; total: number | undefined }

type Download<E> = {
  params: Params<E>
  query?: Query<E>
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** Fetches the file that an endpoint answers with. Throws ApiError; `cancelled` when the signal says so. */
export async function download<const E extends Endpoint & { download: readonly string[] }>(
  endpoint: E,
  { params, query, onProgress, signal }: Download<E>,
): Promise<Blob> {
  const named = (params ?? {}) as Record<string, string>
  const fetchFile = ofetch.create({ method: endpoint.method, signal }, { fetch: watched(onProgress) })
  try {
    return await sendFromPage(endpoint, { params: named }, () =>
      fetchFile<Blob>(downloadUrl(endpoint, named, query as Record<string, string> | undefined)).catch(fail),
    )
  } catch (error) {
    throw signal.aborted ? new ApiError('cancelled') : error
  }
}

/** A response that breaks off counts as none. */
function fail(error: unknown): never {
  throw error instanceof FetchError ? failureOf(error.status ?? 0, error.data) : new ApiError('offline')
}

/** The browser's own, counting what comes through. */
const watched =
  (onProgress: (progress: Progress) => void): typeof fetch =>
  async (...request) => {
    const response = await fetch(...request)
    if (!response.ok || !response.body) return response
    const total = Number(response.headers.get('content-length')) || undefined
    let received = 0
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, onward) {
        received += part.length
        onProgress({ received, total })
        onward.enqueue(part)
      },
    })
    const { status, headers } = response
    const type = headers.get('content-type') ?? ''
    // ofetch would parse text and JSON; a file must stay bytes.
    const kept = /json|^text/.test(type) ? { 'content-type': 'application/octet-stream' } : { 'content-type': type }
    return new Response(response.body.pipeThrough(counter), { status, headers: kept })
  }
