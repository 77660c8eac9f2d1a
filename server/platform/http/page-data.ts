import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSession, type Session } from '../../../contract/account.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { firstReads, nextReads } from '../../../contract/first-reads.ts'
import type { PageData, PageRead } from '../../../contract/page-data.ts'
import { paramsOf, splitLocale, type PageName } from '../../../contract/pages.ts'
import { ApiError } from '../api-error.ts'
import { refusedByRate } from '../rate-limits/request-rate.ts'
import { isOff } from './guards.ts'
import { pathOf } from './request-path.ts'

/** Answers a read of the API within the request for a page, which has the same cookies and address. */
export type ReadInPage = (request: FastifyRequest) => Promise<unknown>

/**
 * The first data of a signed-in page, each by the handler of its call, with the same access checks (HTT-7, R148). A read that
 * is refused is left to the page, which makes the call and shows the failure; undefined if nobody is signed in any more.
 * `off`: the features that are off.
 */
export async function readPageData(
  app: FastifyInstance,
  request: FastifyRequest,
  pageReply: FastifyReply,
  name: PageName,
  off: readonly string[],
): Promise<PageData | undefined> {
  const params = paramsOf(name, splitLocale(pathOf(request)).path)
  const read = async (endpoint: Endpoint, own: Pick<PageRead, 'params' | 'query'>): Promise<PageRead | undefined> => {
    try {
      // It counts as the call that it saves (R110); who is signed in is part of the page's own request.
      const refused = endpoint === readSession ? undefined : refusedByRate(request, pageReply)
      if (refused) throw refused
      const reply = await app.readsInPages.get(endpoint)!(Object.assign(Object.create(request), own))
      return { path: endpoint.path, ...own, reply }
    } catch (error) {
      if (!(error instanceof ApiError)) request.log.error({ err: error }, 'a first read of a page failed')
      return undefined
    }
  }
  const endpoints: Endpoint[] = [readSession, ...(firstReads[name] ?? []).filter((endpoint) => !isOff(endpoint, off))]
  const [session, ...replies] = await Promise.all(
    endpoints.map((endpoint) =>
      read(endpoint, {
        params: endpoint.path.includes('/:') ? params : {},
        query: endpoint.query ? (request.query as Record<string, unknown>) : {},
      }),
    ),
  )
  const next = nextReads[name]
  const nextParams = replies[0] && next?.paramsFrom(replies[0].reply)
  if (next && nextParams) replies.push(await read(next.endpoint, { params: nextParams, query: {} }))
  return session && { session: session.reply as Session, reads: replies.filter((each) => each !== undefined) }
}
