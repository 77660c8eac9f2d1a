import { useEffect, useEffectEvent } from 'react'

/** Calls `act` at this interval, for as long as the component is shown. */
export function useEvery(intervalMs: number, act: () => unknown): void {
  const latest = useEffectEvent(act)
  useEffect(() => {
    const timer = setInterval(() => void latest(), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
}
