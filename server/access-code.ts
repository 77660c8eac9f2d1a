import { randomBytes } from 'node:crypto'
import { accessCodeAlphabet, spellAccessCode } from '../contract/access-code.ts'

/**
 * 80 random bits as 4-4-4-4: the file of a document can be attacked without the portal. With the dashes it is the password
 * of the PDF, so that what is copied from the mail opens it in any program. Vouchers are drawn alike (R30).
 */
export const drawAccessCode = (): string =>
  spellAccessCode([...randomBytes(16)].map((byte) => accessCodeAlphabet[byte % 32]).join(''))

/** What people call a case by: not in a row with any other, so that it tells nothing of how many there are. */
export const drawCaseNumber = (): string => `S-${drawAccessCode().slice(0, 9)}`
