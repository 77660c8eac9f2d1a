import * as z from 'zod/mini'
import type { FieldProblem } from './errors.ts'

/** Crockford's base32: no I, L, O or U. */
export const accessCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The one spelling of an access code, a voucher code and a renewal code: 16 characters as 4-4-4-4 (R30). */
export const spellAccessCode = (characters: string): string => (characters.match(/.{1,4}/gs) ?? []).join('-')

const says = (problem: FieldProblem) => problem

/** What was typed or pasted, in the one spelling: spaces, dashes and case are forgiven, and O for 0, I and L for 1. */
export const AccessCodeEntry = z.pipe(
  z.pipe(
    z.string(says('required')).check(z.maxLength(64, says('access-code-format'))),
    z.transform((typed: string) => {
      const characters = typed.toUpperCase().replace(/[\s\u2010-\u2015-]/g, '')
      return characters && spellAccessCode(characters.replaceAll('O', '0').replace(/[IL]/g, '1'))
    }),
  ),
  z
    .string()
    .check(
      z.minLength(1, says('required')),
      z.regex(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/, says('access-code-format')),
    ),
)
