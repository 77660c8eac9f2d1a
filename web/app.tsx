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
import { readSession } from '../contract/account.ts'
import type { Locale } from '../contract/enums.ts'
import { findPage, pages, splitLocale, type Layout, type PageName } from '../contract/pages.ts'
import { provide } from './api.ts'
import { isOff } from './config.ts'
import { ErrorBoundary } from './errors/error-boundary.tsx'
import { followRoute } from './head-links.ts'
import { NoneLayout } from './layouts/none-layout.tsx'
import { UnauthorizedLayout } from './layouts/unauthorized-layout.tsx'
import { LocaleProvider } from './locale.tsx'
import { onDemand } from './on-demand.tsx'
import { followPayload } from './page-payload.ts'
import { useCurrentPage } from './route.ts'
import { useCurrentSession } from './session.tsx'
import { Toaster } from './toast/toast.tsx'
import { keysOf } from '../contract/keys-of.ts'

const files = import.meta.glob<Record<string, ComponentType>>([
  './*/*-screen.tsx',
  '!./errors/{error,not-found,unavailable}-screen.tsx',
])
const loadByName = new Map(
  Object.entries(files).map(([path, load]) => [path.replace(/^.*\/|-screen\.tsx$/g, ''), load]),
)

/** The screen of the page `myCases` is `MyCasesScreen` in `my-cases-screen.tsx` of any feature. */
async function loadScreen(page: PageName): Promise<ComponentType> {
  const file = await loadByName.get(page.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))?.()
  const Screen = file?.[`${page[0]?.toUpperCase()}${page.slice(1)}Screen`]
  if (!Screen) throw new Error(`The page ${page} has no screen.`)
  return Screen
}

/** The page that this document was loaded for: its payload is in the document. */
const ownPage = import.meta.env.SSR ? undefined : findPage(splitLocale(location.pathname).path)

/** The screen of a prerendered page. Reached by a link, it comes with the payload of the page (HTT-6). */
async function loadPrerendered(page: PageName): Promise<ComponentType> {
  const screen = loadScreen(page)
  // Handled below; until then it is nobody's failure.
  screen.catch(() => undefined)
  if (!import.meta.env.SSR && page !== ownPage) await followPayload(page, screen)
  return screen
}

/** My data shows the cards of another feature. */
async function loadMyData(): Promise<ComponentType> {
  const [{ MyDataScreen }, { SecurityCards }] = await Promise.all([
    import('./personal-data/my-data-screen.tsx'),
    import('./security/security-cards.tsx'),
  ])
  return () => (
    <MyDataScreen>
      <SecurityCards />
    </MyDataScreen>
  )
}

const screens = Object.fromEntries(
  keysOf(pages).map((name) => {
    const load = pages[name].protected ? loadScreen : loadPrerendered
    return [name, onDemand(name === 'myData' ? loadMyData : () => load(name))]
  }),
) as Record<PageName, ReturnType<typeof onDemand>>
const Unavailable = onDemand(() => import('./errors/unavailable-screen.tsx').then((file) => file.UnavailableScreen))
const Denied = onDemand(() => import('./errors/access-denied-screen.tsx').then((file) => file.AccessDeniedScreen))
const NotFound = onDemand(() => import('./errors/not-found.tsx').then((file) => file.NotFound))
const DefaultLayout = onDemand(() => import('./layouts/default-layout.tsx').then((file) => file.DefaultLayout))
const FocusLayout = onDemand(() => import('./layouts/focus-layout.tsx').then((file) => file.FocusLayout))

const layouts: Record<Layout, ComponentType<{ children: ReactNode }>> = {
  default: DefaultLayout,
  unauthorized: UnauthorizedLayout,
  none: NoneLayout,
  focus: FocusLayout,
}

/** Pages that everyone may read and that are in the menu or footer (NAV-1). */
const forEveryone: ReadonlySet<PageName> = new Set(['faq', 'accessibility', 'privacy', 'terms'] as const)
export const isForEveryone = (name: PageName) => forEveryone.has(name)

/** Signed-in customers read them inside the menu, with their name and sign-out (NAV-2). */
function useLayout(name: PageName | undefined): Layout | undefined {
  // Deferred, so that the bare page stays until the menu's code is loaded.
  const signedIn = useDeferredValue(!!useCurrentSession())
  return name && (signedIn && isForEveryone(name) ? 'default' : pages[name].layout)
}

/** Starts loading a page's code before React asks for it. */
export function preloadPage(name: PageName) {
  const { layout } = pages[name]
  return Promise.all([
    screens[name].preload(),
    layout === 'default' && DefaultLayout.preload(),
    layout === 'focus' && FocusLayout.preload(),
  ])
}

/** Loads what the server needs to render any signed-in page. */
export const loadSignedInPages = () =>
  Promise.all([
    ...keysOf(pages)
      .filter((name) => pages[name].protected)
      .map(preloadPage),
    Unavailable.preload(),
  ])

/**
 * RTE-11: after a refused call Access denied is in place of the page until the customer leaves it; the address stays, so that
 * reloading tries again. `back` leads to the page before, or after a refused action to the page with the button.
 */
function useDenial(): { back: (() => void) | undefined; noSession?: boolean } | undefined {
  const { key } = useLocation()
  const page = useCurrentPage()
  const navigate = useNavigate()
  const [denial, setDenial] = useState<{ at: string; isRead: boolean; noSession: boolean }>()
  useEffect(
    () =>
      provide({
        denied: (refused) => {
          // A page for everyone only asks who is signed in, and can be read all the same.
          if (refused === readSession && page && !pages[page].protected) return
          // In a transition the page stays until the code of the screen is loaded.
          startTransition(() =>
            setDenial({ at: key, isRead: refused.method === 'GET', noSession: refused === readSession }),
          )
        },
      }),
    [key, page],
  )
  if (denial?.at !== key) return undefined
  if (!denial.isRead) return { back: () => setDenial(undefined) }
  const { idx } = (history.state ?? {}) as { idx?: number }
  return { back: idx ? () => void navigate(-1) : undefined, noSession: denial.noSession }
}

/** The page of the address in its layout, which stays as long as the next page has the same one. */
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
      <Screen />
    </Frame>
  )
}

/** The whole document. `router` is the browser's, or while prerendering a static one. */
export function App({ locale, router: Router }: { locale: Locale; router: ComponentType<{ children: ReactNode }> }) {
  return (
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
  )
}

/** `<html>` and what never changes in `<head>`; title, links, styles and configuration are put in by the build and the server. */
export function Document({ locale, children }: { locale: Locale; children: ReactNode }) {
  return (
    <LocaleProvider locale={locale}>
      {/* A browser that translates a page takes its texts from under React, and the page breaks off in the middle of a sign-in (ERR-4). */}
      <html lang={locale} translate="no">
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
