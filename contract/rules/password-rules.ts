import * as z from 'zod/mini'
import type { FieldProblem } from './errors.ts'
import { secret } from './fields.ts'
import { limits } from './limits.ts'

/** Judged as it will be hashed: after NFKC a letter with its accent is one letter, however it was typed (R13). */
const rule = (holds: (normalised: string) => boolean) => (password: string) => holds(password.normalize('NFKC'))

/** The rules of PWD-4, in the order in which the checklist shows them. Lengths are code points. */
export const passwordRules = {
  length: rule((password) => {
    const { length } = [...password]
    return length >= limits.password.min && length <= limits.password.max
  }),
  upper: rule((password) => /\p{Lu}/u.test(password)),
  lower: rule((password) => /\p{Ll}/u.test(password)),
  digit: rule((password) => /\p{Nd}/u.test(password)),
  special: rule((password) => /[^\p{L}\p{M}\p{N}\s]/u.test(password)),
} as const

export type PasswordRule = keyof typeof passwordRules

export const brokenRules = (password: string) =>
  (Object.keys(passwordRules) as PasswordRule[]).filter((name) => !passwordRules[name](password))

export const NewPassword = secret('required').check(
  z.refine((password) => brokenRules(password).length === 0, 'password-rules' satisfies FieldProblem),
)

/** Repeated passwords are equal when they are the same after NFKC, as the hash sees them (R13). */
export const samePassword = (one: string, other: string) => one.normalize('NFKC') === other.normalize('NFKC')
