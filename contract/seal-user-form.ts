import * as z from 'zod/mini'
import { Locale, SealUserRole } from './enums.ts'
import { Email, line } from './fields.ts'
import { limits } from './limits.ts'
import { PhoneEntry } from './rules/phone.ts'

export const SealUserForm = z.strictObject({
  firstName: line(limits.text.name),
  surname: line(limits.text.name),
  email: Email,
  phone: PhoneEntry,
  role: SealUserRole,
  /** Of the invitation, and of the account that a person without one gets by it; others keep their own language (SEA-9). */
  locale: Locale,
})
