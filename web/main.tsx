import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { findPage, pages, splitLocale, type PageName } from '../contract/pages.ts'
import { App, isForEveryone, preloadPage } from './app.tsx'
import { followBuilds } from './build-check.ts'
import { catchStrayErrors } from './errors/error-boundary.tsx'
import { distrustKeptPages, loadSession, mayBeSignedIn } from './session.tsx'
import { remember } from './storage.ts'
import { openTrustedTypes } from './trusted-types.ts'
import { takeDrafts } from './ui/drafts.ts'

const { locale, path } = splitLocale(location.pathname)

/** Open pages that look different to a customer. */
const asksWho = (name: PageName) => isForEveryone(name) || name === 'accessDenied'

/** Routes and links are written once; the basename makes them English. */
const Router = ({ children }: { children: ReactNode }) => (
  <BrowserRouter basename={locale === 'en' ? '/en' : '/'}>{children}</BrowserRouter>
)

openTrustedTypes()
catchStrayErrors()
distrustKeptPages()
takeDrafts()
const page = findPage(path)
if (page) {
  preloadPage(page)
  // Asked for while the screen's code is on its way; the layout meets a failure again and acts on it.
  // A page for everyone asks only where somebody signed in before, so that a visitor asks for nothing.
  if (pages[page].protected || (asksWho(page) && mayBeSignedIn())) loadSession().catch(() => undefined)
}
function comeToLife() {
  hydrateRoot(document, <App locale={locale} router={Router} />, {
    // A translator or a password manager may have changed the page before it came to life. React draws it anew by itself;
    // told as an error of the window, which is React's own way, it would end at the error screen (ERR-4).
    // oxlint-disable-next-line no-console
    onRecoverableError: (error) => console.error(error),
  })
}
// A signed-in page asks for its scripts in its head: out of the cache they are here before the rest of a slow page.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', comeToLife, { once: true })
else comeToLife()
// The shell waits for this before it asks for fonts, and from now on it need not wait.
document.documentElement.dataset['fonts'] = ''
remember('fonts')
followBuilds(locale)
