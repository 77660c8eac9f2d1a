import pg from 'pg'
import { ownerNeeded, UnsupportedDatabaseError } from './migrate.ts'

/**
 * Why a database cannot be used, for the operator. `unreachable`: it may be reached a moment later; `refused`: it does not accept the
 * address or its login, until one of them is corrected; `unusable`: a restart without a change is useless; `statement`: anything else.
 */
export type DatabaseFault = { kind: 'unreachable' | 'refused' | 'unusable' | 'statement'; text: string }

const noConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** Codes of Node for a certificate that it does not accept. */
const certificateFault = /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS_CERT)/
/** PostgreSQL, appendix A: wrong password, no line in pg_hba.conf, no such database. */
const refusals: Record<string, string> = {
  '28P01': 'refused the password',
  '28000': 'refused the login',
  '3D000': 'does not exist',
}
const insufficientPrivilege = '42501'
const undefinedTable = '42P01'

/** Classes 08, 28 and 53 (connections, logins, resources), and 57P0: the server stops or starts. */
const isOfConnection = (code: string) => ['08', '28', '53', '57P0'].some((start) => code.startsWith(start))

/** Undefined if the error is about something else. `key`: the setting with the address. */
export function databaseFault(error: unknown, key = 'DATABASE_URL'): DatabaseFault | undefined {
  if (error instanceof UnsupportedDatabaseError) return { kind: 'unusable', text: error.message }
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if (noConnection.has(code))
    return { kind: 'unreachable', text: `The database cannot be reached (${code}). Check ${key}.` }
  // The driver has no code for these two.
  if (error.message === 'timeout expired')
    return { kind: 'unreachable', text: `The database does not answer in time. Check ${key}, and the firewall.` }
  if (error.message === 'The server does not support SSL connections')
    return {
      kind: 'refused',
      text: `The database does not support TLS: turn it on there, or correct sslmode in ${key}.`,
    }
  if (certificateFault.test(code))
    return {
      kind: code === 'CERT_HAS_EXPIRED' ? 'unreachable' : 'refused',
      text: `The certificate of the database is not accepted (${code}): check the host, sslmode and sslrootcert in ${key}.`,
    }
  if (!(error instanceof pg.DatabaseError)) return undefined
  const { message } = error
  if (refusals[code]) return { kind: 'refused', text: `The database ${refusals[code]}: ${message}. Check ${key}.` }
  if (isOfConnection(code))
    return { kind: 'unreachable', text: `The database refused the connection: ${message}. Check ${key}.` }
  if (code === insufficientPrivilege)
    return {
      kind: 'unusable',
      text: `The database login may not do this: ${message}. ${ownerNeeded}`,
    }
  if (code === undefinedTable)
    return {
      kind: 'unusable',
      text: `The database does not have the tables of this portal: ${message}. Check ${key}, and start the portal on it first.`,
    }
  return { kind: 'statement', text: `The database refused a statement (${code}): ${message}.` }
}
