import { AlgorithmIdentifier, Extensions, Time, type Extension } from '@peculiar/asn1-x509'
import { sameBytes } from '../bytes.ts'
import { DerError, readDer } from './der.ts'

/**
 * A revocation list (RFC 5280 §5.1). Its entries are not parsed: there may be hundreds of thousands, and only one is looked
 * up.
 */
export type RevocationList = {
  /** The signed part, and its signature. */
  tbs: Uint8Array
  algorithm: AlgorithmIdentifier
  signature: Uint8Array
  /** DER of the name. */
  issuer: Uint8Array
  thisUpdate: Date
  nextUpdate: Date | undefined
  extensions: readonly Extension[]
  entries: Uint8Array
}

export type RevokedEntry = { at: Date; extensions: readonly Extension[] }

/** Throws DerError for bytes that are not a revocation list. */
export function readRevocationList(der: Uint8Array): RevocationList {
  const [list] = readValues(der)
  if (list?.tag !== 0x30 || list.end !== der.length) throw new DerError('The bytes are not one revocation list')
  const [tbs, algorithm, signature] = readValues(list.content)
  if (tbs?.tag !== 0x30 || !algorithm || signature?.tag !== 0x03) throw new DerError('A part of the list is missing')
  const parts = readValues(tbs.content)
  const next = (...tags: number[]) => (tags.includes(parts[0]?.tag ?? -1) ? parts.shift() : undefined)
  next(0x02)
  next(0x30)
  const issuer = next(0x30)
  const thisUpdate = next(0x17, 0x18)
  const nextUpdate = next(0x17, 0x18)
  const entries = next(0x30)
  const extensions = next(0xa0)
  if (!issuer || !thisUpdate || parts.length > 0) throw new DerError('The bytes are not a revocation list')
  return {
    tbs: tbs.whole,
    algorithm: readDer(algorithm.whole, AlgorithmIdentifier),
    // The first octet is the number of unused bits, zero.
    signature: signature.content.subarray(1),
    issuer: issuer.whole,
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: nextUpdate && timeOf(nextUpdate),
    extensions: extensions ? [...readDer(extensions.content, Extensions)] : [],
    entries: entries?.content ?? new Uint8Array(),
  }
}

/** Finds the entry of a serial number, given as its content octets; undefined if the certificate is not on the list. */
export function revokedEntry({ entries }: RevocationList, serialNumber: Uint8Array): RevokedEntry | undefined {
  for (let at = 0; at < entries.length;) {
    const entry = valueAt(entries, at)
    const serial = valueAt(entries, entry.start)
    if (sameBytes(serialNumber, entries.subarray(serial.start, serial.end))) {
      const [, date, extensions] = readValues(entry.content)
      if (!date) throw new DerError('An entry has no date')
      return { at: timeOf(date), extensions: extensions ? [...readDer(extensions.whole, Extensions)] : [] }
    }
    at = entry.end
  }
  return undefined
}

const timeOf = ({ whole }: Value) => readDer(whole, Time).getTime()

type Value = ReturnType<typeof valueAt>

/** Reads the DER value at a position without copying. */
function valueAt(bytes: Uint8Array, at: number) {
  const first = bytes[at + 1] ?? 0x80
  const size = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || size > 4) throw new DerError('A length is not valid DER')
  const start = at + 2 + size
  let length = size === 0 ? first : 0
  for (let i = at + 2; i < start; i++) length = length * 256 + (bytes[i] ?? 0)
  const end = start + length
  if (end > bytes.length) throw new DerError('A value ends beyond its bytes')
  return {
    tag: bytes[at] ?? 0,
    start,
    end,
    get content() {
      return bytes.subarray(start, end)
    },
    get whole() {
      return bytes.subarray(at, end)
    },
  }
}

/** Reads consecutive values; meant for the few in a structure. */
function readValues(bytes: Uint8Array): Value[] {
  const values: Value[] = []
  for (let at = 0; at < bytes.length;) {
    const value = valueAt(bytes, at)
    values.push(value)
    at = value.end
    if (values.length > 20) throw new DerError('There are too many values')
  }
  return values
}
