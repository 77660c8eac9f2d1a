import type { Session } from './account.ts'
import type { Locale } from './enums.ts'
import type { PageConfig } from './page-config.ts'

/**
 * What a signed-in page shows first, sent with its document as data in `<script type="application/json" id="page-data">`: who
 * is signed in, and the replies to the page's first reads (first-reads.ts).
 */
export type PageData = {
  session: Session
  reads: PageRead[]
}

/** A reply, with the path of its endpoint and with the parts of the request; parts without entries are none. */
export type PageRead = {
  path: string
  params: Record<string, string>
  query: Record<string, unknown>
  reply: unknown
}

/** Renders the body of a signed-in page. `path`: with the language and the query. `userAgent`: the header of the request. */
export type RenderPage = (page: { locale: Locale; path: string; userAgent: string; data: PageData }) => {
  title: string
  body: string
}

/** What the build of the web part offers to the server. */
export type PageRenderer = { openRenderer: (configs: Record<Locale, PageConfig>) => Promise<RenderPage> }
