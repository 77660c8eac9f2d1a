import { useEffect, useEffectEvent, useState } from 'react'
import { useText } from '../app/locale.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'

/** Checks every 5 s, twelve times, whether the agreements have been made (defaults.md); after that the customer checks. */
const everyMs = 5_000
const attemptsAtMost = 12

type Props = { waiting: boolean; message: string; refetchList: () => unknown }

export function AgreementWatch({ waiting, message, refetchList }: Props) {
  const t = useText()
  const [attempts, setAttempts] = useState(0)
  const refetchNow = useEffectEvent(refetchList)

  useEffect(() => {
    if (!waiting || attempts >= attemptsAtMost) return
    const timer = setTimeout(() => {
      setAttempts(attempts + 1)
      refetchNow()
    }, everyMs)
    return () => clearTimeout(timer)
  }, [waiting, attempts])

  if (!waiting || attempts < attemptsAtMost) return null
  return (
    <Notice
      className="cert__watch"
      title={t({ pl: 'Jeszcze przygotowujemy umowę', en: 'We’re still preparing the agreement' })}
    >
      <p>{message}</p>
      <RetryButton check size="s" onClick={() => setAttempts(0)} />
    </Notice>
  )
}
