import { StorageUnreachable } from '../ports.ts'

/** Time between two log lines of one cause, in milliseconds. */
const logIntervalMs = 60_000
const maxCauses = 100

/**
 * Lets each cause into the log at most once a minute: while a service is down, thousands of lines would have the same one. Returns how
 * often the cause was skipped since its last line, or undefined if it is skipped now. `always`: is never skipped.
 */
export function openSkippedCauses(now: () => number = () => performance.now()) {
  const causes = new Map<string, { loggedAt: number; skipped: number }>()
  return (cause: string, { always = false } = {}): number | undefined => {
    const before = causes.get(cause)
    if (before && !always && now() - before.loggedAt < logIntervalMs) {
      before.skipped++
      return undefined
    }
    causes.delete(cause)
    causes.set(cause, { loggedAt: now(), skipped: 0 })
    const [oldest] = causes.keys()
    if (causes.size > maxCauses && oldest !== undefined) causes.delete(oldest)
    return before?.skipped ?? 0
  }
}

export type SkippedCauses = ReturnType<typeof openSkippedCauses>

/** Returns the parts that two errors of one cause have in common, without their texts. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error'
  const code = 'code' in error ? String(error.code) : ''
  // The driver of the database throws all its errors in one place: only the further lines tell them apart.
  return [error.name, code, ...(error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))].join('\n')
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Checks whether the database is down, full, too slow, refuses connections or was demoted to read-only. */
export const isDatabaseDown = (error: Error & { code?: string; syscall?: string }) =>
  // While it restarts, its port, its socket or even its name may be missing.
  ['connect', 'getaddrinfo'].includes(error.syscall ?? '') ||
  /^(?:ECONN|ETIMEDOUT|E(?:HOST|NET)UNREACH|EPIPE|57P0|57014|08|53|25006|25P0)/.test(error.code ?? '') ||
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|not queryable/.test(
    error.message,
  )

/** Returns the service whose failure caused an error, by its name in the log. */
export function serviceOf(error: unknown): 'database' | 'documents' | undefined {
  if (error instanceof StorageUnreachable) return 'documents'
  return error instanceof Error && isDatabaseDown(error) ? 'database' : undefined
}
