import { useEffect, useEffectEvent, useState } from 'react'

/** Seconds after which a document that is still being generated is checked automatically (ux 8.5); after that only by hand. */
const refetchAt = [5, 15, 45]

/** `refetchList` runs automatically, `refetchByHand` for the customer. */
export function useGeneratingWatch(
  waiting: boolean,
  { refetchList, refetchByHand }: { refetchList: () => unknown; refetchByHand: () => Promise<unknown> },
) {
  const [attempts, setAttempts] = useState(0)
  const [checking, setChecking] = useState(false)
  const refetchNow = useEffectEvent(refetchList)

  useEffect(() => {
    const next = refetchAt[attempts]
    if (!waiting || next === undefined) return
    const seconds = next - (refetchAt[attempts - 1] ?? 0)
    const timer = setTimeout(() => {
      setAttempts(attempts + 1)
      refetchNow()
    }, seconds * 1000)
    return () => clearTimeout(timer)
  }, [waiting, attempts])

  return {
    /** It takes longer than usual. */
    late: attempts >= refetchAt.length,
    checking,
    check: async () => {
      setChecking(true)
      await refetchByHand()
      setChecking(false)
      setAttempts(0)
    },
  }
}
