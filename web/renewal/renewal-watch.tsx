import { useEffect, useEffectEvent, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { readRenewal } from '../../contract/renewal.ts'
import { readAgain } from '../reads.ts'

const { pollEvery, pollFor } = limits.renewal

/**
 * Looks every three seconds for two minutes what the provider has made of a renewal (defaults.md); the screen shows it
 * by itself. `late`: it was not ready by then; `again` goes on looking.
 */
export function useRenewalWatch(uid: string, waiting: boolean, every: number = pollEvery) {
  const [looks, setLooks] = useState(0)
  const late = waiting && looks * every >= pollFor
  const look = useEffectEvent(() => readAgain(readRenewal, { params: { uid } }))

  useEffect(() => {
    if (!waiting) return setLooks(0)
    if (late) return
    const timer = setTimeout(() => void look().then(() => setLooks((before) => before + 1)), every * 1000)
    return () => clearTimeout(timer)
  }, [waiting, late, looks, every])

  return { late, again: () => setLooks(0) }
}
