import * as z from 'zod/mini'
import { described } from './documented.ts'
import { endpoint } from './endpoint.ts'

/**
 * The country of the caller's own address. Our origin asks the operator's lookup service (R87).
 * The first character 1 means success, then the two-letter code (PHO-2): `1;PL`. Anything else is `0`, a failed
 * lookup: no service is configured, it did not answer, or it does not know the address.
 */
export const findCountry = endpoint('open', 'GET /api/country', {
  summary: 'Returns the country of the caller’s network address, as the default of a phone field',
  description: 'Asks the operator’s lookup service; without one, or if it fails, the answer says so.',
  reply: z.strictObject({
    result: described(
      '`1;` and ISO 3166-1 alpha-2, such as `1;PL`; `0` if it is not known.',
      z.string().check(z.regex(/^(?:1;[A-Z]{2}|0)$/)),
    ),
  }),
})

/** Returns the country in an answer of the form `1;PL`; undefined if the lookup failed. */
export const countryFound = (result: string) => (result.startsWith('1') ? result.split(';')[1] : undefined)
