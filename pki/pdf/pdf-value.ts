import { bytesOf, hexOf, latin1, sameBytes } from '../bytes.ts'

/** The objects of ISO 32000-1 §7.3 and their syntax. A stream is an indirect object with a dictionary and data. */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfReference | PdfValue[] | PdfDictionary

export type PdfDictionary = Map<string, PdfValue>

export type PdfName = { kind: 'name'; name: string }

export type PdfString = { kind: 'string'; bytes: Uint8Array }

export type PdfReference = { kind: 'reference'; number: number; generation: number }

export const pdfName = (name: string): PdfName => ({ kind: 'name', name })

export const pdfReference = (number: number, generation = 0): PdfReference => ({
  kind: 'reference',
  number,
  generation,
})

export const pdfDictionary = (entries: Record<string, PdfValue>): PdfDictionary => new Map(Object.entries(entries))

/** Encodes a text string (§7.9.2.2): ASCII as it is, everything else in UTF-16 with a byte order mark. */
export function pdfText(text: string): PdfString {
  if (/^[\x20-\x7e]*$/.test(text)) return { kind: 'string', bytes: bytesOf(text) }
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
  return { kind: 'string', bytes: Uint8Array.from([0xfeff, ...units].flatMap((unit) => [unit >> 8, unit & 0xff])) }
}

/** Encodes a date in UTC (§7.9.4). */
export const pdfDate = (at: Date) => pdfText(`D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`)

export const isDictionary = (value: PdfValue | undefined): value is PdfDictionary => value instanceof Map

export const isReference = (value: PdfValue | undefined): value is PdfReference =>
  isTagged(value) && value.kind === 'reference'

export const nameOf = (value: PdfValue | undefined) =>
  isTagged(value) && value.kind === 'name' ? value.name : undefined

export const isName = (value: PdfValue | undefined, name: string) =>
  isTagged(value) && value.kind === 'name' && value.name === name

export const isString = (value: PdfValue | undefined): value is PdfString => isTagged(value) && value.kind === 'string'

const isTagged = (value: PdfValue | undefined): value is PdfName | PdfString | PdfReference =>
  typeof value === 'object' && value !== null && 'kind' in value

/**
 * Writes a value in the syntax of a file; each character is one byte (ISO 8859-1). A value that was read is written so that it reads the
 * same.
 */
export function pdfSyntax(value: PdfValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberSyntax(value)
  if (Array.isArray(value)) return `[${value.map((item, index) => entrySyntax(value, index, item)).join(' ')}]`
  if (value instanceof Map)
    return `<<${[...value].map(([key, item]) => `${nameSyntax(key)} ${entrySyntax(value, key, item)}`).join(' ')}>>`
  if (value.kind === 'name') return nameSyntax(value.name)
  if (value.kind === 'reference') return `${value.number} ${value.generation} R`
  const ambiguous = ambiguousStrings.get(value)
  return ambiguous ? `(${latin1(ambiguous)})` : `<${hexOf(value.bytes)}>`
}

const entrySyntax = (container: object, key: string | number, item: PdfValue) =>
  `${pdfSyntax(item)}${isWholeReal(container, key) ? '.0' : ''}`

/** Copies a dictionary with other values under some keys. */
export function withEntries(dictionary: PdfDictionary, entries: Record<string, PdfValue>): PdfDictionary {
  const copy = new Map([...dictionary, ...Object.entries(entries)])
  for (const key of copy.keys())
    if (!Object.hasOwn(entries, key) && isWholeReal(dictionary, key)) markWholeReal(copy, key)
  return copy
}

/**
 * Entries that are written as reals with a whole value, as in `8.0`. Some readers require an integer and see no number
 * there, so the two forms are not equal.
 */
const wholeReals = new WeakMap<object, Set<string | number>>()

export function markWholeReal(container: object, key: string | number) {
  const marked = wholeReals.get(container)
  if (marked) marked.add(key)
  else wholeReals.set(container, new Set([key]))
}

export const isWholeReal = (container: object, key: string | number) => wholeReals.get(container)?.has(key) ?? false

/** Copies the marks of a container to its copy. */
export function copyWholeReals(from: object, to: object) {
  const marked = wholeReals.get(from)
  if (marked) wholeReals.set(to, new Set(marked))
}

/** Returns the integer under a key; undefined for everything else, whole reals included. */
export function integerAt(container: PdfDictionary, key: string): number | undefined
export function integerAt(container: PdfValue[], key: number): number | undefined
export function integerAt(container: PdfDictionary | PdfValue[], key: string | number) {
  const value = Array.isArray(container) ? container[Number(key)] : container.get(String(key))
  return typeof value === 'number' && Number.isInteger(value) && !isWholeReal(container, key) ? value : undefined
}

