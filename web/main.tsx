import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { findPage, pages, splitLocale, type PageName } from '../contract/pages.ts'
import { App, isForEveryone, preloadPage } from './app.tsx'
import { followBuilds } from './build-check.ts'
import { catchStrayErrors } from './errors/error-boundary.tsx'
import { distrustKeptPages, loadSession, mayBeSignedIn } from './session.tsx'
import { setFlag } from './storage.ts'
import { openTrustedTypes } from './trusted-types.ts'
import { loadDrafts } from './drafts.ts'

const { locale, path } = splitLocale(location.pathname)

/** Open pages that look different to a customer. */
const dependsOnCustomer = (name: PageName) => isForEveryone(name) || name === 'accessDenied'

/** Routes and links are written once; the basename makes them English. */
const Router = ({ children }: { children: ReactNode }) => (
  <BrowserRouter basename={locale === 'en' ? '/en' : '/'}>{children}</BrowserRouter>
)

openTrustedTypes()
catchStrayErrors()
distrustKeptPages()
loadDrafts()
const page = findPage(path)
if (page) {
  preloadPage(page)
  // Requested while the screen's code is being loaded; the layout handles a failure.
  // A page for everyone reads it only where somebody signed in before, so that a visitor makes no request.
  if (pages[page].protected || (dependsOnCustomer(page) && mayBeSignedIn())) loadSession().catch(() => undefined)
}
function hydrate() {
  hydrateRoot(document, <App locale={locale} router={Router} />, {
    // A translator or a password manager may have changed the page before hydration. React then renders it again;
    // reported as an error of the window, which is React's default, it would lead to the error screen (ERR-4).
    // oxlint-disable-next-line no-console
    onRecoverableError: (error) => console.error(error),
  })
}
// A signed-in page requests its scripts in its head: from the cache they arrive before the rest of a slow page.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', hydrate, { once: true })
else hydrate()
// The shell waits for this before it requests fonts; later visits need not wait.
document.documentElement.dataset['fonts'] = ''
setFlag('fonts')
followBuilds(locale)
