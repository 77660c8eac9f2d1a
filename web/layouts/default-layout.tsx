import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { loginPath, splitLocale } from '../../contract/pages.ts'
import { Brand } from '../art/brand-mark.tsx'
import { Icon } from '../art/icons.tsx'
import { MedallionSymbols } from '../art/medallion.tsx'
import { CallFailed, offer } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { reads } from '../reads.ts'
import { dropSession, followTabs, heldSession, loadSession, signOutEverywhere, useHeldSession } from '../session.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { keepDraftsInMemory } from '../ui/drafts.ts'
import { Link } from '../ui/link.tsx'
import { Menu } from '../ui/menu.tsx'
import { OfflineBar } from '../ui/offline-bar.tsx'
import { SessionWarning } from '../ui/session-warning.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StepUpHost } from '../ui/step-up.tsx'
import '../styles/app.css'
import { toast } from '../ui/toast.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { Breadcrumbs, SideMenu, TabBar } from './menu-bars.tsx'
import { PageFooter, SkipLink } from './page-footer.tsx'

/** The menu round every signed-in screen (RTE-2). It shows a screen only once the session is known. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  const t = useText()
  const held = useHeldSession()
  const ended = useEnding()
  useFirstSession(ended)

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
            {held ? (
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

/** What happens when the session is over: the login page says why, and leads back here with what was typed (AUT-5). */
function useEnding() {
  const navigate = useNavigate()
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const back = (locale === 'en' ? '/en' : '') + pathname + search

  const leave = useCallback(() => {
    keepDraftsInMemory()
    reads.clear()
    const { pathname: login, search: query } = new URL(
      loginPath(locale, { reason: 'session-ended', back }),
      location.origin,
    )
    void navigate(splitLocale(login).path + query, { replace: true })
  }, [navigate, locale, back])

  const ended = useCallback(() => {
    dropSession('session-ended')
    leave()
  }, [leave])

  useEffect(() => offer({ signedOut: ended }), [ended])
  useEffect(
    () =>
      followTabs((reason) => {
        if (reason === 'session-ended') leave()
        else location.replace(loginPath(locale, { reason }))
      }),
    [leave, locale],
  )
  useEffect(() => {
    // A page that the browser kept for its back button must not show what a customer signed out of (R8).
    const shown = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])
  return ended
}

function useFirstSession(ended: () => void) {
  const [fatal, setFatal] = useState<Error>()
  if (fatal) throw fatal
  useEffect(() => {
    // It may have come between the first drawing and this.
    if (heldSession()) return
    loadSession().catch((error: Error) => {
      if (error instanceof CallFailed && error.code === 'signed-out') ended()
      else setFatal(error)
    })
    // eslint-disable-next-line react/exhaustive-deps -- read once; what comes later is held
  }, [])
}

function AccountMenu() {
  const t = useText()
  const locale = useLocale()
  const customer = useHeldSession()?.session.customer
  if (!customer) return <span className="who who--unknown" />
  const name = `${customer.firstName} ${customer.surname}`

  async function leave() {
    try {
      await signOutEverywhere(locale)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      toast({
        variant: 'destructive',
        title: t({ pl: 'Nie udało się wylogować', en: 'Logging out did not work' }),
        description: describeFailure(locale, error),
        action: { label: t({ pl: 'Spróbuj ponownie', en: 'Try again' }), onClick: () => void leave() },
      })
    }
  }

  return (
    <Menu
      className="who"
      button={
        <>
          <span className="avatar" aria-hidden="true">
            {customer.firstName[0]}
            {customer.surname[0]}
          </span>
          <span className="who__name">{name}</span>
          <Icon name="down" size="s" />
        </>
      }
      heading={
        <>
          <b>{name}</b>
          <span>{customer.email}</span>
        </>
      }
      items={[
        { icon: 'user', label: t({ pl: 'Moje dane', en: 'My data' }), to: '/my-data' },
        { icon: 'key', label: t({ pl: 'Zmiana hasła', en: 'Change password' }), to: '/change-password' },
        { icon: 'out', label: t({ pl: 'Wyloguj się', en: 'Log out' }), onSelect: () => void leave() },
      ]}
    />
  )
}
