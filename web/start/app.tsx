import {
  startTransition,
  Suspense,
  useDeferredValue,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readSession } from '../../contract/account.ts'
import type { Locale } from '../../contract/enums.ts'
import { pages, type Layout, type PageName, splitLocale, headLinks } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { HydrationProvider } from '../app/hydration.tsx'
import { LocaleProvider } from '../app/locale.tsx'
import { useCurrentPage } from '../app/route.ts'
import { useCurrentSession } from '../app/session.tsx'
import { provide } from '../calls/api.ts'
import { ErrorBoundary } from '../errors/error-boundary.tsx'
import { OfflineBoundary } from '../errors/offline-screen.tsx'
import { NoneLayout } from '../layouts/none-layout.tsx'
import { Toaster } from '../toast/toast.tsx'
import { Denied, layouts, NotFound, screens, Unavailable } from './screens.tsx'

/** Checks whether a page is in the menu or footer and everyone may read it (NAV-1). */
const isForEveryone = (name: PageName) => pages[name].layout === 'none' && name !== 'accessDenied'

/** Returns the layout of a page. Signed-in customers read the pages for everyone inside the menu, with their name and sign-out (NAV-2). */
function useLayout(name: PageName | undefined): Layout | undefined {
  // Deferred, so that the bare page stays until the menu's code is loaded.
  const isSignedIn = useDeferredValue(!!useCurrentSession())
  return name && (isSignedIn && isForEveryone(name) ? 'default' : pages[name].layout)
}

/**
 * Returns the refusal to show: after a refused call, Access denied replaces the page until the customer leaves it; the address stays, so
 * that reloading tries again (RTE-11). `back` leads to the page before, or after a refused action to the page with the button.
 */
function useDenial(): { back: (() => void) | undefined; hasNoSession?: boolean } | undefined {
  const { key } = useLocation()
  const page = useCurrentPage()
  const navigate = useNavigate()
  const [denial, setDenial] = useState<{ at: string; isRead: boolean; hasNoSession: boolean }>()
  useEffect(
    () =>
      provide({
        denied: (refused) => {
          // A page for everyone only asks who is signed in, and can be read all the same.
          if (refused === readSession && page && !pages[page].needsSignIn) return
          // In a transition the page stays until the code of the screen is loaded.
          startTransition(() =>
            setDenial({ at: key, isRead: refused.method === 'GET', hasNoSession: refused === readSession }),
          )
        },
      }),
    [key, page],
  )
  if (denial?.at !== key) return undefined
  if (!denial.isRead) return { back: () => setDenial(undefined) }
  const { idx } = (history.state ?? {}) as { idx?: number }
  return { back: idx ? () => void navigate(-1) : undefined, hasNoSession: denial.hasNoSession }
}

let shown = import.meta.env.SSR ? '' : splitLocale(location.pathname).path

/** Updates the links in `<head>` after a navigation; the public origin is the one that the server has written into them. */
function followRoute(path: string) {
  // The page before may have kept its fallback fonts.
  if (path !== shown) document.documentElement.dataset['fonts'] = ''
  shown = path
  const given = document.head.querySelectorAll<HTMLLinkElement>('link[rel=canonical], link[rel=alternate]')
  const origin = given[0] ? new URL(given[0].href).origin : location.origin
  const locale = document.documentElement.lang === 'en' ? 'en' : 'pl'
  const links = headLinks(origin, locale, path).map((attributes) =>
    Object.assign(document.createElement('link'), attributes),
  )
  for (const link of given) link.remove()
  document.head.append(...links)
}

/** Shows the page of the address in its layout, which stays as long as the next page has the same one. */
function CurrentPage() {
  const { pathname } = useLocation()
  const name = useCurrentPage()
  useEffect(() => followRoute(pathname), [pathname])
  const layout = useLayout(name)
  const denial = useDenial()
  if (denial)
    return (
      <NoneLayout>
        <Denied {...denial} />
      </NoneLayout>
    )
  if (!name || !layout) return <NotFound />
  const Frame = layouts[layout]
  const Screen = isOff(name) ? Unavailable : screens[name]
  return (
    <Frame>
      <OfflineBoundary key={name}>
        <Screen />
      </OfflineBoundary>
    </Frame>
  )
}

/** Renders the whole document. `router` is the browser's, or on the server a static one. */
export function App({ locale, router: Router }: { locale: Locale; router: ComponentType<{ children: ReactNode }> }) {
  return (
    <HydrationProvider>
      <Document locale={locale}>
        <ErrorBoundary>
          <Router>
            <Suspense>
              <CurrentPage />
            </Suspense>
            <Toaster />
          </Router>
        </ErrorBoundary>
      </Document>
    </HydrationProvider>
  )
}

/** Renders `<html>` and what never changes in `<head>`; the server adds title, links, styles and configuration. */
export function Document({ locale, children }: { locale: Locale; children: ReactNode }) {
  return (
    <LocaleProvider locale={locale}>
      <html lang={locale}>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="color-scheme" content="light" />
          <meta name="theme-color" content="#ffffff" />
          <meta name="format-detection" content="telephone=no" />
        </head>
        <body>{children}</body>
      </html>
    </LocaleProvider>
  )
}
