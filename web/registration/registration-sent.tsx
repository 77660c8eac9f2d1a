import { useState, type ReactNode } from 'react'
import { limits } from '../../contract/limits.ts'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatCountdown } from '../text/format.ts'
import { describeFailure } from '../text/failure-text.ts'
import { Button, TextLink } from '../ui/button.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { useWait } from '../ui/wait.ts'

type Props = {
  email: string
  onResend: () => Promise<unknown>
  onCorrect: () => void
  busyText: string | undefined
  /** The place of the bot check. */
  children: ReactNode
}

/** What happens next; it says the same whether or not the e-mail is known (REG-4). */
export function RegistrationSent({ email, onResend, onCorrect, busyText, children }: Props) {
  const t = useText()
  const locale = useLocale()
  const [sends, setSends] = useState(1)
  const wait = useWait(limits.code.resendAfter, sends)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')

  async function resend() {
    setBusy(true)
    setSaid('')
    try {
      await onResend()
      setSaid(
        t({
          pl: 'Wysłaliśmy nową wiadomość. Działa tylko link z\u00a0najnowszej.',
          en: 'We have sent a new message. Only the link in the newest one works.',
        }),
      )
      setSends(sends + 1)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setSaid(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="auth__box auth__box--w">
      <h1>{t({ pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' })}</h1>
      <p className="lede">
        {t({ pl: 'Wysłaliśmy wiadomość na adres ', en: 'We have sent a message to ' })}
        <b className="mono wrap">{email}</b>
      </p>
      <h2 className="next__title">{t({ pl: 'Co dalej', en: 'What happens next' })}</h2>
      <ol className="next">
        <li>
          {t({
            pl: 'Otwórz wiadomość i\u00a0kliknij link. Działa 24 godziny i\u00a0tylko raz.',
            en: 'Open the message and follow the link. It works for 24 hours, and once only.',
          })}
        </li>
        <li>{t({ pl: 'Ustaw hasło do konta.', en: 'Set the password of your account.' })}</li>
        <li>
          {t({
            pl: 'Zaloguj się hasłem i\u00a0kodem SMS.',
            en: 'Log in with the password and a text-message code.',
          })}
        </li>
      </ol>
      <p>
        {t({
          pl: 'Nie ma wiadomości? Sprawdź folder spam. Jeśli na ten adres jest już konto, napisaliśmy, jak się zalogować.',
          en: 'No message? Check your spam folder. If this address already has an account, we wrote how to log in.',
        })}
      </p>
      {children}
      <div className="btns next__btns">
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
        <Button variant="quiet" icon="pen" onClick={onCorrect}>
          {t({ pl: 'Popraw dane', en: 'Correct the data' })}
        </Button>
      </div>
      <p role="status" className="small">
        {said}
      </p>
      <p>
        {t({ pl: 'Nadal nic? Zadzwoń: ', en: 'Still nothing? Call ' })}
        <SupportLine />
      </p>
      <p className="auth__alt">
        <TextLink to="/">{t({ pl: 'Wróć do logowania', en: 'Back to login' })}</TextLink>
      </p>
    </div>
  )
}
