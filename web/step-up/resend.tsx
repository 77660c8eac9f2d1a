import { useEffect, useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatCountdown } from '../text/format.ts'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from './button.tsx'

/**
 * `button` sends once more, a minute after the last time at the earliest; `said` is what came of it, for a status line.
 * `first`: seconds still to wait when the last time was before this page.
 */
export function useResend(
  send: () => Promise<unknown>,
  sent: Text,
  { busyText, first = limits.code.resendAfter }: { busyText?: string | undefined; first?: number } = {},
) {
  const t = useText()
  const locale = useLocale()
  const [sends, setSends] = useState(1)
  const wait = useWait(sends === 1 ? first : limits.code.resendAfter, sends)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')

  async function resend() {
    setBusy(true)
    setSaid('')
    try {
      await send()
      setSaid(t(sent))
      setSends(sends + 1)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setSaid(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  const button = (
    <Button
      icon="refresh"
      busy={busy}
      busyText={busyText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}
      aria-disabled={wait > 0}
      onClick={resend}
    >
      {wait > 0
        ? t({ pl: `Wyślij ponownie za ${formatCountdown(wait)}`, en: `Resend in ${formatCountdown(wait)}` })
        : t({ pl: 'Wyślij ponownie', en: 'Resend' })}
    </Button>
  )
  return { button, said }
}

/** Seconds still to wait, counted anew each time `round` changes. */
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
