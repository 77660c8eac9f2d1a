import PdfKit from 'pdfkit'
import { signedAt } from './pades-authorities.ts'

/** A file as pdfkit writes it, with a text on each page. */
export async function printedPdf(title: string, ...pages: string[]) {
  const pdf = new PdfKit({ pdfVersion: '1.7', info: { CreationDate: signedAt, Title: title }, autoFirstPage: false })
  for (const text of pages) pdf.addPage().text(text)
  pdf.end()
  return new Uint8Array(Buffer.concat(await pdf.toArray()))
}
