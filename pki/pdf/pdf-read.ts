import { latin1 } from './pdf-bytes.ts'
import { decodeStream, type Inflate, type ReadBudget } from './pdf-filter.ts'
import { readObjectAt, type PdfObject } from './pdf-object.ts'
import { isSpace, PdfError, PdfParser } from './pdf-parser.ts'
import {
  copyUnclear,
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
import { entryIn, readRevisions, type Entry, type Revision } from './pdf-xref.ts'

/** Encrypts and decrypts strings and stream data of a file whose key is known. */
export type PdfSecurity = { encrypt: (bytes: Uint8Array) => Uint8Array; decrypt: (bytes: Uint8Array) => Uint8Array }

/**
 * A PDF as it stands after one of its revisions (ISO 32000-1 §7.5): cross-reference tables and streams, hybrid files
 * and object streams, read strictly. Objects are read when they are asked for, and then once.
 */
export type Pdf = {
  /** Of the whole file, later revisions included. */
  bytes: Uint8Array
  revisions: Revision[]
  /** Which of the revisions is the newest that is seen, counted from 0. */
  revision: number
  /** Where the newest cross-reference section begins, and its trailer. */
  startxref: number
  trailer: PdfDictionary
  entry: (number: number) => Entry
  /** The object of a number; undefined where there is none. Throws PdfError for one that is damaged. */
  object: (number: number) => PdfObject | undefined
  /** The value of an object, or of what a reference leads to; an object that is not there is null (§7.3.10). */
  resolve: (value: PdfValue | undefined) => PdfValue
  /** A stream's data without its filters; `rest` are those that are not undone here, `parameters` what they are given. */
  decode: (object: PdfObject) => { data: Uint8Array; rest: (string | undefined)[]; parameters: PdfValue[] }
  /** An object stream's data, and where in it the objects begin. */
  packed: (stream: number) => { data: Uint8Array; starts: number[]; numbers: number[] }
  security: PdfSecurity | undefined
  /** The same file as it stood after an earlier revision. */
  at: (revision: number) => Pdf
}

/** Enough for every honest file of ten megabytes, and over in a second for any other. */
const mostParsedTimes = 4
const mostInflated = 100 << 20

/** Files with compressed structure are refused where nothing inflates them, as in a browser. */
const noInflate: Inflate = () => {
  throw new PdfError('The file has compressed parts')
}

type OpenOptions = {
  inflate?: Inflate
  /** For an encrypted file, which is refused without: its security, or undefined to see it as it stands. */
  unlock?: () => PdfSecurity | undefined
}

/** Opens the newest revision; throws PdfError for a file that is damaged, or encrypted and not unlocked. */
export function openPdf(bytes: Uint8Array, { inflate = noInflate, unlock }: OpenOptions = {}): Pdf {
  if (!/^%PDF-[12]\.\d/.test(latin1(bytes, 0, 8))) throw new PdfError('The file does not begin as a PDF')
  const budget = { parsed: bytes.length * mostParsedTimes + 65_536, inflated: mostInflated }
  const file = { bytes, inflate, budget, revisions: readRevisions(bytes, inflate, budget) }
  const newest = file.revisions.length - 1
  const encrypted = file.revisions.some(({ sections }) => sections.some(({ trailer }) => trailer.has('Encrypt')))
  if (encrypted && !unlock) throw new PdfError('The file is encrypted', 'encrypted')
  const security = encrypted ? unlock?.() : undefined
  return viewOf({ ...file, security, objects: new Map(), streams: new Map() }, newest)
}

type PackedObjects = { data: Uint8Array; starts: number[]; numbers: number[] }

type PdfFile = {
  bytes: Uint8Array
  inflate: Inflate
  budget: ReadBudget
  revisions: Revision[]
  security: PdfSecurity | undefined
  /** By place and not by number, since revisions share what they did not change. */
  objects: Map<string | number, PdfObject>
  streams: Map<number, PackedObjects>
}

function viewOf(file: PdfFile, revision: number): Pdf {
  const { bytes, revisions, inflate, budget, security } = file
  const current = revisions[revision]
  if (!current) throw new RangeError('There is no such revision')
  const sections = revisions
    .slice(0, revision + 1)
    .flatMap((one) => one.sections.toReversed())
    .toReversed()
  const reading = new Set<number>()

  const entry = (number: number): Entry => {
    for (const section of sections) {
      const found = entryIn(section, number)
      if (found !== undefined) return found
    }
    return 'free'
  }
  const object = (number: number): PdfObject | undefined => {
    const found = entry(number)
    if (found === 'free') return undefined
    const place = 'offset' in found ? found.offset : `${found.stream}:${found.index}:${placeOf(entry(found.stream))}`
    const known = file.objects.get(place)
    if (known) return sameNumber(known, number, found)
    if (reading.has(number)) throw new PdfError('An object needs itself to be read')
    reading.add(number)
    try {
      const read = 'offset' in found ? readPlain(found.offset, number) : readPacked(number, found)
      file.objects.set(place, read)
      return sameNumber(read, number, found)
    } finally {
      reading.delete(number)
    }
  }
  const readPlain = (offset: number, number: number) => {
    const read = readObjectAt(bytes, offset, budget, lengthOf)
    if (read.number !== number) throw new PdfError(`Object ${number} is not where the file says`)
    return security ? decrypted(read, security, pdf) : read
  }
  const packed = (stream: number): PackedObjects => {
    const place = entry(stream)
    if (place === 'free' || !('offset' in place)) throw new PdfError('An object stream is missing')
    const known = file.streams.get(place.offset)
    if (known) return known
    const made = unpack(object(stream)!, decode)
    file.streams.set(place.offset, made)
    return made
  }
  const readPacked = (number: number, { stream, index }: { stream: number; index: number }): PdfObject => {
    const { data, starts, numbers } = packed(stream)
    const start = starts[index]
    if (start === undefined || numbers[index] !== number) throw new PdfError(`Object ${number} is not in its stream`)
    const parser = new PdfParser(data, start)
    const value = parser.value()
    const { wholeReal } = parser
    budget.parsed -= parser.position - start
    if (budget.parsed < 0) throw new PdfError('The file costs too much to read', 'too-costly')
    // Readers that end an object where the next one begins would see another one.
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
      packedIn: stream,
    }
    if (wholeReal) markWholeReal(read, 'value')
    return read
  }
  const resolve = (value: PdfValue | undefined): PdfValue => {
    if (!isReference(value)) return value ?? null
    const found = object(value.number)
    const reached = found?.generation === value.generation ? found.value : null
    // §7.3.10: some readers go on from there, and some do not.
    if (isReference(reached)) throw new PdfError(`Object ${value.number} is nothing but a reference`)
    return reached
  }
  const lengthOf = (value: PdfValue | undefined) => {
    const held = isReference(value) ? object(value.number) : undefined
    return held && isWholeReal(held, 'value') ? null : resolve(value)
  }
  const decode = ({ value, data }: PdfObject) => {
    if (!isDictionary(value) || !data) throw new PdfError('A stream is missing')
    const direct = new Map(value).set('Filter', resolveList(value.get('Filter'), resolve))
    direct.set('DecodeParms', resolveList(value.get('DecodeParms'), resolve))
    return decodeStream(direct, data, inflate, budget)
  }
  const { startxref, trailer } = current
  const at = (other: number) => viewOf(file, other)
  const pdf: Pdf = {
    bytes,
    revisions,
    revision,
    startxref,
    trailer,
    entry,
    object,
    resolve,
    decode,
    packed,
    security,
    at,
  }
  return pdf
}

