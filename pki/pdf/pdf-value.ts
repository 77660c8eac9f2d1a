import { bytesOf, hexOf, sameBytes } from './pdf-bytes.ts'

/** The objects of ISO 32000-1 §7.3, and their text form. Streams are an object's dictionary and the bytes behind it. */
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

/** A text string, §7.9.2.2: ASCII as it is, everything else in UTF-16 with its mark. */
export function pdfText(text: string): PdfString {
  if (/^[\x20-\x7e]*$/.test(text)) return { kind: 'string', bytes: bytesOf(text) }
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
  return { kind: 'string', bytes: Uint8Array.from([0xfeff, ...units].flatMap((unit) => [unit >> 8, unit & 0xff])) }
}

/** A date in UTC, §7.9.4. */
export function pdfDate(at: Date) {
  return pdfText(`D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`)
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map
}

export function isReference(value: PdfValue | undefined): value is PdfReference {
  return isTagged(value) && value.kind === 'reference'
}

export function nameOf(value: PdfValue | undefined) {
  return isTagged(value) && value.kind === 'name' ? value.name : undefined
}

export function isName(value: PdfValue | undefined, name: string) {
  return isTagged(value) && value.kind === 'name' && value.name === name
}

export function isString(value: PdfValue | undefined): value is PdfString {
  return isTagged(value) && value.kind === 'string'
}

function isTagged(value: PdfValue | undefined): value is PdfName | PdfString | PdfReference {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** The text of a value in a file; every character of it is one byte (latin1). */
export function pdfSyntax(value: PdfValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberSyntax(value)
  if (Array.isArray(value)) return `[${value.map(pdfSyntax).join(' ')}]`
  if (value instanceof Map)
    return `<<${[...value].map(([key, item]) => `${nameSyntax(key)} ${pdfSyntax(item)}`).join(' ')}>>`
  if (value.kind === 'name') return nameSyntax(value.name)
  if (value.kind === 'string') return `<${hexOf(value.bytes)}>`
  return `${value.number} ${value.generation} R`
}

/**
 * Entries that are written as reals though their value is whole, as in `8.0`: a number here is the same for both, but
 * not for every reader, some of which ask for an integer.
 */
const wholeReals = new WeakMap<object, Set<string | number>>()

export function markWholeReal(container: object, key: string | number) {
  const marked = wholeReals.get(container)
  if (marked) marked.add(key)
  else wholeReals.set(container, new Set([key]))
}

export const isWholeReal = (container: object, key: string | number) => wholeReals.get(container)?.has(key) ?? false

/** A copy of a container keeps what was marked in it. */
export function copyWholeReals(from: object, to: object) {
  const marked = wholeReals.get(from)
  if (marked) wholeReals.set(to, new Set(marked))
}

/** The integer under a key, where the standard asks for one; undefined for everything else, whole reals among it. */
export function integerAt(container: PdfDictionary, key: string): number | undefined
export function integerAt(container: PdfValue[], key: number): number | undefined
export function integerAt(container: PdfDictionary | PdfValue[], key: string | number) {
  const value = Array.isArray(container) ? container[Number(key)] : container.get(String(key))
  return typeof value === 'number' && Number.isInteger(value) && !isWholeReal(container, key) ? value : undefined
}

/** Strings that are written in a way that some readers read differently, with how they are written. */
const unclearStrings = new WeakMap<PdfString, Uint8Array>()

/** A string with an unescaped carriage return, or with an octal number that is no byte. */
export function markUnclear(string: PdfString, written: Uint8Array) {
  unclearStrings.set(string, written)
}

/** A copy of a string is as unclear as the string itself. */
export function copyUnclear(from: PdfString, to: PdfString) {
  const written = unclearStrings.get(from)
  if (written) unclearStrings.set(to, written)
}

const sameString = (a: PdfString, b: PdfString) =>
  sameBytes(a.bytes, b.bytes) && sameBytes(unclearStrings.get(a) ?? a.bytes, unclearStrings.get(b) ?? b.bytes)

/** Reals have no exponent (§7.3.3), so what is smaller than six decimals is cut. */
function numberSyntax(value: number) {
  return String(Number(value.toFixed(6)))
}

function nameSyntax(name: string) {
  const escaped = name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (c) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `/${escaped}`
}

/** Boxes are numbers of any kind for every reader, and programs that sign write them as they like. */
const boxes = new Set(['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox', 'Rect'])

/** Whether a dictionary has under a key what it had before. */
export function sameEntry(old: PdfDictionary, now: PdfDictionary, key: string) {
  if (boxes.has(key)) return sameBox(old.get(key), now.get(key))
  return !becameReal(old, now, key) && sameValue(old.get(key), now.get(key))
}

/** Programs that sign write whole reals as integers, and never the other way. */
const becameReal = (old: object, now: object, key: string | number) => isWholeReal(now, key) && !isWholeReal(old, key)

const sameBox = (old: PdfValue | undefined, now: PdfValue | undefined) =>
  Array.isArray(old) && Array.isArray(now)
    ? old.length === now.length && old.every((item, index) => sameValue(item, now[index]))
    : sameValue(old, now)

/**
 * Whether two values are alike to the last bit; references are alike when they name the same object. A number in the
 * second must not be a real where it was an integer in the first, which is the older one.
 */
export function sameValue(a: PdfValue | undefined, b: PdfValue | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a))
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => !becameReal(a, b, index) && sameValue(item, b[index]))
    )
  if (a instanceof Map)
    return b instanceof Map && a.size === b.size && [...a.keys()].every((key) => b.has(key) && sameEntry(a, b, key))
  if (Array.isArray(b) || b instanceof Map || a.kind !== b.kind) return false
  if (a.kind === 'name') return a.name === (b as PdfName).name
  if (a.kind === 'string') return sameString(a, b as PdfString)
  return a.number === (b as PdfReference).number && a.generation === (b as PdfReference).generation
}

/** A date of a file, §7.9.4; undefined for a text that is none. */
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

/** A text string of a file, §7.9.2.2; PDFDocEncoding is read as ISO 8859-1, which it is but for a few marks. */
export function readPdfText(value: PdfValue | undefined) {
  if (!isString(value)) return undefined
  const { bytes } = value
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2))
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes.subarray(3))
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
