import { PdfError, PdfParser } from './pdf-parser.ts'
import { isDictionary, isName, isReference, type PdfDictionary, type PdfReference, type PdfValue } from './pdf-value.ts'

/** A PDF with classic cross-reference tables (ISO 32000-1 §7.5.4), read strictly and without its streams' content. */
export type Pdf = {
  bytes: Uint8Array
  /** Where the newest cross-reference table begins. */
  startxref: number
  /** The trailer of the newest revision. */
  trailer: PdfDictionary
  /** The value of an object, or of what a reference leads to; an object that is not there is null (§7.3.10). */
  resolve: (value: PdfValue | undefined) => PdfValue
}

const longestTail = 1024
const mostRevisions = 1000

/** Throws PdfError for a file that is damaged, encrypted, or built in another way. */
export function openPdf(bytes: Uint8Array): Pdf {
  if (latin1(bytes.subarray(0, 5)) !== '%PDF-') throw new PdfError('The file does not begin as a PDF')
  const startxref = findStartxref(bytes)
  const entries = new Map<number, Entry>()
  const trailer = readSections(bytes, startxref, entries)
  if (trailer.has('Encrypt')) throw new PdfError('The file is encrypted')
  const resolve = (value: PdfValue | undefined) => resolveIn(bytes, entries, value)
  return { bytes, startxref, trailer, resolve }
}

type Entry = { offset: number; generation: number } | 'free'

function findStartxref(bytes: Uint8Array) {
  const tail = latin1(bytes.subarray(-longestTail))
  const match = /startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)
  if (!match) throw new PdfError('The file does not end as a PDF')
  return Number(match[1])
}

/** Reads the chain of tables, newest first; an object's newest entry counts. */
function readSections(bytes: Uint8Array, startxref: number, entries: Map<number, Entry>) {
  const seen = new Set<number>()
  let newest: PdfDictionary | undefined
  for (let next: PdfValue | undefined = startxref; next !== undefined;) {
    if (typeof next !== 'number' || seen.has(next) || seen.size === mostRevisions)
      throw new PdfError('The chain of cross-reference tables is broken')
    seen.add(next)
    const trailer = readSection(parserAt(bytes, next), entries)
    newest ??= trailer
    next = trailer.get('Prev')
  }
  return newest!
}

/** Tables and objects begin exactly where the file says. */
function parserAt(bytes: Uint8Array, offset: number) {
  const first = bytes[offset]
  if (first === undefined || first <= 0x25) throw new PdfError(`Nothing begins at byte ${offset}`)
  return new PdfParser(bytes, offset)
}

function readSection(parser: PdfParser, entries: Map<number, Entry>) {
  parser.expect('xref')
  while (!parser.take('trailer')) {
    const first = parser.integer()
    const count = parser.integer()
    for (let number = first; number < first + count; number++) {
      const offset = parser.integer()
      const generation = parser.integer()
      const inUse = parser.take('n')
      if (!inUse) parser.expect('f')
      if (!entries.has(number)) entries.set(number, inUse ? { offset, generation } : 'free')
    }
  }
  const trailer = parser.value()
  if (!isDictionary(trailer)) throw new PdfError('A trailer is not a dictionary')
  if (trailer.has('XRefStm')) throw new PdfError('The file mixes cross-reference tables and streams')
  return trailer
}

function resolveIn(bytes: Uint8Array, entries: Map<number, Entry>, value: PdfValue | undefined): PdfValue {
  const seen = new Set<number>()
  let current = value ?? null
  while (isReference(current)) {
    if (seen.has(current.number)) throw new PdfError('References go round in a circle')
    seen.add(current.number)
    current = readObject(bytes, entries, current)
  }
  return current
}

function readObject(bytes: Uint8Array, entries: Map<number, Entry>, { number, generation }: PdfReference): PdfValue {
  const entry = entries.get(number)
  if (entry === undefined || entry === 'free' || entry.generation !== generation) return null
  const parser = parserAt(bytes, entry.offset)
  if (parser.integer() !== number || parser.integer() !== generation)
    throw new PdfError(`Object ${number} is not where the table says`)
  parser.expect('obj')
  const value = parser.value()
  if (!parser.take('endobj') && !(isDictionary(value) && parser.take('stream')))
    throw new PdfError(`Object ${number} does not end`)
  return value
}

/** The dictionary under a key of another one; throws PdfError where there is none. */
export function dictionaryAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = pdf.resolve(parent.get(key))
  if (!isDictionary(value)) throw new PdfError(`There is no dictionary at /${key}`)
  return value
}

/** The array under a key, an absent one being empty. */
export function arrayAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = pdf.resolve(parent.get(key))
  if (value !== null && !Array.isArray(value)) throw new PdfError(`There is no array at /${key}`)
  return value ?? []
}

/** The first leaf of the page tree, §7.7.3. */
export function firstPage(pdf: Pdf): { reference: PdfReference; page: PdfDictionary } {
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  const seen = new Set<number>()
  let reference = catalog.get('Pages')
  for (;;) {
    const node = pdf.resolve(reference)
    if (!isReference(reference) || !isDictionary(node) || seen.has(reference.number))
      throw new PdfError('The page tree is broken')
    if (isName(node.get('Type'), 'Page')) return { reference, page: node }
    seen.add(reference.number)
    reference = arrayAt(pdf, node, 'Kids')[0]
  }
}

function latin1(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
