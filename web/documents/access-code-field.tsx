import { useState, type ReactNode } from 'react'
import { resendAccessCode, type DocumentCase } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { useResend } from '../step-up/resend.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { CodeTextField } from '../ui/field.tsx'
import { Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'

type Props = { document: DocumentCase; onSent: () => void }

/** Shows the field for the code from the mail, in any spelling, and a button to send the code again (DOC-3, DOC-9). */
export function AccessCodeField({ document, onSent }: Props) {
  const t = useText()
  return (
    <>
      <CodeTextField
        name="code"
        label={t({ pl: 'Kod do dokumentu', en: 'Document code' })}
        hint={t({
          pl: '16\u00a0znaków z\u00a0e-maila. Wpisany kod nie opuszcza Twojej przeglądarki.',
          en: 'The 16\u00a0characters from the e-mail. What you enter doesn’t leave your browser.',
        })}
        className="signed-document__code"
        // Not kept as a draft, nor offered to a password manager.
        autoComplete="one-time-code"
      />
      <AccessCodeResend document={document} onSent={onSent} />
    </>
  )
}

/** Shows that the code was sent, its purpose, and the field for it. */
export function SentCode({ kind = 'info', children, ...field }: Props & { kind?: 'ok' | 'info'; children: ReactNode }) {
  const t = useText()
  return (
    <>
      <Notice
        kind={kind}
        title={t({ pl: 'Kod do dokumentu wysłaliśmy e-mailem', en: 'We’ve e-mailed you the document code' })}
      >
        {children}
      </Notice>
      <AccessCodeField {...field} />
    </>
  )
}

/** Sends the document code again, at the earliest a minute after the last time (DOC-3). */
function AccessCodeResend({ document, onSent }: Props) {
  const t = useText()
  const [first] = useState(() => secondsTo(document.codeResendAt))
  const { button, status } = useResend(
    async () => {
      await call(resendAccessCode, { params: { id: document.id } })
      onSent()
    },
    {
      pl: 'Wysłaliśmy kod jeszcze raz. To ten sam kod co poprzednio.',
      en: 'We’ve sent the code again. It’s the same one as before.',
    },
    { first, size: 's', idle: { pl: 'Sprawdź też folder spam.', en: 'Check your spam folder too.' } },
  )
  return (
    <div className="code-resend">
      <p className="buttons">
        <span>{t({ pl: 'Kod nie dotarł?', en: 'Didn’t get the code?' })}</span>
        {button}
      </p>
      {status}
      <AnswerLink to="document-code" />
    </div>
  )
}

/**
 * Returns the seconds until an instant, but never more than the wait between two codes, because the clock of this device may be wrong.
 * null: a code was sent a moment ago and is not known here yet.
 */
function secondsTo(instant: string | null) {
  const most = limits.documents.codeResendAfter
  return instant === null ? most : Math.min(most, Math.max(0, (Date.parse(instant) - Date.now()) / 1000))
}

type UnlockFieldsProps = { document: DocumentCase; onCodeSent: () => void; children: ReactNode }

/** Shows the fields that open a locked file with its document's code, for its preview only; the form around them opens it. */
export function UnlockFields({ document, onCodeSent, children }: UnlockFieldsProps) {
  const t = useText()
  return (
    <>
      <p>{children}</p>
      <AccessCodeField document={document} onSent={onCodeSent} />
      <p>
        <Submit variant="secondary" size="s" icon="eye" busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })}>
          {t({ pl: 'Pokaż podgląd', en: 'Show preview' })}
        </Submit>
      </p>
    </>
  )
}
