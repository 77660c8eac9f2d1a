import type { MaskedIdentity, Obstacle, SignInLimit } from '../../contract/desk/desk-customers.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { formatDateTime } from '../text/format.ts'
import type { StatusLook } from '../ui/badge.tsx'

export const stateLook: Record<MaskedIdentity['state'], StatusLook> = {
  active: { kind: 'ok', icon: 'okc', text: { pl: 'Aktywne', en: 'Active' } },
  invited: { kind: 'info', icon: 'mail', text: { pl: 'Bez hasła', en: 'No password yet' } },
  registered: { kind: 'warn', icon: 'clock', text: { pl: 'Niepotwierdzone', en: 'Unconfirmed' } },
  blocked: { kind: 'err-strong', icon: 'lock', text: { pl: 'Zablokowane', en: 'Blocked' } },
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
  'codes-pause': { pl: 'Przerwa po trzech wysłanych kodach', en: 'A pause after three codes' },
}

/** An obstacle in a line, and what helps. */
export function obstacleText(locale: Locale, obstacle: Obstacle): { what: string; help: string } {
  const say = (text: Text) => text[locale]
  const at = (moment: string) => formatDateTime(locale, moment, 'short')
  switch (obstacle.kind) {
    case 'no-password': {
      const { sentAt, until } = obstacle
      return {
        what: say({ pl: 'Nie ustawiono jeszcze hasła.', en: 'No password has been set yet.' }),
        help:
          sentAt && until
            ? say({
                pl: `Ostatni link: ${at(sentAt)}, ważny do ${at(until)}. Możesz wysłać nowy.`,
                en: `Last link: ${at(sentAt)}, valid until ${at(until)}. You can send a new one.`,
              })
            : say({ pl: 'Wyślij link do ustawienia hasła.', en: 'Send the link that sets a password.' }),
      }
    }
    case 'unconfirmed-registration':
      return {
        what: say({ pl: 'Rejestracja nie została potwierdzona.', en: 'The registration has not been confirmed.' }),
        help: say({
          pl: 'Klient potwierdza ją linkiem z\u00a0e-maila; nowy wyśle formularz rejestracji.',
          en: 'The customer confirms it by the link in an e-mail; the registration form sends a new one.',
        }),
      }
    case 'blocked':
      return obstacle.by === 'provider'
        ? {
            what: say({
              pl: `Zablokowane przez dostawcę ${at(obstacle.since)}.`,
              en: `Blocked by the provider on ${at(obstacle.since)}.`,
            }),
            help: say({
              pl: 'Zanim odblokujesz, upewnij się, że powód blokady minął.',
              en: 'Before you unblock, make sure that the reason no longer holds.',
            }),
          }
        : {
            what: say({
              pl: `Zablokowane dla nieznanych urządzeń po błędnych hasłach ${at(obstacle.since)}.`,
              en: `Blocked for unknown devices after wrong passwords on ${at(obstacle.since)}.`,
            }),
            help: say({
              pl: 'Pomaga nowe hasło, klucz dostępu albo odblokowanie.',
              en: 'A new password, a passkey or unblocking helps.',
            }),
          }
    case 'phone-unconfirmed':
      return {
        what: say({ pl: 'Numer telefonu nie jest potwierdzony.', en: 'The phone number is not confirmed.' }),
        help: say({
          pl: 'Klient potwierdza go kodem po wpisaniu hasła.',
          en: 'The customer confirms it by a code after the password.',
        }),
      }
    case 'resets-delayed':
      return {
        what: say({
          pl: `Po zmianie danych kontaktowych linki do hasła wstrzymane do ${at(obstacle.until)}.`,
          en: `After a change of contact details, no password links until ${at(obstacle.until)}.`,
        }),
        help: say({ pl: 'Obecne hasło działa od razu.', en: 'The present password works at once.' }),
      }
    case 'limit':
      return {
        what: `${say(limitText[obstacle.limit])}.`,
        help:
          obstacle.limit === 'codes-never-right'
            ? say({ pl: 'Pomaga nowe hasło albo odblokowanie.', en: 'A new password or unblocking helps.' })
            : say({
                pl: `Minie ${at(obstacle.until)}. Klucz dostępu działa od razu.`,
                en: `Ends on ${at(obstacle.until)}. A passkey works at once.`,
              }),
      }
    case 'code-pending':
      return {
        what: say({
          pl: `Kod SMS wysłany ${at(obstacle.sentAt)} czeka na wpisanie; błędnych prób: ${obstacle.wrong}.`,
          en: `An SMS code sent on ${at(obstacle.sentAt)} waits to be entered; wrong entries: ${obstacle.wrong}.`,
        }),
        help: say({ pl: `Ważny do ${at(obstacle.until)}.`, en: `Valid until ${at(obstacle.until)}.` }),
      }
    case 'undelivered': {
      const { channel, createdAt, tries, cause, isFinal } = obstacle
      return {
        what: say(
          channel === 'sms'
            ? {
                pl: `SMS z\u00a0${at(createdAt)} nie został doręczony.`,
                en: `A text message of ${at(createdAt)} was not delivered.`,
              }
            : {
                pl: `E-mail z\u00a0${at(createdAt)} nie został doręczony.`,
                en: `An e-mail of ${at(createdAt)} was not delivered.`,
              },
        ),
        help: say(
          isFinal
            ? { pl: `Przyczyna: ${cause}. Nie będzie ponowiony.`, en: `Cause: ${cause}. It will not be tried again.` }
            : {
                pl: `Przyczyna: ${cause}. Prób: ${tries}; kolejna nastąpi sama.`,
                en: `Cause: ${cause}. Tries: ${tries}; the next one follows by itself.`,
              },
        ),
      }
    }
  }
}
