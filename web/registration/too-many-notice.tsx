import { useEffect, useRef } from 'react'
import { CallButton } from '../call-button.tsx'
import { useText } from '../locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { Notice } from '../ui/notice.tsx'

/** REG-3: when it can be tried again, and who helps now. Takes the focus, because it is above the form that was just sent. */
export function TooManyNotice({ ends }: { ends: number }) {
  const t = useText()
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [ends])
  return (
    <Notice
      ref={notice}
      kind="err"
      role="alert"
      tabIndex={-1}
      className="auth__notice"
      title={t({
        pl: 'Za dużo prób założenia konta z\u00a0tego adresu IP. Spróbuj ponownie później.',
        en: 'Too many attempts to create an account from this IP address. Try again later.',
      })}
    >
      <p>
        {t({ pl: 'Następna próba: ', en: 'You can try again on ' })}
        <span className="nowrap">{formatDateTime(t.locale, ends)}</span>.{' '}
        {t({
          pl: 'Wpisane dane zostają. Możesz też założyć konto przez telefon.',
          en: 'What you’ve entered stays here. You can also create an account by phone.',
        })}
      </p>
      <CallButton />
    </Notice>
  )
}
