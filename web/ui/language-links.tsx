import type { MouseEvent } from 'react'
import { locales, type Locale } from '../../contract/enums.ts'
import { useLocale } from '../app/locale.tsx'

const names = { pl: 'Polski', en: 'English' }

type Props = {
  hrefOf: (locale: Locale) => string
  onChoose?: (event: MouseEvent<HTMLAnchorElement>, locale: Locale) => void
}

/** Shows the languages as plain links, which need neither a script nor a session. */
export function LanguageLinks({ hrefOf, onChoose }: Props) {
  const current = useLocale()
  return (
    <nav className="lang" aria-label="Język / Language">
      {locales.map((locale) => (
        <a
          key={locale}
          href={hrefOf(locale)}
          lang={locale}
          hrefLang={locale}
          aria-current={locale === current ? 'true' : undefined}
          onClick={onChoose && ((event) => onChoose(event, locale))}
        >
          <span aria-hidden="true">{locale.toUpperCase()}</span>
          <span className="unseen">{names[locale]}</span>
        </a>
      ))}
    </nav>
  )
}
