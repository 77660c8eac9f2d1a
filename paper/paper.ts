import type { PaperDocument, PaperOptions } from './paper-document.ts'

/** Begins a document. Only then the library for PDFs is loaded, because most processes make none. */
export async function openPaper(options: PaperOptions): Promise<PaperDocument> {
  const { PaperDocument } = await import('./paper-document.ts')
  return new PaperDocument(options)
}