/** Returns the numbers of an array of exactly four, as byte ranges and rectangles are; undefined for anything else. */
export function fourNumbers(values: readonly PdfValue[]): [number, number, number, number] | undefined {
  const [a, b, c, d] = values
  const areNumbers = typeof a === 'number' && typeof b === 'number' && typeof c === 'number' && typeof d === 'number'
  return areNumbers && values.length === 4 ? [a, b, c, d] : undefined
}

/** Strings whose syntax readers interpret differently, with that syntax. */
const ambiguousStrings = new WeakMap<PdfString, Uint8Array>()

/** Marks a string with an unescaped carriage return, or with an octal number larger than a byte. */
export function markAmbiguous(string: PdfString, syntax: Uint8Array) {
  ambiguousStrings.set(string, syntax)
}

/** Copies the mark of a string to its copy. */
export function copyAmbiguity(from: PdfString, to: PdfString) {
  const syntax = ambiguousStrings.get(from)
  if (syntax) ambiguousStrings.set(to, syntax)
}

const sameString = (a: PdfString, b: PdfString) =>
  sameBytes(a.bytes, b.bytes) && sameBytes(ambiguousStrings.get(a) ?? a.bytes, ambiguousStrings.get(b) ?? b.bytes)

/** Writes as many digits as distinguish the number from any other, without an exponent (§7.3.3). */
function numberSyntax(value: number) {
  const [digits = '', exponent] = String(value).split('e-')
  if (exponent === undefined) return digits
  const sign = value < 0 ? '-' : ''
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace(/\D/g, '')}`
}

function nameSyntax(name: string) {
  const escaped = name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (c) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `/${escaped}`
}

/** Every reader takes integers and reals in rectangles, and signing programs rewrite them. */
const boxes = new Set(['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox', 'Rect'])

export function sameEntry(old: PdfDictionary, now: PdfDictionary, key: string) {
  if (boxes.has(key)) return sameBox(old.get(key), now.get(key))
  return !isIntegerWrittenAsReal(old, now, key) && isSameValue(old.get(key), now.get(key))
}

export const changedKeys = (old: PdfDictionary, now: PdfDictionary): string[] =>
  [...new Set([...old.keys(), ...now.keys()])].filter((key) => !sameEntry(old, now, key))

/** Checks whether a number has become a whole real: signing programs write whole reals as integers, never the reverse. */
export const isIntegerWrittenAsReal = (old: object, now: object, key: string | number) =>
  isWholeReal(now, key) && !isWholeReal(old, key)

const sameBox = (old: PdfValue | undefined, now: PdfValue | undefined) =>
  Array.isArray(old) && Array.isArray(now)
    ? old.length === now.length && old.every((item, index) => isSameValue(item, now[index]))
    : isSameValue(old, now)

/**
 * Checks whether two values are identical; references are identical if they name the same object. A number in the second, newer value must
 * not be a real where it was an integer in the first.
 */
export function isSameValue(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => !isIntegerWrittenAsReal(a, b, index) && isSameValue(item, b[index]))
    )
  if (a instanceof Map)
    return b instanceof Map && a.size === b.size && [...a.keys()].every((key) => b.has(key) && sameEntry(a, b, key))
  if (Array.isArray(b) || b instanceof Map) return false
  if (a.kind === 'name') return b.kind === 'name' && a.name === b.name
  if (a.kind === 'string') return b.kind === 'string' && sameString(a, b)
  return b.kind === 'reference' && a.number === b.number && a.generation === b.generation
}

/** Reads a date of a file (§7.9.4); undefined for a text that is not a date. */
export function readPdfDate(value: PdfValue | undefined) {
  if (!isString(value)) return undefined
  const text = String.fromCharCode(...value.bytes.subarray(0, 32))
  const match = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', sign, hours = '00', minutes = '00'] = match
  const zone = sign ? `${sign}${hours}:${minutes}` : 'Z'
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** Characters in which PDFDocEncoding differs from ISO 8859-1 (Annex D.2): from 0x18 and from 0x80 on. */
const docEncoding = new Map(
  (
    [
      [0x18, '˘ˇˆ˙˝˛˚˜'],
      [0x80, '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'],
      [0xa0, '€'],
    ] as const
  ).flatMap(([first, letters]) => [...letters].map((letter, index) => [first + index, letter] as const)),
)

/** Reads a text string of a file (§7.9.2.2). */
export function readPdfText(value: PdfValue | undefined) {
  if (!isString(value)) return undefined
  const { bytes } = value
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2))
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes.subarray(3))
  return Array.from(bytes, (byte) => docEncoding.get(byte) ?? String.fromCharCode(byte)).join('')
}
