import { useEffect, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { useText } from '../app/locale.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { formatCountdown } from '../text/format.ts'
import { CodeField } from '../ui/code-field.tsx'
import { useFormState } from '../ui/form-state.ts'
import { Notice } from '../ui/notice.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { CodeResend } from './code-resend.tsx'

/** Texts that are shown while the code is used. */
export type PendingTexts = {
  /** Instruction to the customer: to wait, or to confirm in another app. */
  note: string
  /** Title of the dialog while the customer confirms in another app. The code has been used, so it is not shown. */
  title?: string
  /** Seconds for which the confirmation is awaited. */
  within?: number
}

type Props = {
  sent: CodeSent
  onResend: () => Promise<void>
  /** Whether a new code can be sent after the expiry, as for CodeResend. */
  canRestart?: boolean | undefined
  /** Runs when the last digit is typed. */
  onComplete?: (() => void) | undefined
  meanwhile?: PendingTexts | undefined
  /** Above the field: what its code confirms. */
  children?: ReactNode
}

/**
 * Asks for a code that the portal has sent, in the same way everywhere: shows where it was sent, the field, and how to get another one. The
 * caller's buttons follow.
 */
export function CodeEntryForm({ sent, onResend, canRestart, onComplete, meanwhile, children }: Props) {
  const t = useText()
  const { isSending } = useFormState()
  const isElsewhere = isSending && meanwhile?.title !== undefined
  return (
    <>
      {/* Out of sight, not gone: a refused code gets the focus. */}
      <div className={isElsewhere ? 'unseen' : 'code-entry'}>
        <p>
          {t(codeSentText(sent))}
          <b>{sent.channel === 'email' ? <Verbatim>{sent.to}</Verbatim> : <MaskedPhone number={sent.to} />}</b>.
        </p>
        {children}
        <CodeField
          name="code"
          label={t(codeLabel[sent.channel])}
          onComplete={onComplete}
          tabIndex={isElsewhere ? -1 : undefined}
        />
      </div>
      {/* The region is there before, so that its text is read out. */}
      {meanwhile && <div role="status">{isSending && <Notice kind="info">{meanwhile.note}</Notice>}</div>}
      {isElsewhere && meanwhile.within && <TimeLeft seconds={meanwhile.within} />}
      {/* Hidden, not gone: it knows how long ago the code was sent. */}
      <div hidden={!!meanwhile && isSending}>
        <CodeResend sent={sent} canRestart={canRestart} onResend={onResend} />
      </div>
    </>
  )
}

/** Counts down by the second, because the time runs against the customer (UIX-36); screen readers do not announce a timer. */
function TimeLeft({ seconds }: { seconds: number }) {
  const t = useText()
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    const timer = setInterval(() => setLeft(Math.max(0, (end - Date.now()) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return (
    <div className="time-left">
      <p role="timer" className="number">
        {left > 0
          ? t({ pl: `Zostało ${formatCountdown(left)}`, en: `${formatCountdown(left)} left` })
          : t({ pl: 'Czas minął. Kończymy…', en: 'Time’s up. Finishing…' })}
      </p>
      <progress className="meter" max={seconds} value={left} aria-hidden="true" />
    </div>
  )
}

const codeLabel: Record<CodeSent['channel'], Text> = {
  sms: { pl: 'Kod SMS, 6\u00a0cyfr', en: 'Text-message code, 6\u00a0digits' },
  email: { pl: 'Kod z\u00a0e-maila, 6\u00a0cyfr', en: 'E-mail code, 6\u00a0digits' },
}

/**
 * Returns the text before the number or address. Only the second text message and later ones have a number, as in their text, so that the
 * newest one can be found.
 */
const codeSentText = ({ channel, ordinal }: CodeSent): Text =>
  channel === 'email'
    ? { pl: 'Wysłaliśmy e-mail z\u00a0kodem na adres ', en: 'We’ve e-mailed a code to ' }
    : ordinal > 1
      ? {
          pl: `Wysłaliśmy SMS z\u00a0kodem nr\u00a0${ordinal} na numer `,
          en: `We’ve sent a text message with code no.\u00a0${ordinal} to `,
        }
      : { pl: 'Wysłaliśmy kod SMS na numer ', en: 'We’ve sent a text-message code to ' }
