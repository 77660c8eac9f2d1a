import { StorageUnreachable } from '../ports.ts'

/** Whether the database is down, full, too slow, refuses connections or was demoted to read-only. */
export const isDatabaseDown = (error: Error & { code?: string; syscall?: string }) =>
  // While it restarts, its port, its socket or even its name may be missing.
  ['connect', 'getaddrinfo'].includes(error.syscall ?? '') ||
  /^(?:ECONN|ETIMEDOUT|E(?:HOST|NET)UNREACH|EPIPE|57P0|57014|08|53|25006|25P0)/.test(error.code ?? '') ||
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|not queryable/.test(
    error.message,
  )

/** The service without which an error would not be, as the log names it. */
export function serviceOf(error: unknown): 'database' | 'documents' | undefined {
  if (error instanceof StorageUnreachable) return 'documents'
  return error instanceof Error && isDatabaseDown(error) ? 'database' : undefined
}
