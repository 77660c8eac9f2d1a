import type { ReactNode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { Locale, Text } from '../../contract/enums.ts'
import type { ErrorScreen, PageRenderer, RenderedPage } from '../../contract/page-data.ts'
import { configure, config } from '../app/config.ts'
import { LocaleProvider, useText } from '../app/locale.tsx'
import { takeTitle, withProduct } from '../app/page-title.ts'
import { supportHours, SupportLine } from '../app/support-line.tsx'
import { setUserAgent } from '../app/user-agent.ts'
import { errorTitle, StaticErrorScreen } from '../errors/error-screen.tsx'
import { NotFoundScreen, notFoundTitle } from '../errors/not-found-screen.tsx'
import { StaticUnavailableScreen } from '../errors/unavailable-screen.tsx'
import { failureText } from '../text/failure-text.ts'
import { Notice } from '../ui/notice.tsx'
import { App, Document } from './app.tsx'
import { clearPageData, startWith } from './page-data.ts'
import { loadPages } from './screens.tsx'

/**
 * Renders pages on the server (HTT-4, HTT-7). Rendering is synchronous, so the modules that hold configuration, session and replies
 * hold those of one portal and one customer at a time.
 */
export const openRenderer: PageRenderer['openRenderer'] = async (configs) => {
  await loadPages()
  /** Renders a notice for a page whose script does not run, outside what React hydrates. */
  const noticeIn = (locale: Locale, notice: ReactNode) => {
    configure(configs[locale])
    return renderToStaticMarkup(<LocaleProvider locale={locale}>{notice}</LocaleProvider>)
  }
  const noticesIn = (locale: Locale) => [noticeIn(locale, <UnscriptedNotice />), noticeIn(locale, <UnloadedNotice />)]
  const notices = { pl: noticesIn('pl'), en: noticesIn('en') }

  return {
    renderPage({ locale, path, userAgent = '', data }) {
      const Router = ({ children }: { children: ReactNode }) => (
        <StaticRouter location={path} basename={locale === 'en' ? '/en' : '/'}>
          {children}
        </StaticRouter>
      )
      configure(configs[locale])
      setUserAgent(userAgent)
      if (data) startWith(data)
      try {
        const html = renderToString(<App locale={locale} router={Router} />)
        // React leaves out what threw, without a message; the browser then renders the whole page.
        if (html.includes('<!--$!-->')) throw new Error('A part of the page could not be rendered.')
        const { opening, body } = split(html)
        const [unscripted, unloaded] = notices[locale]
        return { title: takeTitle(), opening, body: `${unscripted}${body}${unloaded}` }
      } finally {
        clearPageData()
        takeTitle()
      }
    },
    renderError(locale, screen) {
      configure(configs[locale])
      const [title, content] = errorContent(screen)
      const html = renderToStaticMarkup(<Document locale={locale}>{content}</Document>)
      return { title: withProduct(title[locale]), ...split(html) }
    },
  }
}

function errorContent(screen: ErrorScreen): [Text, ReactNode] {
  if (screen.name === 'error')
    return [errorTitle, <StaticErrorScreen key="error" status={String(screen.status)} incident={screen.incident} />]
  return screen.name === 'not-found'
    ? [notFoundTitle, <NotFoundScreen key="not-found" />]
    : [failureText.unavailable, <StaticUnavailableScreen key="unavailable" />]
}

function split(html: string): Omit<RenderedPage, 'title'> {
  const [opening = '', rest = ''] = html.split('</head><body>', 2)
  return { opening, body: rest.slice(0, rest.lastIndexOf('</body>')) }
}

/** Shows a notice at the start of a page whose script is switched off; the page itself can still be read. Rendered by the server only. */
function UnscriptedNotice() {
  const t = useText()
  return (
    <div className="unscripted">
      <noscript>
        <Notice kind="warning">
          <p>
            {t({
              pl: 'Formularze tej strony potrzebują JavaScriptu. Włącz go w\u00a0przeglądarce albo zadzwoń: ',
              en: 'The forms on this page need JavaScript. Turn it on in your browser, or call us: ',
            })}
            <SupportLine />
          </p>
        </Notice>
      </noscript>
    </div>
  )
}

/** Shows a notice at the end of a page whose script could not be loaded (ERR-4). Rendered by the server only. */
function UnloadedNotice() {
  const t = useText()
  const { phone } = config.brand
  const hours = supportHours()
  return (
    <div className="unloaded" role="alert">
      {/* Without a link, which would move when the fonts are loaded. */}
      <Notice kind="warning">
        {t({
          pl: `Nie udało się wczytać całej strony. Odśwież ją albo zadzwoń: ${phone}, ${hours.pl}.`,
          en: `We couldn’t load the whole page. Refresh it, or call us: ${phone}, ${hours.en}.`,
        })}
      </Notice>
    </div>
  )
}
