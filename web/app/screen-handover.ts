import { useLayoutEffect, useRef } from 'react'

/** Value that a screen leaves to the one that replaces it. */
let handedOver: unknown

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
    if (handedOver !== undefined) current.current.take(handedOver as T)
    handedOver = undefined
    return () => {
      handedOver = current.current.value
      queueMicrotask(() => (handedOver = undefined))
    }
  }, [])
}
