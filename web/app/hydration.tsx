import { createContext, startTransition, use, useEffect, useState, type ReactNode } from 'react'

const Hydrated = createContext(true)

/**
 * Enables the controls, which are disabled in the served page, once React has hydrated it: in a transition, which React renders in short
 * tasks. A store that changed then would hydrate and render the whole page in one task, half a second on a phone.
 */
export function HydrationProvider({ children }: { children: ReactNode }) {
  const [isHydrated, setIsHydrated] = useState(false)
  useEffect(() => startTransition(() => setIsHydrated(true)), [])
  useEffect(() => {
    // Browser tests wait for this mark: from now on the page handles presses and keys.
    if (isHydrated) document.documentElement.dataset.hydrated = ''
  }, [isHydrated])
  return <Hydrated value={isHydrated}>{children}</Hydrated>
}

/** Returns false in the markup of the server and during hydration, true from then on. */
export const useHydrated = () => use(Hydrated)
