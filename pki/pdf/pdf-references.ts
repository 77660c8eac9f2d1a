import { latin1 } from '../bytes.ts'
import { isDigit, isRegular, isSpace, PdfParser } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { isDictionary, isReference, type PdfValue } from './pdf-value.ts'
import { entryIn, forEachEntry, type XrefSection } from './pdf-xref.ts'

/** An object in use that refers to another one, or `unknown` if it cannot be determined. */
export type Referrer = number | 'unknown'

const maxReferrers = 64

/**
 * Finds the objects of a file that refer to some numbers, by their bytes and not by a walk from the catalog, because the next revision may
 * refer to an object that nothing refers to now. Anything that looks like a reference counts, even in a string: a false one is harmless, a
 * missed one would hide an attack.
 */
export function findReferrers(pdf: Pdf, wanted: ReadonlySet<number>): Map<number, Set<Referrer>> {
  const found = new Map([...wanted].map((number) => [number, new Set<Referrer>()]))
  let isAnyNumber = false
  const note = (number: number | undefined, referrer: () => Referrer | undefined) => {
    const referrers = number === undefined ? undefined : found.get(number)
    if (isAnyNumber || (referrers && referrers.size >= maxReferrers)) return
    const object = referrer()
    if (object === undefined) return
    referrers?.add(referrers.size === maxReferrers - 1 ? 'unknown' : object)
    if (number === undefined) isAnyNumber = true
  }
  if (wanted.size === 0) return found
  let finder: ReturnType<typeof objectFinder> | undefined
  const holderAt = (at: number) => (finder ??= objectFinder(pdf))(at)
  scan(pdf.bytes.subarray(0, pdf.current.end), wanted, (number, at) => note(number, () => holderAt(at)))
  for (const stream of objectStreams(pdf)) {
    const { data, starts, numbers } = pdf.objectStream(stream)
    const isInUse = (index: number) => {
      const number = numbers[index]
      const entry = number === undefined ? 'free' : pdf.entry(number)
      return entry !== 'free' && 'stream' in entry && entry.stream === stream && entry.index === index
    }
    const holderIn = (at: number) => {
      const index = starts.reduce((last, start, i) => (start <= at && start > (starts[last] ?? -1) ? i : last), -1)
      return index < 0 ? 'unknown' : isInUse(index) ? numbers[index] : undefined
    }
    scan(data, wanted, (number, at) => note(number, () => holderIn(at)))
  }
  if (isAnyNumber) for (const referrers of found.values()) referrers.add('unknown')
  return found
}

/**
 * Keys of dictionaries whose entries content or an annotation draws by their names (ISO 32000-1 tables 33, 112 and
 * 168), and of their lists.
 */
const drawn: ReadonlySet<string> = new Set([
  'Resources',
  'XObject',
  'Font',
  'Properties',
  'ExtGState',
  'Pattern',
  'Shading',
  'ColorSpace',
  'CharProcs',
  'N',
  'R',
  'D',
])

/** Finds which of these objects the file uses as such a dictionary, so that a new entry of any name might be drawn. */
export function usedAsResources(pdf: Pdf, wanted: ReadonlySet<number>): Set<number> {
  const used = new Set<number>()
  const read = new Set<Referrer>()
  /** Reads the values of an object: they decide where a comment makes the bytes ambiguous. */
  const readValues = (object: Referrer | undefined) => {
    if (typeof object !== 'number' || read.has(object)) return
    read.add(object)
    addDrawn(pdf.object(object)?.value ?? null, wanted, used)
  }
  const find = (bytes: Uint8Array, onAmbiguous: (at: number) => void) =>
    scan(bytes, wanted, (number, at, start) => {
      const key = keyBefore(bytes, start)
      if (number === undefined || key === undefined) onAmbiguous(at)
      else if (drawn.has(key)) used.add(number)
    })
  let finder: ReturnType<typeof objectFinder> | undefined
  find(pdf.bytes.subarray(0, pdf.current.end), (at) => readValues((finder ??= objectFinder(pdf))(at)))
  for (const stream of objectStreams(pdf)) {
    const { data, numbers } = pdf.objectStream(stream)
    let isAmbiguous = false
    find(data, () => {
      isAmbiguous = true
    })
    if (isAmbiguous) for (const number of numbers) readValues(number)
  }
  return used
}

