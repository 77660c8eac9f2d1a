import type { ReactNode } from 'react'
import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { useText } from '../app/locale.tsx'
import { faqTitle, SupportLine } from '../app/support-line.tsx'
import { BrandMark } from '../art/brand-mark.tsx'
import { LanguageLinks } from '../ui/language-links.tsx'

export const homeOf = (locale: Locale) => (locale === 'en' ? '/en' : '/')

/** Shows the frame of the error screens. It needs neither router nor session, so nothing that broke can break it too (ERR-4). */
export function ErrorFrame({ children }: { children: ReactNode }) {
  const t = useText()
  return (
    <div className="error-page">
      <header className="error-page__bar">
        <a className="brand" href={homeOf(t.locale)}>
          <BrandMark />
        </a>
        <LanguageLinks hrefOf={homeOf} />
      </header>
      <main id="content" className="error-page__main">
        {children}
        <p className="error-page__help">
          {t({ pl: 'Potrzebujesz pomocy? ', en: 'Need help? ' })}
          <SupportLine />
        </p>
        <a href={inLocale(t.locale, pages.faq.path)}>{t(faqTitle)}</a>
      </main>
    </div>
  )
}
