import type { ReactNode } from 'react'
import type { CodeSent } from '../../contract/account.ts'
import { useText } from '../locale.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { CodeField } from '../ui/code-field.tsx'
import { useFormState } from '../ui/form-state.ts'
import { Notice } from '../ui/notice.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { CodeResend } from './code-resend.tsx'
import { codeLabel, codeSentText } from './code-sent-text.ts'

type Props = {
  sent: CodeSent
  onResend: () => Promise<void>
  /** As for CodeResend. */
  restartable?: boolean | undefined
  /** When the last digit is typed. */
  onComplete?: (() => void) | undefined
  /** What the customer does while the code is used: confirm in another app. */
  busyNote?: string | undefined
  /** Above the field: what its code confirms. */
  children?: ReactNode
}

/** Entering a code that the portal has sent, the same everywhere: where it went, the field, and the way to another one. Buttons follow (ux 5.4). */
export function CodeEntry({ sent, onResend, restartable, onComplete, busyNote, children }: Props) {
  const t = useText()
  const { sending } = useFormState()
  return (
    <>
      <p>
        {t(codeSentText(sent))}
        <b>{sent.channel === 'email' ? <Verbatim>{sent.to}</Verbatim> : <MaskedPhone number={sent.to} />}</b>.
      </p>
      {children}
      <CodeField name="code" label={t(codeLabel[sent.channel])} onComplete={onComplete} />
      {/* The region is there before, so that its text is read out. */}
      {busyNote && <div role="status">{sending && <Notice kind="info">{busyNote}</Notice>}</div>}
      {/* Hidden, not gone: it knows how long ago the code was sent. */}
      <div hidden={!!busyNote && sending}>
        <CodeResend sent={sent} restartable={restartable} onResend={onResend} />
      </div>
    </>
  )
}
