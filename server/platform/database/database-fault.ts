import pg from 'pg'
import { isDatabaseDown } from '../observability/skipped-causes.ts'
import { ownerNeeded, UnsupportedDatabaseError } from './migrate.ts'

/** The reason why a database cannot be used, for the operator. */
export type DatabaseFault = {
  /**
   * The kind of the fault. `unreachable`: the database may be reachable a moment later; `refused`: it does not accept the address or its
   * login, until one of them is corrected; `unusable`: a restart without a change is useless; `statement`: anything else.
   */
  kind: 'unreachable' | 'refused' | 'unusable' | 'statement'
  text: string
}

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

/** Checks whether a statement failed because a table does not exist. */
export const isUndefinedTable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === undefinedTable

/** Classifies an error of a database; undefined if the error is about something else. `key`: the setting with the address. */
export function databaseFault(error: unknown, key = 'DATABASE_URL'): DatabaseFault | undefined {
  if (error instanceof UnsupportedDatabaseError) return { kind: 'unusable', text: error.message }
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  // The driver has no code for this.
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
  const { message } = error
  if (refusals[code]) return { kind: 'refused', text: `The database ${refusals[code]}: ${message}. Check ${key}.` }
  if (isDatabaseDown(error)) return { kind: 'unreachable', text: downText(error, code, key) }
  if (!(error instanceof pg.DatabaseError)) return undefined
  if (code === insufficientPrivilege)
    return {
      kind: 'unusable',
      text: `The database login may not do this: ${message}. ${ownerNeeded}`,
    }
  if (isUndefinedTable(error))
    return {
      kind: 'unusable',
      text: `The database does not have the tables of this portal: ${message}. Check ${key}, and start the portal on it first.`,
    }
  return { kind: 'statement', text: `The database refused a statement (${code}): ${message}.` }
}

/** Describes why a database is down; errors of the driver have no code. */
function downText(error: Error, code: string, key: string): string {
  if (error instanceof pg.DatabaseError) return `The database is not available: ${error.message}. Check ${key}.`
  if (!code && error.message.includes('timeout'))
    return `The database does not answer in time. Check ${key}, and the firewall.`
  return `The database cannot be reached (${code || error.message}). Check ${key}.`
}
