import { spend, type ReadBudget } from './pdf-filter.ts'
import { PdfError, PdfParser } from './pdf-parser.ts'
import { isDictionary, isWholeReal, markWholeReal, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** An object and where it lies: from the digits of its number up to the end of `endobj`. */
export type PdfObject = {
  number: number
  generation: number
  value: PdfValue
  /** The data of a stream as it stands in the file; `value` is its dictionary. */
  data: Uint8Array | undefined
  /** Where in the file the data begin. */
  dataStart: number | undefined
  start: number
  end: number
  /** Where the /Contents of its dictionaries stand. */
  contents: Map<PdfDictionary, { start: number; end: number }>
  /** The number of the object stream that it is packed in; `start` and `end` are then zero. */
  packedIn: number | undefined
}

/** Reads the object that begins exactly at `offset`; `lengthOf` resolves a stream's length where that is a reference. Throws PdfError. */
export function readObjectAt(
  bytes: Uint8Array,
  offset: number,
  budget: ReadBudget,
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
    // Some readers ask for an integer, and find no data without one.
    const lengthIn = (dictionary: PdfDictionary) =>
      isWholeReal(dictionary, 'Length') ? null : lengthOf(dictionary.get('Length'))
    const data = isDictionary(value) && parser.take('stream') ? readData(parser, lengthIn(value)) : undefined
    const dataStart = data && data.byteOffset - bytes.byteOffset
    parser.expect('endobj')
    const { position: end, contents } = parser
    const object = { number, generation, value, data, dataStart, start: offset, end, contents, packedIn: undefined }
    if (wholeReal) markWholeReal(object, 'value')
    return object
  } finally {
    spend(budget, 'parsed', Math.max(0, parser.position - offset))
  }
}

/** ISO 32000-1 §7.3.8.1: the data begins behind one line end, and `endstream` stands where the length says. */
function readData(parser: PdfParser, length: PdfValue | undefined) {
  const { bytes } = parser
  if (bytes[parser.position] === 0x0d) parser.position++
  if (bytes[parser.position] !== 0x0a) throw new PdfError('A stream does not begin on a line of its own')
  const start = parser.position + 1
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0 || start + length > bytes.length)
    throw new PdfError('A stream has no length')
  parser.position = start + length
  parser.skipBlank()
  if (bytes[parser.position] !== 0x65) throw new PdfError('A stream does not end where its length says')
  parser.expect('endstream')
  return bytes.subarray(start, start + length)
}
