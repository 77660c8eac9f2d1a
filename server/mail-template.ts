import type { Locale } from '../contract/enums.ts'
import type { Brand } from '../contract/page-config.ts'
export function renderMail(_locale: Locale, _brand: Brand, { subject, paragraphs, action, note }: { subject: string; paragraphs: string[]; action?: { label: string; url: string }; note?: string }) {
  return { subject, text: [...paragraphs, action?.url, note].join('\n'), html: '' }
}
