import { Suspense, type ReactNode } from 'react'
import { Brand } from '../art/brand-mark.tsx'
import { useHeldSession } from '../session.tsx'
import { Link } from '../ui/link.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { PageFooter, SkipLink } from './page-footer.tsx'

/** The bare layout: no menu, for pages that everyone may read (RTE-2). */
export function NoneLayout({ children }: { children: ReactNode }) {
  const signedIn = !!useHeldSession()
  return (
    <div className="plain">
      <SkipLink />
      <header className="plain__bar">
        <Link className="brand" to={signedIn ? '/home' : '/'}>
          <Brand />
        </Link>
        <div className="topbar__end">
          <LanguageSwitch />
        </div>
      </header>
      <main id="content" className="plain__main" tabIndex={-1}>
        <Suspense>{children}</Suspense>
      </main>
      <PageFooter />
    </div>
  )
}
