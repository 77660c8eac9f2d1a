import { CallFailed } from '../api.ts'
import type { Decrypted, DecryptionWish } from './document-decryption-worker.ts'

/**
 * The plain PDF of an encrypted one. Neither the code nor what it opens leaves the browser, and the thread that knew them
 * ends with the answer (DOC-9). Throws CallFailed: at the field `code` for another code, `pdf-damaged` for another file.
 */
export async function decryptDocument(wish: DecryptionWish): Promise<Blob> {
  const worker = new Worker(new URL('document-decryption-worker.ts', import.meta.url), { type: 'module' })
  try {
    const decrypted = await new Promise<Decrypted>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Decrypted>) => resolve(data))
      worker.addEventListener('error', () => resolve({ failed: 'damaged' }))
      worker.postMessage(wish)
    })
    if ('plain' in decrypted) return new Blob([decrypted.plain], { type: 'application/pdf' })
    throw decrypted.failed === 'wrong-password' ? wrongCode() : new CallFailed('pdf-damaged')
  } finally {
    worker.terminate()
  }
}

/** As the server would say it, had it ever seen the code. */
export const wrongCode = () =>
  new CallFailed('invalid-input', 0, { fields: [{ name: 'code', problem: 'access-code-wrong' }] })
