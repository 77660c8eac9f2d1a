import { randomBytes } from 'node:crypto'

/** Crockford's base32: no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * 80 random bits as 4-4-4-4: the file can be attacked without the portal. With the dashes it is the password of the PDF,
 * so that what is copied from the mail opens it in any program.
 */
export function drawAccessCode(): string {
  const characters = [...randomBytes(16)].map((byte) => alphabet[byte % 32])
  return [0, 4, 8, 12].map((at) => characters.slice(at, at + 4).join('')).join('-')
}
