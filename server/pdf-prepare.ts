import { coveredDigest, prepareSignature } from '../pki/pades-sign.ts'
import { nodeTools } from '../pki/pdf-cipher-node.ts'
import { PdfError } from '../pki/pdf-parser.ts'
import { decryptPdf } from '../pki/pdf-rewrite.ts'
import { sha256 } from '../pki/signature-algorithm.ts'
import type { PdfTaskResult } from './pdf-child.ts'
import type { PrepareTask } from './pdf-work.ts'

/** Not prepared: a file that cannot be signed, damaged or with a form that has no place for it. */
export async function prepareFile({ password, field }: PrepareTask, [file]: Uint8Array[]): Promise<PdfTaskResult> {
  try {
    const plain = password === undefined ? file! : await decryptPdf(file!, { password }, nodeTools)
    const prepared = prepareSignature(plain, field)
    const digest = hex(coveredDigest(prepared))
    return { said: { prepared: true, gap: prepared.gap, sha256: hex(sha256(plain)), digest }, file: prepared.bytes }
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return { said: { prepared: false } }
    throw error
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
