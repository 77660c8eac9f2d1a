import { Suspense, type ReactNode } from 'react'
import { useCurrentSession } from '../app/session.tsx'
import { BrandBar } from './brand-bar.tsx'
import './none-layout.css'
import { PageFooter, SkipLink } from './page-footer.tsx'

/** The bare layout: no menu, for pages that everyone may read (RTE-2). */
export function NoneLayout({ children }: { children: ReactNode }) {
  const signedIn = !!useCurrentSession()
  return (
    <div className="plain">
      <SkipLink />
      <BrandBar className="plain__bar" home={signedIn ? '/home' : '/'} />
      <main id="content" className="plain__main" tabIndex={-1}>
        <Suspense>{children}</Suspense>
      </main>
      <PageFooter />
    </div>
  )
}
