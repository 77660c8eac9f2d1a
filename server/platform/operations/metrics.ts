import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { acts as recordedActs } from '../contract/acts.ts'
import { reportedDirectives } from './csp-reports.ts'
import type { Connections, Db } from './db.ts'
import {
  alarmRaised,
  backgroundFailed,
  budgetRefused,
  cspReported,
  delivered,
  jobNames,
  jobs,
  recorded,
  spansDropped,
} from './observed.ts'
import { alarmNames } from './ports/ports.ts'
import type { Readiness } from './readiness.ts'
import { version } from './version.ts'

export type Metrics = {
  /** Counts the requests of an app; before its routes are made. */
  observe(app: FastifyInstance): void
  /** What Prometheus reads, and its type. */
  read(): Promise<{ type: string; text: string }>
  close(): void
}

type Sources = {
  /** Apart from the pool of the requests, so that a full pool can be seen. */
  db: Db
  connections: () => Connections
  readiness: Readiness
}

/**
 * The figures of one node (OPS-6). Labels are words of ours (a route's pattern, an act, a budget), so their number is
 * bounded, and none says anything of a person (R86).
 */
export function openMetrics({ db, connections, readiness }: Sources): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers })

  const requests = new Histogram({
    name: 'sygnet_http_request_duration_seconds',
    help: 'Requests by route, from their headers to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const acts = counter('sygnet_acts_total', 'Records of the audit trail that were written, sign-ins among them.', 'act')
  const refusals = counter('sygnet_budget_refusals_total', 'Tries that a limit refused.', 'budget')
  const alarms = counter('sygnet_alarms_total', 'Alarms that were raised.', 'alarm')
  const reports = counter('sygnet_csp_reports_total', 'What browsers said that our policies had blocked.', 'directive')
  const faults = counter('sygnet_background_faults_total', 'Background work that failed.')
  const tries = counter('sygnet_deliveries_total', 'Tries to deliver a message of the outbox.', 'channel', 'outcome')
  const runs = counter('sygnet_job_runs_total', 'Runs of what the node does by itself.', 'work', 'outcome')
  const lostSpans = counter('sygnet_spans_dropped_total', 'Spans that did not reach the collector of traces.')

  const ready = gauge('sygnet_ready', 'Whether the node can serve: 1 or 0.')
  const pool = gauge('sygnet_database_connections', 'Connections of the pool for requests.', 'state')
  const waitingForPool = gauge('sygnet_database_waiting', 'Statements that wait for a connection.')
  const waiting = gauge('sygnet_outbox_waiting', 'Messages of the outbox that are to be delivered yet.', 'channel')
  const oldest = gauge('sygnet_outbox_oldest_seconds', 'Age of the oldest of these.', 'channel')
  const dead = gauge('sygnet_outbox_dead', 'Messages of the outbox that were given up.', 'channel')
  gauge('sygnet_build_info', 'The version of the node; always 1.', 'version').set({ version }, 1)
  // A counter that is not there yet cannot be seen to rise from nothing, so the first alarm of a node would be told to nobody.
  faults.inc(0)
  lostSpans.inc(0)
  for (const directive of reportedDirectives) reports.inc({ directive }, 0)
  for (const alarm of alarmNames) alarms.inc({ alarm }, 0)
  for (const act of Object.keys(recordedActs)) acts.inc({ act }, 0)
  for (const work of jobNames) for (const outcome of ['done', 'failed']) runs.inc({ work, outcome }, 0)

  const ends = [
    recorded.hear(({ act }) => acts.inc({ act })),
    budgetRefused.hear(({ budget }) => refusals.inc({ budget })),
    alarmRaised.hear(({ alarm }) => alarms.inc({ alarm })),
    cspReported.hear((event) => reports.inc(event)),
    backgroundFailed.hear(() => faults.inc()),
    spansDropped.hear(({ count }) => lostSpans.inc(count)),
    delivered.hear((event) => tries.inc(event)),
    jobs.follow({ end: ({ job, error }) => runs.inc({ work: job, outcome: error === undefined ? 'done' : 'failed' }) }),
  ]

  async function lookIntoOutbox() {
    for (const one of [waiting, oldest, dead]) one.reset()
    const { rows } = await sql<{ channel: string; waiting: number; oldest: number; dead: number }>`
      select channel, count(*) filter (where outcome is null)::int as waiting, count(*) filter (where outcome = 'dead')::int as dead,
        coalesce(extract(epoch from portal_now() - min(created_at) filter (where outcome is null)), 0)::float8 as oldest
      from outbox where outcome is null or outcome = 'dead' group by channel`.execute(db)
    for (const { channel, ...row } of rows) {
      waiting.set({ channel }, row.waiting)
      oldest.set({ channel }, row.oldest)
      dead.set({ channel }, row.dead)
    }
  }

  return {
    observe(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const { url: route } = request.routeOptions
        // What has no route has a method that anybody may make up.
        const labels = route ? { method: request.method, route } : { method: 'other', route: 'none' }
        requests.observe({ ...labels, status: `${Math.floor(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1000)
        done()
      })
    },
    async read() {
      // Without the database the node's own figures are wanted all the more.
      const [hindrance] = await Promise.all([readiness.hindrance(), lookIntoOutbox().catch(() => {})])
      ready.set(hindrance ? 0 : 1)
      const { open, idle, asked } = connections()
      pool.set({ state: 'used' }, open - idle)
      pool.set({ state: 'idle' }, idle)
      waitingForPool.set(asked)
      return { type: registry.contentType, text: await registry.metrics() }
    },
    close() {
      for (const end of ends) end()
      registry.clear()
    },
  }
}
