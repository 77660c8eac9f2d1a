import type { Locale, Text } from '../enums.ts'

/** A chapter of paragraphs and lists. */
export type LegalSection = { title: Text; body: readonly (Text | readonly Text[])[] }

/** Returns the chapters in one language. */
export const sectionsIn = (locale: Locale, sections: readonly LegalSection[]) =>
  sections.map(({ title, body }) => ({
    title: title[locale],
    body: body.map((part) => ('en' in part ? part[locale] : part.map((item) => item[locale]))),
  }))
