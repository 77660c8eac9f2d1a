import { Suspense, type ReactNode } from 'react'
import { pages } from '../../contract/pages.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { faqTitle, supportHours, SupportPhone } from '../app/support-line.tsx'
import { Braid } from '../art/braid.tsx'
import { Link } from '../ui/link.tsx'
import { BrandBar } from './none-layout.tsx'
import { CheckLink, LegalLinks, SkipLink } from './page-footer.tsx'

/** Shows the rosette of the signed-out screens, with microprint around its edge. */
function HeroRosette() {
  const t = useText()
  const products = t({ pl: 'podpis · pieczęć · znacznik czasu', en: 'signature · seal · timestamp' })
  const microprint = `${config.brand.product} · ${products} · `.repeat(5)
  return (
    <svg className="hero-rosette" viewBox="-340 -340 680 680" aria-hidden="true" fill="none" stroke="url(#iris)">
      <defs>
        <linearGradient id="iris" gradientUnits="userSpaceOnUse" x1="-300" y1="-300" x2="300" y2="300">
          <stop offset="0" stopColor="var(--lit-a)" />
          <stop offset=".5" stopColor="var(--lit-b)" />
          <stop offset="1" stopColor="var(--lit-c)" />
        </linearGradient>
        <path id="microprint" d="M0 -318A318 318 0 1 1 -.1 -318" />
      </defs>
      <circle r="330" />
      <circle r="308" />
      <Braid
        id="hero-outer"
        shape={{ radius: 274, amplitude: 32, waves: 18, second: { amplitude: 5, waves: 54 }, strands: 8 }}
      />
      <circle r="232" />
      <g opacity=".8">
        <Braid id="hero-middle" shape={{ radius: 184, amplitude: 44, waves: 9, strands: 16 }} />
      </g>
      <circle r="128" />
      <Braid id="hero-inner" shape={{ radius: 98, amplitude: 24, waves: 12, strands: 8 }} />
      <circle r="68" />
      <text className="microprint">
        <textPath href="#microprint">{microprint}</textPath>
      </text>
    </svg>
  )
}

/** Shows the layout of the sign-in screens: the form on the left, line art on the right, above it on a phone (RTE-2). */
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
          <p className="buttons">
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
