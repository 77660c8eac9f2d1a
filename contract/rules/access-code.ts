import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { fieldProblem, text } from '../fields.ts'
import { lettersAndDigits } from './typed-characters.ts'

/** Crockford's base32: no I, L, O or U. */
export const accessCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns the canonical spelling of an access code, a voucher code and a renewal code: 16 characters as 4-4-4-4 (R30). */
export const spellAccessCode = (characters: string): string => characters.replace(/.{4}(?!$)/g, '$&-')

const codeOf = (problem: 'access-code-format' | 'document-code-format') =>
  z.pipe(
    z.pipe(
      text(64, 'required', problem),
      z.transform((typed: string) =>
        spellAccessCode(lettersAndDigits(typed).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')),
      ),
    ),
    z
      .string()
      .check(
        z.minLength(1, fieldProblem('required')),
        z.regex(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/, fieldProblem(problem)),
      ),
  )

/**
 * A code that was typed or pasted, in the canonical spelling. Accepts lower-case letters, anything between the groups, and O, I and L,
 * which people read for the 0 and 1 of the alphabet.
 */
export const AccessCode = codeOf('access-code-format')

export const AccessCodeForm = component(
  'AccessCodeForm',
  'A voucher or renewal code, as the customer enters it.',
  z.strictObject({
    code: described('16 letters and digits; lower-case letters, spaces and dashes are accepted.', AccessCode),
  }),
)

/** A form with the code that decrypts a document; customers know it as the document code. */
export const DocumentCodeForm = z.strictObject({ code: codeOf('document-code-format') })

/**
 * Returns the number by which a customer names a renewal on the phone: `R-7KD2-0XQM` (REN-16). It is the first 40 bits of the renewal's
 * random id (UUID version 4) in base32, so it needs no storage, and does not show how many renewals there are.
 */
export function renewalNumber(uid: string): string {
  const bits = BigInt(`0x${uid.replaceAll('-', '').slice(0, 10)}`)
  const characters = Array.from({ length: 8 }, (_, i) => accessCodeAlphabet[Number((bits >> BigInt(35 - 5 * i)) & 31n)])
  return `R-${spellAccessCode(characters.join(''))}`
}
