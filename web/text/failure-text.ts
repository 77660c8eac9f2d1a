import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import type { ApiError, FailureCode } from '../calls/api.ts'
import { plural } from './format.ts'
import { offlineText } from './offline-text.ts'
import { waitText } from './period-text.ts'

const unavailable = { pl: 'Funkcjonalność jest obecnie niedostępna', en: 'This feature is currently unavailable' }
const refresh = {
  pl: 'Ta strona jest nieaktualna. Odśwież ją i\u00a0spróbuj ponownie.',
  en: 'This page is out of date. Refresh it and try again.',
}
const unexpected = {
  pl: 'Nie udało się. Spróbuj ponownie, a\u00a0jeśli to nie pomoże, zadzwoń do nas.',
  en: 'That didn’t work. Try again, and if that doesn’t help, call us.',
}
const newLink = { pl: 'Poproś o\u00a0nowy link.', en: 'Ask for a new link.' }

/** Every failure of the API in at most two short sentences: what happened, and what to do. */
export const failureText: Record<FailureCode, Text> = {
  'invalid-input': { pl: 'Popraw zaznaczone pola.', en: 'Correct the highlighted fields.' },
  'malformed-request': refresh,
  'cursor-refused': {
    pl: 'Lista się zmieniła. Wczytaj ją od początku.',
    en: 'The list has changed. Load it from the start.',
  },
  'position-unknown': unexpected,
  'idempotency-key-missing': refresh,
  'signed-out': { pl: 'Sesja wygasła. Zaloguj się ponownie.', en: 'Your session has ended. Sign in again.' },
  'other-customer': refresh,
  'client-key-refused': refresh,
  'scope-missing': refresh,
  'too-many-requests': {
    pl: 'Za dużo zapytań naraz. Spróbuj ponownie za chwilę.',
    en: 'Too many requests at once. Try again in a moment.',
  },
  'cross-site-request': refresh,
  'step-up-required': {
    pl: 'Potwierdź najpierw, że to Ty.',
    en: 'Confirm first that it’s you.',
  },
  'not-found': {
    pl: 'Nie ma już tego, czego szukasz. Odśwież stronę, aby zobaczyć aktualny stan.',
    en: 'What you’re looking for is no longer here. Refresh the page to see what’s changed.',
  },
  'method-not-allowed': refresh,
  'body-too-large': {
    pl: 'To za dużo danych naraz. Wyślij mniejszy plik.',
    en: 'That’s too much data at once. Send a smaller file.',
  },
  'url-too-long': refresh,
  'unsupported-media-type': {
    pl: 'Nie przyjmujemy plików tego rodzaju. Wybierz inny plik.',
    en: 'We don’t accept files of this kind. Choose another file.',
  },
  'misdirected-request': refresh,
  'login-refused': {
    pl: 'Login lub hasło się nie zgadza. Sprawdź je i\u00a0spróbuj ponownie.',
    en: 'The username or password is incorrect. Check them and try again.',
  },
  'account-blocked': {
    pl: 'Twoje konto zostało zablokowane. Wymagana zmiana hasła.',
    en: 'Your account has been blocked. A password change is required.',
  },
  'bot-check-required': {
    pl: 'Sprawdzamy, czy nie jesteś robotem. Wyślij formularz jeszcze raz.',
    en: 'We’re checking that you’re not a robot. Send the form again.',
  },
  'bot-check-refused': {
    pl: 'Nie udało się sprawdzić, czy nie jesteś robotem. Odśwież stronę albo zadzwoń do nas.',
    en: 'We couldn’t check that you’re not a robot. Refresh the page or call us.',
  },
  'code-wrong': {
    pl: 'Kod się nie zgadza. Sprawdź ostatni SMS albo wyślij nowy kod.',
    en: 'The code is incorrect. Check the latest text message or ask for a new one.',
  },
  'code-expired': { pl: 'Ten kod wygasł. Wyślij nowy kod.', en: 'This code has expired. Send a new one.' },
  'code-void': {
    pl: 'Tego kodu nie można już użyć. Zacznij od\u00a0nowa, a\u00a0wyślemy nowy kod.',
    en: 'This code can no longer be used. Start again and we’ll send a new one.',
  },
  'link-unknown': { pl: 'Ten link nie działa. Poproś o\u00a0nowy.', en: 'This link doesn’t work. Ask for a new one.' },
  'link-expired': { pl: `Ten link wygasł. ${newLink.pl}`, en: `This link has expired. ${newLink.en}` },
  'link-used': { pl: `Ten link został już użyty. ${newLink.pl}`, en: `This link has already been used. ${newLink.en}` },
  'current-password-wrong': {
    pl: 'Obecne hasło się nie zgadza. Wpisz je ponownie.',
    en: 'The current password is incorrect. Enter it again.',
  },
  'passkey-refused': {
    pl: 'Nie przyjęliśmy klucza dostępu. Spróbuj ponownie albo użyj kodu SMS.',
    en: 'The passkey wasn’t accepted. Try again, or use a text-message code.',
  },
  'passkey-unused': {
    pl: 'Urządzenie nie użyło klucza dostępu. Spróbuj ponownie.',
    en: 'Your device didn’t use a passkey. Try again.',
  },
  'passkey-known': {
    pl: 'Ten klucz dostępu jest już dodany. Użyj innego urządzenia.',
    en: 'You’ve already added this passkey. Use another device.',
  },
  'passkeys-full': {
    pl: `Masz już ${limits.passkeys.maxCount} kluczy dostępu. Usuń któryś, aby dodać nowy.`,
    en: `You already have ${limits.passkeys.maxCount} passkeys. Remove one to add another.`,
  },
  'password-used-before': {
    pl: 'Nie można użyć poprzedniego hasła. Wpisz inne.',
    en: 'Can not use old password. Enter another one.',
  },
  'idempotency-key-reused': refresh,
  'agreement-not-ready': {
    pl: 'Umowa nie jest jeszcze gotowa. Spróbuj ponownie za chwilę.',
    en: 'The agreement isn’t ready yet. Try again in a moment.',
  },
  'certificate-unreadable': unexpected,
  'certificate-refused': unexpected,
  'certificate-filed': unexpected,
  'object-in-use': unexpected,
  'certificate-differs': unexpected,
  'already-active': { pl: 'To konto ma już hasło. Zaloguj się.', en: 'This account already has a password. Sign in.' },
  'customer-in-use': {
    pl: 'To konto ma jeszcze czynne usługi. Najpierw je zakończ.',
    en: 'This account still has active services. End them first.',
  },
  'login-taken': { pl: 'Ten login jest zajęty. Wpisz inny.', en: 'This username is taken. Enter another one.' },
  'pairing-not-possible': {
    pl: 'Tego certyfikatu nie można teraz połączyć z\u00a0aplikacją, na przykład dlatego, że zlecono jego zawieszenie. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'This certificate can’t be connected to the app now, for example because its suspension was requested. Call us and we’ll help.',
  },
  'pairing-code-wrong': {
    pl: 'Kod z\u00a0aplikacji się nie zgadza. Poczekaj na następny i\u00a0wpisz go.',
    en: 'The code from the app is incorrect. Wait for the next one and enter it.',
  },
  'timestamp-password-fixed': {
    pl: 'Hasła tego konta nie można tutaj zmienić. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'You can’t change this account’s password here. Call us and we’ll help.',
  },
  'wording-changed': refresh,
  'seal-ended': {
    pl: 'Ta pieczęć wygasła, więc nie można dać do niej dostępu. Jeśli potrzebujesz nowej, zadzwoń do nas.',
    en: 'This seal has expired, so you can’t give anyone access to it. If you need a new one, call us.',
  },
  'seal-user-exists': {
    pl: 'Osoba z\u00a0tym adresem e-mail jest już użytkownikiem tej pieczęci. Wpisz inny adres.',
    en: 'Someone with this e-mail address is already a user of this seal. Enter another address.',
  },
  'seal-users-full': {
    pl: 'Ta pieczęć nie może mieć więcej użytkowników. Usuń dostęp osobie, która go nie potrzebuje.',
    en: 'This seal can’t have any more users. Remove access from someone who doesn’t need it.',
  },
  'state-passed': refresh,
  'renewal-changed': {
    pl: 'Odnowienie zmieniło się w\u00a0międzyczasie. To jego obecny stan: sprawdź go i\u00a0spróbuj ponownie.',
    en: 'The renewal has changed in the meantime. This page now shows its current state: check it, then try again.',
  },
  'last-admin': {
    pl: 'To jedyny administrator tej pieczęci. Najpierw dodaj drugiego administratora i\u00a0poczekaj, aż aktywuje dostęp.',
    en: 'This is the seal’s only administrator. Add another administrator first, and wait until they’ve activated their access.',
  },
  'own-access': {
    pl: 'Własnego dostępu nie można usunąć. Poproś o\u00a0to innego administratora.',
    en: 'You can’t remove your own access. Ask another administrator to do it.',
  },
  'invitation-expired': {
    pl: 'To zaproszenie wygasło. Poproś administratora pieczęci o\u00a0nowe.',
    en: 'This invitation has expired. Ask the administrator of the seal for a new one.',
  },
  'document-not-ready': {
    pl: 'Dokument jest jeszcze przygotowywany. Spróbuj ponownie za chwilę.',
    en: 'The document is still being prepared. Try again shortly.',
  },
  'document-content-missing': {
    pl: 'Plik tego dokumentu jest niedostępny. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'The file of this document isn’t available. Call us and we’ll help.',
  },
  'document-not-continued': refresh,
  'pdf-required': { pl: 'Można przesłać tylko pliki PDF.', en: 'Only PDF files are allowed' },
  'pdf-encrypted': {
    pl: 'Ten plik jest zaszyfrowany innym hasłem. Podpisz dokument pobrany z\u00a0tej sprawy.',
    en: 'This file is encrypted with a different password. Sign the document you downloaded from this case.',
  },
  'pdf-damaged': {
    pl: 'Nie można odczytać tego pliku. Pobierz dokument ponownie i\u00a0podpisz go jeszcze raz.',
    en: 'We can’t read this file. Download and sign the document again.',
  },
  'pdf-too-costly': {
    pl: 'Ten plik jest zbyt złożony, aby go sprawdzić. Podpisz dokument bez żadnych innych zmian.',
    en: 'This file is too complex to check. Sign the document without changing anything else.',
  },
  'pdf-unusable': unexpected,
  'malware-found': {
    pl: 'W\u00a0tym pliku wykryto złośliwe oprogramowanie. Sprawdź swój komputer i\u00a0podpisz dokument jeszcze raz.',
    en: 'We found malware in this file. Check your computer and sign the document again.',
  },
  'upload-unknown': {
    pl: 'Ten plik nie czeka już na potwierdzenie. Wybierz go jeszcze raz.',
    en: 'This file is no longer waiting to be confirmed. Choose it again.',
  },
  'upload-refused': {
    pl: 'Nie możemy przyjąć tego pliku. Zobacz dlaczego i\u00a0wybierz inny.',
    en: 'We can’t accept this file. See what’s wrong and choose another one.',
  },
  'document-unknown': {
    pl: 'Nie mamy danych Twojego dokumentu, więc nie zmienisz numeru samodzielnie. Zadzwoń do nas, a\u00a0zmienimy go razem.',
    en: 'We don’t have your document details, so you can’t change the number yourself. Call us and we’ll do it together.',
  },
  'document-number-wrong': {
    pl: 'Numer dokumentu się nie zgadza. Sprawdź każdy znak.',
    en: 'You have entered an invalid document number. Check every character.',
  },
  'lost-phone-number-wrong': {
    pl: 'Numer dokumentu się nie zgadza. Sprawdź każdy znak.',
    en: 'The document number doesn’t match. Check every character.',
  },
  'email-code-wrong': {
    pl: 'Kod się nie zgadza. Sprawdź ostatni e-mail albo wyślij nowy kod.',
    en: 'You have entered an invalid code. Check the latest e-mail or ask for a new one.',
  },
  'phone-unchanged': {
    pl: 'To jest Twój obecny numer. Wpisz nowy.',
    en: 'This is your current number. Enter the new one.',
  },
  'phone-change-blocked': {
    pl: 'Przekroczono dozwoloną liczbę weryfikacji, spróbuj ponownie za 24h.',
    en: 'You have exceeded the allowed number of verifications, try again in 24h.',
  },
  'voucher-refused': {
    pl: 'Nieprawidłowy kod dostępu. Wpisz kod voucher albo kod odnowienia i\u00a0sprawdź każdy znak.',
    en: 'Invalid access code. Enter a voucher or renewal code, and check every character.',
  },
  'renewal-refused': {
    pl: 'Tego podpisu nie można teraz odnowić. Zobacz, co trzeba zmienić.',
    en: 'You can’t renew this signature now. See what needs to change.',
  },
  'host-not-allowed': {
    pl: 'Operator nie dopuścił tego hosta (WEBHOOK_HOSTS). Podaj adres na dopuszczonym hoście.',
    en: 'The operator hasn’t allowed this host (WEBHOOK_HOSTS). Enter an address on an allowed one.',
  },
  'signer-unknown': {
    pl: 'Tym podpisem nie podpiszesz teraz dokumentu, na przykład dlatego, że zlecono jego zawieszenie. Wybierz inny.',
    en: 'You can’t sign the document with this signature now, for example because its suspension was requested. Choose another one.',
  },
  'signing-changed': {
    pl: 'Dokument nie jest podpisany: po wysłaniu kodu zmienił się dokument, sprawa albo certyfikat. Przeczytaj dokument jeszcze raz i\u00a0wyślij nowy kod.',
    en: 'The document hasn’t been signed: the document, its case or your certificate changed after we sent the code. Read it again and send a new code.',
  },
  'signing-refused': {
    pl: 'Usługa podpisu odmówiła, więc dokument nie jest podpisany. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'The signing service refused, so the document hasn’t been signed. Call us and we’ll help.',
  },
  'signing-over': {
    pl: 'Podpisywanie już się zakończyło albo trwało za długo, więc nic więcej nie podpisano. Zacznij od\u00a0nowa.',
    en: 'Signing has already finished or took too long, so nothing more has been signed. Start again.',
  },
  'signing-cancelled': {
    pl: 'Podpisywanie przerwano na stronie usługi podpisu, więc nic nie podpisano. Możesz spróbować ponownie.',
    en: 'Signing was cancelled on the signing service’s page, so nothing has been signed. You can try again.',
  },
  'too-many-attempts': { pl: 'Za dużo prób.', en: 'Too many attempts.' },
  'resend-too-early': { pl: 'Nowy kod możesz wysłać za chwilę.', en: 'You can get a new code in a moment.' },
  'sends-spent': { pl: 'Wysłaliśmy już za dużo kodów.', en: 'We’ve already sent too many codes.' },
  'sms-country-refused': {
    pl: 'Nie wysyłamy SMS-ów na numery z\u00a0tego kraju. Zadzwoń do nas, a\u00a0pomożemy zmienić numer.',
    en: 'We don’t send text messages to numbers in this country. Call us and we’ll help you change the number.',
  },
  'phone-unconfirmed': {
    pl: 'Najpierw potwierdź swój numer telefonu: zrobisz to po zalogowaniu.',
    en: 'Confirm your phone number first: you can do it when you sign in.',
  },
  'phone-sends-spent': {
    pl: 'Na ten numer wysłaliśmy już dwa SMS-y i\u00a0kolejnych nie wyślemy. Sprawdź numer albo zadzwoń do nas, a\u00a0potwierdzimy go inaczej.',
    en: 'We’ve sent two text messages to this number and won’t send any more. Check the number, or call us and we’ll confirm it another way.',
  },
  'sms-stopped': {
    pl: 'Nie możemy teraz wysłać SMS-a. Spróbuj później albo zadzwoń do nas.',
    en: 'We can’t send a text message now. Try again later or call us.',
  },
  'headers-too-large': refresh,
  unexpected,
  busy: {
    pl: 'Z\u00a0portalu korzysta teraz zbyt wiele osób naraz. Odczekaj minutę i\u00a0spróbuj ponownie.',
    en: 'Too many people are using the portal right now. Wait a minute, then try again.',
  },
  'bot-check-unavailable': {
    pl: `${unavailable.pl}. Spróbuj ponownie za chwilę.`,
    en: `${unavailable.en}. Try again in a moment.`,
  },
  unavailable,
  'storage-full': {
    pl: 'Nie mamy teraz miejsca na ten plik. Nic nie przepadło: spróbuj za\u00a0godzinę.',
    en: 'We have no room for this file right now. Nothing’s lost: try again in an hour.',
  },
  offline: offlineText,
  canceled: { pl: 'Przerwano.', en: 'Cancelled.' },
}

