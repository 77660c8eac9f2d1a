import { useRef, useState } from 'react'
import { CodeForm, type CodeSent } from '../../contract/account.ts'
import { useText } from '../locale.tsx'
import { Button } from './button.tsx'
import { CodeField } from './code-field.tsx'
import { CodeResend } from './code-resend.tsx'
import { DialogView } from './dialog-view.tsx'
import { Form, Submit } from './form.tsx'
import { MaskedPhone } from './masked-phone.tsx'

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
          <CodeResend sent={sent} onResend={async () => setSent(await onResend())} />
        </div>
      </DialogView>
    </Form>
  )
}
