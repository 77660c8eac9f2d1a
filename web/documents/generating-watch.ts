import { useEffect, useEffectEvent, useState } from 'react'

/** Seconds after which a document that is still being made is looked for by itself (ux 8.5); then by hand only. */
const looksAt = [5, 15, 45]

/** `look` is nobody's wish, `lookAsked` the customer's. */
export function useGeneratingWatch(
  waiting: boolean,
  { look, lookAsked }: { look: () => unknown; lookAsked: () => Promise<unknown> },
) {
  const [looks, setLooks] = useState(0)
  const [checking, setChecking] = useState(false)
  const lookNow = useEffectEvent(look)

  useEffect(() => {
    if (!waiting || looks >= looksAt.length) return
    const seconds = looksAt[looks]! - (looksAt[looks - 1] ?? 0)
    const timer = setTimeout(() => {
      setLooks(looks + 1)
      lookNow()
    }, seconds * 1000)
    return () => clearTimeout(timer)
  }, [waiting, looks])

  return {
    /** It takes longer than usual. */
    late: looks >= looksAt.length,
    checking,
    check: async () => {
      setChecking(true)
      await lookAsked()
      setChecking(false)
      setLooks(0)
    },
  }
}
