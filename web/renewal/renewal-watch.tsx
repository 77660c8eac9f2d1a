import { useEffect, useEffectEvent, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { readRenewal } from '../../contract/renewal.ts'
import { refetch } from '../calls/reads.ts'

const { pollEvery, pollFor } = limits.renewal
const slowSeconds = 10

/**
 * Checks a renewal every three seconds for two minutes (defaults.md); the screen shows changes
 * by itself. `late`: it was not ready by then; `again` continues checking. `slow`: it has taken more than ten seconds.
 */
export function useRenewalWatch(uid: string, waiting: boolean, every: number = pollEvery) {
  const [looks, setLooks] = useState(0)
  const [slow, setSlow] = useState(false)
  const late = waiting && looks * every >= pollFor
  const look = useEffectEvent(() => refetch(readRenewal, { params: { uid } }))

  useEffect(() => {
    if (looks * every >= slowSeconds) setSlow(true)
    if (!waiting) return setLooks(0)
    if (late) return
    const timer = setTimeout(() => void look().then(() => setLooks((before) => before + 1)), every * 1000)
    return () => clearTimeout(timer)
  }, [waiting, late, looks, every])

  return { late, slow, again: () => setLooks(0) }
}
