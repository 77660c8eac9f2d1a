import { createContext, use, type ReactNode } from 'react'
import type { Locale, Text } from '../../contract/enums.ts'

const LocaleContext = createContext<Locale>('pl')

export function LocaleProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  return <LocaleContext value={locale}>{children}</LocaleContext>
}

export const useLocale = (): Locale => use(LocaleContext)

// A word joiner, which searches ignore, keeps a line from ending after the hyphen of “e-mail”, “text-message” and “one-time”.
const textsIn = (locale: Locale) =>
  Object.assign((text: Text) => text[locale].replace(/\b(e|[Tt]ext|[Oo]ne)-/g, '$&\u2060'), { locale })
const texts = { pl: textsIn('pl'), en: textsIn('en') }

/**
 * Returns a function that chooses the text in the language of the page: `const t = useText()`, then `t({ pl: '…', en: '…' })`; `t.locale`
 * is the language.
 */
export const useText = () => texts[useLocale()]