/** Replaces texts of failures, for people who are not customers. */
export const replaceFailureTexts = (texts: Partial<typeof failureText>) => void Object.assign(failureText, texts)

/** `too-many-attempts` of a read, with which nothing was attempted. */
export const tooManyReads: Text = { pl: 'Za dużo zapytań naraz.', en: 'Too many requests at once.' }
const tooManyForLong: Text = { pl: 'Za dużo zapytań.', en: 'Too many requests.' }

/** Returns the whole text of a failure, with the waiting time and the entries left where the server sends them. */
export function describeFailure(locale: Locale, { code, problem }: ApiError, what = failureText[code]) {
  // A limit of a day, such as those of the desk.
  if (code === 'too-many-requests' && (problem.retryAfter ?? 0) > 60)
    return `${tooManyForLong[locale]} ${tryAgainIn(locale, problem.retryAfter!)}`
  const sentences = [what?.[locale] ?? failureText.unexpected[locale]]
  if (problem.entriesLeft !== undefined) sentences.push(entriesLeft(locale, problem.entriesLeft))
  if (problem.retryAfter && code !== 'busy' && code !== 'too-many-requests')
    sentences.push(tryAgainIn(locale, problem.retryAfter))
  // The one of the specification has no full stop.
  return sentences.length > 1 ? sentences.map(endSentence).join(' ') : sentences[0]!
}

function entriesLeft(locale: Locale, left: number) {
  const forms =
    locale === 'pl'
      ? { one: 'próba', few: 'próby', many: 'prób', other: 'próby' }
      : { one: 'attempt', other: 'attempts' }
  return locale === 'pl'
    ? `Zostało: ${left}\u00a0${plural(locale, left, forms)}.`
    : `${left}\u00a0${plural(locale, left, forms)} left.`
}

/** Returns “Try again in 24 hours.” for a waiting time. */
const tryAgainIn = (locale: Locale, seconds: number) =>
  ({
    pl: `Spróbuj ponownie za\u00a0${waitText('pl', seconds)}.`,
    en: `Try again in ${waitText('en', seconds)}.`,
  })[locale]
