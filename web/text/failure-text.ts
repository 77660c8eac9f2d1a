import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { ApiError, FailureCode } from '../api.ts'
import { plural } from './format.ts'
import { offlineText } from './failure-on-demand.ts'

const unavailable = { pl: 'Funkcjonalność jest obecnie niedostępna', en: 'This feature is currently unavailable' }
const refresh = {
  pl: 'Coś się nie zgadza z\u00a0tą stroną. Odśwież ją i\u00a0spróbuj ponownie.',
  en: 'Something is out of step on this page. Refresh it and try again.',
}
const unexpected = {
  pl: 'Nie udało się. Spróbuj ponownie, a\u00a0jeśli to nie pomoże, zadzwoń do nas.',
  en: 'That did not work. Try again, and if it does not help, call us.',
}
const newLink = { pl: 'Poproś o\u00a0nowy link.', en: 'Ask for a new link.' }

/** One sentence for every failure of the API: what happened, and what to do. */
export const failureText: Record<FailureCode, Text> = {
  'invalid-input': { pl: 'Popraw zaznaczone pola.', en: 'Correct the marked fields.' },
  'malformed-request': refresh,
  'cursor-refused': {
    pl: 'Lista się zmieniła. Wczytaj ją od początku.',
    en: 'The list has changed. Load it from the start.',
  },
  'idempotency-key-missing': refresh,
  'signed-out': { pl: 'Ta sesja się skończyła. Zaloguj się ponownie.', en: 'This session has ended. Log in again.' },
  'client-key-refused': refresh,
  'scope-missing': refresh,
  'too-many-requests': refresh,
  'cross-site-request': refresh,
  'step-up-required': { pl: 'Ta czynność wymaga kodu SMS.', en: 'This action needs a text-message code.' },
  'not-found': {
    pl: 'Nie ma już tego, czego szukasz. Odśwież stronę, aby zobaczyć aktualny stan.',
    en: 'What you are looking for is no longer here. Refresh the page to see the current state.',
  },
  'method-not-allowed': refresh,
  'body-too-large': {
    pl: 'To za dużo danych naraz. Wyślij mniejszy plik.',
    en: 'That is too much data at once. Send a smaller file.',
  },
  'url-too-long': refresh,
  'unsupported-media-type': { pl: 'Tego rodzaju pliku nie przyjmujemy.', en: 'We do not take files of this kind.' },
  'misdirected-request': refresh,
  'login-refused': { pl: 'Login lub hasło się nie zgadzają.', en: 'The login or password does not match.' },
  'account-blocked': {
    pl: 'Twoje konto zostało zablokowane. Wymagana zmiana hasła.',
    en: 'Your account has been blocked. A password change is required.',
  },
  'bot-check-required': {
    pl: 'Sprawdzamy teraz, że nie jesteś robotem. Wyślij formularz jeszcze raz.',
    en: 'We now check that you are not a robot. Send the form again.',
  },
  'bot-check-refused': {
    pl: 'Nie udało się sprawdzić, że nie jesteś robotem. Odśwież stronę lub zadzwoń.',
    en: 'We could not check that you are not a robot. Refresh the page or call us.',
  },
  'code-wrong': {
    pl: 'Kod się nie zgadza. Sprawdź ostatni SMS albo wyślij nowy kod.',
    en: 'The code does not match. Check the latest text message or send a new code.',
  },
  'code-expired': { pl: 'Ten kod stracił ważność. Wyślij nowy kod.', en: 'This code has expired. Send a new code.' },
  'code-void': {
    pl: 'Tego kodu nie można już użyć. Zacznij od nowa, a\u00a0wyślemy nowy kod.',
    en: 'This code can no longer be used. Start again and we will send a new one.',
  },
  'link-unknown': { pl: 'Ten link nie działa. Poproś o\u00a0nowy.', en: 'This link does not work. Ask for a new one.' },
  'link-expired': { pl: `Ten link stracił ważność. ${newLink.pl}`, en: `This link has expired. ${newLink.en}` },
  'link-used': { pl: `Ten link został już użyty. ${newLink.pl}`, en: `This link has already been used. ${newLink.en}` },
  'current-password-wrong': { pl: 'Obecne hasło się nie zgadza.', en: 'The current password does not match.' },
  'passkey-refused': {
    pl: 'Klucz dostępu nie został przyjęty. Spróbuj jeszcze raz albo użyj kodu SMS.',
    en: 'The passkey was not accepted. Try again, or use a text-message code.',
  },
  'passkey-unused': {
    pl: 'Urządzenie nie użyło klucza dostępu. Spróbuj jeszcze raz.',
    en: 'The device did not use a passkey. Try again.',
  },
  'passkey-known': {
    pl: 'Ten klucz dostępu jest już dodany. Użyj innego urządzenia.',
    en: 'This passkey has been added already. Use another device.',
  },
  'passkeys-full': {
    pl: `Masz już ${limits.passkeys.most} kluczy dostępu. Usuń któryś, aby dodać nowy.`,
    en: `You have ${limits.passkeys.most} passkeys already. Remove one to add another.`,
  },
  'password-used-before': {
    pl: 'Nie można użyć poprzedniego hasła. Wpisz inne.',
    en: 'Can not use old password. Enter another one.',
  },
  'idempotency-key-reused': refresh,
  'agreement-not-ready': { pl: 'Umowa będzie gotowa za chwilę.', en: 'The agreement will be ready in a moment.' },
  'certificate-unreadable': unexpected,
  'certificate-refused': unexpected,
  'certificate-filed': unexpected,
  'object-in-use': unexpected,
  'certificate-differs': unexpected,
  'already-active': { pl: 'To konto ma już hasło.', en: 'This account already has a password.' },
  'customer-in-use': {
    pl: 'To konto ma jeszcze czynne usługi. Najpierw je zakończ.',
    en: 'This account still has services that run. End them first.',
  },
  'login-taken': { pl: 'Ten login jest zajęty. Wpisz inny.', en: 'This login is taken. Enter another one.' },
  'pairing-not-possible': {
    pl: 'Tego podpisu nie można teraz połączyć z\u00a0aplikacją.',
    en: 'This signature cannot be connected to an app now.',
  },
  'pairing-code-wrong': {
    pl: 'Kod z\u00a0aplikacji się nie zgadza. Poczekaj na następny i\u00a0wpisz go.',
    en: 'The code from the app does not match. Wait for the next one and enter it.',
  },
  'timestamp-password-fixed': {
    pl: 'Hasła tego konta nie można tutaj zmienić. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'The password of this account cannot be changed here. Call us and we will help.',
  },
  'wording-changed': refresh,
  'seal-ended': {
    pl: 'Ta pieczęć straciła ważność, więc nie można dać do niej dostępu.',
    en: 'This seal is no longer valid, so no access to it can be given.',
  },
  'seal-user-exists': {
    pl: 'Osoba z\u00a0tym adresem e-mail jest już na liście użytkowników tej pieczęci.',
    en: 'Somebody with this e-mail address is already on the list of users of this seal.',
  },
  'seal-users-full': {
    pl: 'Ta pieczęć ma już najwięcej użytkowników, ilu może mieć. Usuń dostęp osobie, która go nie potrzebuje.',
    en: 'This seal has as many users as it can have. Remove the access of somebody who does not need it.',
  },
  'state-passed': refresh,
  'renewal-changed': {
    pl: 'Odnowienie zmieniło się w\u00a0międzyczasie. Strona pokazuje już jego obecny stan: sprawdź go i\u00a0spróbuj jeszcze raz.',
    en: 'The renewal has changed in the meantime. The page now shows its current state: check it, then try again.',
  },
  'last-admin': {
    pl: 'To jedyny administrator tej pieczęci. Najpierw dodaj drugiego administratora i\u00a0poczekaj, aż aktywuje dostęp.',
    en: 'This is the only administrator of the seal. First add another administrator and wait until they activate their access.',
  },
  'own-access': {
    pl: 'Własnego dostępu nie można usunąć. Poproś o\u00a0to innego administratora.',
    en: 'You cannot remove your own access. Ask another administrator to do it.',
  },
  'invitation-expired': {
    pl: 'To zaproszenie straciło ważność. Poproś administratora pieczęci o\u00a0nowe.',
    en: 'This invitation has expired. Ask the administrator of the seal for a new one.',
  },
  'document-not-ready': {
    pl: 'Dokument jest jeszcze przygotowywany. Spróbuj ponownie za chwilę.',
    en: 'The document is still being generated. Try again shortly.',
  },
  'document-content-missing': {
    pl: 'Ten dokument nie ma treści. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'This document has no content. Call us and we will help.',
  },
  'document-not-continued': refresh,
  'pdf-required': { pl: 'Można przesłać tylko pliki PDF.', en: 'Only PDF files are allowed' },
  'pdf-encrypted': {
    pl: 'Ten plik jest zaszyfrowany innym hasłem. Podpisz dokument pobrany z\u00a0tej sprawy.',
    en: 'This file is encrypted with another password. Sign the document that you downloaded from this case.',
  },
  'pdf-damaged': {
    pl: 'Tego pliku nie da się odczytać. Pobierz dokument ponownie i\u00a0podpisz go jeszcze raz.',
    en: 'This file cannot be read. Download and sign the document again.',
  },
  'pdf-too-costly': {
    pl: 'Ten plik jest zbyt złożony, aby go sprawdzić. Podpisz dokument bez żadnych zmian.',
    en: 'This file is too complex to be checked. Sign the document without changing anything else.',
  },
  'pdf-unusable': unexpected,
  'malware-found': {
    pl: 'W\u00a0tym pliku wykryto złośliwe oprogramowanie. Sprawdź swój komputer i\u00a0podpisz dokument jeszcze raz.',
    en: 'Malware was found in this file. Check your computer and sign the document again.',
  },
  'upload-unknown': {
    pl: 'Ten plik nie czeka już na potwierdzenie. Wybierz go jeszcze raz.',
    en: 'This file is no longer waiting to be confirmed. Choose it again.',
  },
  'upload-refused': {
    pl: 'Tego pliku nie możemy przyjąć. Zobacz, co jest nie tak, i\u00a0wybierz inny.',
    en: 'We cannot take this file. See what is wrong and choose another one.',
  },
  'document-unknown': {
    pl: 'Nie mamy danych Twojego dokumentu, dlatego numer telefonu zmienisz tylko z\u00a0naszą pomocą. Zadzwoń do nas.',
    en: 'We have no data of your document, so you can change your phone number only with our help. Call us.',
  },
  'document-number-wrong': {
    pl: 'Numer dokumentu się nie zgadza.',
    en: 'You have entered an invalid document number.',
  },
  'email-code-wrong': {
    pl: 'Kod się nie zgadza. Sprawdź ostatni e-mail albo wyślij nowy kod.',
    en: 'You have entered an invalid code.',
  },
  'phone-unchanged': {
    pl: 'To jest Twój obecny numer. Wpisz nowy.',
    en: 'This is your present number. Enter the new one.',
  },
  'phone-change-blocked': {
    pl: 'Przekroczono dozwoloną liczbę weryfikacji, spróbuj ponownie za 24h.',
    en: 'You have exceeded the allowed number of verifications, try again in 24h.',
  },
  'voucher-refused': { pl: 'Nieprawidłowy kod dostępu', en: 'Invalid access code' },
  'renewal-refused': {
    pl: 'Tego podpisu nie można teraz odnowić. Zobacz, co trzeba zmienić.',
    en: 'This signature cannot be renewed now. See what has to be changed.',
  },
  'signer-unknown': {
    pl: 'Tym podpisem nie można teraz podpisać dokumentu. Wybierz inny.',
    en: 'This signature cannot sign the document now. Choose another one.',
  },
  'signing-changed': {
    pl: 'Dokument, sprawa lub certyfikat zmieniły się po wysłaniu kodu, więc kod już nie działa. Zacznij od nowa.',
    en: 'The document, its case or the certificate changed after the code was sent, so the code no longer works. Start again.',
  },
  'signing-refused': {
    pl: 'Usługa podpisu odmówiła podpisania. Dokument nie został podpisany. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'The signing service refused to sign. The document has not been signed. Call us and we will help.',
  },
  'signing-over': {
    pl: 'To podpisywanie już się skończyło albo trwało za długo. Nic więcej nie zostało podpisane. Zacznij od nowa.',
    en: 'This signing is over, or it took too long. Nothing more has been signed. Start again.',
  },
  'signing-cancelled': {
    pl: 'Podpisywanie przerwano na stronie usługi podpisu. Nic nie zostało podpisane.',
    en: 'The signing was cancelled at the page of the signing service. Nothing has been signed.',
  },
  'too-many-attempts': { pl: 'To za dużo prób.', en: 'That was too many attempts.' },
  'resend-too-early': { pl: 'Nowy kod możesz wysłać za chwilę.', en: 'You can send a new code in a moment.' },
  'sends-spent': { pl: 'Wysłaliśmy już za dużo kodów.', en: 'We have already sent too many codes.' },
  'sms-country-refused': {
    pl: 'Nie wysyłamy SMS-ów na numery z\u00a0tego kraju. Zadzwoń do nas, a\u00a0pomożemy zmienić numer.',
    en: 'We do not send text messages to numbers of this country. Call us and we will help to change the number.',
  },
  'phone-unconfirmed': {
    pl: 'Najpierw potwierdź swój numer telefonu. Zaloguj się, a poprosimy o to.',
    en: 'Confirm your phone number first. Log in and we will ask you to.',
  },
  'phone-sends-spent': {
    pl: 'Wysłaliśmy już na ten numer dwa SMS-y i nikt go nie potwierdził, więc więcej nie wyślemy. Sprawdź numer albo zadzwoń do nas, a potwierdzimy go inaczej.',
    en: 'We have already sent two text messages to this number and nobody has confirmed it, so we will send no more. Check the number, or call us and we will confirm it another way.',
  },
  'sms-stopped': {
    pl: 'Nie możemy teraz wysłać SMS-a. Spróbuj później albo zadzwoń do nas.',
    en: 'We cannot send a text message now. Try later or call us.',
  },
  'headers-too-large': refresh,
  unexpected,
  busy: {
    pl: 'Portal jest teraz bardzo obciążony. Spróbuj za chwilę.',
    en: 'The portal is very busy now. Try again in a moment.',
  },
  'bot-check-unavailable': {
    pl: `${unavailable.pl}. Spróbuj za chwilę.`,
    en: `${unavailable.en}. Try again in a moment.`,
  },
  unavailable,
  'storage-full': {
    pl: 'Nie mamy teraz miejsca na ten plik. Nic nie przepadło: spróbuj za godzinę.',
    en: 'We have no room for this file right now. Nothing is lost: try again in an hour.',
  },
  offline: offlineText,
  cancelled: { pl: 'Przerwano.', en: 'Cancelled.' },
}

