import * as z from 'zod/mini'
import type { FieldProblem } from './errors.ts'
import { text } from './fields.ts'

/** Crockford's base32: no I, L, O or U. */
export const accessCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The one spelling of an access code, a voucher code and a renewal code: 16 characters as 4-4-4-4 (R30). */
export const spellAccessCode = (characters: string): string => characters.replace(/.{4}(?!$)/g, '$&-')

const says = (problem: FieldProblem) => problem

/**
 * What was typed or pasted, in the one spelling, in which an access code opens its file. Forgiven are small letters, spaces
 * and dashes of every kind, and the O, I and L that people read where the alphabet has only 0 and 1.
 */
export const AccessCode = z.pipe(
  z.pipe(
    text(64, 'required', 'access-code-format'),
    z.transform((typed: string) =>
      spellAccessCode(
        typed
          .normalize('NFKC')
          .toUpperCase()
          .replace(/[\s\p{Cf}\p{Pd}\u2212]/gu, '')
          .replaceAll('O', '0')
          .replace(/[IL]/g, '1'),
      ),
    ),
  ),
  z
    .string()
    .check(
      z.minLength(1, says('required')),
      z.regex(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/, says('access-code-format')),
    ),
)

export const AccessCodeForm = z.strictObject({ code: AccessCode })
