import { createContext, use } from 'react'
import { readRenewal } from '../../contract/renewal.ts'
import { CallFailed } from '../api.ts'
import { forget } from '../reads.ts'

/** Tells that the renewal was moved on somewhere else; the screen then says so above what is the state now. */
export const MovedOn = createContext<() => void>(() => undefined)

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
      movedOn()
      await forget(readRenewal)
      throw new CallFailed('cancelled')
    }
  }
}
