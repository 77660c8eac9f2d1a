import * as z from 'zod/mini'
import type { FieldProblem } from './errors.ts'
import { secret } from './fields.ts'
import { limits } from './limits.ts'

/** The rules of PWD-4, in the order in which the checklist shows them. Lengths are code points after NFKC. */
export const passwordRules = {
  length: (password: string) => {
    const { length } = [...password.normalize('NFKC')]
    return length >= limits.password.min && length <= limits.password.max
  },
  upper: (password: string) => /\p{Lu}/u.test(password),
  lower: (password: string) => /\p{Ll}/u.test(password),
  digit: (password: string) => /\p{Nd}/u.test(password),
  special: (password: string) => /[^\p{L}\p{N}\s]/u.test(password),
} as const

export type PasswordRule = keyof typeof passwordRules

export const brokenRules = (password: string) =>
  (Object.keys(passwordRules) as PasswordRule[]).filter((rule) => !passwordRules[rule](password))

export const NewPassword = secret('required').check(
  z.refine((password) => brokenRules(password).length === 0, 'password-rules' satisfies FieldProblem),
)

/** Repeated passwords are equal when they are the same after NFKC, as the hash sees them (R13). */
export const samePassword = (one: string, other: string) => one.normalize('NFKC') === other.normalize('NFKC')
