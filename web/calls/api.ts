import { readSession } from '../../contract/account.ts'
import {
  backgroundHeader,
  callPath,
  customerHeader,
  type Endpoint,
  type Input,
  type Reply,
} from '../../contract/endpoint.ts'
import type { ErrorCode, Problem } from '../../contract/errors.ts'
import type { PageName } from '../../contract/pages.ts'
import { type StepUpAction } from '../../contract/step-up.ts'
import { config } from '../app/config.ts'

/**
 * `offline`: no response. `canceled`: the customer closed the dialog of the second factor, and no message is shown.
 * `passkey-unused`: the device used none. `renewal-changed`: elsewhere, and the page shows its current state (R58).
 */
export type FailureCode = ErrorCode | 'offline' | 'canceled' | 'passkey-unused' | 'renewal-changed'

/** Failure of a call. `status` is 0 without a response; `problem` is the server's problem document. */
export class ApiError extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly problem: Partial<Problem>

  constructor(code: FailureCode, status = 0, problem: Partial<Problem> = {}) {
    super(code)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.problem = problem
  }
}

/** Checks whether an error is a failed call, with one of these codes where some are named. */
export const hasFailedWith = <C extends FailureCode = FailureCode>(
  error: unknown,
  ...codes: C[]
): error is ApiError & { readonly code: C } =>
  error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code))

/** `call(…).catch(onFailure(['code-expired'], () => call(…)))`: every other error is thrown again. */
export const onFailure =
  <T>(codes: FailureCode[], handle: (failure: ApiError) => T) =>
  (error: unknown): T => {
    if (hasFailedWith(error, ...codes)) return handle(error)
    throw error
  }

/** Services that calls and screens need from the application around them. */
type PageServices = {
  /** Asks for the second factor of an action, and rejects with `canceled` when the customer closes the dialog (AUT-7). */
  confirm: (action: StepUpAction) => Promise<void>
  /** Reports that the session has ended on the server (AUT-5), or is of another customer than this page (R265). */
  signedOut: (how: 'signed-out' | 'other-customer') => void
  /** Shows Access denied in place of the page, when the customer may not do this (RTE-11). */
  denied: (refused: Endpoint) => void
  /** Checks whether the page can stay when the code of a part with these props did not load (ERR-4). */
  isPartMissing: (error: unknown, props: object) => boolean
  /** Asks before the customer leaves what only this page has; false if they stay. */
  mayLeave: () => Promise<boolean>
  preloadPage: (page: PageName) => unknown
}
const providers = new Set<Partial<PageServices>>()
export const pageServices = (): Partial<PageServices> => Object.assign({}, ...providers)

/** Provides services while a component is on the page; the returned function withdraws them. */
export function provide(services: Partial<PageServices>) {
  providers.add(services)
  return () => void providers.delete(services)
}

/** The headers of each call of the page, with the customer whose page it is. */
export let pageHeaders: Record<string, string> = {}
export const setPageCustomer = (id: string | undefined) => void (pageHeaders = id ? { [customerHeader]: id } : {})

/** Starts loading the code of the page that is probably the next one. */
export const preloadPage = (page: PageName) => void pageServices().preloadPage?.(page)

/** The parts of a request that an endpoint may declare. */
export type RequestParts = {
  params?: Record<string, string> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  idempotencyKey?: string
  /** The customer did not ask for it, so it does not keep the session alive (R6). */
  background?: true
  /** The page works without it: a 403 is a failure like any other, and takes nobody's typed text away (RTE-11). */
  optional?: true
}

/**
 * Calls an endpoint (HTT-1). Throws ApiError.
 * A call that needs a fresh second factor asks for it and is then repeated under the same idempotency key (AUT-7, R52).
 */
export const call = <const E extends Endpoint>(endpoint: E, ...[input]: Args<E>): Promise<Reply<E>> =>
  request<Reply<E>>(endpoint, input)

/** Calls an endpoint as `call` does, for code that works with any endpoint. */
export const request = <T>(endpoint: Endpoint, parts: RequestParts = {}) =>
  sendFromPage(endpoint, parts, () => send<T>(config.baseURL, endpoint, parts))

/** Calls an endpoint that answers with a file, which the type of a reply does not describe. */
export const callFile = <const E extends Endpoint & { download: readonly string[] }>(
  endpoint: E,
  ...[input]: Args<E>
): Promise<Blob> => request<Blob>(endpoint, input)

/**
 * Sends a request of the page. This is the one place that decides what a 403 means (RTE-11): `step-up-required` belongs to the
 * action and is answered by its dialog; any other one, also of a gateway in front of the portal, means access denied. The
 * caller then gets `canceled`, because the page that would show a failure is replaced. What the customer did not ask for, or
 * the page can do without, replaces nothing.
 */
export async function sendFromPage<T>(endpoint: Endpoint, parts: RequestParts, sendRequest: () => Promise<T>) {
  try {
    return await retryAfterStepUp(endpoint, parts, sendRequest)
  } catch (error) {
    const { denied } = pageServices()
    if (parts.background || parts.optional) throw error
    if (!hasFailedWith(error) || error.status !== 403 || error.code === 'step-up-required' || !denied) throw error
    denied(endpoint)
    throw new ApiError('canceled', error.status)
  }
}

