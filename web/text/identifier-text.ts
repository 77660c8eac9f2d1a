import type { IdentifierType, Text } from '../../contract/enums.ts'

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
