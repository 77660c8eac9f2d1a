import { useEffect, useEffectEvent, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { readRenewal } from '../../contract/renewal.ts'
import { refetch } from '../calls/reads.ts'

const { pollEvery, pollFor } = limits.renewal
const slowSeconds = 10

/**
 * Checks a renewal every three seconds for two minutes (defaults.md); the screen shows changes
 * by itself. `isLate`: it was not ready by then; `again` continues checking. `isSlow`: it has taken more than ten seconds.
 */
export function useRenewalWatch(uid: string, isWaiting: boolean, every: number = pollEvery) {
  const [looks, setLooks] = useState(0)
  const [isSlow, setIsSlow] = useState(false)
  const isLate = isWaiting && looks * every >= pollFor
  const look = useEffectEvent(() => refetch(readRenewal, { params: { uid } }))

  useEffect(() => {
    if (looks * every >= slowSeconds) setIsSlow(true)
    if (!isWaiting) return setLooks(0)
    if (isLate) return
    const timer = setTimeout(() => void look().then(() => setLooks((before) => before + 1)), every * 1000)
    return () => clearTimeout(timer)
  }, [isWaiting, isLate, looks, every])

  return { isLate, isSlow, again: () => setLooks(0) }
}
