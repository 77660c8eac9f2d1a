import { Suspense, type ReactNode } from 'react'
import { pages } from '../../contract/pages.ts'
import { config } from '../app/config.ts'
import { HeroRosette } from '../art/hero-rosette.tsx'
import { useText } from '../app/locale.tsx'
import { faqTitle, supportHours, SupportPhone } from '../app/support-line.tsx'
import { Link } from '../ui/link.tsx'
import { BrandBar } from './brand-bar.tsx'
import { CheckLink, LegalLinks, SkipLink } from './page-footer.tsx'

/** The sign-in family: the form on the left, line art on the right, above it on a phone (RTE-2). */
export function UnauthorizedLayout({ children }: { children: ReactNode }) {
  const t = useText()
  return (
    <div className="auth">
      <SkipLink />
      <div className="auth__form">
        <BrandBar className="auth__bar" home="/" />
        <main id="content" className="auth__main" tabIndex={-1}>
          <Suspense>{children}</Suspense>
        </main>
        <footer className="auth__foot">
          <p className="auth__help">
            {t({ pl: 'Pomoc', en: 'Help' })}
            <SupportPhone />
            <span>{t(supportHours())}</span>
          </p>
          <p className="btns">
            <Link to={pages.faq.path}>{t(faqTitle)}</Link>
            <CheckLink />
          </p>
          <p className="auth__links">
            <LegalLinks />
          </p>
        </footer>
      </div>
      <aside className="auth__art on-dark" aria-label={t({ pl: 'O\u00a0portalu', en: 'About the portal' })}>
        <div className="auth__claim">
          <p className="auth__big">{config.claim.title}</p>
          <p>{config.claim.text}</p>
        </div>
        <HeroRosette />
      </aside>
    </div>
  )
}
