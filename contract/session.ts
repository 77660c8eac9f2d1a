import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { Locale } from './enums.ts'
import { Instant, Uuid } from './fields.ts'

export const Customer = component(
  'SignedInCustomer',
  'The customer who is signed in.',
  z.strictObject({
    id: Uuid,
    login: z.string(),
    email: z.string(),
    firstName: z.string(),
    surname: z.string(),
    locale: Locale,
  }),
)
export type Customer = z.infer<typeof Customer>

export const Session = component(
  'Session',
  'A signed-in session. `now` lets the page count down even if its clock is wrong.',
  z.strictObject({
    customer: Customer,
    now: described('The time of the portal.', Instant),
    endsAt: described('When it ends unless the customer is active; never later than `absoluteEndsAt`.', Instant),
    absoluteEndsAt: described('When it ends in any case.', Instant),
  }),
)
export type Session = z.infer<typeof Session>
