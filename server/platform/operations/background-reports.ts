import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { auditParts } from '../audit/audit-detach.ts'
import { query, type Db } from '../database/database.ts'
import type { Report, FailedTry } from '../messages/outbox.ts'
import { backgroundFailed, jobs } from '../observability/events.ts'
import type { LoggedTry } from '../observability/log.ts'
import { causeOf, type SkippedCauses, openSkippedCauses, serviceOf } from '../observability/skipped-causes.ts'
import { version } from '../observability/version.ts'
import type { PortalJob } from '../portal.ts'
import { DeliveryFailed } from '../ports.ts'

/**
 * Logs failed tries, each cause of a channel at most once a minute: while a mail server is down, thousands of messages may try each
 * minute. Permanent failures are always logged, because an operator has to look at each.
 */
export function openFailedTries(warn: (logged: LoggedTry, problem: string) => void, now?: () => number) {
  const skippedTries = openSkippedCauses(now)
  return ({ id, channel, tries, isPermanent }: FailedTry, error: unknown) => {
    const problem = error instanceof DeliveryFailed ? error.message : 'an unexpected error'
    const skipped = skippedTries(`${channel} ${problem}`, { always: isPermanent })
    if (skipped !== undefined) warn({ id, channel, tries, isPermanent, skipped }, problem)
  }
}

/** Returns what reports the errors of each work in the background. A failed delivery is a failed try and no error of ours. */
export function openReports(log: FastifyBaseLogger, skipped: SkippedCauses): (work: string) => Report {
  const logFailedTry = openFailedTries((delivery, problem) =>
    log.warn({ delivery, problem }, 'a message could not be delivered'),
  )
  return (work) => (error, failed) => {
    if (failed) logFailedTry(failed, error)
    if (failed && error instanceof DeliveryFailed) return
    backgroundFailed.publish({})
    const repeats = skipped(`${work} ${causeOf(error)}`)
    if (repeats === undefined) return
    log.error({ err: error, work, service: serviceOf(error), repeats }, 'background work failed')
  }
}

/**
 * Makes the tables of the audit trail for the next three months. While anything reads the trail, such as a dump, no table can join it:
 * the next run tries again, and only a run in the last month is reported.
 */
async function makeMonths(db: Db): Promise<void> {
  try {
    await db.transaction().execute((tx) => query(tx).run(sql`select make_audit_months()`))
  } catch (error) {
    const isLockTimeout = error instanceof pg.DatabaseError && error.code === '55P03'
    if (!isLockTimeout || !(await hasLaterMonth(db))) throw error
  }
}

const hasLaterMonth = (db: Db): Promise<boolean> =>
  query(db).finds(sql`
    select from (${auditParts}) part where ends > portal_now() + interval '1 month' limit 1`)

/** Every node runs it, apart from the cleanup, which does not have to wait for the trail. */
export const auditMonthsJob: PortalJob = { name: 'audit-months', everySeconds: 600, run: ({ db }) => makeMonths(db) }

/** The names of the jobs: `node-check-requests` looks whether somebody wants checks, and `node-checks` runs them. */
export const nodeJobs = ['node-report', 'node-check-requests', 'node-checks'] as const

/** The result of a check of `sygnet check`, for the operator. */
export type NodeFinding = { name: string; status: string; text: string }
type JobRun = { name: string; at: string; isOk: boolean }

/**
 * Opens the report that a node makes every half minute for the desk (DSK-31): that it runs, when its jobs last ended, and what its checks
 * found at the start, or when somebody at the desk has asked for them.
 */
export function openNodeReport(db: Db, check: () => Promise<NodeFinding[]>) {
  const id = crypto.randomUUID()
  const runs = new Map<string, JobRun>()
  const [report, requests, checks] = nodeJobs
  const ended = (name: string, isOk: boolean) => runs.set(name, { name, at: new Date().toISOString(), isOk })
  const unsubscribe = jobs.follow({ end: ({ job, error }) => ended(job, error === undefined) })

  const storeFindings = (findings: NodeFinding[]) =>
    query(db).run(sql`
      update nodes set findings = ${JSON.stringify(findings)}::jsonb, checked_at = portal_now(), check_wanted = false
      where id = ${id}`)

  const store = () =>
    query(db).run(sql`
      insert into nodes (id, host, version, jobs) values (${id}, ${hostname()}, ${version}, ${JSON.stringify([...runs.values()])}::jsonb)
      on conflict (id) do update set seen_at = portal_now(), jobs = excluded.jobs`)

  /** Runs the checks and stores their findings. The run is listed with the result of the checks. */
  async function runChecks(run: () => Promise<NodeFinding[]>) {
    const findings = await jobs.do({ job: checks }, async () => {
      const storeStartFindings = await run()
      await storeFindings(storeStartFindings)
      return storeStartFindings
    })
    ended(
      checks,
      findings.every(({ status }) => status !== 'failed'),
    )
  }

  async function checkIfWanted() {
    if (await query(db).finds(sql`select 1 from nodes where id = ${id} and check_wanted`)) await runChecks(check)
  }

  return {
    /** The jobs, of which the checks are apart from the report: they can take minutes, in which the node goes on to report. */
    jobs: [
      { name: report, everySeconds: 30, runsAtStart: true as const, run: store },
      { name: requests, everySeconds: 30, run: checkIfWanted },
    ],
    /** Stores the findings of the checks at the start. */
    async found(findings: NodeFinding[]) {
      await store()
      await runChecks(async () => findings)
    },
    async close() {
      unsubscribe()
      await query(db).run(sql`delete from nodes where id = ${id}`)
    },
  }
}
