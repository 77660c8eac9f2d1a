import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { isOf, loopback, networks, privateNetworks } from '../network.ts'
import { outgoingCalls } from '../observed.ts'

/**
 * One call to a host that the operator configured; nothing a visitor sends can name another (R81), but a certificate of an
 * authority that the operator believes (R104).
 */
type OutgoingCall = {
  url: URL
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  /** A long one comes in pieces, and says how long it will be. */
  body?: string | Uint8Array | { content: AsyncIterable<Uint8Array>; bytes: number }
  /** For the whole conversation: name, connection, request and answer. */
  timeoutMs: number
  /** Largest answer that is read. */
  maxBytes?: number
  /**
   * The address comes from a certificate: it may lead to public addresses only, except for the hosts that the operator lists
   * (`host` or `host:port`). The answer is a signed object, which is fetched by plain http (RFC 5280 §8).
   */
  signedObject?: { hosts: readonly string[] }
}

export type OutgoingAnswer = { status: number; body: string }
type RawAnswer = { status: number; body: Buffer }

type Resolve = (host: string) => Promise<LookupAddress[]>

const resolveByDns: Resolve = (host) => lookup(host, { all: true })

/**
 * Holds one HTTP conversation and gives the answer whatever its status; a redirect is an answer too and is never
 * followed. Rejects when there is no complete answer in time and size, or when the address must not be connected to.
 * Node's own client is used because `fetch` cannot look at the address between DNS and the connection (R81).
 */
export async function callOut(call: OutgoingCall, resolve: Resolve = resolveByDns): Promise<OutgoingAnswer> {
  const { status, body } = await callOutRaw(call, resolve)
  return { status, body: body.toString('utf8') }
}

/** The same for an answer that is no text. */
export async function callOutRaw(call: OutgoingCall, resolve: Resolve = resolveByDns): Promise<RawAnswer> {
  const observed = { url: call.url, method: call.method, headers: { ...call.headers } }
  return outgoingCalls.do(observed, async () => {
    const signal = AbortSignal.timeout(call.timeoutMs)
    try {
      const addresses = await allowedAddresses(call, resolve, signal)
      return await converse({ ...call, headers: observed.headers }, addresses, signal)
    } catch (error) {
      // A body that is cut off at the end of our time looks like a reset connection.
      throw signal.aborted ? signal.reason : error
    }
  })
}

/**
 * The same for an answer that is read as it comes. `timeoutMs` is then for its beginning, and for each pause within it; the
 * size that it says it has is for the caller to look at.
 */
export async function openOut(call: OutgoingCall, resolve: Resolve = resolveByDns): Promise<IncomingMessage> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), call.timeoutMs)
  try {
    const response = await request(call, await allowedAddresses(call, resolve, late.signal), late.signal)
    response.setTimeout(call.timeoutMs, () => response.destroy(new DOMException('a pause too long', 'TimeoutError')))
    return response
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

async function converse(call: OutgoingCall, addresses: LookupAddress[], signal: AbortSignal): Promise<RawAnswer> {
  const { maxBytes = 65_536 } = call
  const response = await request(call, addresses, signal)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return { status: response.statusCode!, body: Buffer.concat(chunks) }
}

async function request(call: OutgoingCall, addresses: LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, headers, body } = call
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': lengthOf(body) }) },
    lookup: (_host, { all }, done) =>
      all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
    // Every call makes its own connection, so that every call's address is checked.
    agent: false,
    signal,
  })
  // What breaks after the answer began reaches the reader below; without a listener it would end the process.
  sent.on('error', () => {})
  // Listened for before the body is on its way: a refusal may come before its end.
  const answered = once(sent, 'response', { signal }) as Promise<[IncomingMessage]>
  if (typeof body !== 'object' || body instanceof Uint8Array) {
    sent.end(body)
    return (await answered)[0]
  }
  const sending = pipeline(body.content, sent)
  // Whichever is not waited for. Who refuses and hangs up before the end has answered all the same.
  for (const either of [answered, sending]) either.catch(() => {})
  const [response] = await Promise.race([answered, sending.then(() => answered)])
  return response
}

const lengthOf = (body: NonNullable<OutgoingCall['body']>) =>
  typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : body.bytes

/** What went wrong, without addresses or contents: fit for logs and for the outbox (R86). */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault'
  const { code } = error as NodeJS.ErrnoException
  return error.name === 'TimeoutError' ? 'timeout' : (code ?? error.message)
}

/** The addresses of the URL's host, all of them allowed. The connection is then made to one of these, whatever DNS says next. */
async function allowedAddresses(
  { url, signedObject }: OutgoingCall,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const isForeign = signedObject && !signedObject.hosts.includes(url.host)
  const demand = isForeign ? demandPublic : demandAllowed
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family ? [{ address: host, family }] : await inTime(resolve(host), signal)
  for (const { address } of addresses) demand(url, address)
  return addresses
}

const inTime = <T>(result: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([result, once(signal, 'abort').then(() => Promise.reject(signal.reason))])

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

/** This host, link-local (cloud metadata), multicast, reserved, and the IPv6 spellings that hide one of them (RFC 6052, RFC 3056, RFC 4380). */
const nowhere = networks(
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

/** Private addresses in the IPv6 spelling of a translator (RFC 6052). */
const translatedPrivate = networks(
  ['64:ff9b::a00:0', 104],
  ['64:ff9b::ac10:0', 108],
  ['64:ff9b::c0a8:0', 112],
  ['64:ff9b::6440:0', 106],
)

/** Throws for every address that is not a public one: a certificate must not lead into the operator's own network. */
function demandPublic(_url: URL, address: string): void {
  const isPublic = ![loopback, nowhere, privateNetworks, translatedPrivate].some((list) => isOf(list, address))
  if (!isPublic) throw new Error('the address is not a public one')
}

/**
 * Throws unless this address may be connected to for this URL. The own machine only if the URL itself says so, since
 * a name that leads there was bent (DNS rebinding); unencrypted only within the provider's own network.
 */
function demandAllowed(url: URL, address: string): void {
  const host = hostOf(url)
  if (isOf(loopback, address)) {
    if (isIP(host) || host === 'localhost') return
    throw new Error('a name leads to this machine')
  }
  if (isOf(nowhere, address)) throw new Error('the address is not one to call')
  if (url.protocol !== 'https:' && !isOf(privateNetworks, address))
    throw new Error('a call to the outside must be https')
}
