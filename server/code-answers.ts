import type { ErrorCode } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { giveBack, type Entry, type RightEntry } from './codes.ts'
import type { Tx } from './db.ts'
import { Failed } from './failure.ts'
import type { Portal } from './portal.ts'

/** Does what a right code confirms, in one transaction. */
export const actOn = <T>(portal: Portal, entry: RightEntry, act: (tx: Tx) => Promise<T>): Promise<T> =>
  portal.db
    .transaction()
    .execute(act)
    .catch(async (error: unknown) => {
      await giveBack(portal.db, portal, entry)
      throw error
    })

/** The failure that a code which was not sent is. */
export const unsent = ({ refused, ...rest }: { refused: ErrorCode; retryAfter?: number }): Failed =>
  new Failed(refused, rest.retryAfter === undefined ? {} : { retryAfter: rest.retryAfter })

export function refusalOf(entry: Entry & { ok: false }): Failed {
  const code: ErrorCode = entry.refused
  if (entry.refused === 'too-many-attempts') return new Failed(code, { retryAfter: entry.retryAfter })
  if (entry.refused !== 'code-wrong') return new Failed(code)
  // The customer is told from the third wrong entry on (defaults.md).
  const shown = entry.entriesLeft <= limits.code.entries - limits.code.entriesLeftShownFrom
  return new Failed(code, shown ? { entriesLeft: entry.entriesLeft } : {})
}
