import type { SignedInFieldTexts } from './field-text.ts'

/** Texts on the problem of one field and how to correct it, in the forms behind the sign-in. */
export const signedInFieldTexts: SignedInFieldTexts = {
  'current-password-required': { pl: 'Wpisz obecne hasło', en: 'Enter your current password' },
  'access-code-format': {
    pl: 'Nieprawidłowy kod dostępu. Kod ma 16\u00a0znaków w\u00a0czterech grupach, na przykład 7K2M-0QXA-94TR-W1ZE',
    en: 'Invalid access code. The code has 16\u00a0characters in four groups, for example 7K2M-0QXA-94TR-W1ZE',
  },
  'document-code-format': {
    pl: 'Kod ma 16\u00a0znaków w\u00a0czterech grupach, na przykład 7K2M-0QXA-94TR-W1ZE',
    en: 'The code has 16\u00a0characters in four groups, for example 7K2M-0QXA-94TR-W1ZE',
  },
  'access-code-wrong': {
    pl: 'Kod się nie zgadza. Sprawdź, czy to kod z\u00a0e-\u2060maila o\u00a0tym dokumencie.',
    en: 'The code is incorrect. Check that it comes from the e-mail about this document.',
  },
  'otp-wrong': {
    pl: 'Kod się nie zgadza albo wygasł. Sprawdź najnowszy kod z\u00a0usługi podpisu.',
    en: 'The code is incorrect or has expired. Check the latest code from the signing service.',
  },
  'pin-wrong': {
    pl: 'PIN się nie zgadza. Wpisz PIN do usługi podpisu.',
    en: 'The PIN is incorrect. Enter your signing PIN.',
  },
  'date-format': { pl: 'Wpisz datę jako DD.MM.RRRR', en: 'Enter the date as DD/MM/YYYY' },
  'date-order': {
    pl: 'Wybierz ten sam dzień co „Od dnia” albo późniejszy',
    en: 'Choose the same day as “From”, or a later one',
  },
  'date-range': {
    pl: 'Wybierz dzień od jutra, najpóźniej za 60\u00a0dni',
    en: 'Choose a day from tomorrow up to 60\u00a0days ahead',
  },
  'document-number': {
    pl: 'Numer jest błędny albo nie pasuje do rodzaju dokumentu. Porównaj każdą literę i\u00a0cyfrę z\u00a0dokumentem. Dowód osobisty ma 3\u00a0litery i\u00a06\u00a0cyfr, paszport i\u00a0karta pobytu 2\u00a0litery i\u00a07\u00a0cyfr, mDowód 4\u00a0litery i\u00a05\u00a0cyfr.',
    en: 'There’s a mistake in this number, or it doesn’t fit the type of document. Compare every letter and digit with the document. A Polish identity card has 3\u00a0letters and 6\u00a0digits, a Polish passport or a residence card 2\u00a0letters and 7\u00a0digits, mDowód 4\u00a0letters and 5\u00a0digits.',
  },
  'document-expired': {
    pl: 'Ten dokument nie jest już ważny. Podaj dane aktualnego dokumentu.',
    en: 'This document is no longer valid. Enter the details of your current one.',
  },
  'confirmation-word': { pl: 'Przepisz to słowo dokładnie, wielkimi literami.', en: 'Type REVOKE exactly.' },
  'data-unconfirmed': {
    pl: 'Zaznacz, że dane się zgadzają. Jeśli nie, popraw je albo zadzwoń do nas.',
    en: 'Confirm that your details are correct. If they aren’t, correct them or call us.',
  },
}
