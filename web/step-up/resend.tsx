import { useEffect, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { useAction } from '../action.ts'
import { useText } from '../locale.tsx'
import { formatCountdown } from '../text/format.ts'
import { Button } from '../ui/button.tsx'

/**
 * `button` sends again, at the earliest a minute after the last time; `status` is the line that says how that went, and `idle` before.
 * `first`: seconds to wait where the last time was before this page was opened.
 */
export function useResend(
  send: () => Promise<unknown>,
  sent: Text,
  {
    busyText,
    first = limits.code.resendAfter,
    idle,
  }: { busyText?: string | undefined; first?: number; idle?: Text } = {},
) {
  const t = useText()
  const [sends, setSends] = useState(1)
  const wait = useWait(sends === 1 ? first : limits.code.resendAfter, sends)
  const [result, setResult] = useState<ReactNode>()

  const { run, busy } = useAction(async () => {
    setResult(undefined)
    await send()
    setResult(t(sent))
    setSends(sends + 1)
  }, setResult)

  const button = (
    <Button
      icon="refresh"
      busy={busy}
      busyText={busyText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}
      aria-disabled={wait > 0}
      onClick={run}
    >
      {wait > 0
        ? t({ pl: `Wyślij ponownie za ${formatCountdown(wait)}`, en: `Resend in ${formatCountdown(wait)}` })
        : t({ pl: 'Wyślij ponownie', en: 'Resend' })}
    </Button>
  )
  const status = (
    <p role="status" className="small">
      {result || (idle && t(idle))}
    </p>
  )
  return { button, status }
}

/** Seconds to wait, counted again each time `round` changes. */
function useWait(seconds: number, round: number) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    setLeft(seconds)
    const timer = setInterval(() => setLeft((end - Date.now()) / 1000), 1000)
    return () => clearInterval(timer)
  }, [seconds, round])
  return left
}
