import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { useText } from '../app/locale.tsx'
import { hasFailedWith } from '../calls/api.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { formatCountdown } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'

/**
 * Sends an e-mail again: `button` resends, a minute after the last send at the earliest, or after the refusal's `retryAfter`; `status`
 * announces the result, before that `idle`.
 * `first`: seconds to wait where the last time was before this page was opened.
 */
export function useResend(
  send: () => Promise<unknown>,
  sent: Text,
  {
    busyText,
    first = limits.code.resendAfter,
    idle,
    size,
  }: { busyText?: string | undefined; first?: number; idle?: Text; size?: 's' } = {},
) {
  const t = useText()
  const [pause, setPause] = useState({ seconds: first })
  const wait = useWait(pause)
  // The status says how many hours.
  const isLong = wait > 0 && pause.seconds >= 3600
  const reason = useId()
  const [result, setResult] = useState<ReactNode>()

  const { run, isBusy } = useAction(async () => {
    setResult(undefined)
    try {
      await send()
    } catch (error) {
      const seconds = hasFailedWith(error) && error.problem.retryAfter
      if (seconds) setPause({ seconds })
      if (!hasFailedWith(error, 'sends-spent', 'resend-too-early')) throw error
      // What is sent here is an e-mail, and the usual answer is about text messages.
      setResult(
        <>
          {describeFailure(t.locale, error)} <AnswerLink to="email-not-received" />
        </>,
      )
      return
    }
    setResult(t(sent))
    setPause({ seconds: limits.code.resendAfter })
  }, setResult)

  const button = (
    <Button
      size={size}
      icon="refresh"
      isBusy={isBusy}
      busyText={busyText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}
      aria-disabled={wait > 0}
      aria-describedby={isLong ? reason : undefined}
      onClick={run}
    >
      {wait > 0 && !isLong
        ? t({ pl: `Wyślij ponownie za ${formatCountdown(wait)}`, en: `Resend in ${formatCountdown(wait)}` })
        : t({ pl: 'Wyślij ponownie', en: 'Resend' })}
    </Button>
  )
  const status = (
    <p id={reason} role="status" className="small">
      {result || (idle && t(idle))}
    </p>
  )
  return { button, status }
}

/** Returns the seconds of `pause` that are left, counted from each new one. */
function useWait(pause: { seconds: number }) {
  const [left, setLeft] = useState(pause.seconds)
  useEffect(() => {
    const end = Date.now() + pause.seconds * 1000
    setLeft(pause.seconds)
    const timer = setInterval(() => setLeft((end - Date.now()) / 1000), 1000)
    return () => clearInterval(timer)
  }, [pause])
  return left
}
