import { createHash, randomBytes } from 'node:crypto'
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
import { Misconfigured, Unstartable } from './unstartable.ts'

/** Where the portal keeps what is not in the database: the folder asked for, or `.data` in the project. */
export function dataDirectory(wanted: string | undefined): string {
  const directory = resolve(wanted ?? '.data')
  try {
    makeDirectory(directory)
    accessSync(directory, constants.W_OK | constants.X_OK)
    // Asking for the right is not enough: root has it on a read-only disk too.
    const probe = join(directory, '.writable')
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new Misconfigured(
      `The data folder ${directory} cannot be written to (${(error as NodeJS.ErrnoException).code}). Choose another one with DATA_DIR.`,
    )
  }
  return directory
}

/** One folder at a time: Node's own recursive way never returns where a file system refuses with ENOENT, as /proc does. */
function makeDirectory(directory: string) {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  mkdirSync(directory, { mode: 0o755 })
}

const isRoot = process.getuid?.() === 0

/**
 * Makes room for the embedded database in the data folder. PostgreSQL runs as "nobody" for root, who must be able to
 * reach its files: the data folder is made passable.
 */
export function makeDatabaseDirectory(directory: string): string {
  if (isRoot) chmodSync(directory, statSync(directory).mode | 0o001)
  return databaseDirectory(directory)
}

/**
 * Where the embedded database keeps its files: in the data folder; for root below a closed folder, such as /root, in one
 * of their own under /var/lib/sygnet, which "nobody" reaches.
 */
export const databaseDirectory = (directory: string): string =>
  isRoot && !isOpenToAll(directory)
    ? join('/var/lib/sygnet', createHash('sha256').update(directory).digest('hex').slice(0, 16), 'postgres')
    : join(directory, 'postgres')

function isOpenToAll(directory: string): boolean {
  const parent = dirname(directory)
  return (statSync(directory).mode & 0o001) !== 0 && (parent === directory || isOpenToAll(parent))
}

/** Where the operator has put the master keys: the keys themselves, or a file of them. */
export type MasterKeySource = { masterKey: string | undefined; masterKeyFile: string | undefined }

export const masterKeyPath = (directory: string) => join(directory, 'master.key')

/**
 * The master keys, each in base64 and the current one first: from the operator, or one that is made once in the data
 * folder and readable by its owner only.
 */
export function masterKeys({ masterKey, masterKeyFile }: MasterKeySource, directory: string): Buffer[] {
  if (masterKey) return keysIn(masterKey, 'MASTER_KEY')
  const path = masterKeyFile ?? masterKeyPath(directory)
  if (!masterKeyFile && !existsSync(path)) writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600 })
  try {
    return keysIn(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (error instanceof Unstartable) throw error
    throw new Misconfigured(`The master key cannot be read from ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function keysIn(text: string, where: string): Buffer[] {
  const words = text.split(/\s+/).filter(Boolean)
  const keys = words.map((word) => Buffer.from(word, 'base64'))
  // Decoders pass over what is no base64, and a key of one repeated byte is nobody's draw (R82).
  const unfit = keys.findIndex((key, i) => !isBase64(words[i]!) || key.length < 32 || new Set(key).size < 8)
  if (!keys.length || unfit >= 0)
    throw new Misconfigured(`Key ${unfit + 1 || 1} in ${where} is no master key: 32 random bytes or more, in base64.`)
  if (new Set(words).size < words.length) throw new Misconfigured(`A master key stands twice in ${where}.`)
  return keys
}

const isBase64 = (word: string) => Buffer.from(word, 'base64').toString('base64') === word

/** Marks the folder as this process's. A mark left by one that is gone is taken over. Returns what takes the mark away. */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'sygnet.pid')
  const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  if (owner && owner !== process.pid && runsPortal(owner))
    throw new Unstartable(
      `The data folder ${directory} is in use by another Sygnet (process ${owner}). Stop it, or choose another folder with DATA_DIR.`,
    )
  writeFileSync(path, String(process.pid))
  return () => rmSync(path, { force: true })
}

/** Process numbers come round again, so a live process counts only if it is a portal, where that can be told. */
function runsPortal(pid: number) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const command = `/proc/${pid}/cmdline`
  return !existsSync(command) || readFileSync(command, 'utf8').includes('server/main.ts')
}
