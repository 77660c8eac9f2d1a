import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { readSession } from '../../../contract/account.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { firstReads, listPrefixes, nextReads } from '../../../contract/first-reads.ts'
import { limits } from '../../../contract/limits.ts'
import { defaultSize, listParams } from '../../../contract/list-pages.ts'
import type { PageData, PageRead } from '../../../contract/page-data.ts'
import { parseParams, splitLocale, type PageName } from '../../../contract/pages.ts'
import type { Session } from '../../../contract/session.ts'
import { ApiError } from '../api-error.ts'
import { isOff } from '../http/guards.ts'
import { pathOf } from '../http/guards.ts'
import { causeOf, serviceOf } from '../observability/skipped-causes.ts'
import { refusedByRate } from '../rate-limits/request-rate.ts'

const late = Symbol('late')

/**
 * Reads the first data of a signed-in page, each by the handler of its call, with the same access checks (HTT-7, R148). A read that is
 * refused or late is left to the page, which makes the call and shows the failure; undefined if nobody is signed in any more. `off`: the
 * features that are off.
 */
export async function readPageData(
  app: FastifyInstance,
  request: FastifyRequest,
  pageReply: FastifyReply,
  name: PageName,
  off: readonly string[],
): Promise<PageData | undefined> {
  const params = parseParams(name, splitLocale(pathOf(request)).path)
  const all = new AbortController()
  const tooLate = setTimeout(limits.firstReads.waitMs, late, { signal: all.signal }).catch(() => late)
  const read = async (endpoint: Endpoint, own: Pick<PageRead, 'params' | 'query'>): Promise<PageRead | undefined> => {
    try {
      // The read counts as the call that it saves (R110); who is signed in is part of the page's own request.
      const refused = endpoint === readSession ? undefined : refusedByRate(request, pageReply)
      if (refused) throw refused
      const reading = app.readsInPages.get(endpoint)!(Object.assign(Object.create(request), own))
      const reply = await Promise.race([reading, tooLate])
      return reply === late ? undefined : { path: endpoint.path, ...own, reply }
    } catch (error) {
      const repeats =
        error instanceof ApiError ? undefined : app.skippedErrors(`a first read of ${endpoint.path} ${causeOf(error)}`)
      if (repeats !== undefined)
        request.log.error(
          { req: request, work: endpoint.path, err: error, service: serviceOf(error), repeats },
          'a first read of a page failed',
        )
      return undefined
    }
  }
  const endpoints: Endpoint[] = [readSession, ...(firstReads[name] ?? []).filter((endpoint) => !isOff(endpoint, off))]
  const [session, ...replies] = await Promise.all(
    endpoints.map((endpoint) =>
      read(endpoint, {
        params: endpoint.path.includes('/:') ? params : {},
        query: listQuery(endpoint, request, listPrefixes[name]?.[endpoint.path]),
      }),
    ),
  )
  const next = nextReads[name]
  const nextParams = replies[0] && next?.paramsFrom(replies[0].reply)
  if (next && nextParams) replies.push(await read(next.endpoint, { params: nextParams, query: {} }))
  all.abort()
  return session && { session: session.reply as Session, reads: replies.filter((each) => each !== undefined) }
}

/**
 * Reads the query of a list from the address, as its screen does (web/lists/paged-list.tsx): the last cursor, and nothing that the call
 * does not know, such as parameters that other sites append to links.
 */
function listQuery({ query }: Endpoint, { url }: FastifyRequest, prefix: string | undefined): Record<string, string> {
  const fields = query?.shape ?? {}
  const params = new Map(listParams(url.split('?')[1] ?? '', prefix))
  const isKnown = ([name, value]: [string, string]) => fields[name] && z.safeParse(fields[name], value).success
  return Object.fromEntries(
    [...params].filter((param) => isKnown(param) && !(param[0] === 'size' && param[1] === defaultSize)),
  )
}
