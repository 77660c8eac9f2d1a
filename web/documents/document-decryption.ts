import { ApiError } from '../calls/api.ts'
import type { Decrypted, DecryptionRequest } from './document-decryption-worker.ts'

/**
 * Decrypts a PDF. Neither the code nor the plain document leaves the browser, and the worker that had them is ended with the answer
 * (DOC-9). Throws ApiError: at the field `code` for a wrong code, `pdf-damaged` for any other failure.
 */
export async function decryptDocument(request: DecryptionRequest): Promise<Blob> {
  const worker = new Worker(new URL('document-decryption-worker.ts', import.meta.url), { type: 'module' })
  try {
    const decrypted = await new Promise<Decrypted>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Decrypted>) => resolve(data))
      worker.addEventListener('error', () => resolve({ failed: 'damaged' }))
      worker.postMessage(request)
    })
    if ('plain' in decrypted) return new Blob([decrypted.plain], { type: 'application/pdf' })
    throw decrypted.failed === 'wrong-password' ? wrongCode() : new ApiError('pdf-damaged')
  } finally {
    worker.terminate()
  }
}

/** Returns the failure that the server would return for a wrong code; the server never gets the code. */
export const wrongCode = () =>
  new ApiError('invalid-input', 0, { fields: [{ name: 'code', problem: 'access-code-wrong' }] })
