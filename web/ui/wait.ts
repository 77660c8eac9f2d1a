import { useEffect, useState } from 'react'

/** Seconds still to wait, counted anew each time `round` changes. */
export function useWait(seconds: number, round: number) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    setLeft(seconds)
    const timer = setInterval(() => setLeft((end - Date.now()) / 1000), 1000)
    return () => clearInterval(timer)
  }, [seconds, round])
  return left
}
