import { createHash } from 'node:crypto'
import { consentKinds, type ConsentKind } from '../../contract/consent-statements.ts'
import type { Input } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { register } from '../../contract/registration.ts'
import { wordingOf, written } from '../../contract/wordings.ts'
import { demonstrationBrand } from '../brand.ts'
import { somebody } from './portal-nodes.ts'

/** The hashes of what a page in a language shows, as a browser computes them. */
export const shown = (locale: Locale) =>
  Object.fromEntries(
    consentKinds.map((kind) => [
      kind,
      createHash('sha256')
        .update(written(wordingOf(kind, locale, demonstrationBrand)))
        .digest('hex'),
    ]),
  ) as Record<ConsentKind, string>

export type Entered = Input<typeof register>['body']

/** A registration form of somebody new, filled in right. */
export function filledIn(over: Partial<Entered> = {}): Entered {
  const { login: _, ...person } = somebody()
  return {
    ...person,
    // A mobile number, as PhoneEntry wants it.
    phone: `+48501${person.phone.slice(-6)}`,
    terms: true,
    privacy: true,
    marketing: false,
    botProof: crypto.randomUUID(),
    wordings: shown(over.locale ?? person.locale),
    ...over,
  }
}
