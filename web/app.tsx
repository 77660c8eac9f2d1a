import { lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import type { Locale } from '../contract/enums.ts'
import { pages, type Layout, type PageName } from '../contract/pages.ts'
import { ErrorBoundary } from './errors/error-boundary.tsx'
import type { UnavailablePage } from './errors/feature-unavailable.tsx'
import { followRoute } from './head-links.ts'
import { NoneLayout } from './layouts/none-layout.tsx'
import { UnauthorizedLayout } from './layouts/unauthorized-layout.tsx'
import { LocaleProvider } from './locale.tsx'
import { Toaster } from './ui/toast.tsx'

type Load = () => Promise<ComponentType>

/** Where each page's screen is. One that is missing here has no server yet, and says so. */
const loaders: Record<Exclude<PageName, UnavailablePage>, Load> = {
  login: () => import('./account/login-screen.tsx').then((file) => file.LoginScreen),
  passwordReset: () => import('./account/password-reset-screen.tsx').then((file) => file.PasswordResetScreen),
  setupPassword: () => import('./account/setup-password-screen.tsx').then((file) => file.SetupPasswordScreen),
  changePassword: () => import('./account/change-password-screen.tsx').then((file) => file.ChangePasswordScreen),
  accessDenied: () => import('./errors/access-denied-screen.tsx').then((file) => file.AccessDeniedScreen),
  home: () => import('./home/home-screen.tsx').then((file) => file.HomeScreen),
  signatures: () => import('./signatures/signatures-screen.tsx').then((file) => file.SignaturesScreen),
  software: () => import('./software/software-screen.tsx').then((file) => file.SoftwareScreen),
  faq: () => import('./faq/faq-screen.tsx').then((file) => file.FaqScreen),
  accessibility: () => import('./legal/accessibility-screen.tsx').then((file) => file.AccessibilityScreen),
  privacy: () => import('./legal/privacy-screen.tsx').then((file) => file.PrivacyScreen),
  terms: () => import('./legal/terms-screen.tsx').then((file) => file.TermsScreen),
}

/** A chunk that does not load is asked for once more, for a short break in the network; then the error screen comes (ERR-4). */
const twice =
  (load: Load): Load =>
  () =>
    load().catch(load)

const onDemand = (load: Load) => lazy(() => twice(load)().then((component) => ({ default: component })))

const loadDefaultLayout: Load = () => import('./layouts/default-layout.tsx').then((file) => file.DefaultLayout)

const loadUnavailable = () => import('./errors/feature-unavailable.tsx').then((file) => file.FeatureUnavailable)
const names = Object.keys(pages) as PageName[]

const loaderOf = (name: PageName): Load =>
  loaders[name as keyof typeof loaders] ??
  (() => loadUnavailable().then((Unavailable) => () => <Unavailable page={name as UnavailablePage} />))

const screens = Object.fromEntries(names.map((name) => [name, onDemand(loaderOf(name))])) as unknown as Record<PageName, ComponentType>
const NotFound = onDemand(() => import('./errors/not-found.tsx').then((file) => file.NotFound))

const layouts: Record<Layout, ComponentType> = {
  default: onDemand(loadDefaultLayout),
  unauthorized: UnauthorizedLayout,
  none: NoneLayout,
}

/** Starts loading a page's code before React asks for it. A failure is met again, and told, when it is rendered. */
export function preloadPage(name: PageName) {
  const wanted = [loaderOf(name), ...(pages[name].layout === 'default' ? [loadDefaultLayout] : [])]
  for (const load of wanted) load().catch(() => undefined)
}

function Pages() {
  const { pathname } = useLocation()
  useEffect(() => followRoute(pathname), [pathname])
  return (
    <Routes>
      {(Object.keys(layouts) as Layout[]).map((layout) => {
        const Frame = layouts[layout]
        return (
          <Route key={layout} element={<Frame />}>
            {names
              .filter((name) => pages[name].layout === layout)
              .map((name) => {
                const Screen = screens[name]
                return <Route key={name} path={pages[name].path} element={<Screen />} />
              })}
          </Route>
        )
      })}
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

/** The whole document. `router` is the browser's, or while prerendering a static one. */
export function App({ locale, router: Router }: { locale: Locale; router: ComponentType<{ children: ReactNode }> }) {
  return (
    <Document locale={locale}>
      <ErrorBoundary>
        <Router>
          <Suspense>
            <Pages />
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
