import type { MaskedIdentity, Obstacle, SignInLimit } from '../../contract/desk/desk-customers.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { isOff } from '../app/config.ts'
import { formatDateTime } from '../text/format.ts'
import type { StatusLook } from '../ui/badge.tsx'

export const identityStateLook: Record<MaskedIdentity['state'], StatusLook> = {
  active: { kind: 'ok', icon: 'check-circle', text: { pl: 'Aktywne', en: 'Active' } },
  invited: { kind: 'info', icon: 'mail', text: { pl: 'Bez hasła', en: 'No password yet' } },
  registered: { kind: 'warning', icon: 'clock', text: { pl: 'Niepotwierdzone', en: 'Unconfirmed' } },
  blocked: { kind: 'error-strong', icon: 'lock', text: { pl: 'Zablokowane', en: 'Blocked' } },
}

const limitText: Record<SignInLimit, Text> = {
  'codes-wrong': {
    pl: 'Za dużo błędnych kodów SMS na nowych urządzeniach',
    en: 'Too many wrong SMS codes on new devices',
  },
  'codes-never-right': {
    pl: 'Sto błędnych kodów bez żadnego poprawnego',
    en: 'A hundred wrong codes without a right one',
  },
  'codes-sent': { pl: 'Wyczerpany limit SMS na ten numer', en: 'No more text messages to this number' },
  'codes-sent-known': {
    pl: 'Wyczerpany limit SMS na ten numer ze znanych urządzeń',
    en: 'No more text messages to this number from known devices',
  },
  'codes-in-all': {
    pl: 'Wyczerpany dobowy limit wszystkich SMS-ów na ten numer',
    en: 'No more text messages to this number today, entered codes included',
  },
  'codes-in-all-known': {
    pl: 'Wyczerpany dobowy limit wszystkich SMS-ów na ten numer ze znanych urządzeń',
    en: 'No more text messages to this number today from known devices, entered codes included',
  },
  'codes-of-range': {
    pl: 'Wyczerpany dobowy limit SMS-ów na numery o tym początku',
    en: 'No more text messages today to numbers that begin like this one',
  },
  'passwords-wrong': {
    pl: 'Przerwa po pięciu błędnych hasłach w sieci lub na urządzeniu, gdzie je wpisano; nawet poprawne hasło jest odrzucane',
    en: 'A pause after five wrong passwords, on the network or device where they were entered; even the right password is refused',
  },
  'codes-pause': { pl: 'Przerwa po trzech wysłanych kodach', en: 'A pause after three codes' },
}

type ObstacleText = { what: Text; cause?: string; help: Text }
type Of<K extends Obstacle['kind']> = Extract<Obstacle, { kind: K }>
/** A moment in the language of the page. */
type At = (moment: string) => string

/** Returns an obstacle in one line, its cause in English if it comes from a mail or SMS system, and the remedy. */
export function obstacleText(locale: Locale, obstacle: Obstacle): { what: string; cause?: string; help: string } {
  const text = textOf(obstacle, (moment) => formatDateTime(locale, moment, 'short'))
  return { ...text, what: text.what[locale], help: text.help[locale] }
}

function textOf(obstacle: Obstacle, at: At): ObstacleText {
  switch (obstacle.kind) {
    case 'phone-lost':
      return phoneLost(obstacle, at)
    case 'no-password':
      return noPassword(obstacle, at)
    case 'unconfirmed-registration':
      return unconfirmedRegistration()
    case 'blocked':
      return blocked(obstacle, at)
    case 'phone-unconfirmed':
      return phoneUnconfirmed
    case 'sms-refused':
      return smsRefused()[obstacle.cause]
    case 'resets-delayed':
      return resetsDelayed(obstacle, at)
    case 'limit':
      return limitReached(obstacle, at)
    case 'code-pending':
      return codePending(obstacle, at)
    case 'undelivered':
      return undelivered(obstacle, at)
  }
}

const phoneLost = ({ since, suspended, requested }: Of<'phone-lost'>, at: At): ObstacleText => ({
  what: {
    pl: `Zgłoszono utratę telefonu ${at(since)}. Wszystkie sesje zakończono.`,
    en: `Loss of the phone reported on ${at(since)}. All sessions have ended.`,
  },
  help: {
    pl: `Certyfikaty zawieszone: ${suspended}, czekające na zawieszenie: ${requested}. Jeśli klient ma nowy numer, zaproponuj jego zmianę.`,
    en: `Certificates suspended: ${suspended}, about to be suspended: ${requested}. If the customer has a new number, propose its change.`,
  },
})

const noPassword = ({ sentAt, until }: Of<'no-password'>, at: At): ObstacleText => ({
  what: { pl: 'Nie ustawiono jeszcze hasła.', en: 'No password has been set yet.' },
  help:
    sentAt && until
      ? {
          pl: `Ostatni link: ${at(sentAt)}, ważny do ${at(until)}. Możesz wysłać nowy.`,
          en: `Last link: ${at(sentAt)}, valid until ${at(until)}. You can send a new one.`,
        }
      : { pl: 'Wyślij link do ustawienia hasła.', en: 'Send the link that sets a password.' },
})

