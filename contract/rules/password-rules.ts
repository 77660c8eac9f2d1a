import * as z from 'zod/mini'
import { keysOf } from '../enums.ts'
import type { FieldProblem } from '../errors.ts'
import { secret } from '../fields.ts'
import { limits } from '../limits.ts'

/**
 * Creates a rule that checks a password as it will be hashed: after NFKC a letter with an accent is one letter, however it was typed (R13).
 */
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

export const brokenRules = (password: string) => keysOf(passwordRules).filter((name) => !passwordRules[name](password))

export const NewPassword = secret('required').check(
  z.refine((password) => brokenRules(password).length === 0, 'password-rules' satisfies FieldProblem),
)

/** Checks whether two entries are the same password: equal after NFKC, as they are hashed (R13). */
export const isSamePassword = (left: string, right: string) => left.normalize('NFKC') === right.normalize('NFKC')

/** The check of a form in which a new password is entered twice. */
export const repeatsPassword = z.refine<{ newPassword: string; repeatPassword: string }>(
  (form) => isSamePassword(form.newPassword, form.repeatPassword),
  { error: 'passwords-differ' satisfies FieldProblem, path: ['repeatPassword'] },
)
