import type { Page, Route } from 'playwright-core'
import { readSession } from '../../contract/account.ts'
import type { Endpoint, Reply } from '../../contract/endpoint.ts'
import { errorStatus, type ErrorCode, type ProblemData } from '../../contract/errors.ts'
import { firstReads, nextReads } from '../../contract/first-reads.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { findPage, pages, splitLocale, framePath } from '../../contract/pages.ts'
import type { Session } from '../../contract/session.ts'
import { dataIn } from '../../contract/testing/page-parts.ts'

/** Replaces what the server would answer, until the page's routes are removed. */
export type FakeReply = (scene: { page: Page }) => Promise<unknown>

/** Handles the calls of an endpoint; other methods on its path go on to earlier handlers, or to the server. */
export const intercept =
  (endpoint: Endpoint, handle: (route: Route) => unknown): FakeReply =>
  async ({ page }) => {
    if (readWithPages.has(endpoint)) await sendFrames(page)
    await page.route(new RegExp(`${endpoint.path.replace(/:\w+/g, String.raw`[\w-]+`)}(?:\\?|$)`), async (route) => {
      if (route.request().method() === endpoint.method) await handle(route)
      else await route.fallback()
    })
  }

const readWithPages = new Set<Endpoint>([
  readSession,
  ...Object.values(firstReads).flat(),
  ...Object.values(nextReads).map(({ endpoint }) => endpoint),
])

/** Sends signed-in pages as the server does when it cannot render: the browser makes their first reads itself (HTT-7). */
const sendFrames = (page: Page) =>
  page.route(
    ({ pathname }) => nameAt(pathname) !== undefined,
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch({ maxRedirects: 0 })
      if (!dataIn(await response.text(), 'page-data')) return route.fulfill({ response })
      const { origin, pathname } = new URL(route.request().url())
      const frame = framePath(splitLocale(pathname).locale, nameAt(pathname)!)
      await route.fulfill({ response: await route.fetch({ url: origin + frame }) })
    },
  )

/** Returns the name of the signed-in page at a path; undefined for any other page. */
function nameAt(pathname: string) {
  const name = findPage(splitLocale(pathname).path)
  return name && pages[name].needsSignIn ? name : undefined
}

/** Fakes the reply of an endpoint: a given one, or one that a function makes at the time of the call. `at`: the time of the portal. */
export const reply = <const E extends Endpoint>(endpoint: E, body: Reply<E> | (() => Reply<E>), at?: Date): FakeReply =>
  intercept(endpoint, (route) => {
    const json: unknown = typeof body === 'function' ? (body as () => Reply<E>)() : body
    const headers = at && { headers: { date: at.toUTCString() } }
    return route.fulfill(json === undefined ? { status: 204 } : { json, ...headers })
  })

export const changeReply = <const E extends Endpoint>(
  endpoint: E,
  change: (body: Reply<E> & object) => Reply<E>,
): FakeReply =>
  intercept(endpoint, async (route) => {
    const response = await route.fetch()
    if (!response.ok()) return route.fulfill({ response })
    return route.fulfill({ response, json: change((await response.json()) as Reply<E> & object) })
  })

export const refuse = (endpoint: Endpoint, code: ErrorCode, data: ProblemData = {}): FakeReply =>
  intercept(endpoint, (route) => refuseCall(route, code, data))

export const refuseCall = (route: Route, code: ErrorCode, data: ProblemData = {}) => {
  const status = errorStatus[code]
  return route.fulfill({
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ status, code, ...data }),
  })
}

/** Leaves calls of an endpoint without a reply. */
export const stall = (endpoint: Endpoint): FakeReply => intercept(endpoint, () => undefined)

export const sendPdf = (endpoint: Endpoint, file: () => Uint8Array | Promise<Uint8Array>): FakeReply =>
  intercept(endpoint, async (route) =>
    route.fulfill({ contentType: 'application/pdf', body: Buffer.from(await file()) }),
  )

/** Fetches the server's reply to a read in place of the intercepted call. */
export async function fetchInstead<const E extends Endpoint>(route: Route, read: E, id = ''): Promise<Reply<E>> {
  const url = new URL(read.path.replace(':id', id), route.request().url()).href
  return (await (await route.fetch({ url, method: 'GET', postData: '' })).json()) as Reply<E>
}

/** Changes fields of the session in the server's reply, such as its instants. */
export const changeSession = (change: (session: Session) => Partial<Session>): FakeReply =>
  changeReply(readSession, (session) => ({ ...session, ...change(session) }))

export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
export const inDays = (days: number) => inSeconds(days * 86_400)
export const dayIn = (days: number) => inDays(days).slice(0, 10)

export const codeSent = (over: Partial<CodeSent> = {}): CodeSent => ({
  id: crypto.randomUUID(),
  channel: 'sms',
  to: '+48 ••• ••• 417',
  ordinal: 1,
  sentAt: inSeconds(0),
  expiresAt: inSeconds(600),
  resendAt: inSeconds(60),
  sendsLeft: 2,
  ...over,
})
