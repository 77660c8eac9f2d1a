import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { PageRenderer } from '../contract/page-data.ts'
import { App } from './app.tsx'
import { configure } from './config.ts'
import { clearPageData, startWith } from './page-data.ts'
import { TitleCollector } from './page-title.ts'
import { loadSignedInPages } from './screens.tsx'
import { setUserAgent } from './user-agent.ts'

/**
 * Renders signed-in pages on the server (HTT-7). Rendering is synchronous, so the modules that hold the session and the replies
 * hold those of one portal and one customer at a time.
 */
export const openRenderer: PageRenderer['openRenderer'] = async (configs) => {
  await loadSignedInPages()
  return ({ locale, path, userAgent, data }) => {
    let title = ''
    const Router = ({ children }: { children: ReactNode }) => (
      <TitleCollector value={(text) => (title = text)}>
        <StaticRouter location={path} basename={locale === 'en' ? '/en' : '/'}>
          {children}
        </StaticRouter>
      </TitleCollector>
    )
    configure(configs[locale])
    setUserAgent(userAgent)
    startWith(data)
    try {
      const html = renderToString(<App locale={locale} router={Router} />)
      // React leaves out what threw, without a message; the browser then renders the whole page.
      if (html.includes('<!--$!-->')) throw new Error('A part of the page could not be rendered.')
      return { title, body: html.slice(html.indexOf('<body>') + '<body>'.length, html.lastIndexOf('</body>')) }
    } finally {
      clearPageData()
    }
  }
}
