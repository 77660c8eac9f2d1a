import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { single } from '../platform/database/database.ts'
import { chunksOf } from '../platform/files/byte-streams.ts'
import { requestBy } from '../platform/http-clients.ts'
import { outgoingCalls } from '../platform/observability/events.ts'
import { isInNetworks, loopback, networks, privateNetworks } from '../platform/observability/network.ts'

/**
 * A call to a host that the operator configured. Visitors cannot name other hosts (R81), but certificates of trusted authorities
 * can (R104).
 */
type OutgoingCall = {
  url: URL
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  /** The body; a large one is a stream with a known length. */
  body?: string | Uint8Array | { content: AsyncIterable<Uint8Array>; bytes: number }
  /** The time limit of the whole exchange: DNS, connection, request and answer. */
  timeoutMs: number
  /** The largest accepted answer. */
  maxBytes?: number
  /**
   * The hosts that a URL from a certificate may lead to besides public addresses, as the operator lists them (`host` or `host:port`).
   * The answer is a signed object, which is fetched by plain http (RFC 5280 §8).
   */
  signedObject?: { hosts: readonly string[] }
}

export type TokenService = { url: string; token: string; timeoutMs?: number }

/** Statuses by which such a service refuses for good; other failures can be retried. */
export const refusals = new Set([400, 404, 409, 410, 422])

export type OutgoingAnswer = { status: number; body: string }
type RawAnswer = {
  status: number
  body: Buffer
  /** The target of a redirect, as the server wrote it. */
  location: string | undefined
  type: string | undefined
}

type Resolve = (host: string) => Promise<LookupAddress[]>

const resolveByDns: Resolve = (host) => lookup(host, { all: true })

/**
 * Makes an HTTP call and returns the answer with any status; redirects are not followed. Rejects without a complete answer
 * within the limits of time and size, or the address is not allowed. It uses Node's own client, because `fetch` cannot check the
 * address between DNS and the connection (R81).
 */
export async function callOut(call: OutgoingCall, resolve: Resolve = resolveByDns): Promise<OutgoingAnswer> {
  const { status, body } = await callOutRaw(call, resolve)
  return { status, body: body.toString('utf8') }
}

/** Posts orders to a service of the provider's, by the calls in docs/guides/provider.md. Without an answer it is unreachable. */
export function postingTo({ url, token, timeoutMs = 10_000 }: TokenService) {
  const target = new URL(url)
  const own = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return async <Result extends string | object>(
    { order, headers, maxBytes = 1024 }: { order: object; headers?: Record<string, string>; maxBytes?: number },
    resultOf: (answer: OutgoingAnswer) => Result,
  ): Promise<Result | 'unreachable'> => {
    const sent = { headers: { ...own, ...headers }, body: JSON.stringify(order), timeoutMs, maxBytes }
    try {
      return resultOf(await callOut({ url: target, method: 'POST', ...sent }))
    } catch {
      return 'unreachable'
    }
  }
}

/** Makes a call like `callOut`, for a binary answer. */
export async function callOutRaw(call: OutgoingCall, resolve: Resolve = resolveByDns): Promise<RawAnswer> {
  const observed = { url: call.url, method: call.method, headers: { ...call.headers } }
  return outgoingCalls.do(observed, async () => {
    const signal = AbortSignal.timeout(call.timeoutMs)
    try {
      const addresses = await resolveAllowed(call, resolve, signal)
      return await exchange({ ...call, headers: observed.headers }, addresses, signal)
    } catch (error) {
      // A body cut off by our timeout looks like a reset connection.
      throw signal.aborted ? signal.reason : error
    }
  })
}

/**
 * Makes a call like `callOut`, for an answer that is read as a stream. `timeoutMs` limits the wait for its start and each pause; the caller
 * checks the size.
 */
export async function openOut(call: OutgoingCall): Promise<IncomingMessage> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), call.timeoutMs)
  try {
    const response = await request(call, await resolveAllowed(call, resolveByDns, late.signal), late.signal)
    response.setTimeout(call.timeoutMs, () => response.destroy(new DOMException('a pause too long', 'TimeoutError')))
    return response
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** The error of an answer that was received, but has more bytes than the call accepts. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
}

async function exchange(call: OutgoingCall, addresses: LookupAddress[], signal: AbortSignal): Promise<RawAnswer> {
  const { maxBytes = 65_536 } = call
  const response = await request(call, addresses, signal)
  if (Number(response.headers['content-length']) > maxBytes) {
    response.destroy()
    throw new AnswerTooLarge('the answer is too large')
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(response)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AnswerTooLarge('the answer is too large')
    chunks.push(chunk)
  }
  const { location, 'content-type': type } = response.headers
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks), location, type }
}

