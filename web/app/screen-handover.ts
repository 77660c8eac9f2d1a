import { useLayoutEffect, useRef } from 'react'

/** What a screen that ends leaves to the one that begins in its place. */
let left: unknown

/**
 * NAV-2: a page for everyone is built again inside the menu once the session is known, and again without it when the session ends.
 * The new screen takes over what the former one held, so that a chosen file or typed text is not lost. React runs the clean-ups and
 * effects of one commit before any microtask, so nothing is left for a page that is opened later.
 */
export function useHandover<T>(value: T, take: (value: T) => void) {
  const current = useRef({ value, take })
  useLayoutEffect(() => {
    current.current = { value, take }
  })
  useLayoutEffect(() => {
    if (left !== undefined) current.current.take(left as T)
    left = undefined
    return () => {
      left = current.current.value
      queueMicrotask(() => (left = undefined))
    }
  }, [])
}
