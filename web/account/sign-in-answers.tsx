import type { ReactNode } from 'react'
import { enterSignInCode, resendSignInCode } from '../../contract/account.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import type { Session } from '../../contract/session.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { call, type FailureCode } from '../calls/api.ts'
import { CodeDialogView } from '../step-up/code-dialog-view.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { LostPhoneLine } from './lost-phone-line.tsx'

type Props = {
  sent: CodeSent
  /** Alternative shown when no entries of codes are left. */
  passkey: ReactNode
  onDone: (session: Session) => unknown
  /** Runs a call, and ends the attempt when it can no longer succeed. */
  untilOver: <T>(request: () => Promise<T>) => Promise<T>
  onClose: () => void
}

/** Finishes the sign-in with the code of a text message (AUT-2). */
export function SignInCode({ sent, passkey, onDone, untilOver, onClose }: Props) {
  const t = useText()
  return (
    <CodeDialogView
      title={t({ pl: 'Potwierdź logowanie', en: 'Confirm your sign-in' })}
      sent={sent}
      submitsItself
      help={<LostPhoneLine />}
      submitLabel={t({ pl: 'Zaloguj się', en: 'Sign in' })}
      locked={{
        title: t({ pl: 'Logowanie zablokowane', en: 'Sign-in locked' }),
        purpose: t({ pl: 'do logowania', en: 'to sign in' }),
        action: passkey,
      }}
      onSubmit={(code) => untilOver(async () => onDone(await call(enterSignInCode, { body: { code } })))}
      onResend={() => untilOver(() => call(resendSignInCode))}
      onClose={onClose}
    />
  )
}

const causes = {
  /** Another code comes only after the password again (AUT-2). */
  code: {
    title: { pl: 'Tego kodu nie można już użyć', en: 'That code can no longer be used' },
    text: {
      pl: 'Kod wygasł albo było za dużo błędnych prób. Zaloguj się ponownie, a\u00a0wyślemy nowy kod.',
      en: 'It has expired, or there were too many wrong attempts. Sign in again and we’ll send a new code.',
    },
  },
  'signed-out': {
    title: { pl: 'To logowanie już się zakończyło', en: 'This sign-in is over' },
    text: {
      pl: 'Minął jego czas, zakończyła je inna karta albo przeglądarka nie zachowała pliku cookie. Zaloguj się ponownie. Jeśli to się powtórzy, zezwól na pliki cookie tego portalu.',
      en: 'Its time has run out, another tab ended it, or your browser didn’t keep its cookie. Sign in again. If it happens again, allow this portal’s cookies.',
    },
  },
  cookies: {
    title: { pl: 'Portal potrzebuje plików cookie', en: 'The portal needs cookies' },
    text: {
      pl: 'Przeglądarka nie zachowuje plików cookie tego portalu, więc nie możemy Cię zalogować. Zezwól na nie w\u00a0jej ustawieniach i\u00a0zaloguj się ponownie.',
      en: 'Your browser doesn’t keep this portal’s cookies, so we can’t sign you in. Allow them in its settings and sign in again.',
    },
  },
}
export function SignInEndNotice({ cause }: { cause: FailureCode | 'cookies' }) {
  const t = useText()
  const { title, text } = cause === 'signed-out' || cause === 'cookies' ? causes[cause] : causes.code
  return (
    <Notice kind="warning" role="alert" className="auth__notice" title={t(title)}>
      <p>
        {t(text)} {text === causes.code.text && <AnswerLink to="code-refused" />}
      </p>
    </Notice>
  )
}

/** Shows that the account is blocked, only after the right password (AUT-4). Only a new password helps, so nothing closes the dialog. */
export function BlockedAccountDialog() {
  const t = useText()
  return (
    <Dialog
      isStacked
      role="alertdialog"
      isClosable={false}
      initialFocus="title"
      width="s"
      title={t({
        pl: 'Twoje konto zostało zablokowane. Wymagana zmiana hasła.',
        en: 'Your account has been blocked. A password change is required.',
      })}
      footer={
        <>
          <ButtonLink href={`mailto:${config.brand.email}`}>
            {t({ pl: 'Skontaktuj się z\u00a0nami', en: 'Contact us' })}
          </ButtonLink>
          <ButtonLink variant="primary" to="/password-reset">
            {t({ pl: 'Ustaw nowe hasło', en: 'Set new password' })}
          </ButtonLink>
        </>
      }
    >
      <p>
        {t({
          pl: 'Twoje certyfikaty działają bez zmian: możesz nimi podpisywać. ',
          en: 'Your certificates still work: you can sign with them. ',
        })}
        {t({
          pl: 'Blokada chroni konto, na przykład gdy ktoś wiele razy wpisze błędne hasło.',
          en: 'The block protects your account, for example when someone enters the wrong password many times.',
        })}
      </p>
      <p>
        {t({
          pl: 'Aby odblokować konto, ustaw nowe hasło. Link wyślemy e-mailem.',
          en: 'To unblock it, set a new password. We’ll e-mail you a link.',
        })}{' '}
        <AnswerLink to="blocked-account" />
      </p>
      <LostPhoneLine />
      <CallButton />
    </Dialog>
  )
}
