import { useEffect, useState } from 'react'
import type { CodeSent } from '../../contract/account.ts'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { formatCountdown } from '../text/format.ts'
import { Button } from './button.tsx'
import { SupportLine } from './support-line.tsx'

type Props = {
  sent: CodeSent
  onResend: () => Promise<void>
  /** Outside of a dialog: what can be sent no more can be sent anew once its time is over. */
  anew?: boolean
}

/** Under a field for a code: how long it is still good for, and the way to another one (ux 5.4). */
export function CodeResend({ sent, onResend, anew }: Props) {
  const t = useText()
  const locale = useLocale()
  const elapsed = useElapsed(sent)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const secondsTo = (instant: string) => (Date.parse(instant) - Date.parse(sent.sentAt)) / 1000 - elapsed
  const wait = secondsTo(sent.resendAt)
  const life = secondsTo(sent.expiresAt)
  const canSend = sent.sendsLeft > 0 || (anew && life <= 0)
  const byMail = sent.channel === 'email'

  async function resend() {
    setBusy(true)
    setSaid('')
    try {
      await onResend()
      setSaid(t({ pl: 'Nowy kod wysłany', en: 'New code sent' }))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setSaid(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="resend">
      <p className="hint num">
        {life > 0
          ? t({
              pl: `Kod jest ważny jeszcze ${formatCountdown(life)}. ${byMail ? 'Sprawdź też folder spam.' : 'SMS może iść do 5 minut.'}`,
              en: `The code is valid for ${formatCountdown(life)} more. ${byMail ? 'Look into the spam folder too.' : 'A text message may take up to 5 minutes.'}`,
            })
          : canSend
            ? t({ pl: 'Ten kod stracił ważność. Wyślij nowy kod.', en: 'This code has expired. Send a new code.' })
            : t({
                pl: 'Ten kod stracił ważność. Zamknij to okno i\u00a0zacznij od nowa.',
                en: 'This code has expired. Close this window and start again.',
              })}
      </p>
      {canSend ? (
        <p className="btns">
          <span>{t({ pl: 'Kod nie dotarł?', en: 'No code yet?' })}</span>
          <Button size="s" icon="refresh" busy={busy} aria-disabled={wait > 0} onClick={resend}>
            {wait > 0
              ? t({ pl: `Wyślij ponownie za ${formatCountdown(wait)}`, en: `Resend in ${formatCountdown(wait)}` })
              : t({ pl: 'Wyślij nowy kod', en: 'Send a new code' })}
          </Button>
        </p>
      ) : (
        <p>
          {t({ pl: 'Kod nie dotarł? Zadzwoń do nas: ', en: 'No code yet? Call us: ' })}
          <SupportLine />
        </p>
      )}
      <p role="status" className="small">
        {life > 0 ? said : ''}
      </p>
    </div>
  )
}

/** Seconds since the message was announced to this page: its own clock may be wrong, so only differences count. */
function useElapsed(sent: CodeSent) {
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    const start = Date.now()
    setElapsed(0)
    const timer = setInterval(() => setElapsed((Date.now() - start) / 1000), 1000)
    return () => clearInterval(timer)
  }, [sent])
  return elapsed
}
