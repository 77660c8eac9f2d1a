import { useEffect, useState, type ReactNode } from 'react'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { formatCountdown } from '../text/format.ts'
import { waitText } from '../text/period-text.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { useFormBlock, useFormState } from '../ui/form-state.ts'
import { Notice } from '../ui/notice.tsx'

type Props = {
  sent: CodeSent
  onResend: () => Promise<void>
  /** Outside of a dialog: after its expiry a new code can be sent, even if none is left now. */
  canRestart?: boolean | undefined
  /** A code of the signing service, of which only the end of the whole signing is known. */
  isByService?: boolean
}

/** Shows, below a field for a code, how long the code is valid and how to get another one (UIX-36). */
export function CodeResend({ sent, onResend, canRestart, isByService }: Props) {
  const t = useText()
  const elapsed = useElapsed(sent)
  const [result, setResult] = useState<{ text: ReactNode; isFailure: boolean }>()
  const { errors } = useFormState()
  const secondsTo = (instant: string) => (Date.parse(instant) - Date.parse(sent.sentAt)) / 1000 - elapsed
  const wait = secondsTo(sent.resendAt)
  const life = secondsTo(sent.expiresAt)
  const isExpired = !isByService && life <= 0
  const canSend = sent.sendsLeft > 0 || (canRestart && life <= 0)
  const isByMail = sent.channel === 'email'
  // The message about a refused code, or a code that was not sent, has a link of its own: one of them is enough.
  const isAnswered = (life > 0 && result?.isFailure) || Object.values(errors).some((error) => typeof error === 'object')
  // The answer is about messages of the portal.
  const answer = !isAnswered && !isByService && (
    <AnswerLink to={isByMail ? 'email-not-received' : 'code-not-received'} />
  )

  const { run, isBusy } = useAction(
    async () => {
      setResult(undefined)
      await onResend()
      setResult({ text: t({ pl: 'Nowy kod wysłany', en: 'New code sent' }), isFailure: false })
    },
    (text) => setResult({ text, isFailure: true }),
  )

  return (
    <div className="code-resend">
      {isExpired ? (
        <Expired>
          {canSend
            ? t({ pl: 'Ten kod wygasł. Wyślij nowy kod.', en: 'This code has expired. Send a new one.' })
            : t({
                pl: 'Ten kod wygasł. Zamknij to okno i\u00a0zacznij od\u00a0nowa.',
                en: 'This code has expired. Close this window and start again.',
              })}
        </Expired>
      ) : (
        <p className="hint number">
          {isByService
            ? t({
                pl: `Na dokończenie masz jeszcze ${waitText('pl', life)}.`,
                en: `You have ${waitText('en', life)} left to finish.`,
              })
            : t({
                pl: `Kod wygaśnie za\u00a0${waitText('pl', life)}. ${isByMail ? 'Sprawdź też folder spam.' : 'SMS może dotrzeć dopiero po 5\u00a0minutach.'}`,
                en: `The code expires in\u00a0${waitText('en', life)}. ${isByMail ? 'Check your spam folder too.' : 'A text message can take up to 5\u00a0minutes.'}`,
              })}
        </p>
      )}
      {canSend ? (
        <p className="buttons">
          {!isExpired && <span>{t({ pl: 'Kod nie dotarł?', en: 'Didn’t get the code?' })}</span>}
          <Button
            variant={isExpired ? 'primary' : 'secondary'}
            size="s"
            icon="refresh"
            isBusy={isBusy}
            aria-disabled={wait > 0}
            onClick={run}
          >
            {wait > 0
              ? t({ pl: `Wyślij ponownie za ${formatCountdown(wait)}`, en: `Resend in ${formatCountdown(wait)}` })
              : t({ pl: 'Wyślij nowy kod', en: 'Send a new code' })}
          </Button>
        </p>
      ) : (
        <>
          <p>{t({ pl: 'Kod nie dotarł? Zadzwoń do nas.', en: 'Didn’t get the code? Call us.' })}</p>
          <CallButton />
        </>
      )}
      {answer && !(isExpired && canSend) && <p className="small">{answer}</p>}
      <p role="status" className="small">
        {life > 0 && result?.text}
      </p>
    </div>
  )
}

/** Shows that the code has expired, and disables the button that submits it, because no entry can succeed. */
function Expired({ children }: { children: string }) {
  useFormBlock()
  return (
    <Notice kind="warning" role="status">
      {children}
    </Notice>
  )
}

/** Counts the seconds since the message was announced to this page: the page's clock may be wrong, so only differences count. */
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
