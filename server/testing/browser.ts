import { expect } from 'vitest'
import * as account from '../../contract/account.ts'
import { callPath, type Endpoint, type Input, type Reply } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/errors.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { deviceCookie } from '../platform/authentication/devices.ts'
import { visitorCookie } from '../platform/authentication/passkey-challenges.ts'
import type { TestPortal } from './portal-nodes.ts'

/** The reply of a call; a code follows a password, because customers of tests have no passkey by default. */
type ReplyOf<R> = [R] extends [account.AfterPassword] ? ([CodeSent] extends [R] ? CodeSent : R) : R

export type BrowserAnswer<E> = {
  status: number
  body: ReplyOf<Reply<E>>
  problem: Problem
  headers: Headers
  cookie: string | undefined
}

/** A browser as the server sees it: keeps cookies, sends its origin, and calls one node at a time. */
export type TestBrowser = ReturnType<typeof openBrowser>

/**
 * The cookies of a browser: `cookie` of the session; `device` of a known device, set by a complete sign-in, which outlives the session;
 * `visitor`, which binds passkey challenges to a browser before a sign-in.
 */
type Cookies = Record<'cookie' | 'device' | 'visitor', string | undefined>

export function openBrowser(portal: TestPortal, options: { address?: string; node?: number } = {}) {
  const { address = '198.51.100.7' } = options
  const cookies: Cookies = { cookie: undefined, device: undefined, visitor: undefined }

  async function send(
    origin: string,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string | undefined> = {},
  ) {
    const { cookie, device, visitor } = cookies
    const all: Record<string, string | undefined> = {
      'x-forwarded-for': address,
      origin,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie || device || visitor ? { cookie: [cookie, device, visitor].filter(Boolean).join('; ') } : {}),
      ...headers,
    }
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await fetch(origin + path, {
      method,
      headers: Object.fromEntries(present),
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    })
    keepCookies(cookies, response)
    return response
  }

  async function call<E extends Endpoint>(
    endpoint: E,
    input: Omit<Input<E>, 'idempotencyKey'> & { idempotencyKey?: string } = {} as never,
    node = options.node ?? 0,
  ): Promise<BrowserAnswer<E>> {
    const { path, body } = requestOf(endpoint, input)
    const response = await send(portal.nodes[node]!.origin, endpoint.method, path, body, {
      'idempotency-key': input.idempotencyKey ?? (endpoint.idempotent ? crypto.randomUUID() : undefined),
      authorization: endpoint.access === 'provider' ? `Bearer ${portal.clientKey}` : undefined,
    })
    const text = await response.text()
    const parsed: unknown = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
    return {
      status: response.status,
      body: parsed as ReplyOf<Reply<E>>,
      problem: parsed as Problem,
      headers: response.headers,
      cookie: response.headers.getSetCookie()[0],
    }
  }

  return Object.assign(cookies, {
    call,
    /** Sends a raw request, for what no real browser sends. */
    raw: (method: string, path: string, body?: unknown, headers?: Record<string, string | undefined>) =>
      send(portal.nodes[options.node ?? 0]!.origin, method, path, body, headers),
  })
}

/** Returns the path of a call, with its query, and its body. */
export function requestOf(endpoint: Endpoint, input: object) {
  type Parts = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  const { params = {}, query, body } = input as Parts
  const path = callPath(endpoint, params)
  return { path: query ? `${path}?${new URLSearchParams(query).toString()}` : path, body }
}

function keepCookies(cookies: Cookies, { headers }: Response) {
  for (const set of headers.getSetCookie()) {
    const pair = /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(set) ? undefined : set.split(';')[0]
    if (set.startsWith(`${deviceCookie}=`)) cookies.device = pair
    else if (set.startsWith(`${visitorCookie}=`)) cookies.visitor = pair
    else cookies.cookie = pair
  }
}

/** Sends a raw request as the provider, for files and for bodies that no contract allows. */
export const asProvider = (
  portal: TestPortal,
  method: string,
  path: string,
  {
    body,
    headers,
    node = 0,
  }: { body?: Uint8Array | string | undefined; headers?: Record<string, string>; node?: number } = {},
) =>
  fetch(portal.nodes[node]!.origin + path, {
    method,
    headers: { authorization: `Bearer ${portal.clientKey}`, ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  })

/** Opens browsers that each have a network of their own, on both nodes in turn. */
export function browsersElsewhere(portal: TestPortal) {
  let networks = 0
  return () => openBrowser(portal, { address: `10.${++networks >> 8}.${networks & 255}.7`, node: networks % 2 })
}

/** Returns the error code of each refused response, and `ok` for the others. */
export const codesOf = (answers: readonly { status: number; problem: Problem }[]) =>
  answers.map(({ status, problem }) => (status < 300 ? 'ok' : problem.code))

/** Returns the body of a response; throws if it is a refusal. */
export function bodyOf<B>({ status, body, problem }: { status: number; body: B; problem: unknown }): B {
  if (status !== 200) throw new Error(JSON.stringify(problem))
  return body
}

/** Checks that a response with a file meets the requirements of R49. */
export function expectAttachment({ status, headers }: Response) {
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[a-z-]+\.[a-z]+"; filename\*=UTF-8''[a-z-]+\.[a-z]+$/,
  )
  expect(
    ['content-security-policy', 'x-content-type-options', 'cache-control'].map((header) => headers.get(header)),
  ).toEqual(["default-src 'none'; sandbox", 'nosniff', 'no-store'])
}
