import pg from 'pg'
import { UnsupportedDatabaseError } from './migrate.ts'

const noConnection = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
/** PostgreSQL, appendix A: wrong password, no line in pg_hba.conf, no such database. */
const refusals: Record<string, string> = {
  '28P01': 'refused the password',
  '28000': 'refused the login',
  '3D000': 'does not exist',
}

/** Classes 08, 28 and 53 (connections, logins, resources), and 57P0: the server stops or starts. */
const isOfConnection = (code: string) => ['08', '28', '53', '57P0'].some((start) => code.startsWith(start))

/** Why a database cannot be used, for the operator; undefined if the error is about something else. `key`: the setting with its address. */
export function databaseFault(error: unknown, key = 'DATABASE_URL'): string | undefined {
  if (error instanceof UnsupportedDatabaseError) return error.message
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if (noConnection.has(code)) return `The database cannot be reached (${code}). Check ${key}.`
  if (!(error instanceof pg.DatabaseError)) return undefined
  if (refusals[code] || isOfConnection(code))
    return `The database ${refusals[code] ?? 'refused the connection'}: ${error.message}. Check ${key}.`
  return `The database refused a statement (${code}): ${error.message}.`
}
