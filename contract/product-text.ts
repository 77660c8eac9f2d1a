import type { Text } from './enums.ts'
import type { SealProduct } from './seals.ts'
import type { SignatureProduct } from './signatures.ts'

/** Phrases that distinguish the products of signatures and seals, after the noun: „pieczęć w pliku”, “your signature in the mobile app”. */
export const productPhrase: Record<SignatureProduct | SealProduct, Text> = {
  app: { pl: 'w\u00a0aplikacji mobilnej', en: 'in the mobile app' },
  card: { pl: 'na karcie lub tokenie', en: 'on a card or token' },
  'psd2-card': { pl: 'PSD2 na karcie', en: 'for PSD2 on a card' },
  file: { pl: 'w\u00a0pliku', en: 'in a file' },
}

/** The agreement that a customer signs: its own title, and its name in step 3 and in the mails about it (REN-7). */
export const agreementName: Text = {
  pl: 'Umowa o\u00a0kwalifikowany podpis elektroniczny',
  en: 'Qualified electronic signature agreement',
}
