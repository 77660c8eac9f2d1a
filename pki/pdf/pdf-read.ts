import { latin1 } from '../bytes.ts'
import { decodeStream, spend, type ReadLimits } from './pdf-filter.ts'
import { readObjectAt, type PdfObject } from './pdf-object.ts'
import { isSpace, PdfError, PdfParser } from './pdf-parser.ts'
import {
  copyAmbiguity,
  copyWholeReals,
  integerAt,
  isDictionary,
  isName,
  isReference,
  isWholeReal,
  markWholeReal,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-value.ts'
import { entryIn, readRevisions, type XrefEntry, type Revision } from './pdf-xref.ts'

/** Encrypts and decrypts strings and stream data of a file whose key is known. */
export type PdfSecurity = { encrypt: (bytes: Uint8Array) => Uint8Array; decrypt: (bytes: Uint8Array) => Uint8Array }

/**
 * A PDF in the state of one of its revisions (ISO 32000-1 §7.5), read strictly: cross-reference tables and streams,
 * hybrid files and object streams. Objects are read on first use and cached.
 */
export type Pdf = {
  /** The whole file, later revisions included. */
  bytes: Uint8Array
  revisions: Revision[]
  /** The revision that this is the state of, counted from 0. */
  revision: number
  current: Revision
  /** The position of the newest cross-reference section, and its trailer. */
  startxref: number
  trailer: PdfDictionary
  entry: (number: number) => XrefEntry
  /** Returns the object with a number; undefined if there is none. Throws PdfError for a damaged one. */
  object: (number: number) => PdfObject | undefined
  /** Returns the value itself, or the value that a reference leads to; a missing object is null (§7.3.10). */
  resolve: (value: PdfValue | undefined) => PdfValue
  /** Returns a stream's data without its filters; `rest` are the unsupported ones, `parameters` theirs. */
  decode: (object: PdfObject) => { data: Uint8Array; rest: (string | undefined)[]; parameters: PdfValue[] }
  /** Returns an object stream's data, and the positions and numbers of the objects in it. */
  objectStream: (number: number) => ObjectStream
  security: PdfSecurity | undefined
  /** Returns the same file in the state of another revision. */
  at: (revision: number) => Pdf
}

/** Finds where a PDF begins in these bytes, which readers search for in the first 1,024 bytes; -1 if there is none. */
export const startOfPdf = (bytes: Uint8Array): number => latin1(bytes, 0, Math.min(1024, bytes.length)).indexOf('%PDF-')

/** Enough for every honest file of ten megabytes, and exhausted within a second by any other. */
const maxParsedTimes = 4
const maxInflated = 100 << 20

type OpenOptions = {
  /** Returns the security of an encrypted file, which is refused without this function; with undefined, its encrypted values are read. */
  unlock?: () => PdfSecurity | undefined
}

/** Opens the newest revision; throws PdfError for a file that is damaged, or encrypted and not unlocked. */
export function openPdf(bytes: Uint8Array, { unlock }: OpenOptions = {}): Pdf {
  if (startOfPdf(bytes) > 0) throw new PdfError('There are bytes before the file', 'stray-bytes')
  if (!/^%PDF-[12]\.\d/.test(latin1(bytes, 0, 8))) throw new PdfError('The file does not begin as a PDF')
  const limits = { parsed: bytes.length * maxParsedTimes + 65_536, inflated: maxInflated }
  const file = { bytes, limits, revisions: readRevisions(bytes, limits) }
  const newest = file.revisions.length - 1
  const isEncrypted = file.revisions.some(({ sections }) => sections.some(({ trailer }) => trailer.has('Encrypt')))
  if (isEncrypted && !unlock) throw new PdfError('The file is encrypted', 'encrypted')
  const security = isEncrypted ? unlock?.() : undefined
  return new RevisionReader({ ...file, security, objects: new Map(), streams: new Map() }, newest)
}

type ObjectStream = { data: Uint8Array; starts: number[]; numbers: number[] }

type PdfFile = {
  bytes: Uint8Array
  limits: ReadLimits
  revisions: Revision[]
  security: PdfSecurity | undefined
  /** Objects by position, because revisions share unchanged objects. */
  objects: Map<string | number, PdfObject>
  streams: Map<number, ObjectStream>
}

/** A file in the state of one revision. Reading an object may need others: its length, the stream that it is in, its decryption. */
class RevisionReader implements Pdf {
  readonly bytes: Uint8Array
  readonly revisions: Revision[]
  readonly revision: number
  readonly current: Revision
  readonly startxref: number
  readonly trailer: PdfDictionary
  readonly security: PdfSecurity | undefined
  readonly #file: PdfFile
  readonly #sections: Revision['sections']
  /** Numbers of the objects that are being read. */
  readonly #reading = new Set<number>()

  constructor(file: PdfFile, revision: number) {
    const { bytes, revisions, security } = file
    const current = revisions[revision]
    if (!current) throw new RangeError('There is no such revision')
    this.bytes = bytes
    this.revisions = revisions
    this.revision = revision
    this.current = current
    this.startxref = current.startxref
    this.trailer = current.trailer
    this.security = security
    this.#file = file
    this.#sections = revisions
      .slice(0, revision + 1)
      .flatMap((added) => added.sections.toReversed())
      .toReversed()
  }

  // What `Pdf` has are properties, because it is copied with some of them replaced.

  readonly entry = (number: number) => entryAmong(this.#sections, number)

  readonly object = (number: number): PdfObject | undefined => {
    const { objects } = this.#file
    const found = this.entry(number)
    if (found === 'free') return undefined
    const key =
      'offset' in found ? found.offset : `${found.stream}:${found.index}:${offsetOf(this.entry(found.stream))}`
    const known = objects.get(key)
    if (known) return sameNumber(known, number, found)
    if (this.#reading.has(number)) throw new PdfError('Reading an object requires the object itself')
    this.#reading.add(number)
    try {
      const read = 'offset' in found ? this.#readPlain(found.offset, number) : this.#readCompressed(number, found)
      objects.set(key, read)
      return sameNumber(read, number, found)
    } finally {
      this.#reading.delete(number)
    }
  }

  readonly objectStream = (number: number): ObjectStream => {
    const { streams } = this.#file
    const position = offsetOf(this.entry(number))
    const known = streams.get(position)
    if (known) return known
    const container = position < 0 ? undefined : this.object(number)
    if (!container) throw new PdfError('An object stream is missing')
    const stream = readObjectStream(container, this.decode)
    streams.set(position, stream)
    return stream
  }

  readonly resolve = (value: PdfValue | undefined): PdfValue => {
    if (!isReference(value)) return value ?? null
    const found = this.object(value.number)
    const reached = found?.generation === value.generation ? found.value : null
    // §7.3.10: some readers follow such a reference, and some do not.
    if (isReference(reached)) throw new PdfError(`Object ${value.number} is only a reference`)
    return reached
  }

  readonly decode = ({ value, data }: PdfObject) => {
    if (!isDictionary(value) || !data) throw new PdfError('A stream is missing')
    const direct = new Map(value).set('Filter', resolveList(value.get('Filter'), this.resolve))
    direct.set('DecodeParms', resolveList(value.get('DecodeParms'), this.resolve))
    return decodeStream(direct, data, this.#file.limits)
  }

  readonly at = (earlier: number): Pdf => new RevisionReader(this.#file, earlier)

  #readPlain(offset: number, number: number) {
    const read = readObjectAt(this.bytes, offset, this.#file.limits, (value) => this.#lengthOf(value))
    if (read.number !== number) throw new PdfError(`Object ${number} is not where the file says`)
    return this.security ? decrypted(read, this.security, this) : read
  }

  #readCompressed(number: number, { stream, index }: Compressed) {
    return readInStream(this.objectStream(stream), number, { stream, index }, this.#file.limits)
  }

  #lengthOf(value: PdfValue | undefined) {
    const target = isReference(value) ? this.object(value.number) : undefined
    return target && isWholeReal(target, 'value') ? null : this.resolve(value)
  }
}

function entryAmong(sections: Revision['sections'], number: number): XrefEntry {
  for (const section of sections) {
    const found = entryIn(section, number)
    if (found !== undefined) return found
  }
  return 'free'
}

/** The place of an object in an object stream. */
type Compressed = { stream: number; index: number }

function readInStream(
  { data, starts, numbers }: ObjectStream,
  number: number,
  { stream, index }: Compressed,
  limits: ReadLimits,
): PdfObject {
  const start = starts[index]
  if (start === undefined || numbers[index] !== number) throw new PdfError(`Object ${number} is not in its stream`)
  const parser = new PdfParser(data, start)
  const value = parser.value()
  const { wholeReal } = parser
  spend(limits, 'parsed', parser.position - start)
  // Readers that end an object where the next one begins would see another object.
  if (parser.position > (starts[index + 1] ?? data.length))
    throw new PdfError(`Object ${number} does not end where the next one begins`)
  const read: PdfObject = {
    number,
    generation: 0,
    value,
    data: undefined,
    dataStart: undefined,
    start: 0,
    end: 0,
    contents: new Map(),
    objectStream: stream,
  }
  if (wholeReal) markWholeReal(read, 'value')
  return read
}

/** Returns the offset of an object; -1 if it is free or in an object stream. */
const offsetOf = (entry: XrefEntry) => (entry !== 'free' && 'offset' in entry ? entry.offset : -1)

/** Checks that an object has the number that led to it: if two numbers lead to the same position, one of them is wrong. */
function sameNumber(object: PdfObject, number: number, entry: Exclude<XrefEntry, 'free'>) {
  if (object.number !== number || ('offset' in entry && object.generation !== entry.generation))
    throw new PdfError(`Object ${number} is not where the file says`)
  return object
}

function resolveList(value: PdfValue | undefined, resolve: Pdf['resolve']) {
  const list = resolve(value)
  return Array.isArray(list) ? list.map(resolve) : list
}

/** Reads an object stream, which begins with the numbers and positions of its objects (§7.5.7). */
function readObjectStream(stream: PdfObject, decode: Pdf['decode']): ObjectStream {
  const dictionary = stream.value
  if (!isDictionary(dictionary) || !isName(dictionary.get('Type'), 'ObjStm'))
    throw new PdfError('An object stream is missing')
  const { data, rest } = decode(stream)
  const [count, first] = [integerAt(dictionary, 'N'), integerAt(dictionary, 'First')]
  if (rest.length > 0 || count === undefined || first === undefined || count > data.length)
    throw new PdfError('An object stream is malformed')
  const parser = new PdfParser(data, 0)
  const starts: number[] = []
  const numbers: number[] = []
  for (let i = 0; i < count; i++) {
    numbers.push(parser.integer())
    const start = first + parser.integer()
    if (start <= (starts.at(-1) ?? -1)) throw new PdfError('The objects of a stream are not in order')
    starts.push(start)
  }
  if (parser.position > first) throw new PdfError('An object stream is malformed')
  return { data, starts, numbers }
}

/**
 * Decrypts the strings and stream of an object. The encryption dictionary, cross-reference streams and the Contents of signatures are not
 * encrypted (§7.6.1).
 */
function decrypted(object: PdfObject, { decrypt }: PdfSecurity, pdf: Pdf): PdfObject {
  const { value, data, number } = object
  const own = pdf.trailer.get('Encrypt')
  if (isReference(own) && own.number === number) return object
  // By its position, as other readers do: a stream that only has the type of a cross-reference stream is encrypted.
  const sections = pdf.revisions.flatMap((revision) => revision.sections)
  if (sections.some(({ offset, hidden }) => [offset, hidden?.start].includes(object.start))) return object
  const contents: PdfObject['contents'] = new Map()
  const plain = (item: PdfValue): PdfValue => {
    if (Array.isArray(item)) {
      const items = item.map(plain)
      copyWholeReals(item, items)
      return items
    }
    if (item instanceof Map) {
      const isSignature = item.has('ByteRange')
      const entries = new Map(
        [...item].map(([key, entry]) => [key, isSignature && key === 'Contents' ? entry : plain(entry)]),
      )
      const range = object.contents.get(item)
      if (range) contents.set(entries, range)
      copyWholeReals(item, entries)
      return entries
    }
    if (typeof item !== 'object' || item === null || item.kind !== 'string') return item
    const string = { kind: 'string', bytes: decrypt(item.bytes) } as const
    copyAmbiguity(item, string)
    return string
  }
  const decryptedObject = { ...object, value: plain(value), data: data && decrypt(data), contents }
  copyWholeReals(object, decryptedObject)
  return decryptedObject
}

/** Returns the dictionary under a key; throws PdfError if there is none. */
export function dictionaryAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = pdf.resolve(parent.get(key))
  if (!isDictionary(value)) throw new PdfError(`There is no dictionary at /${key}`)
  return value
}

export const catalogOf = (pdf: Pdf) => dictionaryAt(pdf, pdf.trailer, 'Root')

/** Checks whether the number under a key is a whole real, directly or in the object that the key refers to. */
export function isWholeRealAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = parent.get(key)
  const object = isReference(value) ? pdf.object(value.number) : undefined
  return object ? isWholeReal(object, 'value') : isWholeReal(parent, key)
}

/** Returns the array under a key; empty if absent. */
export function arrayAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = pdf.resolve(parent.get(key))
  if (value !== null && !Array.isArray(value)) throw new PdfError(`There is no array at /${key}`)
  return value ?? []
}

export type PageLeaf = { reference: PdfReference; page: PdfDictionary; inherited: PdfDictionary }

const maxPages = 50_000
export const inheritedKeys = ['Resources', 'MediaBox', 'CropBox', 'Rotate']

/** Returns the pages in order (§7.7.3), with their inherited entries. Throws PdfError for a broken page tree. */
export function listPages(pdf: Pdf, most = maxPages): PageLeaf[] {
  const leaves: PageLeaf[] = []
  const seen = new Set<number>()
  const visit = (reference: PdfValue | undefined, inherited: PdfDictionary, depth: number) => {
    const node = pdf.resolve(reference)
    if (!isReference(reference) || !isDictionary(node) || seen.has(reference.number) || depth > 50)
      throw new PdfError('The page tree is broken')
    seen.add(reference.number)
    const own: PdfDictionary = new Map()
    for (const key of inheritedKeys) {
      const holder = node.has(key) ? node : inherited
      const value = holder.get(key)
      if (value !== undefined) own.set(key, value)
      if (isWholeReal(holder, key)) markWholeReal(own, key)
    }
    if (!node.has('Kids')) {
      if (!isName(node.get('Type'), 'Page')) throw new PdfError('The page tree has a leaf that is not a page')
      if (leaves.push({ reference, page: node, inherited: own }) > maxPages)
        throw new PdfError('There are too many pages', 'too-costly')
      return
    }
    for (const kid of arrayAt(pdf, node, 'Kids')) if (leaves.length < most) visit(kid, own, depth + 1)
  }
  visit(dictionaryAt(pdf, pdf.trailer, 'Root').get('Pages'), new Map(), 0)
  return leaves
}

export function firstPage(pdf: Pdf): PageLeaf {
  const [page] = listPages(pdf, 1)
  if (!page) throw new PdfError('There is no page')
  return page
}

/** Checks whether there is only white space between two positions. */
export function isBlank(bytes: Uint8Array, from: number, to: number) {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at])) return false
  return true
}
