import { ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CallButton } from '../calls/call-button.tsx'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { LostPhoneLine } from './lost-phone-line.tsx'

/** AUT-4: shown only after the right password; only a new password helps, so nothing closes it. */
export function BlockedAccountDialog() {
  const t = useText()
  return (
    <Dialog
      stack
      role="alertdialog"
      closable={false}
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
