import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { readSources, type Environment, type Sources } from '../server/platform/configuration/configuration-sources.ts'
import { databaseDirectory, masterKeyPath, masterKeys } from '../server/platform/configuration/data-directory.ts'
import { databaseFault, type DatabaseFault } from '../server/platform/database/database-fault.ts'
import { connect, type Db } from '../server/platform/database/database.ts'
import { findRunningPostgres } from '../server/platform/database/embedded-postgres.ts'
import type { DatabaseAddress } from '../server/platform/database/requests-login.ts'
import { readKeys } from '../server/platform/encrypted-data/open-keys.ts'
import type { Keys } from '../server/platform/encryption/keys.ts'
import { errorMessage } from '../server/platform/observability/skipped-causes.ts'

export const exitCodes = { done: 0, refused: 1, misused: 2, unreachable: 3, interrupted: 130 } as const

/** An error that ends a command, with the message for the user and the exit code. */
export class CliError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message)
    this.exitCode = exitCode
  }
}

export const usageError = (message: string) => new CliError(message, exitCodes.misused)

/** Reads the database settings from the portal's own configuration. */
function readSettings(environment: Environment): Sources {
  const errors: string[] = []
  const sources = readSources(environment, errors, [
    'DATABASE_URL',
    'DATABASE_OWNER_URL',
    'DATABASE_DIRECT_URL',
    'DATA_DIR',
    'MASTER_KEY',
  ])
  if (errors.length) throw usageError([...sources.warnings, ...errors.map((error) => `${error}.`)].join('\n'))
  return sources
}

/** Returns the address of the configured database, or of the portal's embedded one while it runs, and the setting that contains it. */
async function findDatabase({ texts }: Sources, folder: string): Promise<DatabaseAddress> {
  // Only the owner may change client keys and the root key (R123).
  if (texts.DATABASE_URL)
    for (const key of ['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_URL'] as const) {
      const configured = texts[key]
      if (configured) return { key, url: configured }
    }
  const own = existsSync(folder) ? databaseDirectory(folder) : undefined
  let url: string | undefined
  try {
    url = own && (await findRunningPostgres(own))
  } catch (error) {
    throw usageError(
      `The database in ${own} cannot be opened: ${unusableReasonOf(error)}. Run this as the user of the portal.`,
    )
  }
  if (!url)
    throw usageError(
      `DATABASE_URL is not set, and no portal's database runs in ${folder}. Set SYGNET_CONFIG, DATABASE_URL or DATA_DIR to the portal's values.`,
    )
  return { key: 'DATA_DIR', url }
}

/** Reads the keys of the database's portal. A new key would decrypt nothing and report every record as forged, so none is created. */
async function readPortalKeys({ texts, masterKeyFile }: Sources, folder: string, url: string): Promise<Keys> {
  const masterKey = texts.MASTER_KEY
  if (!masterKey && !masterKeyFile && !existsSync(masterKeyPath(folder)))
    throw usageError(
      `There is no master key in ${folder}. Set SYGNET_CONFIG, DATA_DIR, MASTER_KEY_FILE or MASTER_KEY to the portal's value.`,
    )
  return readKeys(url, masterKeys({ masterKey, masterKeyFile }, folder))
}

/** File in which the kernel records who has logged in, which sudo and su do not change. */
const loginFile = '/proc/self/loginuid'

/** Returns the user who has logged in, if there is one: a service has none. */
function sessionUser(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    // All bits are set for none.
    return text === '' || text === String(2 ** 32 - 1) ? undefined : Number(text)
  } catch {
    return undefined
  }
}

/** Looks up the name of a user, wherever this machine keeps its users; a container does not know those of its host. */
function nameOf(user: number): string | undefined {
  const { status, stdout } = spawnSync('getent', ['passwd', String(user)], { encoding: 'utf8' })
  return status === 0 ? stdout.split(':', 1)[0] : undefined
}

/**
 * Returns the operator who runs the command, for the audit trail: the login, else the user that sudo or the environment states, else the
 * process's own user.
 */
export function operatorLogin({ SUDO_USER, SYGNET_OPERATOR }: Environment, file: string = loginFile): string {
  const user = sessionUser(file)
  const name = (user === undefined ? undefined : nameOf(user)) || SUDO_USER || SYGNET_OPERATOR
  if (name) return name.slice(0, 64)
  if (user !== undefined) return `uid ${user}`
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Opens the portal's database, for work without an API call: the first client key, the audit trail, the master keys. */
export async function withDatabase<T>(
  { environment }: { environment: Environment },
  work: (db: Db, keys: Keys, folder: string) => Promise<T>,
): Promise<T> {
  const sources = readSettings(environment)
  const folder = resolve(sources.texts.DATA_DIR ?? '.data')
  const { key, url } = await findDatabase(sources, folder)
  try {
    const keys = await readPortalKeys(sources, folder, url)
    const operator = operatorLogin(environment)
    const { db, close } = connect(url, { connections: 2, auditKey: keys.audit, operator, asOwner: true })
    try {
      return await work(db, keys, folder)
    } finally {
      await close()
    }
  } catch (error) {
    const fault = databaseFault(error, key)
    throw fault ? new CliError(fault.text, exitCodeOf[fault.kind]) : error
  }
}

const exitCodeOf: Record<DatabaseFault['kind'], number> = {
  unreachable: exitCodes.unreachable,
  refused: exitCodes.misused,
  unusable: exitCodes.misused,
  statement: exitCodes.refused,
}

export type Credentials = { url: string; key: string }

export function readCredentials({ SYGNET_URL, SYGNET_KEY, SYGNET_KEY_FILE }: Environment): Credentials {
  if (!SYGNET_URL)
    throw usageError('SYGNET_URL is not set. It is the address of the portal, such as https://portal.provider.example')
  if (!URL.canParse(SYGNET_URL))
    throw usageError('SYGNET_URL is not an address such as https://portal.provider.example')
  const { protocol, hostname, origin } = new URL(SYGNET_URL)
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback))
    throw usageError('SYGNET_URL must begin with https://, or others could read the key.')
  if (SYGNET_KEY && SYGNET_KEY_FILE) throw usageError('Set SYGNET_KEY_FILE or SYGNET_KEY, not both.')
  const given = SYGNET_KEY_FILE ? readKeyFile(SYGNET_KEY_FILE) : SYGNET_KEY
  if (given === undefined)
    throw usageError(
      'SYGNET_KEY_FILE is not set: the file with the client key. Create a key with sygnet client-key create.',
    )
  const key = given.trim()
  if (!/^sygnet_[A-Za-z0-9_-]{43}$/.test(key))
    throw usageError(`${SYGNET_KEY_FILE ?? 'SYGNET_KEY'} contains no client key, which is sygnet_ and 43 characters.`)
  return { url: origin, key }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usageError(`SYGNET_KEY_FILE cannot be read: ${unusableReasonOf(error)}.`)
  }
}

/** Returns the reason why a file or an address cannot be used, without Node's own text around it. */
export function unusableReasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known: Record<string, string> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    EEXIST: 'the file already exists',
    ENOSPC: 'the disk is full',
    ABORT_ERR: 'it did not answer in time',
  }
  return known[code] ?? (code || errorMessage(error))
}
