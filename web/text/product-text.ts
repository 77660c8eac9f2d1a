import type { Locale, Text } from '../../contract/enums.ts'
import type { Seal } from '../../contract/seals.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'

export const signatureProductText: Record<SignatureProduct, Text> = {
  app: { pl: 'Podpis w\u00a0aplikacji mobilnej', en: 'Signature in the mobile app' },
  card: { pl: 'Podpis na karcie lub tokenie', en: 'Signature on a card or token' },
  file: { pl: 'Podpis w\u00a0pliku', en: 'Signature in a file' },
}

export const sealProductText: Record<Seal['product'], Text> = {
  app: { pl: 'Pieczęć w\u00a0aplikacji mobilnej', en: 'Seal in the mobile app' },
  card: { pl: 'Pieczęć na karcie lub tokenie', en: 'Seal on a card or token' },
  'psd2-card': { pl: 'Pieczęć PSD2 na karcie', en: 'PSD2 seal on a card' },
  file: { pl: 'Pieczęć w\u00a0pliku', en: 'Seal in a file' },
}

/** Returns the owner of a seal, and the name of the seal where it says more. */
export const ownerOf = ({ organisation, name }: Seal): string =>
  name.startsWith(organisation.name) ? name : `${organisation.name}, ${name}`

/** Distinguishes the seals of one organisation (SEA-1). */
export const sealText = (seal: Seal, locale: Locale): string =>
  `${ownerOf(seal)}, ${sealProductText[seal.product][locale]}`

/** The services of the portal, by their page. */
export const serviceNames = {
  signatures: { pl: 'Podpis kwalifikowany', en: 'Qualified signature' },
  seals: { pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' },
  timestamps: { pl: 'Znacznik czasu', en: 'Timestamp' },
} as const

/** Text of buttons that lead to a document, or to the agreement of a renewal, that waits for the customer’s signature. */
export const readAndSignText = { pl: 'Przeczytaj i\u00a0podpisz', en: 'Read and sign' }
