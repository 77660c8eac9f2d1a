import { expect, onTestFinished, test, vi } from 'vitest'
import { startJobs } from './jobs.ts'

test('OPS-7 a job does not run again while its last run goes on, and does so after a failure', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const runs: PromiseWithResolvers<void>[] = []
  const failures: unknown[] = []
  const run = () => {
    const own = Promise.withResolvers<void>()
    runs.push(own)
    return own.promise
  }
  const { stop } = startJobs(
    [{ name: 'slow', everySeconds: 10, atStart: true, run }],
    (job) => (error) => failures.push([job, error]),
  )
  await vi.advanceTimersByTimeAsync(35_000)
  expect(runs).toHaveLength(1)
  runs[0]!.reject('failed')
  await vi.advanceTimersByTimeAsync(10_000)
  expect([runs.length, failures]).toEqual([2, [['slow', 'failed']]])
  stop()
  runs[1]!.resolve()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(runs).toHaveLength(2)
})
