import { createContext, startTransition, use, useEffect, useState, type ReactNode, useSyncExternalStore } from 'react'

const Hydrated = createContext(true)

/**
 * The page is served with disabled controls, and enables them once React has taken it over: in a transition, which React renders in
 * short tasks. A store that changed then would hydrate and render the whole page in one task, half a second on a phone.
 */
export function HydrationProvider({ children }: { children: ReactNode }) {
  const [hydrated, setHydrated] = useState(false)
  useEffect(() => startTransition(() => setHydrated(true)), [])
  useEffect(() => {
    // Browser tests wait for this mark: from now on the page handles presses and keys.
    if (hydrated) document.documentElement.dataset.hydrated = ''
  }, [hydrated])
  return <Hydrated value={hydrated}>{children}</Hydrated>
}

/** False in the markup of the server and while React takes it over, true from then on. */
export const useHydrated = () => use(Hydrated)

/** Whether a media query matches, for content that differs with the width, not only its layout. While hydrating it does not. */
export function useMedia(query: string) {
  const hydrated = useHydrated()
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => hydrated && matchMedia(query).matches,
    () => false,
  )
}
