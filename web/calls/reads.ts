import { QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Endpoint, Reply } from '../../contract/endpoint.ts'
import type { PageRead } from '../../contract/page-data.ts'
import { isOff } from '../app/config.ts'
import { patienceMs } from '../offline/offline-record.ts'
import { keepReply, readKeptReply } from '../offline/offline-replies.ts'
import { ApiError, hasFailedWith, request, type Args, type RequestParts } from './api.ts'

/** Cache of what the signed-in screens have read. The calls repeat themselves (HTT-1), so the cache adds no retries. */
export const reads = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000, networkMode: 'always' } },
})

/** Returns the key of a read. An empty part, such as a query without filters, gives the same key as none. */
const keyOf = ({ path }: { path: string }, input: object = {}) => [
  path,
  ...Object.values(input).filter((part: object | undefined) => part && Object.keys(part).length),
]

/** Reads an endpoint for as long as the screen is shown: `const list = useRead(listSignatures)`, for a Region. */
export const useRead = <const E extends Endpoint>(endpoint: E, ...[input]: Args<E>) =>
  useRequest<Reply<E>>(endpoint, input)

/** Reads an endpoint as `useRead` does, for code that works with any endpoint. */
export function useRequest<T>(endpoint: Endpoint, parts?: RequestParts) {
  const queryKey = keyOf(endpoint, parts)
  const options = { queryKey, queryFn: () => read<T>(queryKey, endpoint, parts) }
  // Requested while the screen is rendered for the first time: on a phone that takes longer than the answer.
  if (!import.meta.env.SSR && !reads.getQueryState(queryKey)) void reads.prefetchQuery(options)
  const query = useQuery(options)
  const { data, dataUpdatedAt } = query
  const isKept = keeps(queryKey, endpoint)
  useEffect(() => {
    if (isKept && data !== undefined) keepReply(endpoint.path, { reply: data, at: dataUpdatedAt })
  }, [isKept, endpoint, data, dataUpdatedAt])
  return { ...query, refetch: () => cancelAndRefetch(queryKey) }
}

/** Reads an endpoint, unless its feature is switched off (ERR-5). */
async function read<T>(queryKey: readonly unknown[], endpoint: Endpoint, parts?: RequestParts) {
  if (isOff(endpoint.path)) throw new ApiError('unavailable', 503, { reason: 'switched-off' })
  const began = Date.now()
  const slow = setTimeout(() => void showStaleData(began, queryKey, endpoint), patienceMs)
  try {
    return await request<T>(endpoint, parts)
  } catch (error) {
    if (hasFailedWith(error, 'offline')) await showKept(queryKey, endpoint)
    throw error
  } finally {
    clearTimeout(slow)
  }
}

/** Checks whether a reply is kept: of a list only as it first opens, without filters, when its key is the path alone (OFF-2). */
const keeps = (queryKey: readonly unknown[], { offlineCopy }: Endpoint) => offlineCopy && queryKey.length === 1

/** Start of the last read of each query that had no answer in time: data from before are old. */
const unanswered = new Map<string, number>()

/** Lets the page go on with what is known: a read that hangs has not failed. */
async function showStaleData(began: number, queryKey: readonly unknown[], endpoint: Endpoint) {
  await showKept(queryKey, endpoint)
  const query = reads.getQueryCache().find({ queryKey, exact: true })
  if (!query) return
  unanswered.set(query.queryHash, began)
  // Components that follow the reads are notified.
  query.setState({})
}

/** Shows the last reply that is kept until the portal answers; data that are shown already are at least as new. */
async function showKept(queryKey: readonly unknown[], endpoint: Endpoint) {
  const [path] = queryKey as [string]
  const found = keeps(queryKey, endpoint) ? await readKeptReply(path) : undefined
  if (!found || reads.getQueryData(queryKey) !== undefined) return
  reads.setQueryData(queryKey, found.reply, { updatedAt: found.at })
}

/** Returns the time of the oldest data on the page that could not be read again, for whatever reason; undefined if there are none. */
export function oldDataSince(): number | undefined {
  const old = reads
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ queryHash, state: { data, dataUpdatedAt, error } }) => {
      const isUnanswered = dataUpdatedAt < (unanswered.get(queryHash) ?? 0)
      return data !== undefined && (isUnanswered || error || !navigator.onLine)
    })
  return old.length ? Math.min(...old.map(({ state }) => state.dataUpdatedAt)) : undefined
}

/** Reads again what is on the page, when the portal may be reachable again. */
export const readAgain = () => reads.invalidateQueries()

/** Cancels a call that hangs, and reads again: the library's own refetch would go on waiting for that call. */
async function cancelAndRefetch(queryKey: readonly unknown[]) {
  await reads.cancelQueries({ queryKey, exact: true })
  await reads.refetchQueries({ queryKey, exact: true })
}

/** Reads again in the background, such as to see whether something is ready: not an activity of the customer (R6). */
export const refetch = <const E extends Endpoint>(endpoint: E, ...[input]: Args<E>) =>
  reads
    .fetchQuery({
      queryKey: keyOf(endpoint, input),
      queryFn: () => request<Reply<E>>(endpoint, { ...input, background: true }),
      staleTime: 0,
    })
    .catch(() => undefined)

/** Stores a reply that came with the document. */
export const storeRead = ({ path, params, query, reply }: PageRead) =>
  reads.setQueryData(keyOf({ path }, { params, query }), reply)

/** Stores the new state that a write has returned. Cancels a read under way, which would overwrite it with the older one. */
export async function setCached<const E extends Endpoint>(endpoint: E, input: object, reply: Reply<E>) {
  const queryKey = keyOf(endpoint, input)
  await reads.cancelQueries({ queryKey, exact: true })
  reads.setQueryData(queryKey, reply)
}

/** Reads again, after a write, what was read from these endpoints. */
export const invalidate = (...endpoints: Endpoint[]) =>
  Promise.all(endpoints.map((endpoint) => reads.invalidateQueries({ queryKey: keyOf(endpoint) })))

/** Drops what was read, after a write that makes it wrong: a page that opens later does not show it while it reads again. */
export const forget = (endpoint: Endpoint) => reads.removeQueries({ queryKey: keyOf(endpoint), type: 'inactive' })
