import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { onlyPdf, tooLarge, unreadable } from '../text/file-problem-text.ts'

/** A PDF that the customer has chosen: what was looked at is what is sent, even if the file on the disk changes meanwhile. */
export type ChosenFile = {
  name: string
  content: Blob
  /** Whether it has any signature: its absence is only a warning (ux 5.9). */
  hasSignature: boolean
  isEncrypted: boolean
}

/** Checks a file before anything is sent; returns the problem where it cannot be the signed document. */
export async function inspectFile(file: File): Promise<ChosenFile | { problem: Text }> {
  if (!/\.pdf$/i.test(file.name)) return { problem: onlyPdf }
  if (file.size > limits.http.pdfBytes) return { problem: tooLarge(file.size, limits.http.pdfBytes) }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { problem: unreadable }
  const text = new TextDecoder('latin1').decode(bytes)
  if (!text.startsWith('%PDF-')) return { problem: onlyPdf }
  return {
    name: file.name,
    content: new Blob([bytes], { type: 'application/pdf' }),
    // Neither can hide in a compressed part of a PDF (ISO 32000-2 §7.5.7, §12.8.1).
    hasSignature: text.includes('/ByteRange'),
    isEncrypted: text.includes('/Encrypt'),
  }
}
