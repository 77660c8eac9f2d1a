import type { ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { SuccessMark } from '../art/success-mark.tsx'
import { useResend } from '../step-up/resend.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'

type Props = {
  email: string
  onResend: () => Promise<unknown>
  onCorrect: () => void
  busyText: string | undefined
  /** The bot check. */
  children: ReactNode
}

/** Shows what happens next, which is the same whether or not the e-mail address is known (REG-4). */
export function RegistrationSent({ email, onResend, onCorrect, busyText, children }: Props) {
  const t = useText()
  const { button, status } = useResend(
    onResend,
    {
      pl: 'Wysłaliśmy nową wiadomość. Działa tylko link z\u00a0najnowszej.',
      en: 'We’ve sent a new message. Only the link in the newest one works.',
    },
    { busyText },
  )

  return (
    <div className="auth__box auth__box--wide">
      <SuccessMark icon="mail" />
      <h1>{t({ pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' })}</h1>
      <p className="lede">
        {t({ pl: 'Wysłaliśmy wiadomość na adres ', en: 'We’ve sent a message to ' })}
        <b className="mono wrap" translate="no">
          {email}
        </b>
      </p>
      <h2 className="next-steps__title">{t({ pl: 'Co dalej', en: 'What happens next' })}</h2>
      <ol className="next-steps">
        <li>
          {t({
            pl: 'Otwórz wiadomość i\u00a0kliknij link. Działa 24\u00a0godziny i\u00a0tylko raz.',
            en: 'Open the message and follow the link. You can use it once. It expires in 24\u00a0hours.',
          })}
        </li>
        <li>{t({ pl: 'Ustaw hasło do konta.', en: 'Set a password for your account.' })}</li>
        <li>
          {t({ pl: 'Potwierdź numer telefonu kodem SMS.', en: 'Confirm your phone number with a text-message code.' })}
        </li>
      </ol>
      <p>
        {t({
          pl: 'Nie ma wiadomości? Sprawdź folder spam. Jeśli na ten adres jest już konto, napisaliśmy, jak się zalogować.',
          en: 'No message? Check your spam folder. If this address already has an account, we’ve told you how to sign in.',
        })}
      </p>
      {children}
      <div className="buttons next-steps__buttons">
        {button}
        <Button variant="quiet" icon="edit" onClick={onCorrect}>
          {t({ pl: 'Popraw dane', en: 'Correct my details' })}
        </Button>
      </div>
      {status}
      <p>{t({ pl: 'Nadal nic? Zadzwoń do nas.', en: 'Still nothing? Call us.' })}</p>
      <CallButton />
      <p className="auth__alt">
        <TextLink to="/">{t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}</TextLink>
      </p>
    </div>
  )
}
