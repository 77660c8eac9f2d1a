import { isRegular, isSpace, PdfParser } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { entryIn, type XrefSection } from './pdf-xref.ts'

/** Where a number is referred to: by a living object, or in a way that cannot be told for sure. */
export type Referrer = number | 'unclear'

const mostReferrers = 64

/**
 * Which objects of a file refer to some numbers. It is read from the bytes and not by walking from the catalog, because
 * what nothing leads to today may be led to by the next revision. What looks like a reference counts as one, even in a
 * string: too many are harmless, one too few would hide an attack.
 */
export function referrersOf(pdf: Pdf, wanted: ReadonlySet<number>): Map<number, Set<Referrer>> {
  const found = new Map([...wanted].map((number) => [number, new Set<Referrer>()]))
  let anyNumber = false
  const note = (number: number | undefined, referrer: () => Referrer | undefined) => {
    const referrers = number === undefined ? undefined : found.get(number)
    if (anyNumber || (referrers && referrers.size >= mostReferrers)) return
    const who = referrer()
    if (who === undefined) return
    referrers?.add(referrers.size === mostReferrers - 1 ? 'unclear' : who)
    if (number === undefined) anyNumber = true
  }
  if (wanted.size === 0) return found
  const end = pdf.revisions[pdf.revision]!.end
  let places: ReturnType<typeof plainPlaces> | undefined
  const holderAt = (at: number) => (places ??= plainPlaces(pdf)).holderAt(at)
  scan(pdf.bytes.subarray(0, end), wanted, (number, at) => note(number, () => holderAt(at)))
  for (const stream of objectStreams(pdf)) {
    const { data, starts, numbers } = pdf.packed(stream)
    const isLiving = (index: number) => {
      const entry = pdf.entry(numbers[index]!)
      return entry !== 'free' && 'stream' in entry && entry.stream === stream && entry.index === index
    }
    const holderIn = (at: number) => {
      const index = starts.reduce((last, start, i) => (start <= at && start > (starts[last] ?? -1) ? i : last), -1)
      return index < 0 ? 'unclear' : isLiving(index) ? numbers[index] : undefined
    }
    scan(data, wanted, (number, at) => note(number, () => holderIn(at)))
  }
  if (anyNumber) for (const referrers of found.values()) referrers.add('unclear')
  return found
}

/** Finds the living object that a place of the file lies in. */
function plainPlaces(pdf: Pdf) {
  const starts = livingStarts(pdf)
  const holderAt = (at: number): Referrer | undefined => {
    let [low, high] = [0, starts.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= at) low = middle + 1
      else high = middle - 1
    }
    const start = starts[high]
    if (start === undefined) return undefined
    const object = pdf.object(new PdfParser(pdf.bytes, start).integer())
    if (object?.start !== start) return 'unclear'
    // Behind the end of an object there may be one that is no longer alive; data of a stream lead nowhere.
    return at < (object.dataStart ?? object.end) ? object.number : undefined
  }
  return { holderAt }
}

/** In ascending order, which is how nearly every file has them. */
function livingStarts(pdf: Pdf) {
  const newer: XrefSection[] = []
  const starts: number[] = []
  for (const section of pdf.revisions
    .slice(0, pdf.revision + 1)
    .toReversed()
    .flatMap((one) => one.sections)) {
    for (const layer of section.layers)
      for (const { first, kinds, fields } of layer)
        for (let i = 0; i < kinds.length; i++)
          if (kinds[i] === 1 && !newer.some((one) => entryIn(one, first + i) !== undefined)) starts.push(fields[2 * i]!)
    newer.push(section)
  }
  const isInOrder = starts.every((start, index) => index === 0 || starts[index - 1]! <= start)
  return isInOrder ? starts : Float64Array.from(starts).toSorted()
}

function objectStreams(pdf: Pdf) {
  const streams = new Set<number>()
  for (const { sections } of pdf.revisions.slice(0, pdf.revision + 1))
    for (const { layers } of sections)
      for (const { first, kinds, fields } of layers.flat())
        for (let i = 0; i < kinds.length; i++) {
          const entry = kinds[i] === 2 ? pdf.entry(first + i) : 'free'
          if (entry !== 'free' && 'stream' in entry && entry.stream === fields[2 * i]) streams.add(entry.stream)
        }
  return streams
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Digits, and what lenient readers take for a part of a number. */
const isNumeric = (byte: number | undefined) => isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e

/**
 * Calls `hit` for everything that a reader might take for a reference to one of the numbers, with the place of its R;
 * without a number where a comment leaves it open which one is meant.
 */
function scan(bytes: Uint8Array, wanted: ReadonlySet<number>, hit: (number: number | undefined, at: number) => void) {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = whole.indexOf(0x52); at >= 0; at = whole.indexOf(0x52, at + 1)) {
    if (isRegular(bytes[at + 1])) continue
    let i = at - 1
    while (isSpace(bytes[i])) i--
    const endOfGeneration = i
    while (isNumeric(bytes[i])) i--
    const startOfGeneration = i
    if (startOfGeneration < endOfGeneration) while (isSpace(bytes[i])) i--
    const end = i + 1
    while (end <= startOfGeneration && isNumeric(bytes[i])) i--
    // A comment may stand between the parts, and hide or feign numbers.
    if (hasComment(bytes, end - 1, at)) hit(undefined, at)
    if (i + 1 === end) continue
    let text = ''
    for (let k = i + 1; k < end; k++) text += String.fromCharCode(bytes[k]!)
    const number = Math.trunc(Math.abs(Number(text)))
    if (wanted.has(number)) hit(number, at)
  }
}

const longestLine = 256

/** Whether the line that ends between two places has a percent sign. */
function hasComment(bytes: Uint8Array, from: number, to: number) {
  let broken = false
  for (let i = from + 1; i < to; i++) if (bytes[i] === 0x0a || bytes[i] === 0x0d) broken = true
  if (!broken) return false
  for (let i = from; i >= 0 && bytes[i] !== 0x0a && bytes[i] !== 0x0d; i--)
    if (bytes[i] === 0x25 || from - i > longestLine) return true
  return false
}
