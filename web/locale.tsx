import { createContext, use, type ReactNode } from 'react'
import type { Locale, Text } from '../contract/enums.ts'

const LocaleContext = createContext<Locale>('pl')

export function LocaleProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  return <LocaleContext value={locale}>{children}</LocaleContext>
}

export const useLocale = (): Locale => use(LocaleContext)

/** A word joiner, which searches ignore, keeps a line from ending after the hyphen. */
const withWholeWords = (text: string) => text.replaceAll('e-mail', 'e-\u2060mail')

/** `const t = useText()`, then `t({ pl: '…', en: '…' })`. */
export function useText() {
  const locale = useLocale()
  return (text: Text) => withWholeWords(text[locale])
}
