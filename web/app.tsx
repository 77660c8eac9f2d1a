import { Suspense, useDeferredValue, useEffect, type ComponentType, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { Locale } from '../contract/enums.ts'
import { pages, type Layout, type PageName } from '../contract/pages.ts'
import { isOff } from './config.ts'
import { ErrorBoundary } from './errors/error-boundary.tsx'
import { followRoute } from './head-links.ts'
import { NoneLayout } from './layouts/none-layout.tsx'
import { UnauthorizedLayout } from './layouts/unauthorized-layout.tsx'
import { LocaleProvider } from './locale.tsx'
import { onDemand, partOnDemand } from './on-demand.tsx'
import { useCurrentPage } from './route.ts'
import { useHeldSession } from './session.tsx'
import { Toaster } from './ui/toast.tsx'

const SecurityCards = partOnDemand(() => import('./security/security-cards.tsx').then((file) => file.SecurityCards))

type Load = () => Promise<ComponentType>

/** Where each page's screen is. */
const loaders: Record<PageName, Load> = {
  login: () => import('./account/login-screen.tsx').then((file) => file.LoginScreen),
  register: () => import('./registration/register-screen.tsx').then((file) => file.RegisterScreen),
  passwordReset: () => import('./account/password-reset-screen.tsx').then((file) => file.PasswordResetScreen),
  setupPassword: () => import('./account/setup-password-screen.tsx').then((file) => file.SetupPasswordScreen),
  confirmPhone: () => import('./account/confirm-phone-screen.tsx').then((file) => file.ConfirmPhoneScreen),
  changePassword: () => import('./account/change-password-screen.tsx').then((file) => file.ChangePasswordScreen),
  accessDenied: () => import('./errors/access-denied-screen.tsx').then((file) => file.AccessDeniedScreen),
  home: () => import('./home/home-screen.tsx').then((file) => file.HomeScreen),
  signatures: () => import('./signatures/signatures-screen.tsx').then((file) => file.SignaturesScreen),
  seals: () => import('./seals/seals-screen.tsx').then((file) => file.SealsScreen),
  timestamps: () => import('./timestamps/timestamps-screen.tsx').then((file) => file.TimestampsScreen),
  myCases: () => import('./vouchers/my-cases-screen.tsx').then((file) => file.MyCasesScreen),
  documents: () => import('./documents/documents-screen.tsx').then((file) => file.DocumentsScreen),
  renewal: () => import('./renewal/renewal-screen.tsx').then((file) => file.RenewalScreen),
  myData: () =>
    import('./personal-data/my-data-screen.tsx').then(({ MyDataScreen }) => () => (
      <MyDataScreen>
        <SecurityCards />
      </MyDataScreen>
    )),
  software: () => import('./software/software-screen.tsx').then((file) => file.SoftwareScreen),
  faq: () => import('./faq/faq-screen.tsx').then((file) => file.FaqScreen),
  accessibility: () => import('./legal/accessibility-screen.tsx').then((file) => file.AccessibilityScreen),
  privacy: () => import('./legal/privacy-screen.tsx').then((file) => file.PrivacyScreen),
  terms: () => import('./legal/terms-screen.tsx').then((file) => file.TermsScreen),
}

const screens = Object.fromEntries(
  (Object.keys(pages) as PageName[]).map((name) => [name, onDemand(loaders[name])]),
) as Record<PageName, ReturnType<typeof onDemand>>
const Unavailable = onDemand(() => import('./errors/unavailable-screen.tsx').then((file) => file.UnavailableScreen))
const NotFound = onDemand(() => import('./errors/not-found.tsx').then((file) => file.NotFound))
const DefaultLayout = onDemand(() => import('./layouts/default-layout.tsx').then((file) => file.DefaultLayout))
const FocusLayout = onDemand(() => import('./layouts/focus-layout.tsx').then((file) => file.FocusLayout))

const layouts: Record<Layout, ComponentType<{ children: ReactNode }>> = {
  default: DefaultLayout,
  unauthorized: UnauthorizedLayout,
  none: NoneLayout,
  focus: FocusLayout,
}

/** Pages that everyone may read and that lie in the menu or foot of the portal (NAV-1). */
const forEveryone: ReadonlySet<PageName> = new Set(['faq', 'accessibility', 'privacy', 'terms'] as const)
export const isForEveryone = (name: PageName) => forEveryone.has(name)

/** Whoever is signed in reads them inside the menu, with their name and the way out (NAV-2). */
function useLayout(name: PageName | undefined): Layout | undefined {
  // Deferred, so that the bare page stays until the menu's code is there.
  const signedIn = useDeferredValue(!!useHeldSession())
  return name && (signedIn && isForEveryone(name) ? 'default' : pages[name].layout)
}

/** Starts loading a page's code before React asks for it. */
export function preloadPage(name: PageName) {
  screens[name].preload()
  if (pages[name].layout === 'default') DefaultLayout.preload()
  if (pages[name].layout === 'focus') FocusLayout.preload()
}

/** The page of the address in its layout, which stays as long as the next page has the same one. */
function CurrentPage() {
  const { pathname } = useLocation()
  const name = useCurrentPage()
  useEffect(() => followRoute(pathname), [pathname])
  const layout = useLayout(name)
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
