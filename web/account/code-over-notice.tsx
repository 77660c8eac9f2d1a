import { useText } from '../locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { Notice } from '../ui/notice.tsx'

/** The attempt is over, and another code comes only after the password again (AUT-2). */
export function CodeOverNotice() {
  const t = useText()
  return (
    <Notice
      kind="warn"
      role="alert"
      className="auth__notice"
      title={t({ pl: 'Tego kodu nie można już użyć', en: 'That code can no longer be used' })}
    >
      <p>
        {t({
          pl: 'Kod wygasł albo było za dużo błędnych prób. Zaloguj się ponownie, a\u00a0wyślemy nowy kod.',
          en: 'It has expired, or there were too many wrong attempts. Sign in again and we’ll send a new code.',
        })}{' '}
        <AnswerLink to="code-refused" />
      </p>
    </Notice>
  )
}
