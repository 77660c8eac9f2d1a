import { bytesOf, fromHex, joined, latin1, startsWith } from '../bytes.ts'
import {
  markAmbiguous,
  markWholeReal,
  pdfName,
  pdfReference,
  sameEntry,
  type PdfDictionary,
  type PdfString,
  type PdfValue,
} from './pdf-value.ts'

export type PdfErrorCode = 'damaged' | 'stray-bytes' | 'encrypted' | 'wrong-password' | 'too-costly'

/**
 * A damaged or unsupported PDF. `stray-bytes`: there is something before its first byte or after its last one, which
 * readers pass over, each in its own way; `encrypted`: it needs a password and none was given, or uses an unsupported
 * encryption; `too-costly`: reading it would exceed the limits for a file of its size.
 */
export class PdfError extends Error {
  override name = 'PdfError'
  readonly code: PdfErrorCode
  constructor(message: string, code: PdfErrorCode = 'damaged', options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const deepest = 100
const endMark = bytesOf('%%EOF')
const maxStringLength = 1 << 22

/** White space, delimiters, and everything else (ISO 32000-1 §7.2.2). */
const kinds = new Uint8Array(256)
for (const byte of [0x20, 0x0a, 0x0d, 0x09, 0x0c, 0]) kinds[byte] = 1
for (const byte of bytesOf('()<>[]{}/%')) kinds[byte] = 2

export const isSpace = (byte: number | undefined) => byte !== undefined && kinds[byte] === 1

export const isRegular = (byte: number | undefined) => byte !== undefined && kinds[byte] === 0

export const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= 0x30 && byte <= 0x39

/**
 * Reads values from `position` on, strictly by ISO 32000-1 §7.2 and §7.3: nothing is repaired, and every step either
 * advances or throws, so that a damaged file cannot hang the reader.
 */
export class PdfParser {
  readonly bytes: Uint8Array
  position: number
  /** The position of /Contents in each dictionary, brackets included: a signature must leave out exactly these bytes. */
  readonly contents = new Map<PdfDictionary, { start: number; end: number }>()
  /** Whether the last value was a whole number written as a real. */
  wholeReal = false

  constructor(bytes: Uint8Array, position: number) {
    this.bytes = bytes
    this.position = position
  }

  /** Skips white space and comments. */
  skipSpace() {
    for (;;) {
      const byte = this.bytes[this.position]
      if (byte === 0x25) while (this.position < this.bytes.length && !this.#atLineEnd()) this.position++
      else if (isSpace(byte)) this.position++
      else return
    }
  }

  /** Skips white space alone. */
  skipBlank() {
    while (isSpace(this.bytes[this.position])) this.position++
  }

  /** Reads the end of a revision (§7.5.5): the position of its cross-reference section, and its own end. */
  endOfRevision() {
    this.expect('startxref')
    const startxref = this.integer()
    this.skipBlank()
    if (!startsWith(this.bytes, endMark, this.position)) throw this.#unexpected('%%EOF')
    this.position += endMark.length
    return { startxref, end: this.position }
  }

  #atLineEnd() {
    const byte = this.bytes[this.position]
    return byte === 0x0a || byte === 0x0d
  }

  /** Consumes a keyword if it is the next token. */
  take(word: string) {
    this.skipSpace()
    const end = this.position + word.length
    if (isRegular(this.bytes[end])) return false
    for (let i = 0; i < word.length; i++) if (this.bytes[this.position + i] !== word.charCodeAt(i)) return false
    this.position = end
    return true
  }

  expect(word: string) {
    if (!this.take(word)) throw this.#unexpected(`«${word}»`)
  }

  /** Reads an unsigned integer of at most ten digits, the longest in cross-reference tables. */
  integer() {
    this.skipSpace()
    const digits = this.#regular()
    if (!/^\d{1,10}$/.test(digits)) throw this.#unexpected('an integer')
    return Number(digits)
  }

  value(depth = 0): PdfValue {
    if (depth > deepest) throw new PdfError('Values are nested too deeply')
    this.skipSpace()
    this.wholeReal = false
    const byte = this.bytes[this.position]
    if (byte === 0x2f) return pdfName(this.#name())
    if (byte === 0x28) return this.#literalString()
    if (byte === 0x5b) return this.#array(depth)
    if (byte === 0x3c && this.bytes[this.position + 1] === 0x3c) return this.#dictionary(depth)
    if (byte === 0x3c) return { kind: 'string', bytes: this.#hexString() }
    const word = this.#regular()
    if (word === 'null') return null
    if (word === 'true' || word === 'false') return word === 'true'
    if (/^\d{1,10}$/.test(word)) return this.#reference(Number(word)) ?? Number(word)
    if (/^[+-]?(?:\d{1,10}(?:\.\d*)?|\.\d+)$/.test(word)) {
      this.wholeReal = word.includes('.') && Number.isInteger(Number(word))
      return Number(word)
    }
    throw this.#unexpected('a value')
  }

  #unexpected(expected: string) {
    return new PdfError(`Expected ${expected} at byte ${this.position}`)
  }

  #regular() {
    const start = this.position
    while (isRegular(this.bytes[this.position])) this.position++
    return this.#text(start, this.position)
  }

  #text(start: number, end: number) {
    return latin1(this.bytes, start, end)
  }

  #reference(number: number) {
    const start = this.position
    this.skipSpace()
    const generation = this.#regular()
    if (/^\d{1,5}$/.test(generation) && this.take('R')) return pdfReference(number, Number(generation))
    this.position = start
    return undefined
  }

