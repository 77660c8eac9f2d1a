import { useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatCountdown } from '../text/format.ts'
import { describeFailure } from '../text/failure-text.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { useBotCheck } from '../ui/bot-check-place.tsx'
import { useWait } from '../ui/wait.ts'

const linkMinutes = limits.link.reset / 60

type Props = { email: string; onResend: (botProof: string) => Promise<unknown>; onClose: () => void }

/** Says the same whether or not the account exists (PWD-1, R14). */
export function ResetSentDialog({ email, onResend, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const { prove, words, place } = useBotCheck('password-reset')
  const [sends, setSends] = useState(1)
  const wait = useWait(limits.code.resendAfter, sends)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')

  async function resend() {
    setBusy(true)
    setSaid('')
    try {
      await onResend(await prove())
      setSaid(
        t({
          pl: 'Jeśli konto istnieje, wysłaliśmy nowy link. Działa tylko najnowszy.',
          en: 'If the account exists, we have sent a new link. Only the newest one works.',
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
    <Dialog
      width="s"
      initialFocus="title"
      title={t({ pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' })}
      onClose={onClose}
      footer={
        <>
          <Button
            icon="refresh"
            busy={busy}
            busyText={words ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}
            aria-disabled={wait > 0}
            onClick={resend}
          >
            {wait > 0
              ? t({ pl: `Wyślij ponownie za ${formatCountdown(wait)}`, en: `Resend in ${formatCountdown(wait)}` })
              : t({ pl: 'Wyślij ponownie', en: 'Resend' })}
          </Button>
          <ButtonLink variant="primary" to="/">
            {t({ pl: 'Wróć do logowania', en: 'Back to login' })}
          </ButtonLink>
        </>
      }
    >
      <div className="stack stack--s">
        <p>
          {t({
            pl: 'Jeśli konto istnieje, wysłaliśmy link na podany adres.',
            en: 'If the account exists, we have sent a link to the address you gave.',
          })}{' '}
          <b className="mono wrap">{email}</b>
        </p>
        <p>
          {t({
            pl: `Link działa ${linkMinutes} minut i\u00a0tylko raz. Nie ma wiadomości? Sprawdź folder spam.`,
            en: `The link works for ${linkMinutes} minutes and only once. No message? Check your spam folder.`,
          })}
        </p>
        <p>
          {t({ pl: 'Nie możesz otworzyć tej skrzynki? Zadzwoń: ', en: 'You cannot open that mailbox? Call ' })}
          <SupportLine />
        </p>
        {place}
        <p role="status" className="small">
          {said}
        </p>
      </div>
    </Dialog>
  )
}
