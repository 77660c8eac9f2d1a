import { readFileSync } from 'node:fs'

/** Memory of a process in megabytes, now or at its peak; 0 for one that has ended. */
export function residentMegabytes(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}
