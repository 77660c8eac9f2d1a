import { hash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigurationError, StartupError } from './startup-error.ts'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Creates the folder for data that is not in the database, if needed, and checks it: the configured one, or `.data` in the project. */
export function dataDirectory(wanted: string | undefined): string {
  const directory = resolve(wanted ?? '.data')
  try {
    makeDirectory(directory)
    accessSync(directory, constants.W_OK | constants.X_OK)
    // Checking the permission is not enough: root has it on a read-only disk too.
    const probe = join(directory, '.writable')
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw unwritable(directory, error)
  }
  return directory
}

/** Returns the error that tells the operator why the data folder cannot be used, and what to do. */
export const unwritable = (directory: string, error: unknown) =>
  new ConfigurationError(
    `The data folder ${directory} cannot be written to (${codeOf(error)}). Choose another one with DATA_DIR.`,
  )

/** Requires of the data folder what `dataDirectory` does, as far as it can be seen without a change. */
export function inspectDataDirectory(directory: string): 'missing' | 'of another user' | 'own' {
  try {
    const owner = statSync(directory, { throwIfNoEntry: false })?.uid
    if (owner !== undefined && process.getuid && process.getuid() !== owner) return 'of another user'
    let existing = directory
    while (!existsSync(existing)) existing = dirname(existing)
    accessSync(existing, constants.W_OK | constants.X_OK)
    return owner === undefined ? 'missing' : 'own'
  } catch (error) {
    throw unwritable(directory, error)
  }
}

/** Creates one folder at a time: Node's recursive option never returns on file systems that refuse with ENOENT, such as /proc. */
function makeDirectory(directory: string) {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  mkdirSync(directory, { mode: 0o755 })
}

const isRoot = process.getuid?.() === 0

/**
 * Returns the folder of the embedded database. Root runs PostgreSQL as "nobody", which must be able to reach its files, so the data folder
 * gets the permission to pass through it.
 */
export function makeDatabaseDirectory(directory: string): string {
  if (isRoot) chmodSync(directory, statSync(directory).mode | 0o001)
  return databaseDirectory(directory)
}

/**
 * Returns the folder of the embedded database: in the data folder; for root in a closed folder, such as /root, under /var/lib/sygnet, which
 * "nobody" can reach.
 */
export const databaseDirectory = (directory: string): string =>
  isRoot && !isOpenToAll(directory)
    ? join('/var/lib/sygnet', hash('sha256', directory).slice(0, 16), 'postgres')
    : join(directory, 'postgres')

function isOpenToAll(directory: string): boolean {
  const parent = dirname(directory)
  return (statSync(directory).mode & 0o001) !== 0 && (parent === directory || isOpenToAll(parent))
}

/** The operator's master keys: the keys themselves, or a file. */
export type MasterKeySource = { masterKey: string | undefined; masterKeyFile: string | undefined }

export const masterKeyPath = (directory: string) => join(directory, 'master.key')

/**
 * Reads the master keys, the current one first: from the operator, each in base64, or one created once in the data folder, which only its
 * owner can read.
 */
export function masterKeys({ masterKey, masterKeyFile }: MasterKeySource, directory: string): Buffer[] {
  if (masterKey) return keysIn(masterKey, 'MASTER_KEY')
  const path = masterKeyFile ?? masterKeyPath(directory)
  if (!masterKeyFile && !existsSync(path)) writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600 })
  try {
    return keysIn(readFileSync(path, 'utf8'), masterKeyFile ? `${path} (MASTER_KEY_FILE)` : path)
  } catch (error) {
    if (error instanceof StartupError) throw error
    const remedy = masterKeyFile ? 'correct MASTER_KEY_FILE, or let' : 'let'
    throw new ConfigurationError(
      `The master key cannot be read from ${path} (${codeOf(error)}): ${remedy} the user of the portal read that file.`,
    )
  }
}

function keysIn(text: string, source: string): Buffer[] {
  const entries = text.split(/\s+/).filter(Boolean)
  const keys = entries.map((entry) => Buffer.from(entry, 'base64'))
  // The decoder ignores invalid characters, and a key with few different bytes is not random (R82).
  const unfit = keys.findIndex((key, i) => !isBase64(entries[i] ?? '') || key.length < 32 || new Set(key).size < 8)
  if (!keys.length || unfit >= 0)
    throw new ConfigurationError(
      `Key ${unfit + 1 || 1} in ${source} is not a master key: 32 random bytes or more, in base64.`,
    )
  if (new Set(entries).size < entries.length) throw new ConfigurationError(`A master key is listed twice in ${source}.`)
  return keys
}

const isBase64 = (word: string) => Buffer.from(word, 'base64').toString('base64') === word

const lockPath = (directory: string) => join(directory, 'sygnet.pid')

/** Finds the process of the portal that runs on the folder; undefined if none does. */
export function lockOwner(directory: string): number | undefined {
  const path = lockPath(directory)
  const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  return owner && (owner === process.pid || isPortal(owner)) ? owner : undefined
}

/** Locks the folder for this process; the lock of a dead process is replaced. Returns the function that unlocks it. */
export function lockDirectory(directory: string): () => void {
  const path = lockPath(directory)
  const owner = lockOwner(directory)
  if (owner !== undefined && owner !== process.pid)
    throw new StartupError(
      `The data folder ${directory} is in use by another Sygnet (process ${owner}). Stop it, or choose another folder with DATA_DIR.`,
    )
  writeFileSync(path, String(process.pid))
  return () => rmSync(path, { force: true })
}

/** Checks that a process is a portal, where the system allows it, because process ids are reused. */
function isPortal(pid: number) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  const command = `/proc/${pid}/cmdline`
  return !existsSync(command) || readFileSync(command, 'utf8').includes('server/main.ts')
}
