import { createContext, use } from 'react'
import { ApiError, onFailure } from '../calls/api.ts'
import { useAction } from '../ui/action.ts'

/** Result of reading the state after a call that came too late: the same state at a newer version, another state, or nothing new. */
export type ConflictResult = 'same-state' | 'other-state' | 'unread'

/** Reads and shows the current state of the renewal, with a notice that it was changed elsewhere. */
export const CatchUp = createContext<() => Promise<ConflictResult>>(() => Promise.resolve('unread'))

/**
 * Returns a function that makes a call: `const move = useRenewalCall()`, then `await move(() => call(…))`. If another tab, browser or the provider
 * was first (R58), the current state is read and shown, and the call fails: with `renewal-changed`, whose message asks to check and repeat
 * it; with `canceled`, which shows no message, if the page now shows another state; or with its own failure, if nothing could be read.
 */
export function useRenewalCall() {
  const catchUp = use(CatchUp)
  return <T>(request: () => Promise<T>): Promise<T> =>
    request().catch(
      onFailure(['state-passed'], async (failure) => {
        const shown = await catchUp()
        if (shown === 'unread') throw failure
        throw new ApiError(shown === 'same-state' ? 'renewal-changed' : 'canceled')
      }),
    )
}

/** Returns the action of a button that advances the renewal: makes the call, and passes the new state to the screen. */
export function useMoveAction<T>(request: () => Promise<T>, onChanged: (state: T) => void) {
  const move = useRenewalCall()
  return useAction(async () => onChanged(await move(request)))
}
