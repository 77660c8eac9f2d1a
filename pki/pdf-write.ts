import { sha256 } from './signature-algorithm.ts'
import { PdfError } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { pdfSyntax, type PdfDictionary, type PdfReference, type PdfValue } from './pdf-value.ts'

/** An object of an increment: a value, or a stream of the given data. */
export type NewObject = { reference: PdfReference; value: PdfValue; data?: Uint8Array }

/** Where an increment and its objects lie in the file. */
export type Increment = { bytes: Uint8Array<ArrayBuffer>; offsetOf: (reference: PdfReference) => number }

/**
 * Appends objects, new or replacing, as an incremental update (ISO 32000-1 §7.5.6). Every byte that was there stays,
 * which is what keeps signatures of earlier revisions intact.
 */
export function appendIncrement(pdf: Pdf, objects: NewObject[]): Increment {
  const chunks: Uint8Array[] = [pdf.bytes]
  let length = pdf.bytes.length
  const write = (chunk: Uint8Array | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk
    chunks.push(bytes)
    length += bytes.length
  }
  if (pdf.bytes.at(-1) !== 0x0a) write('\n')
  const offsets = new Map<number, number>()
  const sorted = objects.toSorted((a, b) => a.reference.number - b.reference.number)
  for (const { reference, value, data } of sorted) {
    offsets.set(reference.number, length)
    write(`${reference.number} ${reference.generation} obj\n${pdfSyntax(value)}\n`)
    if (data) {
      write('stream\n')
      write(data)
      write('\nendstream\n')
    }
    write('endobj\n')
  }
  const startxref = length
  write(table(sorted, offsets))
  write(`trailer\n${pdfSyntax(newTrailer(pdf, sorted, chunks))}\nstartxref\n${startxref}\n%%EOF\n`)
  return { bytes: new Uint8Array(Buffer.concat(chunks)), offsetOf: ({ number }) => offsets.get(number)! }
}

/** The number that the next new object of a file gets. */
export function nextNumber(pdf: Pdf) {
  const size = pdf.trailer.get('Size')
  if (typeof size !== 'number' || !Number.isInteger(size)) throw new PdfError('The trailer has no size')
  return size
}

/** Subsections of consecutive numbers, every entry of exactly 20 bytes (§7.5.4). */
function table(sorted: NewObject[], offsets: Map<number, number>) {
  const runs: PdfReference[][] = []
  for (const { reference } of sorted) {
    const run = runs.at(-1)
    if (run?.at(-1)?.number === reference.number - 1) run.push(reference)
    else runs.push([reference])
  }
  const entry = ({ number, generation }: PdfReference) =>
    `${String(offsets.get(number)).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
  return `xref\n${runs.map((run) => `${run[0]!.number} ${run.length}\n${run.map(entry).join('')}`).join('')}`
}

function newTrailer(pdf: Pdf, sorted: NewObject[], chunks: Uint8Array[]): PdfDictionary {
  const trailer = new Map(pdf.trailer)
  trailer.set('Size', Math.max(nextNumber(pdf), (sorted.at(-1)?.reference.number ?? 0) + 1))
  trailer.set('Prev', pdf.startxref)
  const id = trailer.get('ID')
  // §14.4: the second part tells revisions apart; made of the increment's content, so equal input gives equal bytes.
  if (Array.isArray(id))
    trailer.set('ID', [id[0] ?? null, { kind: 'string', bytes: sha256(...chunks.slice(1)).slice(0, 16) }])
  return trailer
}
