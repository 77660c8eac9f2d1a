import type { ConsentKind, Wording } from './consents.ts'
import { statements } from './consent-statements.ts'
import type { Locale } from './enums.ts'
import { sectionsIn, type LegalSection } from './legal-sections.ts'
import type { Brand } from './page-config.ts'
import { privacySections } from './privacy-text.ts'
import { termsSections } from './terms-text.ts'

const sections: Record<ConsentKind, (brand: Brand) => readonly LegalSection[]> = {
  terms: termsSections,
  privacy: privacySections,
  // The statement says it all.
  marketing: () => [],
}

/** What a consent is given to, exactly as a page in this language shows it (REG-5). */
export function wordingOf(kind: ConsentKind, locale: Locale, brand: Brand): Wording {
  const { version, title, statement, more } = statements(brand)[kind]
  return {
    kind,
    version,
    locale,
    title: title[locale],
    statement: [statement, more].flatMap((part) => (part ? [part[locale]] : [])).join('. '),
    sections: sectionsIn(locale, sections[kind](brand)),
  }
}

/** The one writing of a wording, whose SHA-256 names it: browser and server make the same of the same words. */
export const written = (wording: Wording): string => JSON.stringify(wording)
