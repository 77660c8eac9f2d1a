import { PdfError } from '../../../pki/pdf/pdf-parser.ts'
import { firstPage, openPdf } from '../../../pki/pdf/pdf-read.ts'
import { canonicalPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import type { OpenTask, PdfTaskResult, TaskFiles, Unopenable } from './pdf-work.ts'

/** Reads every object of a file, which may be signed, and looks for its first page. */
export async function openFile(_task: OpenTask, [bytes]: TaskFiles): Promise<PdfTaskResult> {
  try {
    firstPage(openPdf(canonicalPdf(bytes)))
    return { message: { opened: true } }
  } catch (error) {
    return { message: { opened: false, reason: unopenableReasonOf(error) } }
  }
}

/** Returns why a file cannot be read. Throws again what is not about the file. */
export function unopenableReasonOf(error: unknown): Unopenable {
  if (error instanceof RangeError) return 'too-costly'
  if (!(error instanceof PdfError)) throw error
  const { code } = error
  return code === 'wrong-password' ? 'encrypted' : code === 'stray-bytes' ? 'damaged' : code
}
