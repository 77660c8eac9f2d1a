import { AsyncLocalStorage } from 'node:async_hooks'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator, ExportResultCode } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import { deliveries, jobs, outgoingCalls, statements, backgroundFailed, spansDropped } from './events.ts'
import { isInNetworks, networks } from './network.ts'

export type Traces = {
  /** Traces the requests of an app; to be called before its routes are added. */
  observe(app: FastifyInstance): void
  /** Returns the id of the current trace, for the log. */
  current(): string | undefined
  /** Sends the remaining spans. */
  close(): Promise<void>
}

/** A function that sends spans to the collector; it rejects if the collector did not accept them. */
export type SendSpans = (spans: ReadableSpan[]) => Promise<void>

/** The limit of spans that wait for the collector; further ones are dropped and counted. */
const maxWaiting = 4096

/** Sends spans in batches. No request waits for it; if the collector is down, only spans are lost. */
function spanBatches(send: SendSpans): SpanProcessor {
  let waiting = 0
  let isDown = false
  let sending: Promise<void> = Promise.resolve()
  async function sendBatch(spans: ReadableSpan[]) {
    waiting -= spans.length
    try {
      await send(spans)
      isDown = false
    } catch {
      spansDropped.publish({ count: spans.length })
      // Reported once per outage, not every two seconds.
      if (!isDown) backgroundFailed.publish({})
      isDown = true
    }
  }
  const batches = new BatchSpanProcessor({
    scheduledDelayMillis: 2000,
    maxQueueSize: maxWaiting,
    exporter: {
      export(spans, done) {
        // Lost spans are a success too: after a failure the library sends several batches at the same time.
        sending = Promise.all([sending, sendBatch(spans)]).then(() => done({ code: ExportResultCode.SUCCESS }))
      },
      shutdown: () => sending,
    },
  })
  return {
    onStart() {},
    // The library does not say which spans it drops.
    onEnd(span) {
      if (waiting === maxWaiting) return spansDropped.publish({ count: 1 })
      waiting++
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
}

type TraceOptions = {
  send: SendSpans
  version: string
  /** The percentage of traces starting here that are kept. */
  percent: number
  /** The proxies whose `traceparent` is trusted (R67). */
  trustedProxies: readonly string[]
}

const summaries = new Map<string, string>()

/** Returns the verb and the table of a statement. The texts come from the code, so their number is bounded. */
export function summaryOf(text: string): string {
  const known = summaries.get(text)
  if (known) return known
  const [verb, table] = (
    [
      ['insert', /\binsert into "?(\w+)/],
      ['delete', /\bdelete from "?(\w+)/],
      ['update', /\bupdate "?(\w+)"?(?: \w+)? set\b/],
      ['select', /\bfrom "?(\w+)/],
    ] as const
  )
    .map(([keyword, pattern]) => [keyword, pattern.exec(text)?.[1]] as const)
    .find(([, found]) => found) ?? [text.trim().split(/\W/, 1).join('')]
  const summary = [verb, table].filter(Boolean).join(' ')
  summaries.set(text, summary)
  return summary
}

/**
 * Opens tracing by OpenTelemetry: of requests, of deliveries and jobs, and of the statements and outgoing calls within them (OPS-6).
 * Attributes are constants, hosts and numbers, never paths, values or personal data (R86).
 */
export function openTraces({ send, version, percent, trustedProxies }: TraceOptions): Traces {
  const current: Current = new AsyncLocalStorage()
  const trusted = networks(...trustedProxies.map(addressRange))
  const propagator = new W3CTraceContextPropagator()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'sygnet',
      'service.version': version,
      'service.instance.id': crypto.randomUUID(),
    }),
    // By the trace's id, so all nodes keep the same traces.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [spanBatches((spans) => current.run(undefined, () => send(spans)))],
  })
  const { begin, beginWithin, spanOf, end } = openSpans(provider.getTracer('sygnet'), current)
  const unsubscribers = [
    statements.follow({
      begin(about) {
        const summary = summaryOf(about.text)
        beginWithin(about, summary, { 'db.system.name': 'postgresql', 'db.query.summary': summary })
      },
      end,
    }),
    outgoingCalls.follow({
      begin(about) {
        const { method, url, headers } = about
        const context = beginWithin(about, method, { 'http.request.method': method, 'server.address': url.hostname })
        if (context) propagator.inject(context, headers, defaultTextMapSetter)
      },
      end(about) {
        if (about.result) spanOf(about)?.setAttribute('http.response.status_code', about.result.status)
        end(about)
      },
    }),
    // Work in the background begins its own trace.
    deliveries.enter(current, (about) => begin(about, `deliver ${about.channel}`, {})),
    deliveries.follow({ end }),
    jobs.enter(current, (about) => begin(about, about.job, {})),
    jobs.follow({ end }),
  ]

  return {
    observe(app) {
      app.addHook('onRequest', (request, reply, done) => {
        const { method, routeOptions, id, socket, headers } = request
        const route = routeOptions.url
        // Without `tracestate`, whose values are free text (R86).
        const { traceparent } = isInNetworks(trusted, socket.remoteAddress ?? '') ? headers : {}
        const context = begin(
          request,
          route ? `${method} ${route}` : 'no route',
          {
            kind: SpanKind.SERVER,
            attributes: { ...(route && { 'http.request.method': method, 'http.route': route }), 'sygnet.request': id },
          },
          propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter),
        )
        // Also if the client has gone, after which nothing is answered.
        reply.raw.once('close', () => {
          const span = spanOf(request)
          if (reply.raw.headersSent) span?.setAttribute('http.response.status_code', reply.statusCode)
          if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
          span?.end()
        })
        current.run(context, done)
      })
    },
    current: () => trace.getSpan(current.getStore() ?? ROOT_CONTEXT)?.spanContext().traceId,
    async close() {
      for (const unsubscribe of unsubscribers) unsubscribe()
      await provider.shutdown()
    },
  }
}

type Current = AsyncLocalStorage<Context | undefined>

/** Begins and ends the spans of requests and of work. */
function openSpans(tracer: Tracer, current: Current) {
  /** The contexts of requests and of work that has begun. */
  const contexts = new WeakMap<object, Context>()
  function begin(about: object, name: string, options: SpanOptions, parent = ROOT_CONTEXT): Context {
    const context = trace.setSpan(parent, tracer.startSpan(name, options, parent))
    contexts.set(about, context)
    return context
  }
  const spanOf = (about: object) => trace.getSpan(contexts.get(about) ?? ROOT_CONTEXT)
  /** Begins a span only inside another one: polling for messages every second needs no trace. */
  function beginWithin(about: object, name: string, attributes: Attributes) {
    const parent = current.getStore()
    return parent && begin(about, name, { kind: SpanKind.CLIENT, attributes }, parent)
  }
  function end(about: object & { error?: unknown }) {
    const span = spanOf(about)
    if (about.error !== undefined)
      span?.setAttribute('error.type', errorType(about.error)).setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  return { begin, beginWithin, spanOf, end }
}

/** Returns the address and prefix length of a network, given as in `TRUSTED_PROXIES`. */
const addressRange = (proxy: string): [string, number] => {
  const [address = '', bits] = proxy.split('/')
  return [address, bits === undefined ? (address.includes(':') ? 128 : 32) : Number(bits)]
}

/** Returns an error's code or name; its message may quote data. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  const candidates = ['code' in error ? error.code : undefined, error.name]
  return candidates.find((word): word is string => typeof word === 'string' && /^\w{1,40}$/.test(word)) ?? 'Error'
}