  #name() {
    this.position++
    return this.#regular().replace(/#([0-9a-fA-F]{2})?/g, (_, code: string | undefined) => {
      // Some readers end a name at a zero byte, which §7.3.5 forbids.
      if (code === undefined || code === '00') throw this.#unexpected('two hexadecimal digits in a name')
      return String.fromCharCode(Number.parseInt(code, 16))
    })
  }

  #array(depth: number) {
    this.position++
    const items: PdfValue[] = []
    for (;;) {
      this.skipSpace()
      if (this.bytes[this.position] === 0x5d) break
      items.push(this.value(depth + 1))
      if (this.wholeReal) markWholeReal(items, items.length - 1)
    }
    this.position++
    this.wholeReal = false
    return items
  }

  #dictionary(depth: number) {
    this.position += 2
    const entries: PdfDictionary = new Map()
    for (;;) {
      this.skipSpace()
      if (this.bytes[this.position] === 0x3e && this.bytes[this.position + 1] === 0x3e) break
      if (this.bytes[this.position] !== 0x2f) throw this.#unexpected('a key')
      const key = this.#name()
      this.skipSpace()
      const start = this.position
      const value = this.value(depth + 1)
      // Readers take the first or the last of two values.
      if (entries.has(key) && (this.wholeReal || !sameEntry(entries, new Map([[key, value]]), key)))
        throw new PdfError(`The key /${key} has two values in a dictionary`)
      entries.set(key, value)
      if (this.wholeReal) markWholeReal(entries, key)
      if (key === 'Contents') this.contents.set(entries, { start, end: this.position })
    }
    this.position += 2
    this.wholeReal = false
    return entries
  }

  #hexString() {
    const end = this.bytes.indexOf(0x3e, this.position)
    if (end < 0) throw this.#unexpected('the end of a string')
    const whole = this.bytes.subarray(this.position + 1, end)
    const bytes = fromHex(whole) ?? this.#spacedHex(whole)
    this.position = end + 1
    return bytes
  }

  #spacedHex(whole: Uint8Array) {
    const digits = whole.filter((byte) => !isSpace(byte))
    // §7.3.4.3: a missing last digit counts as zero.
    const even = digits.length % 2 === 0 ? digits : joined([digits, Uint8Array.of(0x30)])
    const bytes = fromHex(even)
    if (!bytes) throw this.#unexpected('hexadecimal digits')
    return bytes
  }

  #literalString(): PdfString {
    const out: number[] = []
    let open = 1
    let isAmbiguous = false
    const start = ++this.position
    for (;;) {
      const byte = this.bytes[this.position++]
      if (byte === undefined || out.length > maxStringLength) throw this.#unexpected('the end of a string')
      if (byte === 0x5c) {
        // Octal numbers from 400 on exceed a byte, and readers truncate them differently.
        isAmbiguous ||= /^[4-7][0-7]{2}/.test(this.#text(this.position, this.position + 3))
        out.push(...this.#escaped())
        continue
      }
      if (byte === 0x28) open++
      if (byte === 0x29 && --open === 0) {
        const string: PdfString = { kind: 'string', bytes: Uint8Array.from(out) }
        if (isAmbiguous) markAmbiguous(string, this.bytes.subarray(start, this.position - 1))
        return string
      }
      // §7.3.4.2: any line end in a string counts as one line feed. Many readers keep its bytes.
      if (byte === 0x0d) {
        isAmbiguous = true
        if (this.bytes[this.position] === 0x0a) this.position++
        out.push(0x0a)
      } else out.push(byte)
    }
  }

  #escaped() {
    const octal = /^[0-7]{1,3}/.exec(this.#text(this.position, this.position + 3))?.[0]
    if (octal !== undefined) {
      this.position += octal.length
      return [Number.parseInt(octal, 8) & 0xff]
    }
    const byte = this.bytes[this.position++] ?? 0x5c
    if (byte === 0x0d && this.bytes[this.position] === 0x0a) this.position++
    if (byte === 0x0a || byte === 0x0d) return []
    const control = 'nrtbf'.indexOf(String.fromCharCode(byte))
    return [control < 0 ? byte : '\n\r\t\b\f'.charCodeAt(control)]
  }
}
