import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { Brand } from '../art/brand-mark.tsx'
import { MedallionSymbols } from '../art/medallion.tsx'
import { useText } from '../locale.tsx'
import { reads } from '../reads.ts'
import { Link } from '../ui/link.tsx'
import { OfflineBar } from '../ui/offline-bar.tsx'
import { SessionWarning } from '../ui/session-warning.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StepUpHost } from '../ui/step-up.tsx'
import '../styles/app.css'
import { AccountMenu } from './account-menu.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { Breadcrumbs, SideMenu, TabBar } from './menu-bars.tsx'
import { PageFooter, SkipLink } from './page-footer.tsx'
import { useEnding, useFirstScreen, useFirstSession } from './session-keeping.ts'

/** The menu round every signed-in screen (RTE-2). It shows a screen only once the session is known. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  const t = useText()
  const ended = useEnding()
  useFirstSession(ended)
  const ready = useFirstScreen()

  return (
    <QueryClientProvider client={reads}>
      <MedallionSymbols />
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
            {ready ? (
              <Suspense fallback={<Skeleton />}>{children}</Suspense>
            ) : (
              <div aria-busy="true">
                <p className="vh" role="status">
                  {t({ pl: 'Wczytujemy portal', en: 'Loading the portal' })}
                </p>
                <Skeleton />
              </div>
            )}
          </main>
          <PageFooter />
        </div>
        <TabBar />
      </div>
      <StepUpHost />
      <SessionWarning onEnded={ended} />
    </QueryClientProvider>
  )
}
