import { sha256 } from '../asn1/signature-algorithm.ts'
import { bytesOf, joined } from '../bytes.ts'
import { PdfError } from './pdf-parser.ts'
import type { Pdf, PdfSecurity } from './pdf-read.ts'
import {
  isName,
  pdfName,
  pdfReference,
  pdfSyntax,
  copyWholeReals,
  withEntries,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-value.ts'
import { maxEntries, maxRevisions, maxNumber } from './pdf-xref.ts'

/** An object of an incremental update: a value, or a stream with the given data. */
export type NewObject = { reference: PdfReference; value: PdfValue; data?: Uint8Array }

/** The updated file, and the offset of each new object. Throws RangeError for an object that was not appended. */
export type IncrementalUpdate = { bytes: Uint8Array<ArrayBuffer>; offsetOf: (reference: PdfReference) => number }

/**
 * Appends new or changed objects as an incremental update (ISO 32000-1 §7.5.6), with a cross-reference table or stream
 * and encryption like the file. Existing bytes stay unchanged, which keeps signatures of earlier revisions intact.
 */
export function appendUpdate(pdf: Pdf, objects: NewObject[]): IncrementalUpdate {
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
    const sized = stream && value instanceof Map ? withEntries(value, { Length: stream.length }) : value
    write(`${reference.number} ${reference.generation} obj\n${pdfSyntax(encrypted(sized, pdf.security))}\n`)
    if (stream) for (const part of ['stream\n', stream, '\nendstream\n']) write(part)
    write('endobj\n')
  }
  const startxref = length
  const size = Math.max(nextNumber(pdf), (sorted.at(-1)?.reference.number ?? 0) + 1)
  const trailer = newTrailer(pdf, size, chunks)
  if (isName(pdf.trailer.get('Type'), 'XRef')) writeStream(write, trailer, { size, sorted, offsets, startxref })
  else write(`${table(sorted, offsets)}trailer\n${pdfSyntax(trailer)}\n`)
  write(`startxref\n${startxref}\n%%EOF\n`)
  const offsetOf = ({ number }: PdfReference) => {
    const offset = offsets.get(number)
    if (offset === undefined) throw new RangeError('The object was not appended')
    return offset
  }
  return { bytes: joined(chunks), offsetOf }
}

/** Encrypts all strings of a value except the Contents of signatures (§7.6.1). */
function encrypted(value: PdfValue, security: PdfSecurity | undefined): PdfValue {
  if (!security || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => encrypted(item, security))
    copyWholeReals(value, items)
    return items
  }
  if (value instanceof Map) {
    const isSignature = value.has('ByteRange')
    const entries = [...value].map(
      ([key, item]) => [key, isSignature && key === 'Contents' ? item : encrypted(item, security)] as const,
    )
    const copy = new Map(entries)
    copyWholeReals(value, copy)
    return copy
  }
  return value.kind === 'string' ? { kind: 'string', bytes: security.encrypt(value.bytes) } : value
}

/** Room for later updates: the signature, its evidence, and some of either in years to come. */
const reservedRoom = { objects: 10_000, revisions: 10 }

/** Throws PdfError for a file that would soon be beyond what is read: with it and its evidence a signature has to be complete. */
export function checkRoom(pdf: Pdf) {
  const entries = entriesOf(pdf).reduce((sum, { kinds }) => sum + kinds.length, 0)
  if (
    nextNumber(pdf) + reservedRoom.objects > maxNumber ||
    entries + reservedRoom.objects > maxEntries ||
    pdf.revisions.length + reservedRoom.revisions > maxRevisions
  )
    throw new PdfError('The file has no room for another signature', 'too-costly')
}

const entriesOf = (pdf: Pdf) => pdf.revisions.flatMap(({ sections }) => sections.flatMap(({ layers }) => layers.flat()))

/** Returns the number of the next new object. Objects beyond the size count as missing (§7.5.4), and must not become visible. */
export function nextNumber(pdf: Pdf) {
  const size = pdf.trailer.get('Size')
  if (typeof size !== 'number' || !Number.isInteger(size)) throw new PdfError('The trailer has no size')
  if (entriesOf(pdf).some(({ first, kinds }) => first + kinds.length > size))
    throw new PdfError('The file has objects beyond its size')
  return size
}

/** Groups consecutive numbers. */
function subsectionsOf(numbers: number[]) {
  const subsections: { first: number; count: number }[] = []
  for (const number of numbers) {
    const last = subsections.at(-1)
    if (last && last.first + last.count === number) last.count++
    else subsections.push({ first: number, count: 1 })
  }
  return subsections
}

const generationsOf = (objects: NewObject[]) =>
  new Map(objects.map(({ reference }) => [reference.number, reference.generation]))

/** Writes a cross-reference table with entries of exactly 20 bytes (§7.5.4). */
function table(sorted: NewObject[], offsets: Map<number, number>) {
  const generations = generationsOf(sorted)
  const entry = (number: number) =>
    `${String(offsets.get(number)).padStart(10, '0')} ${String(generations.get(number)).padStart(5, '0')} n \n`
  const subsections = subsectionsOf([...generations.keys()]).map(
    ({ first, count }) => `${first} ${count}\n${Array.from({ length: count }, (_, i) => entry(first + i)).join('')}`,
  )
  return `xref\n${subsections.join('')}`
}

/** Writes a cross-reference stream (§7.5.8), which lists itself and is never encrypted. */
function writeStream(
  write: (chunk: Uint8Array | string) => void,
  trailer: PdfDictionary,
  {
    size,
    sorted,
    offsets,
    startxref,
  }: { size: number; sorted: NewObject[]; offsets: Map<number, number>; startxref: number },
) {
  const own = pdfReference(size)
  const generations = generationsOf(sorted).set(own.number, own.generation)
  const all = new Map(offsets).set(own.number, startxref)
  const rows = [...all].flatMap(([number, at]) => {
    const generation = generations.get(number)!
    return [1, at >>> 24, (at >>> 16) & 255, (at >>> 8) & 255, at & 255, generation >> 8, generation & 255]
  })
  const index = subsectionsOf([...all.keys()]).flatMap(({ first, count }) => [first, count])
  const dictionary = new Map(trailer)
    .set('Type', pdfName('XRef'))
    .set('Size', own.number + 1)
    .set('W', [1, 4, 2])
    .set('Index', index)
    .set('Length', rows.length)
  write(`${own.number} 0 obj\n${pdfSyntax(dictionary)}\nstream\n`)
  write(Uint8Array.from(rows))
  write('\nendstream\nendobj\n')
}

/** Trailer entries that describe only a cross-reference stream itself. */
const streamKeys = new Set(['Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms', 'XRefStm'])

function newTrailer(pdf: Pdf, size: number, chunks: Uint8Array[]): PdfDictionary {
  const trailer: PdfDictionary = new Map([...pdf.trailer].filter(([key]) => !streamKeys.has(key)))
  trailer.set('Size', size)
  trailer.set('Prev', pdf.startxref)
  const id = pdf.trailer.get('ID')
  // §14.4: the second identifier changes with each update; a digest of the update keeps the output reproducible.
  if (Array.isArray(id))
    trailer.set('ID', [id[0] ?? null, { kind: 'string', bytes: sha256(...chunks.slice(1)).slice(0, 16) }])
  return trailer
}
