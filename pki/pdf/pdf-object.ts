import { spend, type ReadLimits } from './pdf-filter.ts'
import { PdfError, PdfParser } from './pdf-parser.ts'
import { isDictionary, isWholeReal, markWholeReal, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** An indirect object and its position, from the digits of its number to the end of `endobj`. */
export type PdfObject = {
  number: number
  generation: number
  value: PdfValue
  /** The encoded data of a stream; `value` is its dictionary. */
  data: Uint8Array | undefined
  /** The position of the data in the file. */
  dataStart: number | undefined
  start: number
  end: number
  /** The positions of /Contents in its dictionaries. */
  contents: Map<PdfDictionary, { start: number; end: number }>
  /** The number of the object stream that contains it; `start` and `end` are then zero. */
  objectStream: number | undefined
}

/** Reads the object that begins exactly at `offset`; `lengthOf` resolves a stream's length where that is a reference. Throws PdfError. */
export function readObjectAt(
  bytes: Uint8Array,
  offset: number,
  limits: ReadLimits,
  lengthOf: (value: PdfValue | undefined) => PdfValue | undefined = (value) => value,
): PdfObject {
  const first = bytes[offset] ?? 0
  if (first < 0x30 || first > 0x39) throw new PdfError(`No object begins at byte ${offset}`)
  const parser = new PdfParser(bytes, offset)
  try {
    const number = parser.integer()
    const generation = parser.integer()
    parser.expect('obj')
    const value = parser.value()
    const { wholeReal } = parser
    // Some readers require an integer, and otherwise see no data.
    const lengthIn = (dictionary: PdfDictionary) =>
      isWholeReal(dictionary, 'Length') ? null : lengthOf(dictionary.get('Length'))
    const data = isDictionary(value) && parser.take('stream') ? readData(parser, lengthIn(value)) : undefined
    const dataStart = data && data.byteOffset - bytes.byteOffset
    parser.expect('endobj')
    const { position: end, contents } = parser
    const object = { number, generation, value, data, dataStart, start: offset, end, contents, objectStream: undefined }
    if (wholeReal) markWholeReal(object, 'value')
    return object
  } finally {
    spend(limits, 'parsed', Math.max(0, parser.position - offset))
  }
}

/** Reads the data of a stream, which begins after one line end; `endstream` follows at the given length (ISO 32000-1 §7.3.8.1). */
function readData(parser: PdfParser, length: PdfValue | undefined) {
  const { bytes } = parser
  if (bytes[parser.position] === 0x0d) parser.position++
  if (bytes[parser.position] !== 0x0a) throw new PdfError('A stream does not begin on a line of its own')
  const start = parser.position + 1
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0 || start + length > bytes.length)
    throw new PdfError('A stream has no valid length')
  parser.position = start + length
  parser.skipBlank()
  if (bytes[parser.position] !== 0x65) throw new PdfError('A stream does not end where its length says')
  parser.expect('endstream')
  return bytes.subarray(start, start + length)
}
