import type { Locale, Text } from '../enums.ts'

export type LegalSection = { title: Text; body: readonly (Text | readonly Text[])[] }

export const sectionsIn = (locale: Locale, sections: readonly LegalSection[]) =>
  sections.map(({ title, body }) => ({
    title: title[locale],
    body: body.map((part) => ('en' in part ? part[locale] : part.map((item) => item[locale]))),
  }))
