import { domainToASCII } from 'node:url'

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\s]/gu

/**
 * Returns the canonical spelling of a login or e-mail, for accounts and rate limits: NFKC, no invisible characters, lower case, and an
 * e-mail's domain in punycode (R19, R26).
 */
export function canonicalLogin(text: string): string {
  // Removing a character or lowering a case can leave letters that have to be composed again.
  const plain = text.normalize('NFKC').replace(invisible, '').toLowerCase().normalize('NFKC')
  const at = plain.lastIndexOf('@')
  if (at < 0) return plain
  const domain = domainToASCII(plain.slice(at + 1))
  return `${plain.slice(0, at)}@${domain || plain.slice(at + 1)}`
}
