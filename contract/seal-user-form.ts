import * as z from 'zod/mini'
import { described } from './documented.ts'
import { Locale } from './enums.ts'
import { Email, line } from './fields.ts'
import { limits } from './limits.ts'
import { PhoneEntry } from './rules/phone.ts'
import { SealUserRole } from './seals.ts'

export const SealUserForm = z.strictObject({
  firstName: line(limits.text.name),
  surname: line(limits.text.name),
  email: Email,
  phone: PhoneEntry,
  role: SealUserRole,
  locale: described(
    'The language of the invitation, and of the account that a person without one gets by it; others keep their own language.',
    Locale,
  ),
})
