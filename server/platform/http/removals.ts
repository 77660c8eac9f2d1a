import type { RemovableObject } from '../../../contract/provider/provider-api.ts'
import type { Tx } from '../database/database.ts'
import { ApiError } from '../api-error.ts'
import { isAnyHeld } from '../authentication/legal-hold.ts'
import type { BoundAudit, Call } from './http.ts'

/** The owner of what was removed, and others who had access to it, or for what it is still needed; undefined if there was nothing. */
export type Removal = { owner: string | null; others?: readonly (string | null)[] } | { neededFor: string } | undefined

type RemovalCall<Name extends string> = Pick<Call<unknown>, 'transaction'> & {
  params: Record<Name, string>
  query: { reason: string }
}

/**
 * The handler of a call that removes the object which its path names, because it was filed by mistake. The event follows from the
 * audit entry (PRV-3, R141).
 */
export const removing =
  <Name extends string>(
    object: RemovableObject,
    name: Name,
    remove: (tx: Tx, id: string, audit: BoundAudit) => Promise<Removal>,
  ) =>
  ({ params: { [name]: filed }, query: { reason }, transaction }: RemovalCall<Name>) =>
    transaction(async (tx, audit) => {
      const removal = await remove(tx, filed, audit)
      if (!removal) return { removed: false }
      if ('neededFor' in removal) throw new ApiError('object-in-use', { reason: removal.neededFor })
      // The transaction has removed it, and is rolled back.
      if (await isAnyHeld(tx, [removal.owner, ...(removal.others ?? [])]))
        throw new ApiError('object-in-use', { reason: 'legal-hold' })
      await audit('filed-object-removed', { object, filed, reason }, removal.owner)
      return { removed: true }
    })
