import * as z from 'zod/mini'
import type { FieldProblem } from './errors.ts'

const says = (problem: FieldProblem) => problem

/**
 * The access code of a document as it opens the file: Crockford's base32, 4-4-4-4. Forgiven are small letters, spaces and
 * dashes of every kind, and the O, I and L that people read where the alphabet has only 0 and 1.
 */
export const AccessCode = z.pipe(
  z.pipe(
    z.string(says('required')).check(z.maxLength(64, says('access-code-format'))),
    z.transform((typed: string) =>
      typed
        .normalize('NFKC')
        .toUpperCase()
        .replace(/[\s\p{Cf}\p{Pd}\u2212]/gu, '')
        .replaceAll('O', '0')
        .replace(/[IL]/g, '1')
        .replace(/.{4}(?!$)/g, '$&-'),
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
