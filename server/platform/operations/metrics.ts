import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { allAuditActions } from '../../../contract/desk/all-audit-actions.ts'
import type { Connections, Db } from '../database/database.ts'
import { reportedDirectives } from '../http/csp-reports.ts'
import { deliveryChannels, listOutboxBacklog } from '../messages/outbox.ts'
import {
  alarmRaised,
  backgroundFailed,
  rateLimitExceeded,
  cspReported,
  delivered,
  jobs,
  auditEntryAdded,
  spansDropped,
  trustedListFetched,
  trustedListOutcomes,
} from '../observability/events.ts'
import { version } from '../observability/version.ts'
import { alarmNames } from '../ports.ts'
import type { Readiness } from './readiness.ts'

export type Metrics = {
  /** Counts the requests of an app; to be called before its routes are added. */
  observe(app: FastifyInstance): void
  /** Returns the text that Prometheus reads, and its content type. */
  read(): Promise<{ type: string; text: string }>
  close(): void
}

type Sources = {
  /** The connections apart from the pool of the requests, so that metrics are available while that is full. */
  db: Db
  connections: () => Connections
  readiness: Readiness
  jobNames: readonly string[]
}

/**
 * Opens the metrics of one node (OPS-6). Labels are constants of the code (a route's pattern, an audit action, a rate limit), so their
 * number is bounded and they contain no personal data (R86).
 */
export function openMetrics({ db, connections, readiness, jobNames }: Sources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges that are named like counters; those by type, without `_total`, have the same numbers.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
  const requests = requestsIn(registry)
  const unsubscribers = countEvents(registry, jobNames)
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })

  const ready = gauge('sygnet_ready', 'Whether the node can serve: 1 or 0.')
  const pool = gauge('sygnet_database_connections', 'Connections of the pool for requests.', 'state')
  const waitingForPool = gauge('sygnet_database_waiting', 'Statements and transactions that wait for a connection.')
  const waiting = gauge('sygnet_outbox_waiting', 'Messages of the outbox that wait for delivery.', 'channel')
  const oldest = gauge('sygnet_outbox_oldest_seconds', 'Age of the oldest of these.', 'channel')
  const dead = gauge('sygnet_outbox_dead', 'Messages of the outbox that failed permanently.', 'channel')
  gauge('sygnet_build_info', 'The version of the node; always 1.', 'version').set({ version }, 1)

  async function readOutbox() {
    for (const metric of [waiting, oldest, dead]) metric.reset()
    for (const { channel, ...row } of await listOutboxBacklog(db)) {
      waiting.set({ channel }, row.waiting)
      oldest.set({ channel }, row.oldest)
      dead.set({ channel }, row.dead)
    }
  }

  return {
    observe(app) {
      app.addHook('onRequest', (request, reply, done) => {
        // Also if the client has gone, after which nothing is answered.
        reply.raw.once('close', () => {
          const { url: route } = request.routeOptions
          // A request without a route may have any method.
          const labels = route ? { method: request.method, route } : { method: 'other', route: 'none' }
          const status = reply.raw.headersSent ? `${Math.floor(reply.statusCode / 100)}xx` : 'aborted'
          requests.observe({ ...labels, status }, reply.elapsedTime / 1000)
        })
        done()
      })
    },
    async read() {
      // The node's own metrics are needed even without the database.
      const [notReadyReason] = await Promise.all([readiness.findNotReadyReason(), readOutbox().catch(() => {})])
      ready.set(notReadyReason ? 0 : 1)
      const { open, idle, waiting: waitingConnections } = connections()
      pool.set({ state: 'used' }, open - idle)
      pool.set({ state: 'idle' }, idle)
      waitingForPool.set(waitingConnections)
      return { type: registry.contentType, text: await registry.metrics() }
    },
    close() {
      for (const end of unsubscribers) end()
      registry.clear()
    },
  }
}

const requestsIn = (registry: Registry) =>
  new Histogram({
    name: 'sygnet_http_request_duration_seconds',
    help: 'Requests by route, from their headers to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })

/** Counts the events of the code; returns the functions that end it. */
function countEvents(registry: Registry, jobNames: readonly string[]) {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const acts = counter('sygnet_acts_total', 'Entries added to the audit trail, sign-ins among them.', 'act')
  const refusals = counter('sygnet_rate_limit_refusals_total', 'Tries that a limit refused.', 'limit')
  const alarms = counter('sygnet_alarms_total', 'Alarms that were raised.', 'alarm')
  const reports = counter(
    'sygnet_csp_reports_total',
    'Reports by browsers of what our policies have blocked.',
    'directive',
  )
  const faults = counter('sygnet_background_faults_total', 'Background work that failed.')
  const tries = counter('sygnet_deliveries_total', 'Tries to deliver a message of the outbox.', 'channel', 'outcome')
  const runs = counter('sygnet_job_runs_total', 'Runs of jobs.', 'work', 'outcome')
  const lists = counter('sygnet_trusted_lists_total', 'Trusted lists that were to be fetched.', 'outcome')
  const lostSpans = counter('sygnet_spans_dropped_total', 'Spans that did not reach the collector of traces.')
  // Counters begin at 0 here, because Prometheus sees no increase when a counter first appears with 1.
  faults.inc(0)
  lostSpans.inc(0)
  for (const outcome of trustedListOutcomes) lists.inc({ outcome }, 0)
  for (const directive of reportedDirectives) reports.inc({ directive }, 0)
  for (const alarm of alarmNames) alarms.inc({ alarm }, 0)
  for (const action of Object.keys(allAuditActions)) acts.inc({ act: action }, 0)
  for (const channel of deliveryChannels)
    for (const outcome of ['sent', 'failed', 'dead']) tries.inc({ channel, outcome }, 0)
  for (const work of jobNames) for (const outcome of ['done', 'failed']) runs.inc({ work, outcome }, 0)

  return [
    auditEntryAdded.subscribe(({ action }) => acts.inc({ act: action })),
    rateLimitExceeded.subscribe(({ rateLimit }) => refusals.inc({ limit: rateLimit })),
    alarmRaised.subscribe(({ alarm }) => alarms.inc({ alarm })),
    cspReported.subscribe((event) => reports.inc(event)),
    backgroundFailed.subscribe(() => faults.inc()),
    spansDropped.subscribe(({ count }) => lostSpans.inc(count)),
    trustedListFetched.subscribe((event) => lists.inc(event)),
    delivered.subscribe((event) => tries.inc(event)),
    jobs.follow({ end: ({ job, error }) => runs.inc({ work: job, outcome: error === undefined ? 'done' : 'failed' }) }),
  ]
}
