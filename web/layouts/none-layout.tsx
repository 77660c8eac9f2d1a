import { Suspense, type ReactNode } from 'react'
import { useCurrentSession } from '../app/session.tsx'
import './none-layout.css'
import { BrandMark } from '../art/brand-mark.tsx'
import { Link } from '../ui/link.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { PageFooter, SkipLink } from './page-footer.tsx'

/** Shows the head of a layout without the menu: the portal's name and the languages. */
export function BrandBar({ className, home }: { className: string; home: string }) {
  return (
    <header className={className}>
      <Link className="brand" to={home}>
        <BrandMark />
      </Link>
      <div className="topbar__end">
        <LanguageSwitch />
      </div>
    </header>
  )
}

/** Shows the bare layout without a menu, for pages that everyone may read (RTE-2). */
export function NoneLayout({ children }: { children: ReactNode }) {
  const isSignedIn = !!useCurrentSession()
  return (
    <div className="none-layout">
      <SkipLink />
      <BrandBar className="none-layout__bar" home={isSignedIn ? '/home' : '/'} />
      <main id="content" className="none-layout__main" tabIndex={-1}>
        <Suspense>{children}</Suspense>
      </main>
      <PageFooter />
    </div>
  )
}
