import type { Locale } from './enums.ts'
import { inLocale } from './pages.ts'

/** Returns the canonical address of a page and its other languages, as `<link>` attributes (RTE-9). `path` is without language. */
export function headLinks(origin: string, locale: Locale, path: string) {
  const address = (language: Locale) => origin + inLocale(language, path)
  return [
    { rel: 'canonical', href: address(locale) },
    { rel: 'alternate', hreflang: 'pl', href: address('pl') },
    { rel: 'alternate', hreflang: 'en', href: address('en') },
    { rel: 'alternate', hreflang: 'x-default', href: address('pl') },
  ]
}