/** The whole text of a failure, with the waiting time and the entries left where the server sends them. */
export function describeFailure(locale: Locale, { code, problem }: ApiError) {
  const sentences = [failureText[code]?.[locale] ?? failureText.unexpected[locale]]
  if (problem.entriesLeft !== undefined) sentences.push(entriesLeft(locale, problem.entriesLeft))
  if (problem.retryAfter && code !== 'busy') sentences.push(tryAgainIn(locale, problem.retryAfter))
  return sentences.join(' ')
}

function entriesLeft(locale: Locale, left: number) {
  const forms =
    locale === 'pl'
      ? { one: 'próba', few: 'próby', many: 'prób', other: 'próby' }
      : { one: 'attempt', other: 'attempts' }
  return locale === 'pl'
    ? `Pozostało: ${left} ${plural(locale, left, forms)}.`
    : `${left} ${plural(locale, left, forms)} left.`
}

/** “Try again in 24 hours.” */
export function tryAgainIn(locale: Locale, seconds: number) {
  const [count, forms] =
    seconds < 60
      ? ([
          seconds,
          {
            pl: { one: 'sekundę', few: 'sekundy', many: 'sekund', other: 'sekundy' },
            en: { one: 'second', other: 'seconds' },
          },
        ] as const)
      : seconds < 5400
        ? ([
            Math.ceil(seconds / 60),
            {
              pl: { one: 'minutę', few: 'minuty', many: 'minut', other: 'minuty' },
              en: { one: 'minute', other: 'minutes' },
            },
          ] as const)
        : ([
            Math.ceil(seconds / 3600),
            {
              pl: { one: 'godzinę', few: 'godziny', many: 'godzin', other: 'godziny' },
              en: { one: 'hour', other: 'hours' },
            },
          ] as const)
  const unit = plural(locale, count, forms[locale])
  return locale === 'pl' ? `Spróbuj ponownie za\u00a0${count}\u00a0${unit}.` : `Try again in ${count}\u00a0${unit}.`
}
