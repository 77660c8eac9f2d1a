import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Unstartable } from './configuration.ts'

/**
 * Where the portal keeps what is not in the database: `.data` in the project. Root's PostgreSQL runs as "nobody",
 * who may not look everywhere, such as into /root; then /var/lib/sygnet.
 */
export function dataDirectory(wanted: string | undefined): string {
  const directory = resolve(wanted ?? (process.getuid?.() === 0 && !isOpenToAll(resolve('.')) ? '/var/lib/sygnet' : '.data'))
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 })
    accessSync(directory, constants.W_OK | constants.X_OK)
    const probe = join(directory, '.writable')
    writeFileSync(probe, '')
  } catch (error) {
    throw new Unstartable(`The data folder ${directory} cannot be written to (${(error as NodeJS.ErrnoException).code}). Choose another one with DATA_DIR.`)
  }
  return directory
}

function isOpenToAll(directory: string): boolean {
  const parent = dirname(directory)
  return (statSync(directory).mode & 0o001) !== 0 && (parent === directory || isOpenToAll(parent))
}

/** The master key: from the operator's file, or made once in the data folder and readable by its owner only. */
export function masterKey(file: string | undefined, directory: string): Buffer {
  const path = file ?? join(directory, 'master.key')
  if (!file && !existsSync(path)) writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600 })
  try {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
    if (key.length < 32) throw new Unstartable(`The master key in ${path} is shorter than 32 bytes (base64).`)
    return key
  } catch (error) {
    if (error instanceof Unstartable) throw error
    throw new Unstartable(`The master key cannot be read from ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}
