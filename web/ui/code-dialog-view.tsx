import { useEffect, useRef, useState } from 'react'
import { CodeForm, type CodeSent } from '../../contract/account.ts'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatCountdown } from '../text/format.ts'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from './button.tsx'
import { CodeField } from './code-field.tsx'
import { DialogView } from './dialog-view.tsx'
import { Form, Submit } from './form.tsx'
import { MaskedPhone } from './masked-phone.tsx'
import { SupportLine } from './support-line.tsx'

export type CodeDialogProps = {
  /** What the code is for: „Potwierdź usunięcie użytkownika”. */
  title: string
  description?: string
  sent: CodeSent
  onSubmit: (code: string) => Promise<unknown>
  onResend: () => Promise<CodeSent>
  onClose: () => void
  submitLabel: string
  /** What the button says meanwhile, where more than the code is judged: „Podpisujemy…”. */
  busyText?: string
  /** Sends when the last digit is typed: allowed for signing in, never for signing a document. */
  autoSubmit?: boolean
}

/** The dialog of CodeDialog. */
export function CodeDialogView({
  title,
  description,
  sent: firstSent,
  onSubmit,
  onResend,
  onClose,
  submitLabel,
  busyText,
  autoSubmit,
}: CodeDialogProps) {
  const t = useText()
  const [sent, setSent] = useState(firstSent)
  const [sending, setSending] = useState(false)
  const body = useRef<HTMLDivElement>(null)

  async function submit(code: string) {
    setSending(true)
    try {
      await onSubmit(code)
    } finally {
      setSending(false)
    }
  }

  return (
    <Form
      className="bare"
      schema={CodeForm}
      onSubmit={({ code }) => submit(code)}
      failures={{ other: 'code' }}
      summary={false}
    >
      <DialogView
        title={title}
        description={description}
        onClose={onClose}
        closable={!sending}
        width="s"
        footer={
          <>
            <Button variant="quiet" onClick={onClose} aria-disabled={sending}>
              {t({ pl: 'Anuluj', en: 'Cancel' })}
            </Button>
            <Submit busyText={busyText ?? t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>{submitLabel}</Submit>
          </>
        }
      >
        <div className="stack stack--s" ref={body} aria-busy={sending}>
          <p>
            {t({
              pl: `Wysłaliśmy SMS nr\u00a0${sent.ordinal} z\u00a0kodem na numer `,
              en: `We sent text message no.\u00a0${sent.ordinal} with a code to `,
            })}
            <b>
              <MaskedPhone number={sent.to} />
            </b>
            .
          </p>
          <CodeField
            name="code"
            label={t({ pl: 'Kod z\u00a0SMS-a, 6 cyfr', en: 'Code from the text message, 6 digits' })}
            onComplete={autoSubmit ? () => body.current?.closest('form')?.requestSubmit() : undefined}
          />
          <Resend sent={sent} onResend={async () => setSent(await onResend())} />
        </div>
      </DialogView>
    </Form>
  )
}

function Resend({ sent, onResend }: { sent: CodeSent; onResend: () => Promise<void> }) {
  const t = useText()
  const locale = useLocale()
  const elapsed = useElapsed(sent)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const secondsTo = (instant: string) => (Date.parse(instant) - Date.parse(sent.sentAt)) / 1000 - elapsed
  const wait = secondsTo(sent.resendAt)
  const life = secondsTo(sent.expiresAt)

  async function resend() {
    setBusy(true)
    setSaid('')
    try {
      await onResend()
      setSaid(t({ pl: 'Nowy kod wysłany', en: 'New code sent' }))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setSaid(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="resend">
      <p className="hint num">
        {life > 0
          ? t({
              pl: `Kod jest ważny jeszcze ${formatCountdown(life)}. SMS może iść do 5 minut.`,
              en: `The code is valid for ${formatCountdown(life)} more. A text message may take up to 5 minutes.`,
            })
          : sent.sendsLeft > 0
            ? t({ pl: 'Ten kod stracił ważność. Wyślij nowy kod.', en: 'This code has expired. Send a new code.' })
            : t({
                pl: 'Ten kod stracił ważność. Zamknij to okno i\u00a0zacznij od nowa.',
                en: 'This code has expired. Close this window and start again.',
              })}
      </p>
      {sent.sendsLeft > 0 ? (
        <p className="btns">
          <span>{t({ pl: 'Kod nie dotarł?', en: 'No code yet?' })}</span>
          <Button size="s" icon="refresh" busy={busy} aria-disabled={wait > 0} onClick={resend}>
            {wait > 0
              ? t({ pl: `Wyślij ponownie za ${formatCountdown(wait)}`, en: `Resend in ${formatCountdown(wait)}` })
              : t({ pl: 'Wyślij nowy kod', en: 'Send a new code' })}
          </Button>
        </p>
      ) : (
        <p>
          {t({ pl: 'Kod nie dotarł? Zadzwoń do nas: ', en: 'No code yet? Call us: ' })}
          <SupportLine />
        </p>
      )}
      <p role="status" className="small">
        {life > 0 ? said : ''}
      </p>
    </div>
  )
}

/** Seconds since the message was announced to this page: its own clock may be wrong, so only differences count. */
function useElapsed(sent: CodeSent) {
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    const start = Date.now()
    setElapsed(0)
    const timer = setInterval(() => setElapsed((Date.now() - start) / 1000), 1000)
    return () => clearInterval(timer)
  }, [sent])
  return elapsed
}
