import { useRef, useState, type ReactNode } from 'react'
import { CodeForm, type CodeSent } from '../../contract/one-time-code.ts'
import { useText } from '../app/locale.tsx'
import { onFailure } from '../calls/api.ts'
import { DateTimeText } from '../text/date-text.tsx'
import { Button } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { DialogView } from '../ui/dialog-view.tsx'
import { Cancel, Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { CodeEntryForm, type PendingTexts } from './code-entry.tsx'
import { canUsePasskeys } from './passkey-support.ts'

export type CodeDialogProps = {
  /** Purpose of the code: „Potwierdź usunięcie użytkownika”. */
  title: string
  description?: ReactNode
  sent: CodeSent
  onSubmit: (code: string) => Promise<unknown>
  onResend: () => Promise<CodeSent>
  onClose: () => void
  submitLabel: string
  /** The button's text meanwhile, where more than the code is checked: „Podpisujemy…”. */
  busyText?: string
  meanwhile?: PendingTexts
  /** Above the field: what its code confirms. */
  children?: ReactNode
  /** Help for customers who cannot get the code; shown below the field, and where no more codes are accepted. */
  help?: ReactNode
  /** Next to the button: what the code begins. */
  note?: ReactNode
  /** Leads to what is confirmed, in place of leaving. */
  back?: { label: string; onBack: () => void }
  /** Sends when the last digit is typed: allowed for signing in, never for signing a document. */
  submitsItself?: boolean
  /** Texts after too many wrong codes, where they say more than that no codes are accepted for this. */
  locked?: { title: string; purpose: string; /** Another way, which needs no code. */ action: ReactNode }
}

/** Shows the dialog of `CodeDialog`, which loads it on demand. */
export function CodeDialogView({
  title,
  description,
  sent: firstSent,
  onSubmit,
  onResend,
  onClose,
  submitLabel,
  busyText,
  meanwhile,
  children,
  help,
  note,
  back,
  submitsItself,
  locked,
}: CodeDialogProps) {
  const t = useText()
  const [sent, setSent] = useState(firstSent)
  const [lockedUntil, setLockedUntil] = useState<number>()
  const body = useRef<HTMLDivElement>(null)
  if (lockedUntil !== undefined) {
    const usual = { title, purpose: t({ pl: 'do tej czynności', en: 'for this' }), action: null }
    return <LockedDialog {...(locked ?? usual)} until={lockedUntil} help={help} onClose={onClose} />
  }

  // No code of this purpose can be entered then, so neither the field nor the countdowns make sense any more.
  const untilLocked = <T,>(request: Promise<T>) =>
    request.catch(
      onFailure(['too-many-attempts'], ({ problem }) => setLockedUntil(Date.now() + (problem.retryAfter ?? 0) * 1000)),
    )

  // Also where its life, as this page counts it, is not over.
  const showExpired = () => setSent({ ...sent, resendAt: sent.sentAt, expiresAt: sent.sentAt })

  return (
    <Form
      className="bare"
      schema={CodeForm}
      onSubmit={({ code }) => untilLocked(onSubmit(code).catch(onFailure(['code-expired'], showExpired)))}
      failures={{ other: 'code' }}
      summary={false}
    >
      <DialogView
        title={title}
        busyTitle={meanwhile?.title}
        description={description}
        onClose={onClose}
        width="s"
        footer={
          <>
            {note}
            <Cancel onClick={back?.onBack ?? onClose}>{back?.label}</Cancel>
            <Submit busyText={busyText ?? t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>{submitLabel}</Submit>
          </>
        }
      >
        <div className="stack stack--small" ref={body}>
          <CodeEntryForm
            sent={sent}
            onResend={() => untilLocked(onResend().then(setSent))}
            onComplete={submitsItself ? () => body.current?.closest('form')?.requestSubmit() : undefined}
            meanwhile={meanwhile}
          >
            {children}
          </CodeEntryForm>
          {help}
        </div>
      </DialogView>
    </Form>
  )
}

type LockedProps = NonNullable<CodeDialogProps['locked']> &
  Pick<CodeDialogProps, 'help' | 'onClose'> & { until: number }

/** Shows, after too many wrong codes, when to try again and what to do until then. */
function LockedDialog({ title, purpose, action, until, help, onClose }: LockedProps) {
  const t = useText()
  const when = <DateTimeText at={until} />
  return (
    <DialogView
      title={title}
      onClose={onClose}
      width="s"
      initialFocus="title"
      footer={<Button onClick={onClose}>{t({ pl: 'Zamknij', en: 'Close' })}</Button>}
    >
      <Notice kind="error" role="alert" title={t({ pl: 'Za dużo błędnych kodów', en: 'Too many wrong codes' })}>
        <p>
          {t({
            pl: `Dla bezpieczeństwa nie przyjmujemy kodów SMS ${purpose} do `,
            en: `To keep your account safe, we’re not accepting text-message codes ${purpose} until `,
          })}
          {when}.
        </p>
        {help}
        {canUsePasskeys() && (
          <>
            <p>
              {t({
                pl: 'Jeśli masz klucz dostępu, możesz go użyć od razu.',
                en: 'If you have a passkey, you can use it right away.',
              })}
            </p>
            {action}
          </>
        )}
        <p>
          {help
            ? t({ pl: 'Jeśli to pilne, zadzwoń do nas.', en: 'If it’s urgent, call us.' })
            : t({
                pl: 'Jeśli to pilne, na przykład gdy trzeba zawiesić certyfikat, zadzwoń do nas.',
                en: 'If it’s urgent, for example to suspend a certificate, call us.',
              })}
        </p>
        <CallButton />
      </Notice>
    </DialogView>
  )
}