async function request(call: OutgoingCall, addresses: LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, headers, body } = call
  const sent = requestBy[url.protocol === 'https:' ? 'https:' : 'http:'](url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': lengthOf(body) }) },
    lookup: (_host, { all }, done) => {
      const [first] = addresses
      if (all) return done(null, addresses)
      return first ? done(null, first.address, first.family) : done(new Error('the host has no address'), '')
    },
    // A new connection for each call, so that each address is checked.
    agent: false,
    signal,
  })
  // Errors after the start of the answer reach its reader; without a listener they would end the process.
  sent.on('error', () => {})
  // Before the body is sent, because a refusal may come before its end.
  const answered: Promise<IncomingMessage[]> = once(sent, 'response', { signal })
  if (typeof body !== 'object' || body instanceof Uint8Array) {
    sent.end(body)
    return single(await answered)
  }
  const sending = pipeline(body.content, sent)
  // Errors of the one that is not awaited. A server that refuses and closes early has still answered.
  for (const either of [answered, sending]) either.catch(() => {})
  return single(await Promise.race([answered, sending.then(() => answered)]))
}

const lengthOf = (body: NonNullable<OutgoingCall['body']>) =>
  typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : body.bytes

/** Returns the kind of an error, without addresses or contents, for logs and the outbox (R86). */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault'
  if (error.name === 'TimeoutError') return 'timeout'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/**
 * Resolves the URL's host, and returns its addresses if all are allowed. The connection then uses one of them, without another DNS lookup.
 */
async function resolveAllowed(
  { url, signedObject }: OutgoingCall,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const isForeign = signedObject && !signedObject.hosts.includes(url.host)
  const requireAddress = isForeign ? requirePublic : requireAllowed
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await finishBeforeAbort(resolve(host), signal)
  for (const { address } of addresses) requireAddress(url, address)
  return addresses
}

/** Throws unless a call to the URL would be allowed. Only the name of its host is looked up. */
export async function requireCallable(url: URL): Promise<void> {
  await resolveAllowed({ url, method: 'GET', timeoutMs: lookupMs }, resolveByDns, AbortSignal.timeout(lookupMs))
}

const lookupMs = 5000

const finishBeforeAbort = <T>(result: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([result, once(signal, 'abort').then(() => Promise.reject(signal.reason))])

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/**
 * Networks of this host, link-local (cloud metadata), multicast and reserved ones, and IPv6 forms that contain one of them (RFC 6052, RFC
 * 3056, RFC 4380).
 */
const forbiddenNetworks = networks(
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 104],
  ['64:ff9b::7f00:0', 104],
  ['64:ff9b::a9fe:0', 112],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
)

/** Private addresses in the IPv6 form of a translator (RFC 6052). */
const translatedPrivate = networks(
  ['64:ff9b::a00:0', 104],
  ['64:ff9b::ac10:0', 108],
  ['64:ff9b::c0a8:0', 112],
  ['64:ff9b::6440:0', 106],
)

/** Throws unless the address is public: a certificate must not lead into the operator's own network. */
function requirePublic(_url: URL, address: string): void {
  const isPublic = ![loopback, forbiddenNetworks, privateNetworks, translatedPrivate].some((list) =>
    isInNetworks(list, address),
  )
  if (!isPublic) throw new Error('the address is not public')
}

/**
 * Throws unless the address is allowed for this URL. This machine only if the URL names it directly, since another name that resolves
 * to it is DNS rebinding; unencrypted connections only within the provider's own network.
 */
function requireAllowed(url: URL, address: string): void {
  const host = hostOf(url)
  if (isInNetworks(loopback, address)) {
    if (isIP(host) || host === 'localhost') return
    throw new Error('a name leads to this machine')
  }
  if (isInNetworks(forbiddenNetworks, address)) throw new Error('the address is not allowed')
  if (url.protocol !== 'https:' && !isInNetworks(privateNetworks, address))
    throw new Error('a call to the outside must be https')
}

/** Number of consecutive calls without an answer after which the circuit opens … */
const failuresInARow = 3
/** … for this long. Then one call tries again, and the others still fail at once until it is answered. */
const pauseMs = 15_000

/**
 * Creates a circuit breaker: if a service is down, customers and connections must not all wait for its timeout (ERR-5). Each node has its
 * own. It uses the monotonic clock, because the other may jump (R94).
 */
export function openCircuit(now: () => number = () => performance.now()) {
  let failures = 0
  let retryAt = 0
  let isTrying = false

  /** Wraps a call, which then returns `unreachable` at once while the circuit is open. */
  return <A extends unknown[], R>(call: (...args: A) => Promise<R>): ((...args: A) => Promise<R | 'unreachable'>) =>
    async (...args) => {
      const isOpen = failures >= failuresInARow
      if (isOpen && (isTrying || now() < retryAt)) return 'unreachable'
      isTrying = isOpen
      let hasAnswered = false
      try {
        const answer = await call(...args)
        hasAnswered = answer !== 'unreachable'
        return answer
      } finally {
        failures = hasAnswered ? 0 : failures + 1
        retryAt = now() + pauseMs
        if (isOpen) isTrying = false
      }
    }
}
