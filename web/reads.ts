import { QueryClient, useQuery } from '@tanstack/react-query'
import type { Endpoint, Reply } from '../contract/endpoint.ts'
import { call, CallFailed, type Args } from './api.ts'
import { isOff } from './config.ts'

/** What the signed-in screens have read. Repetition is the calls' own business (HTT-1), so the cache adds none. */
export const reads = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000, networkMode: 'always' } },
})

/** An empty part, such as a query without wishes, names the same thing as none. */
const keyOf = (endpoint: Endpoint, input: object = {}) => [
  endpoint.path,
  ...Object.values(input).filter((part: object) => Object.keys(part).length),
]

/** Reads an endpoint for as long as the screen is shown: `const list = useRead(listSignatures)`, for a Region. */
export function useRead<const E extends Endpoint>(endpoint: E, ...[input]: Args<E>) {
  const queryKey = keyOf(endpoint, input)
  const query = useQuery({
    queryKey,
    queryFn: () => read<E>(endpoint, input),
  })
  return { ...query, refetch: () => askAnew(queryKey) }
}

/** What is switched off needs no asking (ERR-5). */
async function read<const E extends Endpoint>(endpoint: E, input?: object) {
  if (isOff(endpoint.path)) throw new CallFailed('unavailable', 503, { reason: 'switched-off' })
  return call<E>(endpoint, ...([input] as Args<E>)) as Promise<Reply<E>>
}

/** A call that hangs is given up first: the library's own refetch would go on waiting for it. */
async function askAnew(queryKey: readonly unknown[]) {
  await reads.cancelQueries({ queryKey, exact: true })
  await reads.refetchQueries({ queryKey, exact: true })
}

/** Reads it once more without being asked to, such as to see whether something is ready: no activity of the customer (R6). */
export const readAgain = <const E extends Endpoint>(endpoint: E, ...[input]: Args<E>) =>
  reads
    .fetchQuery({
      queryKey: keyOf(endpoint, input as object | undefined),
      queryFn: () =>
        call<E>(endpoint, ...([{ ...input, background: true }] as unknown as Args<E>)) as Promise<Reply<E>>,
      staleTime: 0,
    })
    .catch(() => undefined)

/** Reads an endpoint into the cache before a screen asks for it; a failure is left to that screen. */
export const readAhead = (endpoint: Endpoint) =>
  reads.prefetchQuery({ queryKey: keyOf(endpoint), queryFn: () => read(endpoint) })

/** After a write whose answer is what a read would tell; a read that is still on its way would tell the older. */
export async function learn<const E extends Endpoint>(endpoint: E, input: object, reply: Reply<E>) {
  const queryKey = keyOf(endpoint, input)
  await reads.cancelQueries({ queryKey, exact: true })
  reads.setQueryData(queryKey, reply)
}

/** After a write: what was read from these endpoints is read anew. */
export const forget = (...endpoints: Endpoint[]) =>
  Promise.all(endpoints.map((endpoint) => reads.invalidateQueries({ queryKey: keyOf(endpoint) })))
