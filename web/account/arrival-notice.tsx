import type { LoginReason } from '../../contract/pages.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { Notice } from '../ui/notice.tsx'

const arrivals = {
  'session-ended': {
    kind: 'info',
    title: { pl: 'Wylogowaliśmy Cię z\u00a0powodu bezczynności', en: 'We signed you out because you were inactive' },
    text: {
      pl: 'Tak chronimy Twoje konto, gdy nikt z\u00a0niego nie korzysta.',
      en: 'This protects your account while nobody’s using it.',
    },
  },
  'session-full': {
    kind: 'info',
    title: { pl: 'Sesja wygasła', en: 'Your session has ended' },
    text: {
      pl: 'Co kilka godzin trzeba zalogować się ponownie, nawet gdy cały czas pracujesz. Tak chronimy Twoje konto.',
      en: 'You need to sign in again every few hours, even while you’re working. This protects your account.',
    },
  },
  'session-gone': {
    kind: 'info',
    title: { pl: 'Ta sesja jest już zakończona', en: 'Your session was ended' },
    text: {
      pl: 'Powodem może być zmiana hasła, zbyt wiele urządzeń, blokada konta albo długa przerwa. Jeśli to nie Ty, ustaw nowe hasło.',
      en: 'The reason may be a new password, too many devices, a blocked account or a long break. If this wasn’t you, set a new password.',
    },
  },
  'signed-out': {
    kind: 'ok',
    title: { pl: 'Wylogowano', en: 'You’re signed out' },
    text: {
      pl: 'Sesja jest zakończona we wszystkich kartach tej przeglądarki.',
      en: 'Your session has ended in all tabs of this browser.',
    },
  },
  'password-changed': {
    kind: 'ok',
    title: { pl: 'Hasło zmienione', en: 'Password changed' },
    text: {
      pl: 'Wylogowaliśmy Cię ze wszystkich urządzeń. Zaloguj się nowym hasłem.',
      en: 'We’ve signed you out on all devices. Sign in with your new password.',
    },
  },
  'password-set': {
    kind: 'ok',
    title: { pl: 'Hasło ustawione', en: 'Password set' },
    text: {
      pl: 'Zaloguj się nim. Potem wyślemy kod SMS.',
      en: 'Sign in with it. We’ll then send you a text-message code.',
    },
  },
} as const satisfies Record<Exclude<LoginReason, 'signed-out-offline'>, unknown>

/** Loaded when needed, also without a network: the service worker has it. */
const PendingSignOutNotice = partOnDemand(() =>
  import('./pending-sign-out-notice.tsx').then((file) => file.PendingSignOutNotice),
)

/** Shows why the customer is on the login page again, and that signing in returns to the previous page (AUT-5, RTE-7). */
export function ArrivalNotice({ reason, returns }: { reason: LoginReason; returns: boolean }) {
  const t = useText()
  if (reason === 'signed-out-offline')
    return <PendingSignOutNotice ended={<ArrivalNotice reason="signed-out" returns={returns} />} />
  const { kind, title, text } = arrivals[reason]
  return (
    <Notice kind={kind} role="status" className="auth__notice" title={t(title)}>
      <p>
        {t(text)}
        {returns &&
          t(
            reason === 'password-set'
              ? {
                  pl: ' Potem pokażemy zaproszenie do pieczęci.',
                  en: ' Then we’ll show your invitation to use the seal.',
                }
              : {
                  pl: ' Po zalogowaniu wrócisz na tę samą stronę.',
                  en: ' After you sign in, you’ll come back to the same page.',
                },
          )}
      </p>
    </Notice>
  )
}
