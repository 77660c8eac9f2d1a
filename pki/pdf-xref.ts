import { latin1 } from './pdf-bytes.ts'
import { decodeStream, spend, type Inflate, type ReadBudget } from './pdf-filter.ts'
import { readObjectAt } from './pdf-object.ts'
import { isRegular, isSpace, PdfError, PdfParser } from './pdf-parser.ts'
import { integerAt, isDictionary, isName, isWholeReal, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** Where an object lies: at an offset of the file, packed in an object stream, or nowhere. */
export type Entry = { offset: number; generation: number } | { stream: number; index: number } | 'free'

/** Consecutive object numbers: for each its kind (0 free, 1 at an offset, 2 packed) and two fields of ISO 32000-1 table 18. */
type Run = { first: number; kinds: Uint8Array; fields: Float64Array }

/** One cross-reference table or stream, with the hidden stream of a hybrid file as a second layer. */
export type XrefSection = {
  offset: number
  trailer: PdfDictionary
  /** Newest first; within one, numbers ascend. */
  layers: Run[][]
  /** The last byte of the section itself, and of the revision that it closes. */
  sectionEnd: number
  end: number
  hybrid: boolean
  /** Other objects that belong to the section: that of a hybrid file's hidden stream. */
  hidden: { start: number; end: number } | undefined
}

/**
 * What one saving of the file has added: all bytes from `start` to `end`, which stands right behind its `%%EOF`.
 * A linearized file has two sections in its first revision (Annex F).
 */
export type Revision = {
  start: number
  end: number
  startxref: number
  trailer: PdfDictionary
  sections: XrefSection[]
}

const mostEntries = 500_000
/** What is asked about an object is asked of each of them. */
const mostRevisions = 100
const longestTail = 1024

/** The revisions, oldest first. Throws PdfError unless each begins where the one before has ended. */
export function readRevisions(bytes: Uint8Array, inflate: Inflate, budget: ReadBudget): Revision[] {
  const chain = readChain(bytes, findStartxref(bytes), inflate, budget)
  const revisions: Revision[] = []
  for (let i = chain.length - 1; i >= 0; i--) {
    const sections = [chain[i]!]
    // The first page's section of a linearized file stands before the main one, which it leads to.
    if (revisions.length === 0 && i > 0 && chain[i - 1]!.offset < chain[i]!.offset) sections.unshift(chain[--i]!)
    const { offset, trailer } = sections[0]!
    const last = sections.at(-1)!
    const start = revisions.at(-1)?.end ?? 0
    if (last.startxref !== offset) throw new PdfError('A revision does not lead to its cross-reference section')
    if (revisions.length > 0 && offset < start) throw new PdfError('The revisions do not follow one another')
    revisions.push({ start, end: last.end, startxref: offset, trailer, sections })
  }
  const { end } = revisions.at(-1)!
  checkHeads(bytes, revisions)
  if (!isTail(bytes, end, bytes.length)) throw new PdfError('There are bytes behind the end of the file')
  return revisions
}

/** So little that every reader still finds the end of the file, for which they look in the last 1,024 bytes. */
const mostBlanks = 256

/** Whether there is nothing, or some line ends and blanks, between the end of a revision and a later position. */
export function isTail(bytes: Uint8Array, from: number, to: number) {
  return to >= from && to - from <= mostBlanks && /^[\r\n\t ]*$/.test(latin1(bytes, from, to))
}

function findStartxref(bytes: Uint8Array) {
  const tail = latin1(bytes, Math.max(0, bytes.length - longestTail))
  const at = tail.lastIndexOf('startxref')
  if (at < 0) throw new PdfError('The file does not end as a PDF')
  return new PdfParser(bytes, Math.max(0, bytes.length - longestTail) + at).endOfRevision().startxref
}

type ReadSection = XrefSection & { startxref: number }

/** Newest first. */
function readChain(bytes: Uint8Array, startxref: number, inflate: Inflate, budget: ReadBudget) {
  const chain: ReadSection[] = []
  const seen = new Set<number>()
  for (let next: PdfValue | undefined = startxref; next !== undefined; next = chain.at(-1)!.trailer.get('Prev')) {
    if (typeof next !== 'number' || !Number.isInteger(next) || seen.has(next) || seen.size === mostRevisions)
      throw new PdfError('The chain of cross-reference sections is broken')
    seen.add(next)
    chain.push(readSection(bytes, next, inflate, budget))
    const entries = chain.flatMap(({ layers }) => layers.flat()).reduce((sum, { kinds }) => sum + kinds.length, 0)
    if (entries > mostEntries) throw new PdfError('The file has too many objects', 'too-costly')
  }
  return chain
}

/** Sections and objects begin exactly where the file says. */
function readSection(bytes: Uint8Array, offset: number, inflate: Inflate, budget: ReadBudget): ReadSection {
  if ((bytes[offset] ?? 0) <= 0x25) throw new PdfError(`No cross-reference section begins at byte ${offset}`)
  const parser = new PdfParser(bytes, offset)
  if (!parser.take('xref')) {
    const { trailer, runs, end } = readStreamSection(bytes, offset, inflate, budget)
    // In a linearized file the first page's stream closes nothing, and other objects follow it.
    const closing = new PdfParser(bytes, end)
    const isClosing = closing.take('startxref')
    const none = { startxref: -1, end }
    return sectionOf(offset, trailer, [runs], end, isClosing ? new PdfParser(bytes, end).endOfRevision() : none)
  }
  const runs = readTable(parser, budget)
  const trailer = parser.value()
  if (!isDictionary(trailer)) throw new PdfError('A trailer is not a dictionary')
  checkIntegers(trailer)
  spend(budget, 'parsed', parser.position - offset)
  const { position } = parser
  const closing = parser.endOfRevision()
  const stream = trailer.get('XRefStm')
  if (stream === undefined) return sectionOf(offset, trailer, [runs], position, closing)
  if (typeof stream !== 'number') throw new PdfError('A hybrid file does not lead to its stream')
  const hidden = readStreamSection(bytes, stream, inflate, budget)
  const section = sectionOf(offset, trailer, [runs, hidden.runs], position, closing)
  return { ...section, hybrid: true, hidden: { start: stream, end: hidden.end } }
}

function sectionOf(
  offset: number,
  trailer: PdfDictionary,
  layers: Run[][],
  sectionEnd: number,
  { startxref, end }: { startxref: number; end: number },
): ReadSection {
  return { offset, trailer, layers: layers.map(inOrder), sectionEnd, end, startxref, hybrid: false, hidden: undefined }
}

function inOrder(runs: Run[]) {
  const sorted = runs.filter(({ kinds }) => kinds.length > 0).toSorted((a, b) => a.first - b.first)
  for (const [index, { first, kinds }] of sorted.entries())
    if (first + kinds.length > (sorted[index + 1]?.first ?? Infinity))
      throw new PdfError('A cross-reference section names an object twice')
  return sorted
}

/** The subsections of a table, §7.5.4, up to its trailer. */
function readTable(parser: PdfParser, budget: ReadBudget) {
  const runs: Run[] = []
  let entries = 0
  while (!parser.take('trailer')) {
    const first = parser.integer()
    const count = parser.integer()
    entries += count
    if (entries > mostEntries || first > 8_388_607) throw new PdfError('The file has too many objects', 'too-costly')
    const run = { first, kinds: new Uint8Array(count), fields: new Float64Array(count * 2) }
    parser.skipBlank()
    for (let i = 0; i < count; i++) readLine(parser, run, i)
    // Many readers take this for object 0, and count from there.
    if (first === 1 && run.kinds[0] === 0) throw new PdfError('A table does not begin with object 0')
    runs.push(run)
    spend(budget, 'parsed', count * 20)
  }
  return runs
}

/** Exactly twenty bytes, as nearly every file has them; read digit by digit, since there may be very many. */
function readLine(parser: PdfParser, run: Run, index: number) {
  const { bytes, position } = parser
  let offset = 0
  for (let i = 0; i < 10; i++) offset = offset * 10 + digitAt(bytes, position + i)
  let generation = 0
  for (let i = 11; i < 16; i++) generation = generation * 10 + digitAt(bytes, position + i)
  const kind = bytes[position + 17]
  if (bytes[position + 10] !== 0x20 || bytes[position + 16] !== 0x20 || (kind !== 0x6e && kind !== 0x66))
    throw new PdfError(`Expected an entry at byte ${position}`)
  run.kinds[index] = kind === 0x6e ? 1 : 0
  run.fields[2 * index] = offset
  run.fields[2 * index + 1] = generation
  parser.position = position + 18
  parser.skipBlank()
}

function digitAt(bytes: Uint8Array, at: number) {
  const digit = (bytes[at] ?? 0) - 0x30
  if (digit < 0 || digit > 9) throw new PdfError(`Expected a digit at byte ${at}`)
  return digit
}

/** A cross-reference stream, §7.5.8. */
function readStreamSection(bytes: Uint8Array, offset: number, inflate: Inflate, budget: ReadBudget) {
  const { value: trailer, data, end } = readObjectAt(bytes, offset, budget)
  if (!isDictionary(trailer) || !data || !isName(trailer.get('Type'), 'XRef'))
    throw new PdfError('There is no cross-reference stream where the file says')
  checkIntegers(trailer)
  const table = decodeStream(trailer, data, inflate, budget)
  const widths = integers(trailer.get('W'), 8)
  const size = integerAt(trailer, 'Size') ?? -1
  if (size < 0 || size > 8_388_608) throw new PdfError('A cross-reference stream has a bad number')
  const index = trailer.has('Index') ? integers(trailer.get('Index'), 8_388_608) : [0, size]
  if (table.rest.length > 0 || widths.length !== 3 || index.length % 2 !== 0)
    throw new PdfError('A cross-reference stream is built in another way')
  const runs: Run[] = []
  const width = widths[0]! + widths[1]! + widths[2]!
  let at = 0
  for (let i = 0; i < index.length; i += 2) {
    const count = index[i + 1]!
    if (width === 0 || at + count * width > table.data.length)
      throw new PdfError('A cross-reference stream is too short')
    const run = { first: index[i]!, kinds: new Uint8Array(count), fields: new Float64Array(count * 2) }
    for (let k = 0; k < count; k++, at += width) readRow(table.data, at, widths as [number, number, number], run, k)
    runs.push(run)
  }
  return { trailer, runs, end }
}

function integers(value: PdfValue | undefined, most: number) {
  if (!Array.isArray(value)) throw new PdfError('A cross-reference stream lacks numbers')
  return value.map((_, index) => {
    const item = integerAt(value, index) ?? -1
    if (item < 0 || item > most) throw new PdfError('A cross-reference stream has a bad number')
    return item
  })
}

/** Some readers rebuild a file in which these are reals, and then find other objects. */
function checkIntegers(trailer: PdfDictionary) {
  for (const key of ['Size', 'Prev', 'XRefStm'])
    if (isWholeReal(trailer, key)) throw new PdfError(`A trailer's /${key} is not an integer number`)
}

function readRow(data: Uint8Array, at: number, [a, b, c]: [number, number, number], run: Run, index: number) {
  // Table 17: the type is 1 where it takes no room. Types beyond 2 lead to nothing.
  const kind = a === 0 ? 1 : numberAt(data, at, a)
  run.kinds[index] = kind <= 2 ? kind : 0
  run.fields[2 * index] = numberAt(data, at + a, b)
  run.fields[2 * index + 1] = numberAt(data, at + a + b, c)
}

function numberAt(data: Uint8Array, at: number, width: number) {
  let value = 0
  for (let i = 0; i < width; i++) value = value * 256 + data[at + i]!
  return value
}

/**
 * Throws PdfError unless every entry that is in use leads to the head of its object: where one does not, readers that
 * repair files would see another document than those that do not.
 */
function checkHeads(bytes: Uint8Array, revisions: Revision[]) {
  for (const { sections } of revisions)
    for (const { layers } of sections)
      for (const { first, kinds, fields } of layers.flat())
        for (let i = 0; i < kinds.length; i++)
          if (kinds[i] === 1 && !isHead(bytes, fields[2 * i]!, first + i, fields[2 * i + 1]!))
            throw new PdfError(`Object ${first + i} is not where the file says`)
}

function isHead(bytes: Uint8Array, offset: number, number: number, generation: number) {
  let at = offset
  for (const wanted of [number, generation]) {
    const start = at
    let value = 0
    for (; bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) value = value * 10 + bytes[at]! - 0x30
    if (at === start || value !== wanted || !isSpace(bytes[at])) return false
    while (isSpace(bytes[at])) at++
  }
  return bytes[at] === 0x6f && bytes[at + 1] === 0x62 && bytes[at + 2] === 0x6a && !isRegular(bytes[at + 3])
}

/** What a section says of an object; undefined if nothing. */
export function entryIn({ layers }: XrefSection, number: number): Entry | undefined {
  for (const runs of layers) {
    const run = runOf(runs, number)
    if (!run) continue
    const index = number - run.first
    const [first, second] = [run.fields[2 * index]!, run.fields[2 * index + 1]!]
    if (run.kinds[index] === 0) return 'free'
    return run.kinds[index] === 1 ? { offset: first, generation: second } : { stream: first, index: second }
  }
  return undefined
}

function runOf(runs: Run[], number: number) {
  let [low, high] = [0, runs.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const run = runs[middle]!
    if (number < run.first) high = middle - 1
    else if (number >= run.first + run.kinds.length) low = middle + 1
    else return run
  }
  return undefined
}

/** Every object number that a section says something of. */
export function numbersIn({ layers }: XrefSection) {
  const numbers = new Set<number>()
  for (const { first, kinds } of layers.flat()) for (let i = 0; i < kinds.length; i++) numbers.add(first + i)
  return numbers
}
