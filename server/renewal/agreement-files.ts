import type { Portal } from '../platform/portal.ts'
import { isFileOf } from './renewal-state-store.ts'

/**
 * Removes a file whose transaction failed, unless the renewal names it all the same: the answer to a commit can be lost on its way. A
 * file that cannot be checked stays, because a signed agreement cannot be made again.
 */
export async function removeUnlessStored({ db, ports }: Portal, renewal: string, key: string): Promise<void> {
  const isUsed = await db
    .transaction()
    .execute((tx) => isFileOf(tx, renewal, key))
    .catch(() => true)
  if (!isUsed) await ports.documents.remove(key)
}
