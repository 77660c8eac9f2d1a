import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False in prerendered markup and while React takes it over, true from then on. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
