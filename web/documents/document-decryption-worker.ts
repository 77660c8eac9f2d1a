import { PdfError } from '../../pki/pdf/pdf-parser.ts'
import { decryptPdf } from '../../pki/pdf/pdf-rewrite.ts'

export type DecryptionRequest = { file: Blob; password: string }
export type Decrypted = { plain: Uint8Array<ArrayBuffer> } | { failed: 'wrong-password' | 'damaged' }

/** Decrypts away from the page, and by the policy that comes with this script without a network (DOC-9). */
addEventListener('message', ({ data }: MessageEvent<DecryptionRequest>) => {
  decrypt(data).then(
    (plain) => postMessage({ plain } satisfies Decrypted, { transfer: [plain.buffer] }),
    (error: unknown) => {
      const isWrong = error instanceof PdfError && error.code === 'wrong-password'
      postMessage({ failed: isWrong ? 'wrong-password' : 'damaged' } satisfies Decrypted)
    },
  )
})

const decrypt = async ({ file, password }: DecryptionRequest) =>
  decryptPdf(new Uint8Array(await file.arrayBuffer()), { password })
