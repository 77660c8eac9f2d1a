import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { accessCodeAlphabet, spellAccessCode } from '../../../contract/rules/access-code.ts'

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\s]/gu

/**
 * The canonical spelling of a login or e-mail, for accounts and rate limits: NFKC, no invisible characters, lower case, and
 * an e-mail's domain in punycode (R19, R26).
 */
export function canonicalLogin(text: string): string {
  // Removing a character or lowering a case can leave letters that have to be composed again.
  const plain = text.normalize('NFKC').replace(invisible, '').toLowerCase().normalize('NFKC')
  const at = plain.lastIndexOf('@')
  if (at < 0) return plain
  const domain = domainToASCII(plain.slice(at + 1))
  return `${plain.slice(0, at)}@${domain || plain.slice(at + 1)}`
}

/**
 * 80 random bits as 4-4-4-4, because a document's file can be attacked offline. The dashes are part of the PDF's password, so
 * the code copied from the mail opens the file in any program. Voucher codes have the same form (R30).
 */
export const drawAccessCode = (): string =>
  spellAccessCode([...randomBytes(16)].map((byte) => accessCodeAlphabet[byte % 32]).join(''))

/** The number of a case. It is random, so it does not show how many cases there are. */
export const drawCaseNumber = (): string => `S-${drawAccessCode().slice(0, 9)}`
