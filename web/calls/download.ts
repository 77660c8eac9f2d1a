import type { Endpoint, Params, Query } from '../../contract/endpoint.ts'
import { ApiError, sendFromPage, sendWithRetry, downloadUrl } from './api.ts'

/** Bytes received and the total, which is unknown where a proxy removes the length. */
export type Progress = { received: number; total: number | undefined }

type Download<E> = {
  params: Params<E>
  query?: Query<E>
  onProgress: (progress: Progress) => void
  signal: AbortSignal
}

/** Fetches the file that an endpoint answers with. Throws ApiError; `canceled` when the signal says so. */
export async function download<const E extends Endpoint & { download: readonly string[] }>(
  endpoint: E,
  { params, query, onProgress, signal }: Download<E>,
): Promise<Blob> {
  const named = (params ?? {}) as Record<string, string>
  try {
    return await sendFromPage(endpoint, { params: named }, async () => {
      const address = downloadUrl(endpoint, named, query as Record<string, string> | undefined)
      const answer = await sendWithRetry(address, { method: endpoint.method, signal })
      return withProgress(answer, onProgress).blob().catch(brokenOff)
    })
  } catch (error) {
    throw signal.aborted ? new ApiError('canceled') : error
  }
}

/** Throws `offline`: a response that breaks off counts as none. */
function brokenOff(): never {
  throw new ApiError('offline')
}

/** Returns the same response, and reports how much of it has arrived. */
function withProgress(response: Response, onProgress: (progress: Progress) => void) {
  if (!response.body) return response
  const total = Number(response.headers.get('content-length')) || undefined
  let received = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, onward) {
      received += part.length
      onProgress({ received, total })
      onward.enqueue(part)
    },
  })
  return new Response(response.body.pipeThrough(counter), { headers: response.headers })
}