function addDrawn(value: PdfValue, wanted: ReadonlySet<number>, used: Set<number>) {
  if (Array.isArray(value)) for (const item of value) addDrawn(item, wanted, used)
  else if (isDictionary(value))
    for (const [key, item] of value) {
      if (drawn.has(key) && isReference(item) && wanted.has(item.number)) used.add(item.number)
      addDrawn(item, wanted, used)
    }
}

const maxKeyLength = 64

/** Returns the key whose value begins at a position; empty if there is none, undefined where a comment may be in between. */
function keyBefore(bytes: Uint8Array, position: number): string | undefined {
  let end = position
  while (isSpace(bytes[end - 1])) end--
  if (hasComment(bytes, end - 1, position)) return undefined
  let start = end
  while (start > end - maxKeyLength && isRegular(bytes[start - 1])) start--
  if (bytes[start - 1] !== 0x2f) return ''
  return latin1(bytes, start, end).replace(/#([0-9a-fA-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Finds the object in use at a position of the file. */
function objectFinder(pdf: Pdf) {
  const starts = startsInUse(pdf)
  return (at: number): Referrer | undefined => {
    let [low, high] = [0, starts.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? Infinity) <= at) low = middle + 1
      else high = middle - 1
    }
    const start = starts[high]
    if (start === undefined) return undefined
    const object = pdf.object(new PdfParser(pdf.bytes, start).integer())
    if (object?.start !== start) return 'unknown'
    // An object that is no longer in use may follow; stream data contain no references.
    return at < (object.dataStart ?? object.end) ? object.number : undefined
  }
}

/** Returns the offsets of the objects in use in ascending order, which nearly every file already has. */
function startsInUse(pdf: Pdf) {
  const newer: XrefSection[] = []
  const starts: number[] = []
  for (const section of pdf.revisions
    .slice(0, pdf.revision + 1)
    .toReversed()
    .flatMap(({ sections }) => sections)) {
    forEachEntry(section.layers, (number, kind, offset) => {
      if (kind === 1 && !newer.some((later) => entryIn(later, number) !== undefined)) starts.push(offset)
    })
    newer.push(section)
  }
  const isInOrder = starts.every((start, index) => index === 0 || (starts[index - 1] ?? 0) <= start)
  return isInOrder ? starts : Float64Array.from(starts).toSorted()
}

function objectStreams(pdf: Pdf) {
  const streams = new Set<number>()
  for (const { sections } of pdf.revisions.slice(0, pdf.revision + 1))
    for (const { layers } of sections)
      forEachEntry(layers, (number, kind, stream) => {
        const entry = kind === 2 ? pdf.entry(number) : 'free'
        if (entry !== 'free' && 'stream' in entry && entry.stream === stream) streams.add(stream)
      })
  return streams
}

/** Checks for digits, signs and decimal points, which lenient readers take for a part of a number. */
const isNumeric = (byte: number | undefined) => isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e

/**
 * Calls `hit` for everything that a reader might take for a reference to one of the numbers, with the positions of its R and of its
 * number; without a number if a comment makes it ambiguous.
 */
function scan(
  bytes: Uint8Array,
  wanted: ReadonlySet<number>,
  hit: (number: number | undefined, at: number, start: number) => void,
) {
  for (let at = bytes.indexOf(0x52); at >= 0; at = bytes.indexOf(0x52, at + 1)) {
    if (isRegular(bytes[at + 1])) continue
    let i = at - 1
    while (isSpace(bytes[i])) i--
    const endOfGeneration = i
    while (isNumeric(bytes[i])) i--
    const startOfGeneration = i
    if (startOfGeneration < endOfGeneration) while (isSpace(bytes[i])) i--
    const end = i + 1
    while (end <= startOfGeneration && isNumeric(bytes[i])) i--
    // A comment between the parts may hide or imitate numbers.
    if (hasComment(bytes, end - 1, at)) hit(undefined, at, i + 1)
    if (i + 1 === end) continue
    const number = Math.trunc(Math.abs(Number(latin1(bytes, i + 1, end))))
    if (wanted.has(number)) hit(number, at, i + 1)
  }
}

const maxLineLength = 256

/** Checks whether a line that ends between two positions has a percent sign. */
function hasComment(bytes: Uint8Array, from: number, to: number) {
  let isBroken = false
  for (let i = from + 1; i < to; i++) if (bytes[i] === 0x0a || bytes[i] === 0x0d) isBroken = true
  if (!isBroken) return false
  for (let i = from; i >= 0 && bytes[i] !== 0x0a && bytes[i] !== 0x0d; i--)
    if (bytes[i] === 0x25 || from - i > maxLineLength) return true
  return false
}
