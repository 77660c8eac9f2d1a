import type { Wording } from '../consents.ts'
import type { Locale } from '../enums.ts'
import type { Brand } from '../page-config.ts'
import { statements, type ConsentKind } from './consent-statements.ts'
import { sectionsIn, type LegalSection } from './legal-sections.ts'
import { privacySections, privacyVersion } from './privacy-text.ts'
import { termsSections, termsVersion } from './terms-text.ts'

type Document = { version: string; sections: (brand: Brand) => readonly LegalSection[] }

const documents: Record<ConsentKind, Document> = {
  terms: { version: termsVersion, sections: termsSections },
  privacy: { version: privacyVersion, sections: privacySections },
  // The statement is the whole text.
  marketing: { version: '2026-11-01', sections: () => [] },
}

/** Returns the text of a consent, exactly as a page in this language shows it (REG-5). */
export function wordingOf(kind: ConsentKind, locale: Locale, brand: Brand): Wording {
  const { title, statement, more } = statements(brand)[kind]
  const { version, sections } = documents[kind]
  return {
    kind,
    version,
    locale,
    title: title[locale],
    statement: [statement, more].flatMap((part) => (part ? [part[locale]] : [])).join('. '),
    sections: sectionsIn(locale, sections(brand)),
  }
}

/** Returns the canonical form of a wording, whose SHA-256 identifies it; browser and server compute the same. */
export const written = (wording: Wording): string => JSON.stringify(wording)
