import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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
