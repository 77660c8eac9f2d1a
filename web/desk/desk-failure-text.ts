import type { Text } from '../../contract/enums.ts'
import type { FailureCode } from '../calls/api.ts'

const unexpected: Text = {
  pl: 'Nie udało się. Spróbuj ponownie, a\u00a0jeśli to nie pomoże, powiadom operatora portalu.',
  en: 'That didn’t work. Try again, and if that doesn’t help, tell the portal’s operator.',
}

/** Failures whose usual texts speak to a customer, in the words of the desk. */
export const deskFailureText = {
  unexpected,
  'position-unknown': unexpected,
  'object-in-use': {
    pl: 'Nie można tego teraz zmienić, bo jest w\u00a0użyciu. Odśwież stronę.',
    en: 'This can’t be changed now because it’s in use. Refresh the page.',
  },
  'customer-in-use': {
    pl: 'Ten klient ma jeszcze czynne usługi. Najpierw trzeba je zakończyć.',
    en: 'This customer still has active services. They have to be ended first.',
  },
  'login-refused': { pl: 'Logowanie się nie powiodło. Spróbuj ponownie.', en: 'Signing in didn’t work. Try again.' },
  'step-up-required': {
    pl: 'Ta czynność wymaga niedawnego logowania. Zaloguj się ponownie.',
    en: 'This needs a recent sign-in. Sign in again.',
  },
  'login-taken': { pl: 'Ten adres jest już zajęty.', en: 'This address is already taken.' },
  'renewal-refused': {
    pl: 'Tego odnowienia nie można teraz zmienić. Odśwież stronę.',
    en: 'This renewal can’t be changed now. Refresh the page.',
  },
  'resend-too-early': { pl: 'Nie można jeszcze wysłać ponownie.', en: 'It can’t be sent again yet.' },
  'sends-spent': {
    pl: 'Na ten adres wysłano już za dużo zaproszeń.',
    en: 'Too many invitations have been sent to this address.',
  },
  'seal-ended': {
    pl: 'Ta pieczęć wygasła, więc nie można dać do niej dostępu.',
    en: 'This seal has expired, so nobody can be given access to it.',
  },
  'sms-country-refused': {
    pl: 'Na numery z\u00a0tego kraju nie wysyłamy SMS-ów. Podaj inny numer.',
    en: 'No text messages are sent to numbers of this country. Enter another number.',
  },
} satisfies Partial<Record<FailureCode, Text>>

/** `resend-too-early` of the link for a password. */
export const linkTooEarly: Text = {
  pl: 'Nowego linku nie można jeszcze wysłać.',
  en: 'Another link can’t be sent yet.',
}
