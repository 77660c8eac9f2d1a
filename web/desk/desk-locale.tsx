import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import type { Locale } from '../../contract/enums.ts'
import { LocaleProvider, useLocale } from '../app/locale.tsx'
import { clearFlag, hasFlag, setFlag } from '../app/storage.ts'

/** Whether somebody works in English here, against the language of the browser. */
const english = 'desk-english'
const polish = 'desk-polish'

function firstLocale(): Locale {
  if (hasFlag(english)) return 'en'
  return hasFlag(polish) || navigator.language.startsWith('pl') ? 'pl' : 'en'
}

const SwitchContext = createContext<() => void>(() => {})

/** Provides the language of the desk, which is stored on this machine, because addresses of the desk have none. */
export function DeskLocale({ children }: { children: ReactNode }) {
  const [locale, setLocale] = useState(firstLocale)
  useEffect(() => void (document.documentElement.lang = locale), [locale])

  function change() {
    const next = locale === 'pl' ? 'en' : 'pl'
    setFlag(next === 'en' ? english : polish)
    clearFlag(next === 'en' ? polish : english)
    setLocale(next)
  }

  return (
    <SwitchContext value={change}>
      <LocaleProvider locale={locale}>{children}</LocaleProvider>
    </SwitchContext>
  )
}

/** Shows a button for the other language, labelled in that language. */
export function DeskLanguage() {
  const change = use(SwitchContext)
  const other = useLocale() === 'pl' ? 'en' : 'pl'
  return (
    <button type="button" className="desk__lang" lang={other} onClick={change}>
      {other === 'en' ? 'English' : 'Polski'}
    </button>
  )
}
