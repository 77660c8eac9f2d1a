import type { IdentifierType, Text, Locale } from '../../contract/enums.ts'

/** What kind of number the identifier is, by its common name (ETSI EN 319 412-1 §5.1.3). */
export function identifierText({ type, country }: { type: IdentifierType; country: string | null }): Text {
  const polish = country === 'PL'
  switch (type) {
    case 'PNO':
      return polish ? { pl: 'PESEL', en: 'PESEL' } : { pl: 'numer osobisty', en: 'personal number' }
    case 'TIN':
      return polish ? { pl: 'NIP', en: 'NIP' } : { pl: 'numer podatkowy', en: 'tax number' }
    case 'PAS':
      return { pl: 'paszport', en: 'passport' }
    case 'IDC':
      return { pl: 'dowód osobisty', en: 'identity card' }
    case 'ECN':
      return { pl: 'numer od dostawcy', en: 'provider’s number' }
  }
}

/** A country's name in a language, by its ISO 3166-1 code; empty when the browser does not know it. */
export const countryIn = (language: string, country: string): string =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? ''

/** What a number of a person is called as a field: its kind, and where it was issued: „PESEL (Polska)”. */
export function identifierName(locale: Locale, identifier: { type: IdentifierType; country: string | null }): string {
  const kind = identifierText(identifier)[locale]
  const country = identifier.country && (countryIn(locale, identifier.country) || identifier.country)
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}${country ? ` (${country})` : ''}`
}
