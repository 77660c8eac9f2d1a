import { comparePages } from '../../../pki/pdf/page-comparison.ts'
import type { CompareTask, PdfTaskResult, TaskFiles } from './pdf-work.ts'

/** Compares how an independent reader shows the received and the issued document (R107). */
export async function compareFiles({ password }: CompareTask, [received, issued]: TaskFiles): Promise<PdfTaskResult> {
  if (!issued) throw new Error('The issued document is missing.')
  return { message: { compared: await comparePages({ issued, received, password }) } }
}
