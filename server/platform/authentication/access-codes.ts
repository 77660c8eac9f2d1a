import { randomBytes } from 'node:crypto'
import { accessCodeAlphabet, spellAccessCode } from '../../../contract/rules/access-code.ts'

/**
 * Draws an access code: 80 random bits as 4-4-4-4, because a document's file can be attacked offline. The dashes are part of the PDF's
 * password, so the code copied from the mail opens the file in any program. Voucher codes have the same form (R30).
 */
export const drawAccessCode = (): string =>
  spellAccessCode([...randomBytes(16)].map((byte) => accessCodeAlphabet[byte % 32]).join(''))
