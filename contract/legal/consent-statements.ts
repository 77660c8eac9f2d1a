import type { Text } from './enums.ts'
import type { Brand } from './page-config.ts'

export const consentKinds = ['terms', 'privacy', 'marketing'] as const
export type ConsentKind = (typeof consentKinds)[number]

type Statement = {
  /** The document that is meant, or the name of the consent. */
  title: Text
  /** What is said by ticking the box. */
  statement: Text
  /** The words of the statement that lead to the document. */
  link?: Text
  /** What else belongs to the statement and stands below it. */
  more?: Text
}

/** The sentences beside the boxes of consent (REG-2). */
export const statements = ({ company }: Brand): Record<ConsentKind, Statement> => ({
  terms: {
    title: { pl: 'Regulamin', en: 'Terms' },
    statement: { pl: 'Znam i\u00a0akceptuję regulamin', en: 'I know and accept the terms' },
    link: { pl: 'regulamin', en: 'terms' },
  },
  privacy: {
    title: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
    statement: { pl: 'Znam informację o\u00a0przetwarzaniu danych', en: 'I know the privacy notice' },
    link: { pl: 'informację o\u00a0przetwarzaniu danych', en: 'privacy notice' },
  },
  marketing: {
    title: { pl: 'Informacje o\u00a0ofertach', en: 'News about offers' },
    statement: { pl: 'Chcę dostawać informacje o\u00a0ofertach', en: 'I want to receive news about offers' },
    more: {
      pl: `${company} może wysyłać je e\u2011mailem i\u00a0SMS\u2011em. Zgodę wycofasz w\u00a0każdej chwili w\u00a0Moich danych`,
      en: `${company} may send it by e-mail and text message. You can withdraw this consent at any time in My data`,
    },
  },
})
