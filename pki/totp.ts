import { createHmac, timingSafeEqual } from 'node:crypto'

/** Length of a time step, RFC 6238 §5.2. */
const stepSeconds = 30

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes in base32 (RFC 4648 §6), without padding, which authenticator apps do not expect in a secret. */
export function toBase32(bytes: Uint8Array) {
  let text = ''
  let bits = 0
  let buffer = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(buffer >>> (bits - 5)) & 31]
    buffer &= 0xff
  }
  return bits > 0 ? text + alphabet[(buffer << (5 - bits)) & 31] : text
}

/** Reads RFC 4648 §6 with or without padding in any case; undefined for any other text. */
export function fromBase32(text: string) {
  const digits = text.toUpperCase().replace(/={0,6}$/, '')
  if (!/^[A-Z2-7]*$/.test(digits) || [1, 3, 6].includes(digits.length % 8)) return undefined
  const bytes = []
  let bits = 0
  let buffer = 0
  for (const digit of digits) {
    buffer = ((buffer << 5) | alphabet.indexOf(digit)) & 0xfff
    bits += 5
    if (bits >= 8) bytes.push((buffer >>> (bits -= 8)) & 0xff)
  }
  return Uint8Array.from(bytes)
}

/** Computes an HOTP code, RFC 4226 §5.3. */
export function hotp(secret: Uint8Array, counter: number, digits: 6 | 8 = 6) {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const number = mac.readUInt32BE(mac.readUInt8(19) & 0xf) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Returns the time step of an instant, counted from the Unix epoch. */
export const totpStep = (at: Date) => Math.floor(at.getTime() / 1000 / stepSeconds)

/** Computes a TOTP code, RFC 6238 §4. */
export const totp = (secret: Uint8Array, at: Date, digits: 6 | 8 = 6) => hotp(secret, totpStep(at), digits)

/**
 * Finds the step that a six-digit code belongs to, within one step of `at` and later than `lastStep`, or undefined. The caller stores the
 * result as the next `lastStep`, so that a code counts only once (RFC 6238 §5.2).
 */
export function matchTotp(secret: Uint8Array, code: string, at: Date, lastStep?: number) {
  const given = Buffer.from(code)
  const now = totpStep(at)
  let matched: number | undefined
  for (const step of [now - 1, now, now + 1]) {
    if (step < 0) continue
    const expected = Buffer.from(hotp(secret, step))
    const isEqual = given.length === expected.length && timingSafeEqual(given, expected)
    if (isEqual && (lastStep === undefined || step > lastStep)) matched ??= step
  }
  return matched
}

/**
 * Returns the link that an authenticator app scans or opens, in the Key URI format: `otpauth://totp/{issuer}:{account}?secret=…&issuer=…`.
 * The format allows no colon in either name.
 */
export function otpauthUri(names: { issuer: string; account: string; secret: Uint8Array }) {
  const issuer = encodeURIComponent(names.issuer.replaceAll(':', ' '))
  const account = encodeURIComponent(names.account.replaceAll(':', ' '))
  const query = `secret=${toBase32(names.secret)}&issuer=${issuer}&algorithm=SHA1&digits=6&period=${stepSeconds}`
  return `otpauth://totp/${issuer}:${account}?${query}`
}
