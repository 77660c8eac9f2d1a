import * as z from 'zod/mini'
import { BotProof } from './bot-check.ts'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Email, secret } from './fields.ts'
import { NewPassword, repeatsPassword } from './rules/password-rules.ts'

export const PasswordResetForm = z.strictObject({ email: Email })

export const requestPasswordReset = endpoint('open', 'POST /api/password-reset', {
  summary: 'Requests a reset link; the answer is the same whether or not the account exists',
  description: 'The e-mail has a link that sets a new password.',
  body: z.extend(PasswordResetForm, { locale: Locale, botProof: BotProof }),
  errors: ['too-many-attempts', 'bot-check-refused', 'bot-check-unavailable'],
})

export const ChangePasswordForm = z
  .strictObject({
    currentPassword: secret('current-password-required'),
    newPassword: NewPassword,
    repeatPassword: secret('required'),
  })
  .check(repeatsPassword)

export const changePassword = endpoint('customer', 'POST /api/password', {
  summary: 'Changes the password and ends every session of the account',
  description: 'Needs the current password. Every session ends, also the caller’s own.',
  body: ChangePasswordForm,
  errors: ['invalid-input', 'current-password-wrong', 'password-used-before', 'too-many-attempts', 'busy'],
})
