import { jobs } from '../observability/events.ts'

type Job = { name: string; everySeconds: number; runsAtStart?: true | undefined; run: () => Promise<unknown> }

/**
 * Runs each job at its interval, on every node, but not while its last run still goes on. A failure is reported by the
 * job's name, and the job runs again. `stop` starts no further run.
 */
export function startJobs(table: readonly Job[], reportOf: (job: string) => (error: unknown) => void) {
  const timers = table.map(({ name, everySeconds, runsAtStart, run }) => {
    let isRunning = false
    const start = () => {
      if (isRunning) return
      isRunning = true
      void jobs
        .do({ job: name }, run)
        .catch(reportOf(name))
        .finally(() => (isRunning = false))
    }
    if (runsAtStart) start()
    return setInterval(start, everySeconds * 1000)
  })
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) }
}
