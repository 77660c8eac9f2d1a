import { createContext, use } from 'react'
import { CallFailed } from '../api.ts'

/** Reads and shows how the renewal stands now, and says that it was moved on somewhere else. */
export const MovedOn = createContext<() => Promise<void>>(() => Promise.resolve())

/**
 * `const move = useMove()`, then `await move(() => call(…))`. Where another tab, browser or the provider was first
 * (R58), the current state is read and shown, and `cancelled` is thrown, about which nothing more is said.
 */
export function useMove() {
  const movedOn = use(MovedOn)
  return async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'state-passed')) throw error
      await movedOn()
      throw new CallFailed('cancelled')
    }
  }
}
