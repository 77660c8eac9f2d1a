import type { FailureCode } from '../calls/api.ts'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { Notice } from '../ui/notice.tsx'

const causes = {
  /** Another code comes only after the password again (AUT-2). */
  code: {
    title: { pl: 'Tego kodu nie można już użyć', en: 'That code can no longer be used' },
    text: {
      pl: 'Kod wygasł albo było za dużo błędnych prób. Zaloguj się ponownie, a\u00a0wyślemy nowy kod.',
      en: 'It has expired, or there were too many wrong attempts. Sign in again and we’ll send a new code.',
    },
  },
  'signed-out': {
    title: { pl: 'To logowanie już się zakończyło', en: 'This sign-in is over' },
    text: {
      pl: 'Minął jego czas, zakończyła je inna karta albo przeglądarka nie zachowała pliku cookie. Zaloguj się ponownie. Jeśli to się powtórzy, zezwól na pliki cookie tego portalu.',
      en: 'Its time has run out, another tab ended it, or your browser didn’t keep its cookie. Sign in again. If it happens again, allow this portal’s cookies.',
    },
  },
  cookies: {
    title: { pl: 'Portal potrzebuje plików cookie', en: 'The portal needs cookies' },
    text: {
      pl: 'Przeglądarka nie zachowuje plików cookie tego portalu, więc nie możemy Cię zalogować. Zezwól na nie w\u00a0jej ustawieniach i\u00a0zaloguj się ponownie.',
      en: 'Your browser doesn’t keep this portal’s cookies, so we can’t sign you in. Allow them in its settings and sign in again.',
    },
  },
}
/** Why the attempt is over. */
export function SignInEndNotice({ cause }: { cause: FailureCode | 'cookies' }) {
  const t = useText()
  const { title, text } = cause === 'signed-out' || cause === 'cookies' ? causes[cause] : causes.code
  return (
    <Notice kind="warn" role="alert" className="auth__notice" title={t(title)}>
      <p>
        {t(text)} {text === causes.code.text && <AnswerLink to="code-refused" />}
      </p>
    </Notice>
  )
}
