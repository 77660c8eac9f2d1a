import type { Locale } from './enums.ts'
import type { PageConfig } from './page-config.ts'
import type { Session } from './session.ts'

/**
 * Data that a signed-in page shows first, sent with its document in `<script type="application/json" id="page-data">`: the session of the
 * signed-in customer, and the replies to the page's first reads (first-reads.ts).
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

/** A document in parts: `opening` is everything up to the end of what React renders of the head. */
export type RenderedPage = { title: string; opening: string; body: string }

/** `error`: a failure with its status, and its id in the log. */
export type ErrorScreen = { name: 'not-found' | 'unavailable' } | { name: 'error'; status: number; incident: string }

/** Functions that the build of the web part offers to the server. */
export type PageRenderer = {
  openRenderer: (configs: Record<Locale, PageConfig>) => Promise<{
    /** Returns the page at `path`, with its language and query, for the header `userAgent`; without data, as everyone may see it. */
    renderPage: (page: { locale: Locale; path: string; userAgent?: string; data?: PageData }) => RenderedPage
    renderError: (locale: Locale, screen: ErrorScreen) => RenderedPage
  }>
}
