import { createContext, use } from 'react'
import { useAction } from '../action.ts'
import { ApiError, onFailure } from '../api.ts'

/** Reads and shows the current state of the renewal, with a notice that it was changed elsewhere. */
export const MovedOn = createContext<() => Promise<void>>(() => Promise.resolve())

/**
 * `const move = useMove()`, then `await move(() => call(…))`. Where another tab, browser or the provider was first
 * (R58), the current state is read and shown, and `cancelled` is thrown, which shows no message.
 */
export function useMove() {
  const movedOn = use(MovedOn)
  return <T>(request: () => Promise<T>): Promise<T> =>
    request().catch(
      onFailure(['state-passed'], async () => {
        await movedOn()
        throw new ApiError('cancelled')
      }),
    )
}

/** A button that moves the renewal on: makes the call, and passes the new state to the screen. */
export function useMoveAction<T>(request: () => Promise<T>, onChanged: (state: T) => void) {
  const move = useMove()
  return useAction(async () => onChanged(await move(request)))
}
