import { limits } from '../../contract/limits.ts'
import { useText } from '../app/locale.tsx'
import { CallButton } from '../ui/call-button.tsx'

const perHour = limits.reset.perAccount.limit

/** Shows what to do when no link arrives; the same for every kind of link. */
export function MailboxHelp() {
  const t = useText()
  return (
    <>
      <p>
        {t({
          pl: `Nie ma wiadomości? Sprawdź folder spam. W\u00a0ciągu godziny wysyłamy na jedno konto najwyżej ${perHour} linki.`,
          en: `No message? Check your spam folder. We send at most ${perHour} links an hour per account.`,
        })}
      </p>
      <p>
        {t({ pl: 'Nie masz dostępu do tej skrzynki? Zadzwoń do nas.', en: 'Lost access to that mailbox? Call us.' })}
      </p>
      <CallButton />
    </>
  )
}
