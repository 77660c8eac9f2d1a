import { sql } from 'kysely'
import type { RemovableObject } from '../../../contract/activity-object.ts'
import { ApiError } from '../api-error.ts'
import { type Tx, type Db, query } from '../database/database.ts'
import type { BoundAudit, Call } from './http.ts'

/** The result of a removal; undefined if there was nothing to remove. */
export type Removal =
  /** The owner of what was removed, and others who had access to it. */
  | { owner: string | null; others?: readonly (string | null)[] }
  /** What the object is still needed for, so that it was not removed. */
  | { neededFor: string }
  | undefined

type RemovalCall<Name extends string> = Pick<Call<unknown>, 'transaction'> & {
  params: Record<Name, string>
  query: { reason: string }
}

/** Checks whether one of these accounts is under a legal hold: then nothing of it is removed (R251). */
export async function isAnyHeld(db: Db, accounts: readonly (string | null)[]): Promise<boolean> {
  return query(db).finds(sql`
    select from accounts where id = any(${accounts}::uuid[]) and held_at is not null limit 1`)
}

/**
 * Makes the handler of a call that removes the object which its path names, because it was filed by mistake. The event follows from the
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
