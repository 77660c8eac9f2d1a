import { jobs } from '../observability/events.ts'

type Job = { name: string; everySeconds: number; atStart?: true | undefined; run: () => Promise<unknown> }

/** Runs each job at its interval, on every node. A failure is reported, and the job runs again. `stop` starts no further run. */
export function startJobs(table: readonly Job[], report: (error: unknown) => void): { stop: () => void } {
  const timers = table.map(({ name, everySeconds, atStart, run }) => {
    const start = () => void jobs.do({ job: name }, run).catch(report)
    if (atStart) start()
    return setInterval(start, everySeconds * 1000)
  })
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) }
}
