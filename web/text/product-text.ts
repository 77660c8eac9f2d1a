import type { Text } from '../../contract/enums.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'

export const productText: Record<SignatureProduct, Text> = {
  app: { pl: 'Podpis w\u00a0aplikacji mobilnej', en: 'Signature in the mobile app' },
  card: { pl: 'Podpis na karcie', en: 'Signature on a card' },
  file: { pl: 'Podpis w\u00a0pliku', en: 'Signature in a file' },
}
