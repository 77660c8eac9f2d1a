import type { DocumentCase } from '../../contract/documents.ts'
import type { Locale, Text } from '../../contract/enums.ts'

const kinds = {
  encrypted: { pl: 'zaszyfrowany', en: 'encrypted' },
  plain: { pl: 'do-podpisu', en: 'to-sign' },
  signed: { pl: 'podpisany', en: 'signed' },
} satisfies Record<string, Text>

/** `dokument-U-20871-zaszyfrowany.pdf`: with only those characters of the provider's number that every file system accepts (R49). */
export function fileName(locale: Locale, { document }: Pick<DocumentCase, 'document'>, kind: keyof typeof kinds) {
  const number = document.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  return `${[{ pl: 'dokument', en: 'document' }[locale], number, kinds[kind][locale]].filter(Boolean).join('-')}.pdf`
}
