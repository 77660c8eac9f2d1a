import type { LoginReason } from '../../contract/pages.ts'
import { useText } from '../locale.tsx'
import { Notice } from '../ui/notice.tsx'

const arrivals = {
  'session-ended': {
    kind: 'info',
    title: { pl: 'Wylogowaliśmy Cię po czasie bezczynności', en: 'We logged you out after a time of inactivity' },
    text: {
      pl: 'Tak chronimy Twoje konto, gdy nikt z\u00a0niego nie korzysta.',
      en: 'This protects your account while nobody is using it.',
    },
  },
  'session-full': {
    kind: 'info',
    title: { pl: 'Skończył się czas tej sesji', en: 'The time of this session is over' },
    text: {
      pl: 'Logujemy od nowa co kilka godzin, także gdy ktoś cały czas pracuje. Tak chronimy Twoje konto.',
      en: 'Every few hours we ask for a new login, even of somebody who keeps working. This protects your account.',
    },
  },
  'session-gone': {
    kind: 'info',
    title: { pl: 'Ta sesja jest już zakończona', en: 'This session is over' },
    text: {
      pl: 'Dzieje się tak po zmianie hasła, po zalogowaniu na zbyt wielu urządzeniach, po zablokowaniu konta i\u00a0po długiej przerwie. Jeśli to nie Ty, ustaw nowe hasło.',
      en: 'This happens after a password change, after logging in on too many devices, after the account is blocked and after a long pause. If it was not you, set a new password.',
    },
  },
  'signed-out': {
    kind: 'ok',
    title: { pl: 'Wylogowano', en: 'You are logged out' },
    text: {
      pl: 'Sesja jest zakończona we wszystkich kartach tej przeglądarki.',
      en: 'The session is over in all tabs of this browser.',
    },
  },
  'password-changed': {
    kind: 'ok',
    title: { pl: 'Hasło zmienione', en: 'Password changed' },
    text: {
      pl: 'Wylogowaliśmy wszystkie urządzenia. Zaloguj się nowym hasłem.',
      en: 'We logged out all devices. Log in with the new password.',
    },
  },
  'password-set': {
    kind: 'ok',
    title: { pl: 'Hasło ustawione', en: 'Password set' },
    text: {
      pl: 'Zaloguj się nim. Wyślemy jeszcze kod SMS.',
      en: 'Log in with it. We will then send a code by text message.',
    },
  },
} as const satisfies Record<LoginReason, unknown>

/** Why the customer is on the login page again, and that signing in returns to the previous page (AUT-5, RTE-7). */
export function ArrivalNotice({ reason, returns }: { reason: LoginReason; returns: boolean }) {
  const t = useText()
  const { kind, title, text } = arrivals[reason]
  return (
    <Notice kind={kind} role="status" className="auth__notice" title={t(title)}>
      <p>
        {t(text)}
        {returns &&
          t(
            reason === 'password-set'
              ? { pl: ' Potem pokażemy zaproszenie do pieczęci.', en: ' Then we will show the invitation to the seal.' }
              : {
                  pl: ' Po zalogowaniu wrócisz na tę samą stronę.',
                  en: ' After logging in you come back to the same page.',
                },
          )}
      </p>
    </Notice>
  )
}
