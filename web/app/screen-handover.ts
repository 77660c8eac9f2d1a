import { useLayoutEffect, useRef } from 'react'

/** Value that a screen leaves to the one that replaces it. */
let left: unknown

/**
 * Hands over what a screen holds to the one that replaces it, so that a chosen file or typed text is not lost: a page for everyone is built
 * again inside the menu once the session is known, and again without it when the session ends (NAV-2). React runs the clean-ups and effects
 * of one commit before any microtask, so nothing is left for a page that is opened later.
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
