import { domainToASCII } from 'node:url'

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\s]/gu

/**
 * One spelling for each login and e-mail, by which accounts and budgets are kept: NFKC, no invisible characters,
 * lower case, and an e-mail's domain in punycode (R19, R26).
 */
export function canonicalLogin(text: string): string {
  // What stood on both sides of an invisible character, or came out of a capital letter, has to be composed again.
  const plain = text.normalize('NFKC').replace(unseen, '').toLowerCase().normalize('NFKC')
  const at = plain.lastIndexOf('@')
  if (at < 0) return plain
  const domain = domainToASCII(plain.slice(at + 1))
  return `${plain.slice(0, at)}@${domain || plain.slice(at + 1)}`
}
