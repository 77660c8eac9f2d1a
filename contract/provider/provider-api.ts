import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { line } from '../fields.ts'
import { limits } from '../limits.ts'

// The only way in which data of the provider enters the portal, embedded or not (OPS-4).
// Objects have the provider's own ids, and a PUT states their whole state: repeating it changes nothing.

export const ProviderText = component(
  'BilingualText',
  'Your own text for the customer in both languages, each in one line of at most 300 characters.',
  z.strictObject({ pl: line(limits.text.note), en: line(limits.text.note) }),
)

/** A word and not a text, because it is in the address. */
export const RemovalReason = component(
  'RemovalReason',
  'Why the object was filed by mistake.',
  z.enum(['wrong-customer', 'wrong-certificate', 'duplicate', 'test', 'other']),
)

/** A call that removes an object which was filed by mistake, with what hangs on it (PRV-3). A repetition removes nothing. */
export const removes = {
  query: z.strictObject({
    reason: described('Why the object was filed by mistake; it is in the audit trail and in the event.', RemovalReason),
  }),
  reply: component(
    'Removal',
    'What a removal has done.',
    z.strictObject({ removed: described('False if there was nothing with this id.', z.boolean()) }),
  ),
  /** `reason` says for what the object is needed; `legal-hold` if its customer, or a user of the seal, is under one. */
  errors: ['object-in-use'],
} as const
