// Conversions between bytes and text for code that also runs in the browser, where there is no Buffer.

/** Decodes the bytes from `start` to `end` as ISO 8859-1 characters (U+0000 to U+00FF). */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length) {
  let text = ''
  // A call takes a limited number of arguments.
  for (let at = start; at < end; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 4096, end)))
  return text
}

/** Encodes a text in ISO 8859-1; other characters are cut to their low byte. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Encodes bytes in hexadecimal, lower case. */
export function hexOf(bytes: Uint8Array) {
  let text = ''
  for (const byte of bytes) text += digits[byte]
  return text
}

/** The value of each byte as a hexadecimal digit; 255 for bytes that are not one. */
const digitValues = new Uint8Array(256).fill(255)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digitValues[digit.charCodeAt(0)] = value
  digitValues[digit.toUpperCase().charCodeAt(0)] = value
}

/** Decodes an even number of hexadecimal digits; undefined for anything else. */
export function fromHex(text: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    const high = digitValues[text[2 * i] ?? 0] ?? 255
    const low = digitValues[text[2 * i + 1] ?? 0] ?? 255
    if ((high | low) > 15) return undefined
    bytes[i] = high * 16 + low
  }
  return bytes
}

export const sameBytes = (a: Uint8Array, b: Uint8Array) => a.length === b.length && startsWith(a, b)

export function startsWith(bytes: Uint8Array, head: Uint8Array, at = 0) {
  if (bytes.length - at < head.length) return false
  for (let i = 0; i < head.length; i++) if (bytes[at + i] !== head[i]) return false
  return true
}

export function includesBytes(bytes: Uint8Array, part: Uint8Array): boolean {
  // Names of one country begin alike, and differ at their end.
  const last = part.length - 1
  for (let end = bytes.indexOf(part[last] ?? 0, last); end >= 0; end = bytes.indexOf(part[last] ?? 0, end + 1))
    if (startsWith(bytes, part, end - last)) return true
  return false
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

/** Compares two byte strings for `sort`. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** Finds the position of an ISO 8859-1 text at or after `from`; -1 if there is none. */
export function indexOfText(bytes: Uint8Array, text: string, from: number): number {
  const wanted = bytesOf(text)
  for (let at = bytes.indexOf(wanted[0]!, from); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1))
    if (startsWith(bytes, wanted, at)) return at
  return -1
}

export const base64Of = (bytes: Uint8Array) => btoa(latin1(bytes))

/** Decodes a text in canonical base 64; undefined for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = bytesOf(atob(text))
    return base64Of(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}

/** A digest of bytes that arrive in parts. */
export type RunningDigest = {
  update: (bytes: Uint8Array) => RunningDigest
  copy: () => RunningDigest
  digest: () => Uint8Array<ArrayBuffer>
}
