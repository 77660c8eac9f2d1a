import { inflate } from '#runtime'
import { fromHex } from '../bytes.ts'
import { isSpace, PdfError } from './pdf-parser.ts'
import { integerAt, isDictionary, nameOf, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** Number of bytes that may still be read of one file. */
export type ReadLimits = { parsed: number; inflated: number }

export function spend(limits: ReadLimits, what: keyof ReadLimits, bytes: number) {
  limits[what] -= bytes
  if (limits[what] < 0) throw new PdfError('The file costs too much to read', 'too-costly')
}

/**
 * Decodes the data of a stream as far as its filters are FlateDecode, ASCIIHexDecode and ASCII85Decode (ISO 32000-1 §7.4); `rest` names the
 * remaining filters, mostly those of images, and `parameters` are theirs. Throws PdfError for damaged data, and for parameters that do not
 * match the filters one to one.
 */
export function decodeStream(dictionary: PdfDictionary, data: Uint8Array, limits: ReadLimits) {
  const [filter, given] = [dictionary.get('Filter'), dictionary.get('DecodeParms') ?? null]
  const filters = listOf(filter).map(nameOf)
  const parameters = listOf(given)
  if (given !== null && Array.isArray(given) !== Array.isArray(filter))
    throw new PdfError('The parameters of a stream are not those of its filters')
  let decoded = data
  for (const [index, name] of filters.entries()) {
    const parameter = parameters[index]
    if (name === 'FlateDecode' && !isTiffPredictor(parameter))
      decoded = undoPredictor(inflated(decoded, limits), parameter)
    else if (name === 'ASCIIHexDecode') decoded = fromAsciiHex(decoded)
    else if (name === 'ASCII85Decode') decoded = fromAscii85(decoded, limits)
    else return { data: decoded, rest: filters.slice(index), parameters: parameters.slice(index) }
  }
  return { data: decoded, rest: [], parameters: [] }
}

/** Checks whether parameters name the TIFF predictor, which only images use and which is not undone here. */
const isTiffPredictor = (parameter: PdfValue | undefined) =>
  isDictionary(parameter) && integerAt(parameter, 'Predictor') === 2

const listOf = (value: PdfValue | undefined) =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

function inflated(data: Uint8Array, limits: ReadLimits) {
  let bytes
  try {
    bytes = inflate(data, Math.max(1, limits.inflated))
  } catch (cause) {
    const isBomb = cause instanceof RangeError
    throw new PdfError('A stream cannot be inflated', isBomb ? 'too-costly' : 'damaged', { cause })
  }
  spend(limits, 'inflated', bytes.length)
  return bytes
}

function fromAsciiHex(data: Uint8Array) {
  const end = data.indexOf(0x3e)
  const bytes = fromHex(data.subarray(0, end < 0 ? data.length : end).filter((byte) => !isSpace(byte)))
  if (!bytes) throw new PdfError('A stream is not hexadecimal')
  return bytes
}

/** Decodes ASCII base 85 strictly (§7.4.3): readers interpret anything else differently. */
function fromAscii85(data: Uint8Array, limits: ReadLimits) {
  const digits = data.filter((byte) => ![0x20, 0x09, 0x0a, 0x0d].includes(byte))
  const end = digits.length - 2
  if (end < 0 || digits[end] !== 0x7e || digits[end + 1] !== 0x3e) throw new PdfError('A stream in base 85 has no end')
  const zeros = digits.reduce((sum, digit) => sum + (digit === 0x7a ? 1 : 0), 0)
  const most = zeros * 4 + (end - zeros)
  spend(limits, 'inflated', most)
  const out = new Uint8Array(most)
  let [length, at] = [0, 0]
  while (at < end) {
    if (digits[at] === 0x7a) {
      // Four zero bytes.
      length += 4
      at++
      continue
    }
    const count = Math.min(5, end - at)
    let value = 0
    for (let i = 0; i < 5; i++) {
      const digit = i < count ? (digits[at + i] ?? 0) - 0x21 : 84
      if (digit < 0 || digit > 84) throw new PdfError('A stream is not in base 85')
      value = value * 85 + digit
    }
    if (count === 1 || value > 0xff_ff_ff_ff) throw new PdfError('A stream is not in base 85')
    for (let i = 0; i < count - 1; i++) out[length + i] = value / 256 ** (3 - i)
    length += count - 1
    at += count
  }
  return out.subarray(0, length)
}

/** Undoes the PNG predictors (§7.4.4.4). */
function undoPredictor(data: Uint8Array, parameters: PdfValue | undefined) {
  if (!isDictionary(parameters)) return data
  // All of them, needed or not: readers that require integers would otherwise decode other data.
  const number = (key: string, fallback: number) => {
    const value = (parameters.get(key) ?? null) === null ? fallback : integerAt(parameters, key)
    if (value === undefined || value < 1 || value > 65_536) throw new PdfError(`The filter's /${key} is not a number`)
    return value
  }
  const [colors, bits, columns] = [number('Colors', 1), number('BitsPerComponent', 8), number('Columns', 1)]
  const predictor = number('Predictor', 1)
  if (parameters.has('EarlyChange') && ![0, 1].includes(integerAt(parameters, 'EarlyChange') ?? -1))
    throw new PdfError("The filter's /EarlyChange is not a number")
  if (predictor === 1) return data
  if (predictor < 10 || predictor > 15) throw new PdfError('The predictor is not supported')
  if (colors > 32 || ![1, 2, 4, 8, 16].includes(bits)) throw new PdfError('The predictor is not supported')
  const pixel = Math.ceil((colors * bits) / 8)
  const width = Math.ceil((colors * bits * columns) / 8)
  if (data.length % (width + 1) !== 0) throw new PdfError('A stream with a predictor has an incomplete row')
  const rows = data.length / (width + 1)
  const out = new Uint8Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const type = data[row * (width + 1)] ?? 0
    const from = row * (width + 1) + 1
    const to = row * width
    for (let i = 0; i < width; i++) {
      const left = i >= pixel ? (out[to + i - pixel] ?? 0) : 0
      const up = row > 0 ? (out[to + i - width] ?? 0) : 0
      const corner = row > 0 && i >= pixel ? (out[to + i - width - pixel] ?? 0) : 0
      out[to + i] = (data[from + i] ?? 0) + predict(type, left, up, corner)
    }
  }
  return out
}

/** Predicts a byte from its neighbours (RFC 2083 §6). */
function predict(type: number, left: number, up: number, corner: number) {
  if (type === 0) return 0
  if (type === 1) return left
  if (type === 2) return up
  if (type === 3) return (left + up) >> 1
  if (type !== 4) throw new PdfError('A row has an unknown predictor')
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
