import * as asn1 from '@peculiar/asn1-schema'
import { compareBytes, joined } from '../bytes.ts'

/** The bytes are not exactly one valid DER value. */
export class DerError extends Error {
  override name = 'DerError'
}

/** Far above any real certificate, request or token. */
const berOptions = { maxDepth: 32, maxNodes: 10_000, maxContentLength: 1 << 20 }

/** Limits for revocation lists, and for signatures that contain them. */
export const largeDer = { maxDepth: 32, maxNodes: 200_000, maxContentLength: 1 << 23 }

/** Reads exactly one value of the schema class `type`; throws DerError for anything else, trailing bytes included. */
export function readDer<T>(bytes: Uint8Array, type: new () => T, bounds = berOptions): T {
  // The library stops reading after the first value.
  if (bytes.length !== outerLength(bytes)) throw new DerError('The bytes are not one DER value')
  return parsed(bytes, type, bounds)
}

/** Reads exactly one value like `readDer`, but also from BER with indefinite lengths, which signatures of other products contain. */
export function readBer<T>(bytes: Uint8Array, type: new () => T, bounds: typeof berOptions): T {
  if (bytes.length !== berLength(bytes)) throw new DerError('The bytes are not one BER value')
  return parsed(bytes, type, bounds)
}

function parsed<T>(bytes: Uint8Array, type: new () => T, bounds: typeof berOptions): T {
  try {
    return asn1.AsnConvert.parse(bytes, type, { berOptions: bounds })
  } catch (cause) {
    throw new DerError(`The bytes are not a ${type.name}`, { cause })
  }
}

export const writeDer = (value: object): Uint8Array<ArrayBuffer> => new Uint8Array(asn1.AsnConvert.serialize(value))

/** Encodes a value with this tag from DER contents; many times faster than serialising objects. */
export function derValue(tag: number, ...contents: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = contents.reduce((sum, content) => sum + content.length, 0)
  const header = [tag, ...lengthOctets(length)]
  const der = new Uint8Array(header.length + length)
  der.set(header)
  let at = header.length
  for (const content of contents) {
    der.set(content, at)
    at += content.length
  }
  return der
}

/** Encodes a length in the definite form with the fewest octets (X.690 §10.1). */
function lengthOctets(length: number) {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let rest = length; rest > 0; rest >>= 8) octets.unshift(rest & 0xff)
  return [0x80 | octets.length, ...octets]
}

/** Encodes a set, whose elements are in the order of their encodings (X.690 §11.6). */
export const derSet = (...elements: Uint8Array[]) => derValue(0x31, ...elements.toSorted(compareBytes))

class Identifier {
  value = ''
}
asn1.AsnType({ type: asn1.AsnTypeTypes.Choice })(Identifier)
asn1.AsnProp({ type: asn1.AsnPropTypes.ObjectIdentifier })(Identifier.prototype, 'value')

/** Encodes an object identifier given in dotted notation. */
export const derIdentifier = (value: string) => writeDer(Object.assign(new Identifier(), { value }))

/** Returns the length of the first value, header included; -1 for the indefinite form. */
function outerLength(bytes: Uint8Array) {
  const [, first = 0x80] = bytes
  if (first < 0x80) return 2 + first
  const size = first & 0x7f
  if (size === 0 || size > 4) return -1
  return bytes.subarray(2, 2 + size).reduce((length, byte) => length * 256 + byte, 0) + 2 + size
}

/** Returns the length of the first value, header included, in the definite or indefinite form (X.690 §8.1.3.6); -1 if invalid. */
export function berLength(bytes: Uint8Array, at = 0, depth = 0): number {
  if (bytes[at + 1] !== 0x80) return outerLength(bytes.subarray(at, at + 6))
  if (depth > berOptions.maxDepth) return -1
  let next = at + 2
  while (bytes[next] !== 0 || bytes[next + 1] !== 0) {
    const length = berLength(bytes, next, depth + 1)
    // Nothing that is read here has tags of several bytes.
    if (length <= 0 || next + length > bytes.length || ((bytes[next] ?? 0) & 0x1f) === 0x1f) return -1
    next += length
  }
  return next + 2 - at
}

/** Returns the encoded values inside a constructed value, which may have an indefinite length (X.690 §8.1.3.6). */
export function berChildren(bytes: Uint8Array): Uint8Array[] {
  const length = berLength(bytes)
  if (length < 0 || length > bytes.length) throw new DerError('The bytes are not one BER value')
  const [, lengthOctet = 0] = bytes
  const isIndefinite = lengthOctet === 0x80
  const end = isIndefinite ? length - 2 : length
  const children: Uint8Array[] = []
  for (let at = contentsAt(bytes); at < end;) {
    const size = berLength(bytes, at)
    if (size <= 0 || at + size > end) throw new DerError('The bytes are not one BER value')
    children.push(bytes.subarray(at, at + size))
    at += size
  }
  return children
}

/** Returns the position at which the contents of the first value begin. */
const contentsAt = ([, lengthOctet = 0]: Uint8Array) => (lengthOctet <= 0x80 ? 2 : 2 + (lengthOctet & 0x7f))

/** Returns the octets of an OCTET STRING, which BER allows to be split into parts (X.690 §8.7). */
export function readOctets(bytes: Uint8Array, depth = 0): Uint8Array {
  const [tag] = bytes
  if ((tag !== 0x04 && tag !== 0x24) || berLength(bytes) !== bytes.length || depth > berOptions.maxDepth)
    throw new DerError('The bytes are not an OCTET STRING')
  if (tag === 0x04) return bytes.subarray(contentsAt(bytes))
  return joined(berChildren(bytes).map((part) => readOctets(part, depth + 1)))
}

/** An error with the reason by which callers decide. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code
  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Removes the fraction of a second, which certificates, revocation lists and OCSP responses do not have (RFC 5280 §4.1.2.5). */
export const wholeSeconds = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000)

export const generalizedTime = (at: Date) =>
  new Uint8Array(asn1.AsnGeneralizedTimeConverter.toASN(wholeSeconds(at)).toBER())

/** Tolerance in milliseconds: clocks of authorities differ by minutes. */
const clockTolerance = 300_000

export const isFuture = (at: Date, now: Date) => at.getTime() - now.getTime() > clockTolerance
