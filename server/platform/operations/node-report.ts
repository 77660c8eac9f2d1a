import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { jobs } from '../observability/events.ts'
import { version } from '../observability/version.ts'

/** `node-check-requests` looks whether somebody wants checks, and `node-checks` is a run of them. */
export const nodeJobs = ['node-report', 'node-check-requests', 'node-checks'] as const

/** What a check has found: of `sygnet check`, for the operator. */
export type NodeFinding = { name: string; status: string; text: string }
export type JobRun = { name: string; at: string; isOk: boolean }

/**
 * What a node says of itself every half minute, for the desk (DSK-31): that it runs, when its jobs last ended, and what its checks found
 * at the start, or when somebody at the desk has asked for them.
 */
export function openNodeReport(db: Db, check: () => Promise<NodeFinding[]>) {
  const id = randomUUID()
  const runs = new Map<string, JobRun>()
  const [report, requests, checks] = nodeJobs
  const ended = (name: string, isOk: boolean) => runs.set(name, { name, at: new Date().toISOString(), isOk })
  const unsubscribe = jobs.follow({ end: ({ job, error }) => ended(job, error === undefined) })

  const storeFindings = (findings: NodeFinding[]) =>
    sql`update nodes set findings = ${JSON.stringify(findings)}::jsonb, checked_at = portal_now(), check_wanted = false
      where id = ${id}`.execute(db)

  const store = () =>
    sql`insert into nodes (id, host, version, jobs) values (${id}, ${hostname()}, ${version}, ${JSON.stringify([...runs.values()])}::jsonb)
      on conflict (id) do update set seen_at = portal_now(), jobs = excluded.jobs`.execute(db)

  /** The last run of the checks is listed with their result. */
  async function runChecks(run: () => Promise<NodeFinding[]>) {
    const findings = await jobs.do({ job: checks }, async () => {
      const found = await run()
      await storeFindings(found)
      return found
    })
    ended(
      checks,
      findings.every(({ status }) => status !== 'failed'),
    )
  }

  async function checkIfWanted() {
    const { rows } = await sql`select 1 from nodes where id = ${id} and check_wanted`.execute(db)
    if (rows.length > 0) await runChecks(check)
  }

  return {
    /** The checks are not part of the report: they can take minutes, in which the node goes on to report. */
    jobs: [
      { name: report, everySeconds: 30, atStart: true as const, run: async () => void (await store()) },
      { name: requests, everySeconds: 30, run: checkIfWanted },
    ],
    /** What the checks of the start have found. */
    async found(findings: NodeFinding[]) {
      await store()
      await runChecks(async () => findings)
    },
    async close() {
      unsubscribe()
      await sql`delete from nodes where id = ${id}`.execute(db)
    },
  }
}
