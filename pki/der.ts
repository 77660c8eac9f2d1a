import { AsnConvert } from '@peculiar/asn1-schema'

/** Bytes that are not the one DER value they should be. */
export class DerError extends Error {
  override name = 'DerError'
}

/** Nothing that is read here (certificates, requests, CMS of one signature) comes near these bounds. */
const berOptions = { maxDepth: 32, maxNodes: 10_000, maxContentLength: 1 << 20 }

/** Reads exactly one value of the schema class `type`; throws DerError for anything else, bytes behind it included. */
export function readDer<T>(bytes: Uint8Array, type: new () => T): T {
  if (bytes.length !== outerLength(bytes)) throw new DerError('The bytes are not one DER value')
  try {
    return AsnConvert.parse(bytes, type, { berOptions })
  } catch (cause) {
    throw new DerError(`The bytes are not a ${type.name}`, { cause })
  }
}

export function writeDer(value: object): Uint8Array<ArrayBuffer> {
  return new Uint8Array(AsnConvert.serialize(value))
}

/** The library stops reading after the first value, so what its header announces is compared with what is there. */
function outerLength(bytes: Uint8Array) {
  const [, first = 0x80] = bytes
  if (first < 0x80) return 2 + first
  const size = first & 0x7f
  if (size === 0 || size > 4) return -1
  return bytes.subarray(2, 2 + size).reduce((length, byte) => length * 256 + byte, 0) + 2 + size
}
