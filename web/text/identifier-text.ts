import type { Text, Locale } from '../../contract/enums.ts'
import type { IdentifierType } from '../../contract/identification.ts'

/** Returns the common name of the identifier's kind of number (ETSI EN 319 412-1 §5.1.3). */
export function identifierText({ type, country }: { type: IdentifierType; country: string | null }): Text {
  const isPolish = country === 'PL'
  switch (type) {
    case 'PNO':
      return isPolish ? { pl: 'PESEL', en: 'PESEL' } : { pl: 'numer osobisty', en: 'personal number' }
    case 'TIN':
      return isPolish ? { pl: 'NIP', en: 'NIP' } : { pl: 'numer podatkowy', en: 'tax number' }
    case 'PAS':
      return { pl: 'paszport', en: 'passport' }
    case 'IDC':
      return { pl: 'dowód osobisty', en: 'identity card' }
    case 'ECN':
      return { pl: 'numer od dostawcy', en: 'provider’s number' }
  }
}

/** Returns a country's name in a language, by its ISO 3166-1 code; empty if the browser does not know it. */
export const countryIn = (language: string, country: string): string =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? ''

/** Returns the field name of a person's number: its kind, and the country that issued it, as in „PESEL (Polska)”. */
export function identifierName(locale: Locale, identifier: { type: IdentifierType; country: string | null }): string {
  const kind = identifierText(identifier)[locale]
  const country = identifier.country && (countryIn(locale, identifier.country) || identifier.country)
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${country ? ` (${country})` : ''}`
}
