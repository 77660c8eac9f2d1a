import type { Readable } from 'node:stream'
import { ApiError } from '../api-error.ts'
import type { AlarmContext } from '../audit/alarms.ts'
import { readUpload } from '../files/document-files.ts'
import { PdfWorkBusy, type PdfWork } from './pdf-work.ts'

/** Reads the provider's PDF into memory, and refuses it if it cannot be opened. */
export async function readUsablePdf(portal: AlarmContext & { pdfWork: PdfWork }, upload: Readable) {
  const bytes = await readUpload(portal, upload)
  const reason = await portal.pdfWork.open(bytes).catch((error: unknown) => {
    throw error instanceof PdfWorkBusy ? new ApiError('busy', { retryAfter: 5 }) : error
  })
  if (reason) throw new ApiError('pdf-unusable', { reason })
  return bytes
}
