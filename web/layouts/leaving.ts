import { useEffect, useSyncExternalStore, type ReactNode } from 'react'

/** What the customer is told before they leave the task that is on the screen; none where nothing was entered yet. */
let words: ReactNode
const listeners = new Set<() => void>()

function say(next: ReactNode) {
  words = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLeavingWords = () =>
  useSyncExternalStore(
    subscribe,
    () => words,
    () => undefined,
  )

/** Has the way out ask first, for as long as the screen is shown. */
export function useAskBeforeLeaving(asked: string | undefined) {
  useEffect(() => {
    say(asked)
    return () => say(undefined)
  }, [asked])
}
