import type { DocumentType, Text } from './enums.ts'

/** Apart from the types, because the login page needs those. */
export const documentText: Record<DocumentType, Text> = {
  DO: { pl: 'dowód osobisty', en: 'identity card' },
  PA: { pl: 'paszport', en: 'passport' },
  KP: { pl: 'karta pobytu', en: 'residence card' },
  MD: { pl: 'mDowód', en: 'mDowód (digital ID)' },
}
