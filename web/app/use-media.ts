import { useSyncExternalStore } from 'react'
import { useHydrated } from './hydration.tsx'

/** Checks whether a media query matches, for content that differs with the width, not only its layout; false during hydration. */
export function useMedia(query: string) {
  const isHydrated = useHydrated()
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => isHydrated && matchMedia(query).matches,
    () => false,
  )
}
