import type { Endpoint, Params, Reply } from '../../contract/endpoint.ts'
import { addressOf, ApiError, sendFromPage, failureOf, pageHeaders } from './api.ts'
import { config } from '../app/config.ts'

type Upload<E> = {
  params: Params<E>
  file: Blob
  /** Bytes that have left the browser; all of them while the server checks the file. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** Sends a file to an endpoint that takes one. Throws ApiError; `cancelled` when the signal says so. */
export const upload = <const E extends Endpoint & { upload: string }>(endpoint: E, { params, ...rest }: Upload<E>) => {
  const named = params as Record<string, string>
  return sendFromPage(endpoint, { params: named }, () =>
    post<Reply<E>>(endpoint, addressOf(config.baseURL, endpoint, named), rest),
  )
}

/** `fetch` does not report how much has been sent, so this is the only use of XMLHttpRequest. */
function post<T>(
  { method, upload: type }: Endpoint & { upload: string },
  address: string,
  { file, onProgress, signal }: Pick<Upload<never>, 'file' | 'onProgress' | 'signal'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new ApiError('cancelled'))
    const request = new XMLHttpRequest()
    request.open(method, address)
    request.setRequestHeader('content-type', type)
    for (const [name, value] of Object.entries(pageHeaders)) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as T)
      else reject(failureOf(request.status, request.response))
    })
    request.addEventListener('error', () => reject(new ApiError('offline')))
    request.addEventListener('abort', () => reject(new ApiError('cancelled')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