const placeOf = (entry: Entry) => (entry !== 'free' && 'offset' in entry ? entry.offset : -1)

/** Two numbers that lead to one place make one of them wrong. */
function sameNumber(object: PdfObject, number: number, entry: Exclude<Entry, 'free'>) {
  if (object.number !== number || ('offset' in entry && object.generation !== entry.generation))
    throw new PdfError(`Object ${number} is not where the file says`)
  return object
}

function resolveList(value: PdfValue | undefined, resolve: Pdf['resolve']) {
  const list = resolve(value)
  return Array.isArray(list) ? list.map(resolve) : list
}

/** §7.5.7: the numbers and places of the objects stand first. */
function unpack(stream: PdfObject, decode: Pdf['decode']): PackedObjects {
  const dictionary = stream.value
  if (!isDictionary(dictionary) || !isName(dictionary.get('Type'), 'ObjStm'))
    throw new PdfError('An object stream is missing')
  const { data, rest } = decode(stream)
  const [count, first] = [integerAt(dictionary, 'N'), integerAt(dictionary, 'First')]
  if (rest.length > 0 || count === undefined || first === undefined || count > data.length)
    throw new PdfError('An object stream is built in another way')
  const parser = new PdfParser(data, 0)
  const starts: number[] = []
  const numbers: number[] = []
  for (let i = 0; i < count; i++) {
    numbers.push(parser.integer())
    starts.push(first + parser.integer())
    if (i > 0 && starts[i]! <= starts[i - 1]!) throw new PdfError('The objects of a stream are in no order')
  }
  if (parser.position > first) throw new PdfError('An object stream is built in another way')
  return { data, starts, numbers }
}

