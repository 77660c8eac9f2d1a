import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { prerender } from 'react-dom/static'
import { StaticRouter } from 'react-router'
import {
  addToBodyEnd,
  addToBodyStart,
  addToHead,
  brandMarkers,
  frameEnd,
  frameStart,
  incidentMarker,
  originMarker,
  statusMarker,
  withErrorDefaults,
} from '../contract/page-markers.ts'
import type { Locale, Text } from '../contract/enums.ts'
import { inLocale, pages, type PageName } from '../contract/pages.ts'
import { App, Document } from '../web/app.tsx'
import { errorTitle, StaticErrorScreen } from '../web/errors/error-screen.tsx'
import { NotFoundScreen, notFoundTitle } from '../web/errors/not-found-screen.tsx'
import { StaticUnavailableScreen } from '../web/errors/unavailable-screen.tsx'
import { headLinks } from '../web/head-links.ts'
import { UnloadedNotice, UnscriptedNotice } from '../web/unscripted-notice.tsx'
import { LocaleProvider } from '../web/locale.tsx'
import { failureText } from '../web/text/failure-text.ts'
import { TitleCollector } from '../web/page-title.ts'

/** One prerendered page, without styles and script, which the build adds. */
export type Prerendered = {
  /** `pl/login.html`. */
  file: string
  html: string
  title: string
  locale: Locale
  /** The address without origin of a page for visitors. */
  path?: string
  /** Whose chunk the page needs; none for pages that run no script. */
  page?: PageName
}

/** Everything that is prerendered (HTT-4): the open pages, the frames of the signed-in ones, and the error screens. */
export async function prerenderAll(locale: Locale): Promise<Prerendered[]> {
  const names = Object.keys(pages) as PageName[]
  const open = names.filter((name) => !pages[name].protected)
  return Promise.all([
    ...open.map((name) => prerenderPage(locale, name)),
    ...names.filter((name) => pages[name].protected).map((name) => prerenderFrame(locale, name)),
    prerenderScreen(locale, 'not-found', <NotFoundScreen />, notFoundTitle),
    prerenderScreen(locale, 'unavailable', <StaticUnavailableScreen />, failureText.unavailable),
    prerenderScreen(locale, 'error', <StaticErrorScreen status={statusMarker} incident={incidentMarker} />, errorTitle),
  ])
}

async function prerenderPage(locale: Locale, name: PageName): Promise<Prerendered> {
  const { path } = pages[name]
  // A path with a parameter is prerendered once, and reads its parameter in the browser.
  const bare = path.replace(/\/:\w+$/, '')
  const { html, title } = await render(locale, path.replace(/:\w+/, '-'))
  const links = path === bare ? headLinks(originMarker, locale, path) : []
  return {
    file: `${locale}/${name}.html`,
    html: withHead(html, title, links),
    title,
    locale,
    path: inLocale(locale, bare),
    page: name,
  }
}

/** A signed-in page as it looks until the session is known; the server renders the rest (HTT-7). */
async function prerenderFrame(locale: Locale, name: PageName): Promise<Prerendered> {
  const title = brandMarkers.product
  const html = await renderApp(locale, pages[name].path.replace(/:\w+/, '-'))
  const framed = html.replace('<body>', `<body>${frameStart}`).replace('</body>', `${frameEnd}</body>`)
  return {
    file: `${locale}/${name}.html`,
    html: withHead(withNotices(locale, framed), title, [], '<meta name="robots" content="noindex">'),
    title,
    locale,
    page: name,
  }
}

async function prerenderScreen(locale: Locale, name: string, screen: ReactNode, heading: Text): Promise<Prerendered> {
  const title = `${heading[locale]} – ${brandMarkers.product}`
  const html = withErrorDefaults(await toText(<Document locale={locale}>{screen}</Document>))
  return {
    file: `${locale}/${name}.html`,
    html: withHead(html, title, [], '<meta name="robots" content="noindex">'),
    title,
    locale,
  }
}

async function render(locale: Locale, path: string) {
  let title = ''
  const html = await renderApp(locale, path, (text) => (title = text))
  return { html: withNotices(locale, html), title }
}

/** Notices for a page whose script does not run, outside of what React renders. */
function withNotices(locale: Locale, html: string) {
  const around = (notice: ReactNode) => renderToStaticMarkup(<LocaleProvider locale={locale}>{notice}</LocaleProvider>)
  return addToBodyEnd(addToBodyStart(html, around(<UnscriptedNotice />)), around(<UnloadedNotice />))
}

function renderApp(locale: Locale, path: string, collect: (title: string) => void = () => {}) {
  const Router = ({ children }: { children: ReactNode }) => (
    <TitleCollector value={collect}>
      <StaticRouter location={inLocale(locale, path)} basename={locale === 'en' ? '/en' : '/'}>
        {children}
      </StaticRouter>
    </TitleCollector>
  )
  return toText(<App locale={locale} router={Router} />)
}

/** The whole document in one piece: without a chunk size React would outline long pages with inline scripts, which the CSP blocks. */
async function toText(document: ReactNode) {
  const { prelude } = await prerender(document, {
    progressiveChunkSize: Infinity,
    onError(error) {
      throw error
    },
  })
  return new Response(prelude).text()
}

function withHead(html: string, title: string, links: ReturnType<typeof headLinks>, more = '') {
  const tags = links.map(
    (link) =>
      `<link ${Object.entries(link)
        .map(([name, value]) => `${name}="${value}"`)
        .join(' ')}>`,
  )
  return addToHead(html, `<title>${title}</title>`, ...tags, more)
}
