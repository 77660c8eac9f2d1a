import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { findFeature } from '../../../contract/features.ts'
import { limits } from '../../../contract/limits.ts'
import { ApiError } from '../api-error.ts'
import type { Settings } from '../settings.ts'

/** An origin of this process: that of the customers, or the desk's (R236). */
export type Origin = Pick<Settings, 'publicUrl' | 'hosts' | 'featuresOff'>

/** Adds the checks of every request: a known host, a short URL, writes from our own pages only, the media type of the route only. */
export function guardRequests(app: FastifyInstance, settings: Origin): void {
  const own = new URL(settings.publicUrl)
  // Asynchronous, so that a request that breaks off after its headers is answered only once, as broken (R68).
  app.addHook('onRequest', async (request) => {
    // A forged Host must not reach links, caches or logs (R66); absolute-form targets have one too. RFC 9112 §3.2: exactly one is allowed.
    const { host } = request.headers
    if (host === undefined || hostsIn(request.raw.rawHeaders) > 1) throw new ApiError('malformed-request')
    if (!settings.hosts.includes(host) || !request.raw.url?.startsWith('/')) throw new ApiError('misdirected-request')
    if (request.raw.url.length > limits.http.urlBytes) throw new ApiError('url-too-long')
    if (request.headers['content-encoding']) throw new ApiError('unsupported-media-type')
    // All visitors behind a proxy that is not trusted share its address, and one rate limit (R67).
    const isIgnored = request.headers['x-forwarded-for'] !== undefined && request.ip === request.socket.remoteAddress
    if (isIgnored && app.skippedErrors('forwarded') !== undefined) request.log.warn('an X-Forwarded-For is ignored')
    const { endpoint } = request.routeOptions.config
    if (endpoint?.access === 'staff') requireOwnPage(request)
    if (endpoint && endpoint.access !== 'provider' && !isSafe(request.method)) refuseForeignOrigin(request, own)
    if (endpoint && isOff(endpoint, settings.featuresOff)) throw new ApiError('unavailable', { reason: 'switched-off' })
    if (endpoint?.upload) refuseOtherFile(request, endpoint.upload, endpoint.maxBytes)
  })

  // Only JSON under its own media type is parsed; Fastify would take text/plain too, which forms can send (R62, R71).
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  // Fastify quotes the values of parameters before it compares.
  app.addContentTypeParser(
    /^application\/json(?:; charset="utf-8")?$/i,
    { parseAs: 'string' },
    (request, body, done) => {
      // A DELETE or POST without content may still have a media type.
      if (body === '') done(null, undefined)
      else void parse(request, body.toString(), done)
    },
  )
  for (const type of ['application/pdf', 'application/x-ndjson'])
    app.addContentTypeParser(type, (request, payload, done) => {
      const isTaken = request.routeOptions.config.endpoint?.upload === type
      done(isTaken ? null : new ApiError('unsupported-media-type'), payload)
    })
}

/** Headers that a reverse proxy adds; a browser on this machine sends none of them. */
const forwarding = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/i

/**
 * Refuses requests that came through a proxy. A demonstration shows every code, so only this machine may use it, unless it is declared
 * public (R122).
 */
export function refuseForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    // The raw headers, because untrusted entries have been removed from `headers`.
    if (!request.raw.rawHeaders.some((name, i) => i % 2 === 0 && forwarding.test(name))) return
    return reply
      .code(403)
      .type('text/plain; charset=utf-8')
      .send(
        'This is a demonstration for one machine, and this request came through a proxy. DEMONSTRATION_PUBLIC=on opens it to anyone.\n',
      )
  })
}

/** Checks whether the operator has switched off the feature of a call. */
export const isOff = (endpoint: Endpoint, off: readonly string[]) => off.includes(findFeature(endpoint) ?? 'always')

/** Counts the Host headers, because Node's own `headers` keeps only the first. Names and values alternate. */
const hostsIn = (raw: readonly string[]) => raw.filter((name, i) => i % 2 === 0 && /^host$/i.test(name)).length

/** Refuses a file of another type, or one whose declared length is too large, before it is read (R42, R71). */
function refuseOtherFile({ headers }: FastifyRequest, type: string, largest: number = limits.http.pdfBytes) {
  const { 'content-type': given, 'content-length': length, 'transfer-encoding': chunked } = headers
  if (withoutParameters(given) !== type || (length ?? chunked ?? '0') === '0')
    throw new ApiError('unsupported-media-type')
  if (Number(length) > largest) throw new ApiError('body-too-large')
}

/** Returns a media type without its parameters: a file's type needs none, but some programs send one (RFC 9110 §8.3.1). */
const withoutParameters = (type = '') => type.replace(/;.*$/s, '').trim().toLowerCase()

const isSafe = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/**
 * Throws unless the request comes from one of our own pages. Reads at the desk are checked too: a page of a sibling origin makes them with
 * the cookie, and without an `Origin` (R234). Staff use browsers that say where a request comes from, as all have done since Safari 16.4 of
 * 2023.
 */
function requireOwnPage({ headers }: FastifyRequest) {
  if (headers['sec-fetch-site'] !== 'same-origin') throw new ApiError('cross-site-request')
}

/**
 * Refuses a write by cookie that does not come from our own pages: browsers always say where a write comes from (R62), older ones by
 * `Origin` alone.
 */
function refuseForeignOrigin({ headers }: FastifyRequest, own: URL) {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') throw new ApiError('cross-site-request')
  if (!origin || !URL.canParse(origin) || new URL(origin).host !== host || new URL(origin).origin !== origin)
    throw new ApiError('cross-site-request')
  // A page from our name without TLS may come from anybody.
  if (host === own.host && origin !== own.origin) throw new ApiError('cross-site-request')
}

/** Returns the path of a request, without its query. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.replace(/\?.*$/s, '')
