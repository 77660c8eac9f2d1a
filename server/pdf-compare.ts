import { comparePages } from '../pki/page-comparison.ts'
import type { PdfTaskResult } from './pdf-child.ts'
import type { CompareTask } from './pdf-work.ts'

/** What a reader of others shows of the received and of the issued document (R107). */
export async function compareFiles(
  { password, reader }: CompareTask,
  [received, issued]: Uint8Array[],
): Promise<PdfTaskResult> {
  return { said: { compared: await comparePages({ issued: issued!, received: received!, password }, reader) } }
}
