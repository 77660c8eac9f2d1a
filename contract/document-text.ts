import type { Text } from './enums.ts'
import type { DocumentType } from './identification.ts'

/** Names of the document types, kept apart from the types, which the login page needs. */
export const documentText: Record<DocumentType, Text> = {
  DO: { pl: 'dowód osobisty', en: 'identity card' },
  PA: { pl: 'paszport', en: 'passport' },
  KP: { pl: 'karta pobytu', en: 'residence card' },
  MD: { pl: 'mDowód', en: 'mDowód (digital ID)' },
}
