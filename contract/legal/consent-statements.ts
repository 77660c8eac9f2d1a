import type { ConsentKind } from '../consents.ts'
import type { Text } from '../enums.ts'
import type { Brand } from '../page-config.ts'

export const consentKinds = ['terms', 'privacy', 'marketing'] as const satisfies readonly ConsentKind[]
export type { ConsentKind }

type Statement = {
  /** The document, or the name of the consent. */
  title: Text
  /** The sentence that the customer accepts by ticking the box. */
  statement: Text
  /** The part of the statement that links to the document. */
  link?: Text
  /** Further text below the statement. */
  more?: Text
}

/** Returns the sentences next to the consent checkboxes (REG-2). */
export const statements = ({ company }: Brand): Record<ConsentKind, Statement> => ({
  terms: {
    title: { pl: 'Regulamin', en: 'Terms' },
    statement: { pl: 'Akceptuję regulamin', en: 'I accept the terms' },
    link: { pl: 'regulamin', en: 'terms' },
  },
  privacy: {
    title: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
    statement: {
      pl: 'Potwierdzam zapoznanie się z\u00a0informacją o\u00a0przetwarzaniu danych',
      en: 'I confirm that I have read the privacy notice',
    },
    link: { pl: 'informacją o\u00a0przetwarzaniu danych', en: 'privacy notice' },
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
