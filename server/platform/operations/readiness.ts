import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { ConfigurationError } from '../configuration/startup-error.ts'
import { isUndefinedTable } from '../database/database-fault.ts'
import { query, type Db } from '../database/database.ts'
import type { RemoteSigningPort } from '../ports.ts'

type NotReadyReason = 'stopping' | 'database' | 'migrations'

export type Readiness = {
  /** Finds the reason why the node cannot serve; undefined if it can. */
  findNotReadyReason(): Promise<NotReadyReason | undefined>
  /** Notes whether a system is available that only some features need: the node serves without it. */
  note(system: 'signing-service', isAvailable: boolean): void
  unavailable(): string[]
  /** Marks the node as stopping (R95). */
  stop(): void
}

/** Timeout of the check, shorter than that of a load balancer. */
const timeoutMs = 2000

/**
 * Opens the check whether a node can serve (R91, R95). `db` should not be the pool of the requests: a busy node must stay ready, or the
 * other nodes would get its load too. Concurrent callers share one check.
 */
export function openReadiness(db: Db): Readiness {
  const migrations = readdirSync(join(import.meta.dirname, '../database/migrations')).filter((name) =>
    name.endsWith('.sql'),
  )
  const unavailable = new Set<string>()
  let isStopping = false
  let checking: Promise<NotReadyReason | undefined> | undefined

  /** Checks that the migrations of this version are applied; those of a newer one do no harm (R97). */
  async function check(): Promise<NotReadyReason | undefined> {
    // A standby, or a primary that became one, answers reads, but refuses a statement that would write, even if nothing (R91).
    const { applied } = await query(db).one(sql<{ applied: number }>`
      with written as (delete from idempotency where false)
      select count(*)::int as applied from migrations where name = any(${migrations}::text[])`)
    return applied < migrations.length ? 'migrations' : undefined
  }

  function checkInTime() {
    let timer: NodeJS.Timeout
    const late = new Promise<NotReadyReason>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, 'database')
    })
    const result = check().catch((error: unknown): NotReadyReason =>
      isUndefinedTable(error) ? 'migrations' : 'database',
    )
    return Promise.race([result, late]).finally(() => clearTimeout(timer))
  }

  return {
    async findNotReadyReason() {
      if (isStopping) return 'stopping'
      checking ??= checkInTime().finally(() => (checking = undefined))
      const seen = await checking
      return isStopping ? 'stopping' : seen
    },
    note(system, isAvailable) {
      if (isAvailable) unavailable.delete(system)
      else unavailable.add(system)
    },
    unavailable: () => [...unavailable],
    stop() {
      isStopping = true
    },
  }
}

/** Serves balancers and orchestrators: `/healthz` reports that the process runs, `/readyz` whether it should get requests (OPS-6). */
export function serveReadiness(app: FastifyInstance, readiness: Readiness): void {
  const page = { config: { page: true, uncounted: true } } as const
  app.get('/healthz', page, () => ({ status: 'alive' }))
  app.get('/readyz', page, async (_request, reply) => {
    const reason = await readiness.findNotReadyReason()
    const unavailable = readiness.unavailable()
    const details = unavailable.length ? { unavailable } : {}
    return reason ? reply.code(503).send({ status: 'not-ready', reason }) : { status: 'ready', ...details }
  })
}

export const signingServiceJob = 'signing-service'

/** Describes for the operator why the signing service cannot be used. */
export const unsuitableText = ({ unsuitable }: { unsuitable: string }) =>
  `CSC_URL cannot be used: the signing service ${unsuitable}.`

/**
 * Checks whether the operator's signing service can be used (SGN-1), at the start and each minute from then on. At the start an unsuitable
 * one is an error of the configuration; one that does not answer may come back, so it is only a warning and a detail of `/readyz`.
 */
export async function watchSigningService(service: RemoteSigningPort, readiness: Readiness, log: FastifyBaseLogger) {
  let last = 'suitable'
  async function check() {
    const result = await service.check()
    const problem = typeof result === 'string' ? result : result.unsuitable
    readiness.note('signing-service', problem === 'suitable')
    if (problem !== last && problem === 'suitable') log.info('the signing service answers again')
    else if (problem !== last) log.warn({ problem }, 'the signing service cannot be used')
    last = problem
    return result
  }
  const first = await check()
  if (typeof first === 'object') throw new ConfigurationError(unsuitableText(first))
  return { name: signingServiceJob, everySeconds: 60, run: check }
}
