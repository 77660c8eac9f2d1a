import type { BotCheckedAction } from '../../contract/bot-check.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { useBotCheck } from '../bot-check/use-bot-check.tsx'
import { MailboxHelp } from '../step-up/mailbox-help.tsx'
import { useResend } from '../step-up/resend.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

type Props = {
  action: BotCheckedAction
  /** Validity of the link, in seconds. */
  validSeconds: number
  /** Text about where the link went, before the name that was typed. */
  sentText: Text
  name: string
  onResend: (botProof: string) => Promise<unknown>
  onClose: () => void
}

/** Shows that a link was sent, whether or not the account exists (PWD-1, STP-7, R14). */
export function LinkSentDialog({ action, validSeconds, sentText, name, onResend, onClose }: Props) {
  const t = useText()
  const { prove, statusText, statusArea } = useBotCheck(action)
  const minutes = validSeconds / 60
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
      isStacked
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
        {t(sentText)}{' '}
        <b className="mono wrap" translate="no">
          {name}
        </b>
      </p>
      <p>
        {t({
          pl: `Link działa ${minutes}\u00a0minut i\u00a0tylko raz.`,
          en: `You can use the link once. It expires in ${minutes}\u00a0minutes.`,
        })}
      </p>
      <MailboxHelp />
      {statusArea}
      {status}
    </Dialog>
  )
}