/** Sends the request, and repeats it once the customer has confirmed it or the session is known to be alive. */
async function retryAfterStepUp<T>(
  endpoint: Endpoint,
  { params }: RequestParts,
  sendRequest: () => Promise<T>,
): Promise<T> {
  try {
    return await sendRequest()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { confirm, signedOut } = pageServices()
    if (error.code === 'step-up-required' && endpoint.stepUp && confirm) {
      await confirm({ purpose: endpoint.stepUp, object: params?.['id'] })
      return await sendRequest()
    }
    if (!signedOut || !hasFailedWith(error, 'signed-out', 'other-customer')) throw error
    if (error.code === 'signed-out' && (await isStillSignedIn())) return await sendRequest()
    signedOut(error.code)
    // The page is about to change, so the caller never gets an answer.
    return new Promise(() => {})
  }
}

/**
 * Checks whether the session is alive. Extending it in another tab gives it a new token (R4), and a call already under way is refused with
 * the old one. That call had no effect, so it is sent again when the session is alive.
 */
const isStillSignedIn = () =>
  send(config.baseURL, readSession, {}).then(
    () => true,
    () => false,
  )

type Manner = Pick<RequestParts, 'background' | 'optional'>

/** Parts are named only where the endpoint has some: `call(listSoftware)`, `call(signIn, { body })`. */
export type Args<E> = {} extends Input<E> ? [input?: Input<E> & Manner] : [input: Input<E> & Manner]

/** The page's key for entries of codes: a code that is entered again after its answer was lost gets that answer (R112). */
let codesKey: string | undefined

/** Generates a key for one action of the customer; its repetitions keep the key (R52). */
export const newIdempotencyKey = () => crypto.randomUUID()

/** Failures that may pass (HTT-1); so may one without an answer. */
const mayPass = [408, 409, 425, 429, 500, 502, 503, 504]

/**
 * Checks whether a call may be repeated. Each PUT and DELETE has the same effect twice as once (HTT-5); a POST may not, such as one that
 * spends an entry of a code (R79).
 */
const isRepeatable = (method: Endpoint['method']) => method === 'GET' || method === 'PUT' || method === 'DELETE'

/** A server that names a short time gets it; a customer who waits for the page does not wait longer. */
const maxPauseMs = 5000
/** Pause for a server that gives its time in another form than seconds, such as a date. */
const usualPauseMs = 1000

function pauseBeforeRetry(answer: Response | undefined) {
  const wanted = answer?.headers.get('retry-after')
  if (!wanted) return 0
  return /^\d+$/.test(wanted) ? Number(wanted) * 1000 : usualPauseMs
}

/** Sends a request with the retry rules of HTT-1. Throws ApiError without an answer, or with one that is not a success. */
export async function sendWithRetry(address: string, init: RequestInit & Pick<Endpoint, 'method'>): Promise<Response> {
  const attempt = () => fetch(address, init).catch(() => undefined)
  let answer = await attempt()
  const isFailure = !answer || mayPass.includes(answer.status)
  const pause = pauseBeforeRetry(answer)
  // Asking a busy server earlier than it wants only adds to its load.
  if (isFailure && isRepeatable(init.method) && pause <= maxPauseMs && !init.signal?.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    answer = await attempt()
  }
  if (answer?.ok) return answer
  throw failureOf(answer?.status ?? 0, await answer?.json().catch(() => undefined))
}

/** Sends a call, and reads the answer: JSON, the bytes of a file, or nothing. */
export async function send<T>(
  baseURL: string,
  endpoint: Endpoint,
  { params = {}, query, body, idempotencyKey, background }: RequestParts,
) {
  const key = idempotencyKey ?? (endpoint.idempotent === 'code' ? (codesKey ??= newIdempotencyKey()) : undefined)
  const answer = await sendWithRetry(addressOf(baseURL, endpoint, params) + searchOf(query), {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
      ...(background && { [backgroundHeader]: '1' }),
      ...pageHeaders,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const isJson = /^application\/json\b/.test(answer.headers.get('content-type') ?? '')
  try {
    return (await (answer.status === 204 ? undefined : isJson ? answer.json() : answer.blob())) as T
  } catch {
    // An answer that breaks off counts as none.
    throw new ApiError('offline')
  }
}

/**
 * Checks whether the portal can be reached at all; the browser only knows whether there is a network (ERR-4). No answer for as long as the
 * service worker waits (OFF-1) counts as not reached.
 */
export const isReached = (withinMs = 5_000) =>
  fetch('/builds/latest.json', { cache: 'no-store', signal: AbortSignal.timeout(withinMs) }).then(
    () => true,
    () => false,
  )

/** Returns the error of a response that is not a success; `status` is 0 without a response. */
export function failureOf(status: number, data: unknown) {
  const problem: Partial<Problem> = typeof data === 'object' && data ? data : {}
  if (!status) return new ApiError('offline')
  return new ApiError((problem.code as ErrorCode | undefined) ?? 'unexpected', status, problem)
}

/** Returns the address of a call. The base may be empty, a path that the endpoints already start with, or another origin (HTT-2). */
export function addressOf(baseURL: string, endpoint: Endpoint, params: Record<string, string>) {
  const path = callPath(endpoint, params)
  const base = baseURL.replace(/\/$/, '')
  return path.startsWith(`${base}/`) ? path : base + path
}

/** Returns the address of a file: `<a href={downloadUrl(downloadAgreement, { id })} download>`. */
export function downloadUrl(endpoint: Endpoint, params: Record<string, string> = {}, query?: Record<string, string>) {
  return addressOf(config.baseURL, endpoint, params) + searchOf(query)
}

/** Returns `?status=open&cursor=…` of the given values, which the schema of the endpoint has typed. */
function searchOf(query: Record<string, unknown> = {}) {
  const values = query as Record<string, string | number | undefined>
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length ? `?${new URLSearchParams(given)}` : ''
}
