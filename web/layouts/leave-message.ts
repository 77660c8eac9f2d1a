import { useEffect, useSyncExternalStore, type ReactNode } from 'react'

/** The message shown before the customer leaves the current task; none where nothing was entered yet. */
let message: ReactNode
const listeners = new Set<() => void>()

function setMessage(next: ReactNode) {
  message = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLeaveMessage = () =>
  useSyncExternalStore(
    subscribe,
    () => message,
    () => undefined,
  )

/** Asks for confirmation before leaving, for as long as the screen is shown. */
export function useAskBeforeLeaving(text: string | undefined) {
  useEffect(() => {
    setMessage(text)
    return () => setMessage(undefined)
  }, [text])
}
