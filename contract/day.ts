import * as z from 'zod/mini'
import { component } from './documented.ts'
import { fieldProblem, notYearZero, text } from './fields.ts'

/** A day, in a file of its own, because the login page loads all of `fields.ts` and has no days (UIX-9). */
export const Day = component(
  'Day',
  'A day (full-date of RFC 3339), such as `2027-01-31`.',
  text(10, 'required').check(z.iso.date({ error: fieldProblem('date-format'), abort: true }), notYearZero),
)
