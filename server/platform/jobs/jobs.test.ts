import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
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
    [{ name: 'slow', everySeconds: 10, runsAtStart: true, run }],
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

const file = join(import.meta.dirname, 'background-priority.ts')
const script = `
  const { lowerPriority } = await import(${JSON.stringify(file)})
  const { getPriority, setPriority } = await import('node:os')
  if (process.getuid() === 0) process.setuid(65534)
  lowerPriority()
  console.log(getPriority())`

test.runIf(process.platform === 'linux')(
  'OPS-17 R18 background work has a low priority, and keeps a lower one of its process',
  () => {
    const priorityFrom = (nice: number) =>
      Number(execFileSync('nice', ['-n', String(nice), process.execPath, '--input-type=module', '--eval', script]))
    expect([5, 15].map(priorityFrom)).toEqual([10, 15])
  },
)
