import { bytesOf, joined } from './pdf-bytes.ts'
import { PdfError } from './pdf-parser.ts'
import type { Pdf, PdfSecurity } from './pdf-read.ts'
import {
  isName,
  pdfName,
  pdfReference,
  pdfSyntax,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-value.ts'
import { sha256 } from './signature-algorithm.ts'

/** An object of an increment: a value, or a stream of the given data. */
export type NewObject = { reference: PdfReference; value: PdfValue; data?: Uint8Array }

/** Where an increment and its objects lie in the file. */
export type Increment = { bytes: Uint8Array<ArrayBuffer>; offsetOf: (reference: PdfReference) => number }

/**
 * Appends objects, new or replacing, as an incremental update (ISO 32000-1 §7.5.6), with a table or a stream as the
 * file has, and encrypted where the file is. Every byte that was there stays, which is what keeps signatures of earlier
 * revisions intact.
 */
export function appendIncrement(pdf: Pdf, objects: NewObject[]): Increment {
  const chunks: Uint8Array[] = [pdf.bytes]
  let length = pdf.bytes.length
  const write = (chunk: Uint8Array | string) => {
    const bytes = typeof chunk === 'string' ? bytesOf(chunk) : chunk
    chunks.push(bytes)
    length += bytes.length
  }
  if (pdf.bytes.at(-1) !== 0x0a) write('\n')
  const offsets = new Map<number, number>()
  const sorted = objects.toSorted((a, b) => a.reference.number - b.reference.number)
  for (const { reference, value, data } of sorted) {
    offsets.set(reference.number, length)
    const stream = data && (pdf.security ? pdf.security.encrypt(data) : data)
    const sized = stream && value instanceof Map ? new Map(value).set('Length', stream.length) : value
    write(`${reference.number} ${reference.generation} obj\n${pdfSyntax(encrypted(sized, pdf.security))}\n`)
    if (stream) for (const part of ['stream\n', stream, '\nendstream\n']) write(part)
    write('endobj\n')
  }
  const startxref = length
  const trailer = newTrailer(pdf, sorted, chunks)
  if (isName(pdf.trailer.get('Type'), 'XRef')) writeStream(write, trailer, offsets, startxref)
  else write(`${table(sorted, offsets)}trailer\n${pdfSyntax(trailer)}\n`)
  write(`startxref\n${startxref}\n%%EOF\n`)
  return { bytes: joined(chunks), offsetOf: ({ number }) => offsets.get(number)! }
}

/** §7.6.1: all strings but the Contents of signatures. */
function encrypted(value: PdfValue, security: PdfSecurity | undefined): PdfValue {
  if (!security || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => encrypted(item, security))
  if (value instanceof Map)
    return new Map(
      [...value].map(([key, item]) => [
        key,
        key === 'Contents' && value.has('ByteRange') ? item : encrypted(item, security),
      ]),
    )
  return value.kind === 'string' ? { kind: 'string', bytes: security.encrypt(value.bytes) } : value
}

/** The number that the next new object of a file gets. What stands beyond the size counts as missing (§7.5.4), and would come to life. */
export function nextNumber(pdf: Pdf) {
  const size = pdf.trailer.get('Size')
  if (typeof size !== 'number' || !Number.isInteger(size)) throw new PdfError('The trailer has no size')
  const runs = pdf.revisions.flatMap(({ sections }) => sections.flatMap(({ layers }) => layers.flat()))
  const ends = runs.map(({ first, kinds }) => first + kinds.length)
  if (ends.some((end) => end > size)) throw new PdfError('The file has objects beyond its size')
  return size
}

/** Runs of consecutive numbers. */
function runsOf(numbers: number[]) {
  const runs: number[][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run?.at(-1) === number - 1) run.push(number)
    else runs.push([number])
  }
  return runs
}

/** Subsections, every entry of exactly 20 bytes (§7.5.4). */
function table(sorted: NewObject[], offsets: Map<number, number>) {
  const generations = new Map(sorted.map(({ reference }) => [reference.number, reference.generation]))
  const entry = (number: number) =>
    `${String(offsets.get(number)).padStart(10, '0')} ${String(generations.get(number)).padStart(5, '0')} n \n`
  const runs = runsOf([...generations.keys()])
  return `xref\n${runs.map((run) => `${run[0]!} ${run.length}\n${run.map(entry).join('')}`).join('')}`
}

/** A cross-reference stream (§7.5.8), which lists itself; it is never encrypted. */
function writeStream(
  write: (chunk: Uint8Array | string) => void,
  trailer: PdfDictionary,
  offsets: Map<number, number>,
  startxref: number,
) {
  const own = pdfReference(trailer.get('Size') as number)
  const all = new Map(offsets).set(own.number, startxref)
  const rows = [...all.values()].flatMap((at) => [1, at >>> 24, (at >>> 16) & 255, (at >>> 8) & 255, at & 255, 0])
  const index = runsOf([...all.keys()]).flatMap((run) => [run[0]!, run.length])
  const dictionary = new Map(trailer)
    .set('Type', pdfName('XRef'))
    .set('Size', own.number + 1)
    .set('W', [1, 4, 1])
    .set('Index', index)
    .set('Length', rows.length)
  write(`${own.number} 0 obj\n${pdfSyntax(dictionary)}\nstream\n`)
  write(Uint8Array.from(rows))
  write('\nendstream\nendobj\n')
}

/** What the trailer of a cross-reference stream says of the stream alone. */
const ofItsStream = new Set(['Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms', 'XRefStm'])

function newTrailer(pdf: Pdf, sorted: NewObject[], chunks: Uint8Array[]): PdfDictionary {
  const trailer: PdfDictionary = new Map([...pdf.trailer].filter(([key]) => !ofItsStream.has(key)))
  trailer.set('Size', Math.max(nextNumber(pdf), (sorted.at(-1)?.reference.number ?? 0) + 1))
  trailer.set('Prev', pdf.startxref)
  const id = pdf.trailer.get('ID')
  // §14.4: the second part tells revisions apart; made of the increment's content, so equal input gives equal bytes.
  if (Array.isArray(id))
    trailer.set('ID', [id[0] ?? null, { kind: 'string', bytes: sha256(...chunks.slice(1)).slice(0, 16) }])
  return trailer
}
