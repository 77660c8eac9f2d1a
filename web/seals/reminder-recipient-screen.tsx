import { useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { answerSealRecipient } from '../../contract/seal-recipients.ts'
import { useText } from '../app/locale.tsx'
import { useMailedToken } from '../app/mailed-token.ts'
import { Heading } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { call, onFailure } from '../calls/api.ts'
import { useAction } from '../ui/action.ts'
import { Button, TextLink } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'

const title = { pl: 'Przypomnienia o\u00a0pieczęci', en: 'Reminders about a seal' }

type Answered = 'confirm' | 'refuse' | 'unknown' | 'expired'

const answers: Record<Answered, Text> = {
  confirm: {
    pl: 'Dziękujemy. Przypomnimy na ten adres, zanim pieczęć wygaśnie. Możesz zamknąć tę stronę.',
    en: 'Thank you. We’ll write to this address before the seal expires. You can close this page.',
  },
  refuse: {
    pl: 'Nie będziemy pisać na ten adres o\u00a0tej pieczęci. Możesz zamknąć tę stronę.',
    en: 'We won’t write to this address about this seal. You can close this page.',
  },
  unknown: {
    pl: 'Ten link nie działa: administrator pieczęci usunął ten adres albo wysłał nowszy link, albo skopiowano tylko część linku.',
    en: 'This link doesn’t work: an administrator of the seal removed this address or sent a newer link, or only a part of the link was copied.',
  },
  expired: {
    pl: 'Ten link wygasł. Poproś administratora pieczęci, aby podał Twój adres jeszcze raz.',
    en: 'This link has expired. Ask the administrator of the seal to enter your address again.',
  },
}

const link = { key: 'reminder-recipient-link', before: '#' }

/** Shows the page that the mailed link opens (SEA-19). */
export function ReminderRecipientScreen() {
  const t = useText()
  const { token } = useMailedToken(link)
  const [answered, setAnswered] = useState<Answered>()
  usePage({ title })
  return (
    <div className="auth__box">
      <Heading
        title={title}
        lede={{
          pl: 'Administrator pieczęci podał Twój adres, abyśmy przypomnieli, zanim pieczęć wygaśnie.',
          en: 'An administrator of a seal entered your address so that we can remind you before the seal expires.',
        }}
      />
      <p role="status">{answered && t(answers[answered])}</p>
      {(!answered || answered === 'confirm') && <Answers token={token} answered={answered} onAnswered={setAnswered} />}
      <p className="auth__alt">
        <TextLink to="/">{t({ pl: 'Przejdź do logowania', en: 'Go to sign-in' })}</TextLink>
      </p>
    </div>
  )
}

type AnswersProps = { token: string | null; answered: Answered | undefined; onAnswered: (answer: Answered) => void }

/** Shows the buttons to confirm or refuse; a recipient who has confirmed may still refuse. */
function Answers({ token, answered, onAnswered }: AnswersProps) {
  const t = useText()
  const send = async (answer: 'confirm' | 'refuse') =>
    onAnswered(
      await call(answerSealRecipient, { body: { token: token ?? '', answer } }).then(
        (): Answered => answer,
        onFailure(['link-unknown', 'link-expired', 'invalid-input'], ({ code }): Answered =>
          code === 'link-expired' ? 'expired' : 'unknown',
        ),
      ),
    )
  const confirm = useAction(() => send('confirm'))
  const refuse = useAction(() => send('refuse'))
  const busyText = t({ pl: 'Wysyłamy…', en: 'Sending…' })
  return (
    <>
      <div className="buttons--stack">
        {!answered && (
          <Button variant="primary" isBusy={confirm.isBusy} busyText={busyText} onClick={confirm.run}>
            {t({ pl: 'Chcę przypomnienia', en: 'I want reminders' })}
          </Button>
        )}
        <Button isBusy={refuse.isBusy} busyText={busyText} onClick={refuse.run}>
          {t({ pl: 'Nie chcę przypomnień', en: 'I don’t want reminders' })}
        </Button>
      </div>
      <FailureNotice text={confirm.failureText ?? refuse.failureText} />
    </>
  )
}
