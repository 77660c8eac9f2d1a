import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readSources, type Environment, type Sources } from '../server/configuration-sources.ts'
import { databaseDirectory, masterKeyPath, masterKeys } from '../server/data-directory.ts'
import { openDatabase, type Db } from '../server/db.ts'
import { runningPostgres } from '../server/embedded-postgres.ts'
import type { Keys } from '../server/keys.ts'
import { readKeys } from '../server/open-keys.ts'
import { exitCodes, Told } from './told.ts'

/** What the environment says. No secret is ever a word of the command: others can read these. */
export type Surroundings = Environment

const misused = (sentence: string) => new Told(sentence, exitCodes.misused)

/** What the portal's own configuration says of its database, read as the portal reads it. */
function readSettings(surroundings: Surroundings): Sources {
  const mistakes: string[] = []
  const sources = readSources(surroundings, mistakes, ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATA_DIR', 'MASTER_KEY'])
  if (mistakes.length) throw misused(mistakes.map((mistake) => `${mistake}.`).join('\n'))
  return sources
}

/** The database that was named, or the portal's own one, while that runs. */
async function databaseOf({ texts }: Sources, folder: string): Promise<string> {
  // Client keys and the root of the keys are the owner's to change (R123).
  if (texts.DATABASE_URL) return texts.DATABASE_OWNER_URL ?? texts.DATABASE_URL
  const own = existsSync(folder) ? databaseDirectory(folder) : undefined
  let url: string | undefined
  try {
    url = own && (await runningPostgres(own))
  } catch (error) {
    throw misused(
      `The database in ${own} is not yours to open: ${reasonOf(error)}. Run this as the user of the portal.`,
    )
  }
  if (!url)
    throw misused(
      `DATABASE_URL is not set, and no database of a portal runs in ${folder}. Which database? Set SYGNET_CONFIG, DATABASE_URL or DATA_DIR as the portal has it.`,
    )
  return url
}

/** The keys of the portal whose database this is. A key made here would open nothing and find every record forged. */
async function portalKeys({ texts, masterKeyFile }: Sources, folder: string, url: string): Promise<Keys> {
  const masterKey = texts.MASTER_KEY
  if (!masterKey && !masterKeyFile && !existsSync(masterKeyPath(folder)))
    throw new Told(
      `There is no master key in ${folder}. Set SYGNET_CONFIG, DATA_DIR, MASTER_KEY_FILE or MASTER_KEY as the portal has it.`,
    )
  return readKeys(url, masterKeys({ masterKey, masterKeyFile }, folder))
}

/** Opens the portal's own database, for what has no call: the first key, the trail, the master keys. */
export async function withDatabase<T>(
  surroundings: Surroundings,
  work: (db: Db, keys: Keys, folder: string) => Promise<T>,
): Promise<T> {
  const sources = readSettings(surroundings)
  const folder = resolve(sources.texts.DATA_DIR ?? '.data')
  const url = await databaseOf(sources, folder)
  const keys = await portalKeys(sources, folder, url)
  const { db, close } = openDatabase(url, { connections: 2, auditKey: keys.audit, asOwner: true })
  try {
    return await work(db, keys, folder)
  } finally {
    await close()
  }
}

/** Where the portal is, and the client key that opens it. */
export type Entrance = { url: string; key: string }

export function entranceOf({ SYGNET_URL, SYGNET_KEY, SYGNET_KEY_FILE }: Surroundings): Entrance {
  if (!SYGNET_URL)
    throw misused('SYGNET_URL is not set: where is the portal? For example https://portal.provider.example')
  if (!URL.canParse(SYGNET_URL)) throw misused('SYGNET_URL is no address, such as https://portal.provider.example')
  const { protocol, hostname, origin } = new URL(SYGNET_URL)
  const isNear = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isNear))
    throw misused('SYGNET_URL must begin with https://, or the key could be read on its way.')
  if (SYGNET_KEY && SYGNET_KEY_FILE) throw misused('Set SYGNET_KEY_FILE or SYGNET_KEY, not both.')
  if (!SYGNET_KEY && !SYGNET_KEY_FILE)
    throw misused('SYGNET_KEY_FILE is not set: the file with the client key. Make one with sygnet client-key create.')
  const key = (SYGNET_KEY_FILE ? readKeyFile(SYGNET_KEY_FILE) : SYGNET_KEY!).trim()
  if (!/^sygnet_[A-Za-z0-9_-]{43}$/.test(key))
    throw misused(`${SYGNET_KEY_FILE ?? 'SYGNET_KEY'} holds no client key: one is sygnet_ and 43 characters.`)
  return { url: origin, key }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw misused(`SYGNET_KEY_FILE cannot be read: ${reasonOf(error)}.`)
  }
}

/** Why a file or an address could not be used, without what Node says around it. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known: Record<string, string> = {
    ENOENT: 'there is no such file',
    EACCES: 'this user may not',
    EISDIR: 'it is a folder',
    EEXIST: 'there is such a file already',
    ENOSPC: 'the disk is full',
  }
  return known[code ?? ''] ?? code ?? message
}