const unconfirmedRegistration = (): ObstacleText => ({
  what: { pl: 'Rejestracja nie została potwierdzona.', en: 'The registration has not been confirmed.' },
  help: isOff('registration')
    ? { pl: 'Klient potwierdza ją linkiem z\u00a0e-maila.', en: 'The customer confirms it by the link in an e-mail.' }
    : {
        pl: 'Klient potwierdza ją linkiem z\u00a0e-maila; nowy link można zamówić w\u00a0formularzu rejestracji.',
        en: 'The customer confirms it by the link in an e-mail; the registration form sends a new one.',
      },
})

const blocked = ({ by, since }: Of<'blocked'>, at: At): ObstacleText =>
  by === 'provider'
    ? {
        what: { pl: `Zablokowane przez dostawcę ${at(since)}.`, en: `Blocked by the provider on ${at(since)}.` },
        help: {
          pl: 'Zanim odblokujesz, upewnij się, że powód blokady minął.',
          en: 'Before you unblock, make sure that the reason no longer holds.',
        },
      }
    : {
        what: {
          pl: `Zablokowane dla nieznanych urządzeń po błędnych hasłach ${at(since)}.`,
          en: `Blocked for unknown devices after wrong passwords on ${at(since)}.`,
        },
        help: isOff('passkeys')
          ? { pl: 'Pomaga nowe hasło albo odblokowanie.', en: 'A new password or unblocking helps.' }
          : {
              pl: 'Pomaga nowe hasło, klucz dostępu albo odblokowanie.',
              en: 'A new password, a passkey or unblocking helps.',
            },
      }

const phoneUnconfirmed: ObstacleText = {
  what: { pl: 'Numer telefonu nie jest potwierdzony.', en: 'The phone number is not confirmed.' },
  help: {
    pl: 'Klient potwierdza go kodem po wpisaniu hasła.',
    en: 'The customer confirms it by a code after the password.',
  },
}

const smsRefused = (): Record<Of<'sms-refused'>['cause'], ObstacleText> => ({
  'sms-stopped': {
    what: { pl: 'Wysyłanie SMS-ów jest wyłączone.', en: 'Sending text messages is switched off.' },
    help: {
      pl: `Nikt nie dostanie kodu, dopóki operator go nie włączy.${isOff('passkeys') ? '' : ' Klucz dostępu działa.'}`,
      en: `Nobody gets a code until the operator switches it on.${isOff('passkeys') ? '' : ' A passkey works.'}`,
    },
  },
  'sms-country-refused': {
    what: {
      pl: 'Na numery z\u00a0tego kraju nie wysyłamy SMS-ów.',
      en: 'No text messages are sent to numbers of this country.',
    },
    help: isOff('passkeys')
      ? { pl: 'Pomaga numer z\u00a0innego kraju.', en: 'A number of another country helps.' }
      : {
          pl: 'Pomaga numer z\u00a0innego kraju albo klucz dostępu.',
          en: 'A number of another country or a passkey helps.',
        },
  },
})

const resetsDelayed = ({ until }: Of<'resets-delayed'>, at: At): ObstacleText => ({
  what: {
    pl: `Po zmianie danych kontaktowych linki do hasła są wstrzymane do ${at(until)}.`,
    en: `After a change of contact details, no password links until ${at(until)}.`,
  },
  help: { pl: 'Obecne hasło działa od razu.', en: 'The present password works at once.' },
})

const limitReached = ({ limit, until }: Of<'limit'>, at: At): ObstacleText => ({
  what: { pl: `${limitText[limit].pl}.`, en: `${limitText[limit].en}.` },
  help:
    limit === 'codes-never-right'
      ? { pl: 'Pomaga nowe hasło albo odblokowanie.', en: 'A new password or unblocking helps.' }
      : {
          pl: `Minie ${at(until)}.${isOff('passkeys') ? '' : ' Klucz dostępu działa od razu.'}`,
          en: `Ends on ${at(until)}.${isOff('passkeys') ? '' : ' A passkey works at once.'}`,
        },
})

const codePending = ({ sentAt, until, wrong }: Of<'code-pending'>, at: At): ObstacleText => ({
  what: {
    pl: `Kod SMS wysłany ${at(sentAt)} czeka na wpisanie; błędnych prób: ${wrong}.`,
    en: `An SMS code sent on ${at(sentAt)} waits to be entered; wrong entries: ${wrong}.`,
  },
  help: { pl: `Ważny do ${at(until)}.`, en: `Valid until ${at(until)}.` },
})

const undelivered = ({ channel, createdAt, tries, cause, isFinal }: Of<'undelivered'>, at: At): ObstacleText => ({
  what:
    channel === 'sms'
      ? {
          pl: `SMS z\u00a0${at(createdAt)} nie został doręczony.`,
          en: `A text message of ${at(createdAt)} was not delivered.`,
        }
      : {
          pl: `E-mail z\u00a0${at(createdAt)} nie został doręczony.`,
          en: `An e-mail of ${at(createdAt)} was not delivered.`,
        },
  cause,
  help: isFinal
    ? { pl: 'Portal nie ponowi wysyłki.', en: 'It will not be tried again.' }
    : {
        pl: `Liczba prób: ${tries}; następna odbędzie się automatycznie.`,
        en: `Tries: ${tries}; the next one follows by itself.`,
      },
})
