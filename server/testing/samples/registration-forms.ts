import { hash } from 'node:crypto'
import type { Input } from '../../../contract/endpoint.ts'
import type { Locale } from '../../../contract/enums.ts'
import { consentKinds, type ConsentKind } from '../../../contract/legal/consent-statements.ts'
import { wordingOf, written } from '../../../contract/legal/wordings.ts'
import { register } from '../../../contract/registration.ts'
import { demonstrationBrand } from '../../platform/brand/brand.ts'
import { samplePerson } from '../portal-nodes.ts'

/** Returns the hashes of the wordings that a page shows in a language, as a browser computes them. */
export const wordingHashes = (locale: Locale) =>
  Object.fromEntries(
    consentKinds.map((kind) => [kind, hash('sha256', written(wordingOf(kind, locale, demonstrationBrand)))]),
  ) as Record<ConsentKind, string>

export type Entered = Input<typeof register>['body']

/** Returns a valid registration form of a new customer. */
export function registrationForm(over: Partial<Entered> = {}): Entered {
  const { login: _, acceptances: __, ...person } = samplePerson()
  return {
    ...person,
    // A mobile number, as PhoneEntry wants it.
    phone: `+48501${person.phone.slice(-6)}`,
    terms: true,
    privacy: true,
    marketing: false,
    botProof: crypto.randomUUID(),
    wordings: wordingHashes(over.locale ?? person.locale),
    ...over,
  }
}
