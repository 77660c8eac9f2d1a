/** Bytes as text and back, one byte a character, for the parts that also run in the browser, where there is no Buffer. */

/** The characters U+0000 to U+00FF that the bytes from `start` to `end` stand for (ISO 8859-1). */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length) {
  let text = ''
  // Functions take only so many arguments at once.
  for (let at = start; at < end; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 4096, end)))
  return text
}

/** The bytes of a text of characters up to U+00FF; what lies beyond is cut to its low byte. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Hexadecimal, lower case. */
export function hexOf(bytes: Uint8Array) {
  let text = ''
  for (const byte of bytes) text += digits[byte]!
  return text
}

/** What each byte is worth as a hexadecimal digit; 255 for those that are none. */
const worth = new Uint8Array(256).fill(255)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  worth[digit.charCodeAt(0)] = value
  worth[digit.toUpperCase().charCodeAt(0)] = value
}

/** The bytes of an even number of hexadecimal digits; undefined for anything else. */
export function fromHex(text: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    const high = worth[text[2 * i]!]!
    const low = worth[text[2 * i + 1]!]!
    if ((high | low) > 15) return undefined
    bytes[i] = high * 16 + low
  }
  return bytes
}

export function sameBytes(a: Uint8Array, b: Uint8Array) {
  return a.length === b.length && startsWith(a, b)
}

export function startsWith(bytes: Uint8Array, head: Uint8Array, at = 0) {
  if (bytes.length - at < head.length) return false
  for (let i = 0; i < head.length; i++) if (bytes[at + i] !== head[i]) return false
  return true
}

export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
