import { useText } from '../locale.tsx'
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
  cookies: {
    title: { pl: 'Portal potrzebuje plików cookie', en: 'The portal needs cookies' },
    text: {
      pl: 'Przeglądarka nie ma pliku cookie tego logowania: nie zachowuje ich albo inna karta zakończyła logowanie. Zezwól na pliki cookie w\u00a0jej ustawieniach i\u00a0zaloguj się ponownie.',
      en: 'Your browser has no cookie of this sign-in: it doesn’t keep them, or another tab ended the sign-in. Allow cookies in its settings and sign in again.',
    },
  },
}
export type SignInEnd = keyof typeof causes

/** Why the attempt is over. */
export function SignInEndNotice({ cause }: { cause: SignInEnd }) {
  const t = useText()
  const { title, text } = causes[cause]
  return (
    <Notice kind="warn" role="alert" className="auth__notice" title={t(title)}>
      <p>
        {t(text)} {cause === 'code' && <AnswerLink to="code-refused" />}
      </p>
    </Notice>
  )
}
