import { ApiError } from '../platform/api-error.ts'
import type { Call } from '../platform/http/http.ts'

/** `about`: the account of the customer. */
type Tried = { about: string; action: 'approval' | 'refusal' | 'move' } & (
  | { proposal: string }
  | { kind: string; object: string; to: string }
)

/**
 * An action that is refused leaves an entry too: in a transaction of its own, because that of the action is rolled back (R258). What does not
 * exist, or is refused before anything was looked at, has none.
 */
export async function recordingRefusal<T>(
  transaction: Call<unknown>['transaction'],
  { about, ...tried }: Tried,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'not-found') {
      const { code, data } = error
      const cause = data?.reason ?? code
      await transaction((_, audit) => audit('desk-action-refused', { ...tried, cause }, about))
    }
    throw error
  }
}
