import { sha256 } from '../../../pki/asn1/signature-algorithm.ts'
import { hexOf } from '../../../pki/bytes.ts'
import { coveredDigest, prepareSignature } from '../../../pki/pades/pades-sign.ts'
import { PdfError } from '../../../pki/pdf/pdf-parser.ts'
import { decryptPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import type { PdfTaskResult, PrepareTask, TaskFiles } from './pdf-work.ts'

/**
 * Prepares a file for a signature. `prepared` is false for a file that cannot be signed: damaged, or with a form that allows no signature.
 */
export async function prepareFile({ password, field }: PrepareTask, [file]: TaskFiles): Promise<PdfTaskResult> {
  try {
    const plain = password === undefined ? file : decryptPdf(file, { password })
    const prepared = prepareSignature(plain, field)
    const digest = hexOf(coveredDigest(prepared))
    return {
      message: { prepared: true, gap: prepared.gap, sha256: hexOf(sha256(plain)), digest },
      file: prepared.bytes,
    }
  } catch (error) {
    if (error instanceof PdfError || error instanceof RangeError) return { message: { prepared: false } }
    throw error
  }
}
