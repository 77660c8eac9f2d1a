import type { ReactNode } from 'react'
import { Brand } from '../art/brand-mark.tsx'
import { Link } from '../ui/link.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { AccountMenu } from './account-menu.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { Breadcrumbs, SideMenu, TabBar } from './menu-bars.tsx'
import { SignedInFrame, SignedInMain } from './signed-in-frame.tsx'

/** The menu around every signed-in screen (RTE-2). It shows a screen only once the session is known. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  return (
    <SignedInFrame className="app">
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
        <SignedInMain className="page">{children}</SignedInMain>
      </div>
      <TabBar />
    </SignedInFrame>
  )
}
