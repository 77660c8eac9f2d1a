import { limits } from '../../contract/limits.ts'
import { useText } from '../locale.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useBotCheck } from '../bot-check/use-bot-check.tsx'
import { MailboxHelp } from '../step-up/mailbox-help.tsx'
import { useResend } from '../step-up/resend.tsx'

const linkMinutes = limits.link.reset / 60

type Props = { email: string; onResend: (botProof: string) => Promise<unknown>; onClose: () => void }

/** The same whether or not the account exists (PWD-1, R14). */
export function ResetSentDialog({ email, onResend, onClose }: Props) {
  const t = useText()
  const { prove, statusText, statusArea } = useBotCheck('password-reset')
  const { button, status } = useResend(
    async () => onResend(await prove()),
    {
      pl: 'Jeśli konto istnieje, wysłaliśmy nowy link. Użyj najnowszego.',
      en: 'If the account exists, we’ve sent a new link. Use the newest one.',
    },
    { busyText: statusText },
  )

  return (
    <Dialog
      stack
      initialFocus="title"
      title={t({ pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' })}
      onClose={onClose}
      footer={
        <>
          {button}
          <ButtonLink variant="primary" to="/">
            {t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}
          </ButtonLink>
        </>
      }
    >
      <p>
        {t({
          pl: 'Jeśli konto istnieje, wysłaliśmy link na podany adres.',
          en: 'If the account exists, we’ve sent a link to the address you gave.',
        })}{' '}
        <b className="mono wrap" translate="no">
          {email}
        </b>
      </p>
      <p>
        {t({
          pl: `Link działa ${linkMinutes}\u00a0minut i\u00a0tylko raz.`,
          en: `You can use the link once. It expires in ${linkMinutes}\u00a0minutes.`,
        })}
      </p>
      <MailboxHelp />
      {statusArea}
      {status}
    </Dialog>
  )
}
