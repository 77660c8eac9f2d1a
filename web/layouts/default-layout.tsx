import type { ReactNode } from 'react'
import { Brand } from '../art/brand-mark.tsx'
import { Link } from '../ui/link.tsx'
import { OfflineBar } from '../ui/offline-bar.tsx'
import { AccountMenu } from './account-menu.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { Breadcrumbs, SideMenu, TabBar } from './menu-bars.tsx'
import { PageFooter, SkipLink } from './page-footer.tsx'
import { SignedInFrame, SignedInScreen } from './signed-in-frame.tsx'

/** The menu round every signed-in screen (RTE-2). It shows a screen only once the session is known. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  return (
    <SignedInFrame>
      <div className="app">
        <SkipLink />
        <SideMenu />
        <div className="main">
          <OfflineBar />
          <header className="topbar">
            <div className="mtop">
              <Link className="brand" to="/home">
                <Brand />
              </Link>
            </div>
            <Breadcrumbs />
            <div className="topbar__end">
              <LanguageSwitch />
              <AccountMenu />
            </div>
          </header>
          <main id="content" className="page" tabIndex={-1}>
            <SignedInScreen>{children}</SignedInScreen>
          </main>
          <PageFooter />
        </div>
        <TabBar />
      </div>
    </SignedInFrame>
  )
}
