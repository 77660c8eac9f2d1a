import type { Text } from '../../contract/enums.ts'
import type { FieldProblem } from '../../contract/errors.ts'

/** What is wrong with one field, and how to correct it. */
export const fieldText: Record<FieldProblem, Text> = {
  required: { pl: 'Pole musi być wypełnione', en: 'The field must be completed' },
  'login-required': { pl: 'Wpisz login lub adres e-mail', en: 'Enter your username or e-mail address' },
  'password-required': { pl: 'Wpisz hasło', en: 'Enter your password' },
  'current-password-required': { pl: 'Wpisz obecne hasło', en: 'Enter your current password' },
  'too-short': { pl: 'Wpisz więcej znaków', en: 'Enter more characters' },
  'too-long': { pl: 'Wpisz mniej znaków', en: 'Enter fewer characters' },
  'email-format': {
    pl: 'Wpisz adres e-mail w\u00a0formacie nazwa@domena.pl',
    en: 'Enter an e-mail address in the format name@domain.com',
  },
  'phone-format': {
    pl: 'Wpisz numer telefonu komórkowego i\u00a0sprawdź kraj, na przykład +48 600 100 200',
    en: 'Enter a mobile phone number and check the country, for example +48 600 100 200',
  },
  'phone-incomplete': {
    pl: 'Wpisz brakujące cyfry numeru telefonu',
    en: 'Enter the missing digits of the phone number',
  },
  'password-rules': {
    pl: 'Twoje hasło nie spełnia kryteriów bezpieczeństwa',
    en: 'Your password doesn’t meet the security criteria',
  },
  'password-guessable': {
    pl: 'To hasło łatwo odgadnąć. Nie używaj znanych haseł, swoich danych ani nazwy portalu.',
    en: 'This password is easy to guess. Don’t use common passwords, your own details or the name of the portal.',
  },
  'passwords-differ': { pl: 'Hasła muszą być identyczne', en: 'The passwords must be identical' },
  'terms-required': { pl: 'Zaakceptuj regulamin', en: 'Accept the terms' },
  'privacy-required': {
    pl: 'Potwierdź, że znasz informację o\u00a0przetwarzaniu danych',
    en: 'Confirm that you’ve read the privacy notice',
  },
  'code-format': { pl: 'Kod ma 6\u00a0cyfr', en: 'The code has 6\u00a0digits' },
  'access-code-format': {
    pl: 'Nieprawidłowy kod dostępu. Kod ma 16\u00a0znaków w\u00a0czterech grupach, na przykład 7K2M-0QXA-94TR-W1ZE',
    en: 'Invalid access code. The code has 16\u00a0characters in four groups, for example 7K2M-0QXA-94TR-W1ZE',
  },
  'document-code-format': {
    pl: 'Kod ma 16\u00a0znaków w\u00a0czterech grupach, na przykład 7K2M-0QXA-94TR-W1ZE',
    en: 'The code has 16\u00a0characters in four groups, for example 7K2M-0QXA-94TR-W1ZE',
  },
  'access-code-wrong': {
    pl: 'Kod się nie zgadza. Sprawdź, czy to kod z\u00a0e-maila o\u00a0tym dokumencie.',
    en: 'The code is incorrect. Check that it comes from the e-mail about this document.',
  },
  'otp-wrong': {
    pl: 'Kod się nie zgadza albo wygasł. Sprawdź najnowszy kod z\u00a0usługi podpisu.',
    en: 'The code is incorrect or has expired. Check the latest code from the signing service.',
  },
  'pin-wrong': {
    pl: 'PIN się nie zgadza. Wpisz PIN do swojego podpisu w\u00a0usłudze podpisu.',
    en: 'The PIN is incorrect. Enter your signature’s PIN for the signing service.',
  },
  format: {
    pl: 'Usuń znaki, których to pole nie przyjmuje',
    en: 'Remove the characters this field doesn’t accept',
  },
  'date-format': { pl: 'Wpisz datę jako DD.MM.RRRR', en: 'Enter the date as DD/MM/YYYY' },
  'date-order': {
    pl: 'Wybierz dzień nie wcześniejszy niż początkowy',
    en: 'Choose a day no earlier than the first one',
  },
  'date-range': {
    pl: 'Wybierz dzień od jutra, najpóźniej za 60\u00a0dni',
    en: 'Choose a day from tomorrow up to 60\u00a0days ahead',
  },
  'date-beyond-document': {
    pl: 'Twój dokument tożsamości wygaśnie przed tym dniem. Wybierz wcześniejszy.',
    en: 'Your identity document expires before that day. Choose an earlier one.',
  },
  'document-number': {
    pl: 'Numer nie pasuje do tego rodzaju dokumentu. Sprawdź każdą literę i\u00a0cyfrę.',
    en: 'This number doesn’t fit this type of document. Check each letter and digit.',
  },
  'document-expired': {
    pl: 'Ten dokument nie jest już ważny. Podaj dane ważnego.',
    en: 'This document is no longer valid. Enter the details of a valid one.',
  },
  'data-unconfirmed': {
    pl: 'Zaznacz, że dane się zgadzają. Jeśli nie, popraw je albo zadzwoń do nas.',
    en: 'Confirm that your details are correct. If they aren’t, correct them or call us.',
  },
  'unknown-field': { pl: 'Tego pola nie znamy. Odśwież stronę.', en: 'This field is unknown. Refresh the page.' },
}

/** Problems whose texts do not name their field, so a summary must name it. */
export const unnamedProblems: ReadonlySet<FieldProblem> = new Set([
  'required',
  'too-short',
  'too-long',
  'format',
  'unknown-field',
])
