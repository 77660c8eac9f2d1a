import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import type { PageData } from '../../contract/page-data.ts'
import { findPage, pages, splitLocale, type PageName } from '../../contract/pages.ts'
import { loadDrafts } from '../app/drafts.ts'
import { distrustKeptPages, loadSession, mayBeSignedIn } from '../app/session.tsx'
import { setFlag } from '../app/storage.ts'
import { followTranslator } from '../app/translated-text.ts'
import { openTrustedTypes } from '../app/trusted-types.ts'
import { provide } from '../calls/api.ts'
import { catchStrayErrors } from '../errors/error-boundary.tsx'
import { App } from './app.tsx'
import { followBuilds } from './build-check.ts'
import { preloadPage } from './screens.tsx'

const { locale, path } = splitLocale(location.pathname)

/** Checks whether an open page looks different to a customer. */
const dependsOnCustomer = (name: PageName) => pages[name].layout === 'none'

/** Provides the browser's router. Routes and links are written once; the basename makes them English. */
const Router = ({ children }: { children: ReactNode }) => (
  <BrowserRouter basename={locale === 'en' ? '/en' : '/'}>{children}</BrowserRouter>
)

openTrustedTypes()
followTranslator()
catchStrayErrors()
distrustKeptPages()
loadDrafts()
provide({ preloadPage })
const page = findPage(path)
const code = page && preloadPage(page)

/** Starts the page. The document is complete, so what came with it is there (HTT-7). */
async function start() {
  const data = document.getElementById('page-data')
  // The layout handles a failure. A page for everyone reads it only where somebody signed in before, so that a visitor makes no request.
  if (page && !data && (pages[page].needsSignIn || (dependsOnCustomer(page) && mayBeSignedIn())))
    loadSession().catch(() => undefined)
  if (data) {
    const { startWith } = await import('./page-data.ts')
    startWith(JSON.parse(data.textContent) as PageData)
    // Nothing personal stays in the document when the session ends (R8).
    data.remove()
  }
  await code
  hydrateRoot(document, <App locale={locale} router={Router} />, {
    // A translator or a password manager may have changed the page before hydration. React then renders it again;
    // reported as an error of the window, which is React's default, it would lead to the error screen (ERR-4). What cannot be
    // recovered from is on that screen already.
    // oxlint-disable-next-line no-console
    onRecoverableError: (error) => console.warn(error),
  })
}
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => void start(), { once: true })
else void start()
// The typefaces are in the cache of the next visit (build/page-loader.ts).
setFlag('fonts')
followBuilds(locale)
