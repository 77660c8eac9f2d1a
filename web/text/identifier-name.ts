import type { IdentifierType, Locale } from '../../contract/enums.ts'
import { countryIn } from './country-text.ts'
import { identifierText } from './identifier-text.ts'

/** What a number of a person is called as a field: its kind, and where it was issued: „PESEL (Polska)”. */
export function identifierName(locale: Locale, identifier: { type: IdentifierType; country: string | null }): string {
  const kind = identifierText(identifier)[locale]
  const country = identifier.country && (countryIn(locale, identifier.country) || identifier.country)
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${country ? ` (${country})` : ''}`
}
