import type { PaperDocument, PaperOptions } from './paper-document.ts'

/** Begins a document. Only then the library for PDFs is loaded, because most processes make none. */
export async function openPaper(options: PaperOptions): Promise<PaperDocument> {
  const { PaperDocument } = await import('./paper-document.ts')
  return new PaperDocument(options)
}

/** A text in both languages. */
export type Text = { pl: string; en: string }

export type Clause = { heading: Text; paragraphs: Text[] }

export const clause = (heading: Text, ...paragraphs: Text[]): Clause => ({ heading, paragraphs })