/**
 * §7.6.1: strings and streams are encrypted, but for the encryption dictionary, cross-reference streams and the
 * Contents of signatures.
 */
function decrypted(object: PdfObject, { decrypt }: PdfSecurity, pdf: Pdf): PdfObject {
  const { value, data, number } = object
  const own = pdf.trailer.get('Encrypt')
  if (isReference(own) && own.number === number) return object
  // By its place, as other readers do: one that only says that it is one is encrypted.
  const sections = pdf.revisions.flatMap((one) => one.sections)
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
        [...item].map(([key, one]) => [key, isSignature && key === 'Contents' ? one : plain(one)]),
      )
      const place = object.contents.get(item)
      if (place) contents.set(entries, place)
      copyWholeReals(item, entries)
      return entries
    }
    if (typeof item !== 'object' || item === null || item.kind !== 'string') return item
    const string = { kind: 'string', bytes: decrypt(item.bytes) } as const
    copyUnclear(item, string)
    return string
  }
  const opened = { ...object, value: plain(value), data: data && decrypt(data), contents }
  copyWholeReals(object, opened)
  return opened
}

/** The dictionary under a key of another one; throws PdfError where there is none. */
export function dictionaryAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = pdf.resolve(parent.get(key))
  if (!isDictionary(value)) throw new PdfError(`There is no dictionary at /${key}`)
  return value
}

/** Whether the number under a key is a whole real, there or in the object that the key leads to. */
export function isWholeRealAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = parent.get(key)
  const object = isReference(value) ? pdf.object(value.number) : undefined
  return object ? isWholeReal(object, 'value') : isWholeReal(parent, key)
}

/** The array under a key, an absent one being empty. */
export function arrayAt(pdf: Pdf, parent: PdfDictionary, key: string) {
  const value = pdf.resolve(parent.get(key))
  if (value !== null && !Array.isArray(value)) throw new PdfError(`There is no array at /${key}`)
  return value ?? []
}

export type PageLeaf = { reference: PdfReference; page: PdfDictionary; inherited: PdfDictionary }

const mostPages = 50_000
export const inheritedKeys = ['Resources', 'MediaBox', 'CropBox', 'Rotate']

/** The leaves of the page tree in their order (§7.7.3), with what they inherit. Throws PdfError for a broken tree. */
export function pagesOf(pdf: Pdf, most = mostPages): PageLeaf[] {
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
      if (holder.has(key)) own.set(key, holder.get(key)!)
      if (isWholeReal(holder, key)) markWholeReal(own, key)
    }
    if (!node.has('Kids')) {
      if (!isName(node.get('Type'), 'Page')) throw new PdfError('The page tree has a leaf that is no page')
      if (leaves.push({ reference, page: node, inherited: own }) > mostPages)
        throw new PdfError('There are too many pages', 'too-costly')
      return
    }
    for (const kid of arrayAt(pdf, node, 'Kids')) if (leaves.length < most) visit(kid, own, depth + 1)
  }
  visit(dictionaryAt(pdf, pdf.trailer, 'Root').get('Pages'), new Map(), 0)
  return leaves
}

/** The first leaf of the page tree. */
export function firstPage(pdf: Pdf): PageLeaf {
  const [page] = pagesOf(pdf, 1)
  if (!page) throw new PdfError('There is no page')
  return page
}

/** Whether a file has nothing but white space between two positions. */
export function isBlank(bytes: Uint8Array, from: number, to: number) {
  for (let at = from; at < to; at++) if (!isSpace(bytes[at])) return false
  return true
}
