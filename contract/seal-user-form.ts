import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { Locale } from './enums.ts'
import { Email, line } from './fields.ts'
import { limits } from './limits.ts'
import { PhoneEntry } from './rules/phone.ts'

export const SealUserRole = component(
  'SealUserRole',
  '`admin` may add and remove users of the seal. Both roles seal documents, each with their own login.',
  z.enum(['admin', 'user']),
)
export type SealUserRole = z.infer<typeof SealUserRole>

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
