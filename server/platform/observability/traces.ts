import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isInNetworks, networks } from './network.ts'
import { deliveries, jobs, outgoingCalls, statements } from './events.ts'
import { openBuffer } from './span-buffer.ts'
import { isKept, parentOf, summaryOf, traceparentOf, type Parent } from './trace-context.ts'
import type { SendSpans, Span } from './span.ts'

export type Traces = {
  /** Traces the requests of an app; call it before the routes are defined. */
  observe(app: FastifyInstance): void
  /** The current trace, for the log. */
  current(): string | undefined
  /** Sends the remaining spans. */
  close(): Promise<void>
}

type TraceOptions = {
  send: SendSpans
  /** The percentage of traces starting here that are kept. */
  percent: number
  /** The proxies whose `traceparent` is trusted (R67). */
  trustedProxies: readonly string[]
}

/** Traces by W3C Trace Context: of requests, of deliveries and jobs, and of the statements and outgoing calls within them (OPS-6). */
export function openTraces({ send, percent, trustedProxies }: TraceOptions): Traces {
  const current = new AsyncLocalStorage<Span | undefined>()
  const trusted = networks(...trustedProxies.map(subnetOf))
  const buffer = openBuffer((spans) => current.run(undefined, () => send(spans)))

  function begin(kind: Span['kind'], name: string, attributes: Span['attributes'], parent?: Parent): Span {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    return {
      traceId,
      id: randomBytes(8).toString('hex'),
      parentId: parent?.id,
      isSampled: parent?.isSampled ?? isKept(traceId, percent),
      kind,
      name,
      startedAt: performance.timeOrigin + performance.now(),
      endedAt: 0,
      attributes,
      isFailed: false,
    }
  }
  function end(span: Span | undefined, error?: unknown) {
    if (!span?.isSampled) return
    span.endedAt = performance.timeOrigin + performance.now()
    if (error !== undefined) {
      span.isFailed = true
      span.attributes['error.type'] = errorType(error)
    }
    buffer.add(span)
  }

  // Only inside another span: polling for messages every second needs no trace.
  const within = new WeakMap<object, Span>()
  const beginWithin = (about: object, name: string, attributes: Span['attributes']) => {
    const parent = current.getStore()
    if (!parent) return undefined
    const span = begin('client', name, attributes, parent)
    within.set(about, span)
    return span
  }
  /** Starts a trace for background work of the node. */
  const beginOwn = (about: object, name: string) => {
    const span = begin('internal', name, {})
    within.set(about, span)
    return span
  }
  const endWithin = (about: object & { error?: unknown }) => end(within.get(about), about.error)

  const unsubscribers = [
    statements.follow({
      begin(about) {
        if (!current.getStore()?.isSampled) return
        const summary = summaryOf(about.text)
        beginWithin(about, summary, { 'db.system.name': 'postgresql', 'db.query.summary': summary })
      },
      end: endWithin,
    }),
    outgoingCalls.follow({
      begin(about) {
        const { method, url, headers } = about
        const span = beginWithin(about, method, { 'http.request.method': method, 'server.address': url.hostname })
        if (span) headers['traceparent'] = traceparentOf(span)
      },
      end(about) {
        const span = within.get(about)
        if (span && about.result) span.attributes['http.response.status_code'] = about.result.status
        endWithin(about)
      },
    }),
    deliveries.enter(current, (about) => beginOwn(about, `deliver ${about.channel}`)),
    deliveries.follow({ end: endWithin }),
    jobs.enter(current, (about) => beginOwn(about, about.job)),
    jobs.follow({ end: endWithin }),
  ]

  const ofRequests = new WeakMap<FastifyRequest, Span>()
  return {
    observe(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        const { method, routeOptions, id, socket, headers } = request
        const route = routeOptions.url
        const parent = isInNetworks(trusted, socket.remoteAddress ?? '') ? parentOf(headers['traceparent']) : undefined
        const span = begin(
          'server',
          route ? `${method} ${route}` : 'no route',
          route
            ? { 'http.request.method': method, 'http.route': route, 'sygnet.request': id }
            : { 'sygnet.request': id },
          parent,
        )
        ofRequests.set(request, span)
        current.run(span, done)
      })
      // After reading a body, Fastify continues in the connection's own context.
      app.addHook('preValidation', (request, _reply, done) => current.run(ofRequests.get(request), done))
      app.addHook('onResponse', (request, reply, done) => {
        const span = ofRequests.get(request)
        if (span) {
          span.attributes['http.response.status_code'] = reply.statusCode
          span.isFailed = reply.statusCode >= 500
        }
        end(span)
        done()
      })
    },
    current: () => current.getStore()?.traceId,
    async close() {
      for (const unsubscribe of unsubscribers) unsubscribe()
      await buffer.close()
    },
  }
}

const subnetOf = (proxy: string): [string, number] => {
  const [address = '', bits] = proxy.split('/')
  return [address, bits === undefined ? (address.includes(':') ? 128 : 32) : Number(bits)]
}

/** An error's code or name; its message may quote data. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  const candidates = ['code' in error ? error.code : undefined, error.name]
  return candidates.find((word): word is string => typeof word === 'string' && /^\w{1,40}$/.test(word)) ?? 'Error'
}
