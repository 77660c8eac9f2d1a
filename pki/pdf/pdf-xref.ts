import { latin1 } from '../bytes.ts'
import { decodeStream, spend, type ReadLimits } from './pdf-filter.ts'
import { readObjectAt } from './pdf-object.ts'
import { isDigit, isRegular, isSpace, PdfError, PdfParser } from './pdf-parser.ts'
import { integerAt, isDictionary, isName, isWholeReal, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** The position of an object: an offset in the file, an index in an object stream, or none. */
export type XrefEntry = { offset: number; generation: number } | { stream: number; index: number } | 'free'

/** A subsection: consecutive object numbers, each with its type and two fields (ISO 32000-1 table 18). */
type Subsection = { first: number; kinds: Uint8Array; fields: Float64Array }

/** One cross-reference table or stream, with the hidden stream of a hybrid file as a second layer. */
export type XrefSection = {
  offset: number
  trailer: PdfDictionary
  /** Newest first; in each, numbers ascend. */
  layers: Subsection[][]
  /** The last byte of the section itself, and of the revision that it closes. */
  sectionEnd: number
  end: number
  isHybrid: boolean
  /** The object of a hybrid file's hidden stream. */
  hidden: { start: number; end: number } | undefined
}

/**
 * One revision of the file: the bytes that an incremental update has added, up to and including its `%%EOF`. A
 * linearized file has two sections in its first revision (Annex F).
 */
export type Revision = {
  start: number
  end: number
  startxref: number
  trailer: PdfDictionary
  sections: XrefSection[]
}

export const maxEntries = 500_000
/** Every look-up of an object may search all of them. */
export const maxRevisions = 100
/** The most objects that readers support (ISO 32000-1 table C.1). */
export const maxNumber = 8_388_607
const maxTail = 1024

/** Reads the revisions, oldest first. Throws PdfError unless each begins where the previous one ends. */
export function readRevisions(bytes: Uint8Array, limits: ReadLimits): Revision[] {
  const chain = readChain(bytes, findStartxref(bytes), limits)
  const revisions: Revision[] = []
  let end = 0
  for (const [first, main = first] of sectionsByRevision(chain.toReversed())) {
    const { offset, trailer } = first
    if (startOfSection(bytes, main.startxref) !== offset)
      throw new PdfError('A revision does not lead to its cross-reference section')
    if (offset < end) throw new PdfError('The revisions do not follow one another')
    const sections = main === first ? [first] : [first, main]
    revisions.push({ start: end, end: main.end, startxref: offset, trailer, sections })
    end = main.end
  }
  checkHeads(bytes, revisions)
  if (!isTail(bytes, end, bytes.length)) throw new PdfError('There are bytes after the end of the file', 'stray-bytes')
  return revisions
}

/** Groups the sections by revision. The first page's section of a linearized file comes before the main one, to which it leads. */
function sectionsByRevision([oldest, next, ...later]: ReadSection[]): [ReadSection, ReadSection?][] {
  if (!oldest || !next) return oldest ? [[oldest]] : []
  const single = later.map((section): [ReadSection] => [section])
  return next.offset < oldest.offset ? [[next, oldest], ...single] : [[oldest], [next], ...single]
}

/** Few enough that every reader still finds the end of the file, which they search in the last 1,024 bytes. */
const maxBlanks = 256

/** Checks whether only a few line ends and blanks follow the end of a revision up to a later position. */
export const isTail = (bytes: Uint8Array, from: number, to: number) =>
  to >= from && to - from <= maxBlanks && /^[\r\n\t ]*$/.test(latin1(bytes, from, to))

function findStartxref(bytes: Uint8Array) {
  const tail = latin1(bytes, Math.max(0, bytes.length - maxTail))
  const at = tail.lastIndexOf('startxref')
  if (at < 0) throw new PdfError('The file does not end as a PDF')
  return new PdfParser(bytes, Math.max(0, bytes.length - maxTail) + at).endOfRevision().startxref
}

type ReadSection = XrefSection & { startxref: number }

/** Reads the chain of cross-reference sections, newest first. */
function readChain(bytes: Uint8Array, startxref: number, limits: ReadLimits) {
  const chain: ReadSection[] = []
  const seen = new Set<number>()
  for (let next: PdfValue | undefined = startxref; next !== undefined;) {
    if (typeof next !== 'number' || !Number.isInteger(next) || seen.has(next) || seen.size === maxRevisions)
      throw new PdfError('The chain of cross-reference sections is broken')
    seen.add(next)
    const section = readSection(bytes, next, limits)
    chain.push(section)
    next = section.trailer.get('Prev')
    const entries = chain.flatMap(({ layers }) => layers.flat()).reduce((sum, { kinds }) => sum + kinds.length, 0)
    if (entries > maxEntries) throw new PdfError('The file has too many objects', 'too-costly')
  }
  return chain
}

/**
 * Reads a cross-reference section. Objects begin exactly where the file says; a section may follow blanks, which many programs write there
 * and no reader minds.
 */
function readSection(bytes: Uint8Array, at: number, limits: ReadLimits): ReadSection {
  const offset = startOfSection(bytes, at)
  if ((bytes[offset] ?? 0) <= 0x25) throw new PdfError(`No cross-reference section begins at byte ${offset}`)
  const parser = new PdfParser(bytes, offset)
  if (!parser.take('xref')) {
    const { trailer, subsections, end } = readStreamSection(bytes, offset, limits)
    // In a linearized file other objects follow the first page's stream, which ends no revision.
    const closing = new PdfParser(bytes, end)
    const isClosing = closing.take('startxref')
    const none = { startxref: -1, end }
    return sectionOf(offset, trailer, [subsections], end, isClosing ? new PdfParser(bytes, end).endOfRevision() : none)
  }
  const subsections = readTable(parser, limits)
  const trailer = parser.value()
  if (!isDictionary(trailer)) throw new PdfError('A trailer is not a dictionary')
  checkIntegers(trailer)
  spend(limits, 'parsed', parser.position - offset)
  const { position } = parser
  const closing = parser.endOfRevision()
  const stream = trailer.get('XRefStm')
  if (stream === undefined) return sectionOf(offset, trailer, [subsections], position, closing)
  if (typeof stream !== 'number') throw new PdfError('A hybrid file does not lead to its stream')
  const hidden = readStreamSection(bytes, stream, limits)
  const section = sectionOf(offset, trailer, [subsections, hidden.subsections], position, closing)
  return { ...section, isHybrid: true, hidden: { start: stream, end: hidden.end } }
}

function startOfSection(bytes: Uint8Array, at: number) {
  let start = at
  while (start - at < maxBlanks && isSpace(bytes[start])) start++
  return start
}

function sectionOf(
  offset: number,
  trailer: PdfDictionary,
  layers: Subsection[][],
  sectionEnd: number,
  { startxref, end }: { startxref: number; end: number },
): ReadSection {
  return {
    offset,
    trailer,
    layers: layers.map(inOrder),
    sectionEnd,
    end,
    startxref,
    isHybrid: false,
    hidden: undefined,
  }
}

function inOrder(subsections: Subsection[]) {
  const sorted = subsections.filter(({ kinds }) => kinds.length > 0).toSorted((a, b) => a.first - b.first)
  for (const [index, { first, kinds }] of sorted.entries())
    if (first + kinds.length > (sorted[index + 1]?.first ?? Infinity))
      throw new PdfError('A cross-reference section names an object twice')
  return sorted
}

/** Reads the subsections of a table (§7.5.4) up to its trailer. */
function readTable(parser: PdfParser, limits: ReadLimits) {
  const subsections: Subsection[] = []
  let entries = 0
  // Some readers rebuild the file if there is anything but white space before a subsection or the trailer.
  for (;;) {
    parser.skipBlank()
    if (!isDigit(parser.bytes[parser.position])) break
    const first = parser.integer()
    const count = parser.integer()
    entries += count
    if (entries > maxEntries || first > maxNumber) throw new PdfError('The file has too many objects', 'too-costly')
    const subsection = { first, kinds: new Uint8Array(count), fields: new Float64Array(count * 2) }
    parser.skipBlank()
    for (let i = 0; i < count; i++) readLine(parser, subsection, i)
    // Many readers take this entry for object 0, and shift the others.
    if (first === 1 && subsection.kinds[0] === 0) throw new PdfError('A table does not begin with object 0')
    subsections.push(subsection)
    spend(limits, 'parsed', count * 20)
  }
  if (isRegular(parser.bytes[parser.position])) parser.expect('trailer')
  else throw new PdfError(`Expected a subsection or a trailer at byte ${parser.position}`)
  return subsections
}

/** Reads an entry of exactly twenty bytes, digit by digit, because there may be very many. */
function readLine(parser: PdfParser, subsection: Subsection, index: number) {
  const { bytes, position } = parser
  let offset = 0
  for (let i = 0; i < 10; i++) offset = offset * 10 + digitAt(bytes, position + i)
  let generation = 0
  for (let i = 11; i < 16; i++) generation = generation * 10 + digitAt(bytes, position + i)
  const kind = bytes[position + 17]
  if (bytes[position + 10] !== 0x20 || bytes[position + 16] !== 0x20 || (kind !== 0x6e && kind !== 0x66))
    throw new PdfError(`Expected an entry at byte ${position}`)
  subsection.kinds[index] = kind === 0x6e ? 1 : 0
  subsection.fields[2 * index] = offset
  subsection.fields[2 * index + 1] = generation
  parser.position = position + 18
  parser.skipBlank()
}

function digitAt(bytes: Uint8Array, at: number) {
  const digit = (bytes[at] ?? 0) - 0x30
  if (digit < 0 || digit > 9) throw new PdfError(`Expected a digit at byte ${at}`)
  return digit
}

/** Reads a cross-reference stream (§7.5.8). */
function readStreamSection(bytes: Uint8Array, offset: number, limits: ReadLimits) {
  const { value: trailer, data, end } = readObjectAt(bytes, offset, limits)
  if (!isDictionary(trailer) || !data || !isName(trailer.get('Type'), 'XRef'))
    throw new PdfError('There is no cross-reference stream at its offset')
  checkIntegers(trailer)
  const table = decodeStream(trailer, data, limits)
  const [typeWidth, firstWidth, secondWidth, ...further] = integers(trailer.get('W'), 8)
  const size = integerAt(trailer, 'Size') ?? -1
  if (size < 0 || size > maxNumber + 1) throw new PdfError('A cross-reference stream has a bad number')
  const index = trailer.has('Index') ? integers(trailer.get('Index'), maxNumber + 1) : [0, size]
  if (table.rest.length > 0 || secondWidth === undefined || further.length > 0 || index.length % 2 !== 0)
    throw new PdfError('A cross-reference stream is malformed')
  const widths = [typeWidth ?? 0, firstWidth ?? 0, secondWidth] as const
  const subsections: Subsection[] = []
  const width = widths[0] + widths[1] + widths[2]
  let at = 0
  for (let i = 0; i < index.length; i += 2) {
    const [first = 0, count = 0] = index.slice(i, i + 2)
    if (width === 0 || at + count * width > table.data.length)
      throw new PdfError('A cross-reference stream is too short')
    const subsection = { first, kinds: new Uint8Array(count), fields: new Float64Array(count * 2) }
    for (let k = 0; k < count; k++, at += width) readRow(table.data, at, widths, subsection, k)
    subsections.push(subsection)
  }
  return { trailer, subsections, end }
}

function integers(value: PdfValue | undefined, most: number) {
  if (!Array.isArray(value)) throw new PdfError('A cross-reference stream lacks numbers')
  return value.map((_, index) => {
    const item = integerAt(value, index) ?? -1
    if (item < 0 || item > most) throw new PdfError('A cross-reference stream has a bad number')
    return item
  })
}

/**
 * Checks that these numbers are integers and that the size is present; otherwise some readers rebuild the file, and then find other
 * objects.
 */
function checkIntegers(trailer: PdfDictionary) {
  for (const key of ['Size', 'Prev', 'XRefStm'])
    if (isWholeReal(trailer, key)) throw new PdfError(`A trailer's /${key} is not an integer number`)
  if ((integerAt(trailer, 'Size') ?? 0) <= 0) throw new PdfError('A trailer has no number of objects')
}

function readRow(
  data: Uint8Array,
  at: number,
  [a, b, c]: readonly [number, number, number],
  subsection: Subsection,
  index: number,
) {
  // Table 17: the type is 1 if its width is 0. A type above 2 would lead to nothing, but some readers rebuild the file then.
  const kind = a === 0 ? 1 : numberAt(data, at, a)
  if (kind > 2) throw new PdfError('A cross-reference stream has an entry of an unknown type')
  subsection.kinds[index] = kind
  subsection.fields[2 * index] = numberAt(data, at + a, b)
  subsection.fields[2 * index + 1] = numberAt(data, at + a + b, c)
}

function numberAt(data: Uint8Array, at: number, width: number) {
  let value = 0
  for (let i = 0; i < width; i++) value = value * 256 + (data[at + i] ?? 0)
  return value
}

/**
 * Throws PdfError unless every entry in use leads to the beginning of its object; otherwise readers that repair files
 * would see another document than those that do not.
 */
function checkHeads(bytes: Uint8Array, revisions: Revision[]) {
  for (const { sections } of revisions)
    for (const { layers } of sections)
      forEachEntry(layers, (number, kind, offset, generation) => {
        if (kind === 1 && !isHead(bytes, offset, number, generation))
          throw new PdfError(`Object ${number} is not where the file says`)
      })
}

/** Calls back with each object number, its type (0 free, 1 at an offset, 2 in an object stream) and its two fields. */
export function forEachEntry(
  layers: Subsection[][],
  callback: (number: number, kind: number, first: number, second: number) => void,
) {
  for (const { first, kinds, fields } of layers.flat())
    for (let i = 0; i < kinds.length; i++)
      callback(first + i, kinds[i] ?? 0, fields[2 * i] ?? 0, fields[2 * i + 1] ?? 0)
}

function isHead(bytes: Uint8Array, offset: number, number: number, generation: number) {
  let at = offset
  for (const expected of [number, generation]) {
    const start = at
    let value = 0
    for (let byte = bytes[at]; isDigit(byte); byte = bytes[++at]) value = value * 10 + byte - 0x30
    if (at === start || value !== expected || !isSpace(bytes[at])) return false
    while (isSpace(bytes[at])) at++
  }
  return bytes[at] === 0x6f && bytes[at + 1] === 0x62 && bytes[at + 2] === 0x6a && !isRegular(bytes[at + 3])
}

/** Returns the entry of an object in a section; undefined if there is none. */
export function entryIn({ layers }: XrefSection, number: number): XrefEntry | undefined {
  for (const subsections of layers) {
    const subsection = subsectionOf(subsections, number)
    if (!subsection) continue
    const index = number - subsection.first
    const [first, second] = [subsection.fields[2 * index] ?? 0, subsection.fields[2 * index + 1] ?? 0]
    if (subsection.kinds[index] === 0) return 'free'
    return subsection.kinds[index] === 1 ? { offset: first, generation: second } : { stream: first, index: second }
  }
  return undefined
}

function subsectionOf(subsections: Subsection[], number: number) {
  let [low, high] = [0, subsections.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const subsection = subsections[middle]
    if (!subsection) return undefined
    if (number < subsection.first) high = middle - 1
    else if (number >= subsection.first + subsection.kinds.length) low = middle + 1
    else return subsection
  }
  return undefined
}

export function numbersIn({ layers }: XrefSection) {
  const numbers = new Set<number>()
  for (const { first, kinds } of layers.flat()) for (let i = 0; i < kinds.length; i++) numbers.add(first + i)
  return numbers
}
