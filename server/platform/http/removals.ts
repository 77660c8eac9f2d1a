import type { RemovableObject } from '../../../contract/provider/provider-api.ts'
import type { Tx } from '../database/database.ts'
import { ApiError } from '../api-error.ts'
import type { BoundAudit } from './http.ts'

/** The owner of what was removed, or for what it is still needed; undefined if there was nothing. */
export type Removal = { owner: string | null } | { neededFor: string } | undefined

/** A handler's removal of an object that was filed by mistake, with its audit entry, from which the event follows (PRV-3, R141). */
export const removing =
  (object: RemovableObject, remove: (tx: Tx, id: string, audit: BoundAudit) => Promise<Removal>) =>
  async (tx: Tx, audit: BoundAudit, filed: string, reason: string): Promise<{ removed: boolean }> => {
    const removal = await remove(tx, filed, audit)
    if (!removal) return { removed: false }
    if ('neededFor' in removal) throw new ApiError('object-in-use', { reason: removal.neededFor })
    await audit('filed-object-removed', { object, filed, reason }, removal.owner)
    return { removed: true }
  }
