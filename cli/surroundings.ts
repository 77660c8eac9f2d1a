import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { masterKeyPath, masterKeys } from '../server/data-directory.ts'
import { openDatabase, type Db } from '../server/db.ts'
import type { Keys } from '../server/keys.ts'
import { readKeys } from '../server/open-keys.ts'
import { exitCodes, Told } from './told.ts'

/** What the environment says, by the variables' names. No secret is ever a word of the command: others can read these. */
export type Surroundings = {
  [
    name in
      | 'SYGNET_URL'
      | 'SYGNET_KEY'
      | 'SYGNET_KEY_FILE'
      | 'DATABASE_URL'
      | 'DATA_DIR'
      | 'MASTER_KEY'
      | 'MASTER_KEY_FILE'
  ]: string | undefined
}

/** Where the portal has its files. */
export const folderOf = ({ DATA_DIR }: Surroundings) => resolve(DATA_DIR || '.data')

/** The keys of the portal whose database this is. A key made here would open nothing and find every record forged. */
async function portalKeys(surroundings: Surroundings, url: string): Promise<Keys> {
  const { MASTER_KEY: masterKey, MASTER_KEY_FILE: masterKeyFile } = surroundings
  const folder = folderOf(surroundings)
  if (!masterKey && !masterKeyFile && !existsSync(masterKeyPath(folder)))
    throw new Told(
      `There is no master key in ${folder}. Set DATA_DIR, or MASTER_KEY_FILE or MASTER_KEY, as the portal has it.`,
    )
  return readKeys(url, masterKeys({ masterKey, masterKeyFile }, folder))
}

/** Opens the portal's own database, for what has no call: the first key, the trail, the master keys. */
export async function withDatabase<T>(
  surroundings: Surroundings,
  work: (db: Db, keys: Keys) => Promise<T>,
): Promise<T> {
  const url = surroundings.DATABASE_URL
  if (!url) throw new Told('DATABASE_URL is not set: which database?', exitCodes.misused)
  const keys = await portalKeys(surroundings, url)
  const { db, close } = openDatabase(url, { connections: 2, auditKey: keys.audit })
  try {
    return await work(db, keys)
  } finally {
    await close()
  }
}

/** Where the portal is, and the client key that opens it. */
export type Entrance = { url: string; key: string }

export function entranceOf({ SYGNET_URL, SYGNET_KEY, SYGNET_KEY_FILE }: Surroundings): Entrance {
  const misused = (sentence: string) => new Told(sentence, exitCodes.misused)
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
    throw new Told(`SYGNET_KEY_FILE cannot be read: ${reasonOf(error)}.`, exitCodes.misused)
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
