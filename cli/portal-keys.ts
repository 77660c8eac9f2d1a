import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { masterKeyPath, masterKeys, type MasterKeySource } from '../server/data-directory.ts'
import type { Keys } from '../server/keys.ts'
import { readKeys } from '../server/open-keys.ts'

/** Where the portal has its things: the variables that it was started with. */
export type Surroundings = MasterKeySource & { url: string; folder: string }

/** The keys of the portal whose database this is. A key made here would open nothing and find every record forged. */
export async function portalKeys({ url, folder, ...source }: Surroundings): Promise<Keys> {
  const directory = resolve(folder)
  if (!source.masterKey && !source.masterKeyFile && !existsSync(masterKeyPath(directory)))
    throw new Error(
      `There is no master key in ${directory}. Set DATA_DIR, or MASTER_KEY_FILE or MASTER_KEY, as the portal has it.`,
    )
  return readKeys(url, masterKeys(source, directory))
}
