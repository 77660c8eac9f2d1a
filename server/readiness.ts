import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Why a node should get no requests now. */
type Hindrance = 'stopping' | 'database' | 'migrations'

export type Readiness = {
  /** Undefined when the node can serve. */
  hindrance(): Promise<Hindrance | undefined>
  /** From now on the node is on its way out (R95). */
  stop(): void
}

/** Longer, and a balancer's own patience would end first. */
const patienceMs = 2000

/**
 * Whether a node can serve (R91, R95). `db` should be apart from the pool of the requests: a node that has much to do is
 * not to be taken away from the others, which would get its share. One look at a time, however many ask.
 */
export function openReadiness(db: Db): Readiness {
  const own = readdirSync(join(import.meta.dirname, 'migrations')).filter((name) => name.endsWith('.sql'))
  let stopping = false
  let looking: Promise<Hindrance | undefined> | undefined

  /** What this version needs must be there; what a newer one has added meanwhile does no harm (R97). */
  async function look(): Promise<Hindrance | undefined> {
    const { rows } = await sql<{ applied: number; writes: boolean }>`
      select count(*)::int as applied, current_setting('transaction_read_only') = 'off' as writes
      from migrations where name = any(${own}::text[])`.execute(db)
    const { applied, writes } = rows[0]!
    // A standby, or a primary that became one: it answers, and nothing can be done on it (R91).
    if (!writes) return 'database'
    return applied < own.length ? 'migrations' : undefined
  }

  function lookInTime() {
    let timer: NodeJS.Timeout
    const late = new Promise<Hindrance>((resolve) => {
      timer = setTimeout(resolve, patienceMs, 'database')
    })
    const seen = look().catch((error: { code?: string }): Hindrance =>
      error.code === '42P01' ? 'migrations' : 'database',
    )
    return Promise.race([seen, late]).finally(() => clearTimeout(timer))
  }

  return {
    async hindrance() {
      if (stopping) return 'stopping'
      looking ??= lookInTime().finally(() => (looking = undefined))
      const seen = await looking
      return stopping ? 'stopping' : seen
    },
    stop: () => void (stopping = true),
  }
}

/** For balancers and orchestrators: `/healthz` says that the process lives, `/readyz` whether it should get requests (OPS-6). */
export function serveReadiness(app: FastifyInstance, readiness: Readiness): void {
  const page = { config: { page: true, uncounted: true } } as const
  app.get('/healthz', page, () => ({ status: 'alive' }))
  app.get('/readyz', page, async (_request, reply) => {
    const reason = await readiness.hindrance()
    return reason ? reply.code(503).send({ status: 'not-ready', reason }) : { status: 'ready' }
  })
}
