import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { featureOf } from '../contract/features.ts'
import { limits } from '../contract/limits.ts'
import { Failed } from './failure.ts'
import type { Portal } from './portal.ts'

/** What no request gets past, whatever its route: known host, short URL, writes from our own pages only, the media type of its route only. */
export function guardRequests(app: FastifyInstance, { settings }: Portal): void {
  const own = new URL(settings.publicUrl)
  // Asynchronous, so that a request which breaks off in the bytes behind its headers is answered once, as broken (R68).
  app.addHook('onRequest', async (request) => {
    // A made-up Host must not reach links, caches or logs (R66); absolute-form targets carry one too. RFC 9112 §3.2: there is exactly one.
    const { host } = request.headers
    if (host === undefined || hostsIn(request.raw.rawHeaders) > 1) throw new Failed('malformed-request')
    if (!settings.hosts.includes(host) || !request.raw.url?.startsWith('/')) throw new Failed('misdirected-request')
    if (request.raw.url.length > limits.http.urlBytes) throw new Failed('url-too-long')
    if (request.headers['content-encoding']) throw new Failed('unsupported-media-type')
    const { endpoint } = request.routeOptions.config
    if (endpoint && endpoint.access !== 'provider' && !isSafe(request.method)) refuseForeignOrigin(request, own)
    if (endpoint && isOff(endpoint, settings.featuresOff)) throw new Failed('unavailable', { reason: 'switched-off' })
    if (endpoint?.upload) refuseOtherFile(request, endpoint.upload, endpoint.largest)
  })

  // JSON under its own name is all that is parsed; Fastify would take text/plain too, which forms can send (R62, R71).
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  // Fastify quotes the values of parameters before it compares.
  app.addContentTypeParser(
    /^application\/json(?:; charset="utf-8")?$/i,
    { parseAs: 'string' },
    (request, body, done) => {
      // A DELETE or POST without content may still name its type.
      if (body === '') done(null, undefined)
      else void parse(request, body as string, done)
    },
  )
  for (const type of ['application/pdf', 'application/x-ndjson'])
    app.addContentTypeParser(type, (request, payload, done) => {
      done(request.routeOptions.config.endpoint?.upload === type ? null : new Failed('unsupported-media-type'), payload)
    })
}

/** What a proxy in front adds; a browser on this machine sends none of it. */
const forwarding = /^(?:forwarded|x-forwarded-.*|x-real-ip|via)$/i

/** A demonstration shows every code, so unless it is declared public only this machine uses it, and no proxy brings others (R122). */
export function refuseForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    // As they came: of `headers` what is not believed is gone.
    if (!request.raw.rawHeaders.some((name, i) => i % 2 === 0 && forwarding.test(name))) return
    return reply
      .code(403)
      .type('text/plain; charset=utf-8')
      .send(
        'This is a demonstration for one machine, and this request came through a proxy. DEMONSTRATION_PUBLIC=on opens it to anyone.\n',
      )
  })
}

const isOff = (endpoint: Endpoint, off: readonly string[]) => off.includes(featureOf(endpoint) ?? 'always')

/** Node's own `headers` keeps the first only. Names and values alternate. */
const hostsIn = (raw: readonly string[]) => raw.filter((name, i) => i % 2 === 0 && /^host$/i.test(name)).length

/** Before anything of it is read: what is no file of this type, and what says that it is too large (R42, R71). */
function refuseOtherFile({ headers }: FastifyRequest, type: string, largest: number = limits.http.pdfBytes) {
  const { 'content-type': given, 'content-length': length, 'transfer-encoding': chunked } = headers
  if (withoutParameters(given) !== type || (length ?? chunked ?? '0') === '0')
    throw new Failed('unsupported-media-type')
  if (Number(length) > largest) throw new Failed('body-too-large')
}

/** A file's type needs none of them, and some programs send one (RFC 9110 §8.3.1). */
const withoutParameters = (type = '') => type.split(';', 1)[0]!.trim().toLowerCase()

const isSafe = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** A write by cookie must come from our own pages: browsers always say where a write comes from (R62). */
function refuseForeignOrigin(request: FastifyRequest, own: URL) {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new Failed('cross-site-request')
  if (!origin || !URL.canParse(origin) || new URL(origin).host !== host || new URL(origin).origin !== origin)
    throw new Failed('cross-site-request')
  // A page that came to our name without TLS may be anybody's.
  if (host === own.host && origin !== own.origin) throw new Failed('cross-site-request')
}
