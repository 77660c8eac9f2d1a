import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isOf, networks } from './network.ts'
import { deliveries, jobs, outgoingCalls, statements } from './observed.ts'
import { openBuffer } from './span-buffer.ts'
import { isKept, parentOf, summaryOf, traceparentOf, type Parent } from './trace-context.ts'

/** A piece of work in a trace, as OpenTelemetry has it. Attributes are words, hosts and numbers of ours: no path, no value, no person (R86). */
export type Span = {
  traceId: string
  id: string
  parentId: string | undefined
  isSampled: boolean
  kind: 'internal' | 'server' | 'client'
  name: string
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  attributes: Record<string, string | number>
  isFailed: boolean
}

/** Takes spans to the collector; rejects if it did not take them. */
export type SendSpans = (spans: readonly Span[]) => Promise<void>

export type Traces = {
  /** Follows the requests of an app; before its routes are made. */
  observe(app: FastifyInstance): void
  /** The trace that is under way, for the log. */
  current(): string | undefined
  /** Sends what is left. */
  close(): Promise<void>
}

type Options = {
  send: SendSpans
  /** How many of a hundred traces that begin here are kept. */
  percent: number
  /** The one hop whose `traceparent` is believed (R67). */
  trustedProxies: readonly string[]
}

/** Traces by W3C Trace Context: of requests, of deliveries and jobs, and of the statements and outgoing calls within them (OPS-6). */
export function openTraces({ send, percent, trustedProxies }: Options): Traces {
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
      span.attributes['error.type'] = kindOf(error)
    }
    buffer.add(span)
  }

  // What is done within a span, and never by itself: nobody asks how a node looks for messages every second.
  const within = new WeakMap<object, Span>()
  const beginWithin = (about: object, name: string, attributes: Span['attributes']) => {
    const parent = current.getStore()
    if (!parent) return undefined
    const span = begin('client', name, attributes, parent)
    within.set(about, span)
    return span
  }
  /** Work of the node itself, to which all that is done in it belongs. */
  const beginOwn = (about: object, name: string) => {
    const span = begin('internal', name, {})
    within.set(about, span)
    return span
  }
  const endWithin = (about: object & { error?: unknown }) => end(within.get(about), about.error)

  const ends = [
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
        const parent = isOf(trusted, socket.remoteAddress ?? '') ? parentOf(headers['traceparent']) : undefined
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
      // What reads a body comes back in the connection's own context.
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
      for (const finish of ends) finish()
      await buffer.close()
    },
  }
}

const subnetOf = (proxy: string): [string, number] => {
  const [address = '', bits] = proxy.split('/')
  return [address, bits === undefined ? (address.includes(':') ? 128 : 32) : Number(bits)]
}

/** A word that the code knows; an error's message may quote data. */
function kindOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return [code, name].find((word): word is string => typeof word === 'string' && /^\w{1,40}$/.test(word)) ?? 'Error'
}
