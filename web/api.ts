import { FetchError, ofetch } from 'ofetch'
import { readSession, type StepUpAct } from '../contract/account.ts'
import {
  backgroundHeader,
  type Endpoint,
  type Input,
  type Params,
  type Query,
  type Reply,
} from '../contract/endpoint.ts'
import type { ErrorCode, Problem } from '../contract/errors.ts'
import { config } from './config.ts'

/** `offline`: no answer came. `cancelled`: the customer closed the dialog of the second factor; nothing is to be said. `passkey-unused`: the device gave none. */
export type FailureCode = ErrorCode | 'offline' | 'cancelled' | 'passkey-unused'

/** Why a call failed. `status` is 0 without an answer; `problem` is what the server said. */
export class CallFailed extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly problem: Partial<Problem>

  constructor(code: FailureCode, status = 0, problem: Partial<Problem> = {}) {
    super(code)
    this.name = 'CallFailed'
    this.code = code
    this.status = status
    this.problem = problem
  }
}

/** What a call may need of the page around it; the signed-in layout answers. */
type Host = {
  /** Asks for the second factor of one act, and rejects with `cancelled` when the customer closes the dialog (AUT-7). */
  confirm: (act: StepUpAct) => Promise<void>
  /** The session has ended on the server (AUT-5). */
  signedOut: () => void
}
const host: Partial<Host> = {}

/** Offers some of it while a component is on the page; the answer takes the offer back. */
export function offer(services: Partial<Host>) {
  Object.assign(host, services)
  return () => {
    for (const name of Object.keys(services) as (keyof Host)[]) if (host[name] === services[name]) delete host[name]
  }
}

type Parts = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  background?: true
}

/**
 * Calls an endpoint (HTT-1). Throws CallFailed.
 * A call that needs a fresh second factor asks for it and then carries on, under the same idempotency key (AUT-7, R52).
 */
export async function call<const E extends Endpoint>(endpoint: E, ...[input]: Args<E>): Promise<Reply<E>> {
  const parts = (input ?? {}) as Parts
  return carryOn(endpoint, parts, () => send<E>(config.baseURL, endpoint, parts))
}

/** Asks, and asks again once the page around it has removed what stood in the way. */
export async function carryOn<T>(endpoint: Endpoint, { params }: Parts, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    if (error.code === 'step-up-required' && endpoint.stepUp && host.confirm) {
      await host.confirm({ purpose: endpoint.stepUp, object: params?.['id'] })
      return await ask()
    }
    if (error.code === 'signed-out' && host.signedOut) {
      if (await isStillSignedIn()) return await ask()
      host.signedOut()
      // The page is about to change, and whoever waits has nothing left to say.
      return new Promise(() => {})
    }
    throw error
  }
}

/**
 * Extending in another tab gives the session a new token (R4), and a call already under way is refused with the old one.
 * It had no effect, so it is sent again when the session lives.
 */
const isStillSignedIn = () =>
  send(config.baseURL, readSession, {}).then(
    () => true,
    () => false,
  )

/** `background`: nobody asked for it, so it does not keep the session alive (R6). */
type Manner = { background?: true }

/** Parts are named only where the endpoint has some: `call(listSoftware)`, `call(signIn, { body })`. */
export type Args<E> = {} extends Input<E> ? [input?: Input<E> & Manner] : [input: Input<E> & Manner]

/** A fresh key for one act of the customer; its repetitions keep it (R52). */
export const newIdempotencyKey = () => crypto.randomUUID()

/** One request with the retry rules of HTT-1, which are ofetch's own. */
export async function send<E extends Endpoint>(
  baseURL: string,
  endpoint: E,
  { params = {}, query, body, idempotencyKey, background }: Parts,
) {
  try {
    return await ofetch<Reply<E>>(addressOf(baseURL, endpoint, params), {
      method: endpoint.method,
      query: query as Record<string, string>,
      body: body as Record<string, unknown>,
      headers: {
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(background && { [backgroundHeader]: '1' }),
      },
    })
  } catch (error) {
    throw asCallFailed(error)
  }
}

function asCallFailed(error: unknown) {
  return error instanceof FetchError ? failureOf(error.status ?? 0, error.data) : error
}

/** What an answer that is no success means; `status` is 0 where none came. */
export function failureOf(status: number, data: unknown) {
  const problem = (typeof data === 'object' && data ? data : {}) as Partial<Problem>
  if (!status) return new CallFailed('offline')
  return new CallFailed((problem.code as ErrorCode | undefined) ?? 'unexpected', status, problem)
}

/** The base may be empty, a path that the endpoints already start with, or another origin (HTT-2). */
export function addressOf(baseURL: string, endpoint: Endpoint, params: Record<string, string>) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const base = baseURL.replace(/\/$/, '')
  return path.startsWith(`${base}/`) ? path : base + path
}

/** Where a link leads that downloads a file: `<a href={downloadUrl(downloadAgreement, { id })} download>`. */
export function downloadUrl<const E extends Endpoint>(endpoint: E, params: Params<E>, query?: Query<E>) {
  const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : ''
  return addressOf(config.baseURL, endpoint, (params ?? {}) as Record<string, string>) + search
}
