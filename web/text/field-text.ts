import type { Text } from '../../contract/enums.ts'
import type { FieldProblem } from '../../contract/errors.ts'

/** Texts on the problem of one field and how to correct it: those that every page loads, which are few (UIX-9). */
const visitorTexts = {
  required: { pl: 'Pole musi być wypełnione', en: 'The field must be completed' },
  'login-required': { pl: 'Wpisz login lub adres e-mail', en: 'Enter your username or e-mail address' },
  'password-required': { pl: 'Wpisz hasło', en: 'Enter your password' },
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
  'code-format': { pl: 'Kod ma 6\u00a0cyfr', en: 'The code has 6\u00a0digits' },
  format: {
    pl: 'Usuń znaki, których to pole nie przyjmuje, także niewidoczne',
    en: 'Remove the characters this field doesn’t accept, also invisible ones',
  },
  'unknown-field': { pl: 'Tego pola nie znamy. Odśwież stronę.', en: 'This field is unknown. Refresh the page.' },
} satisfies Partial<Record<FieldProblem, Text>>

const texts: Partial<Record<FieldProblem, Text>> = visitorTexts

type NewPasswordProblem = 'password-rules' | 'password-guessable' | 'passwords-differ'
type ConsentProblem = 'terms-required' | 'privacy-required'
/** The texts of some fields, which come with them. */
export type NewPasswordTexts = Record<NewPasswordProblem, Text>
export type ConsentTexts = Record<ConsentProblem, Text>
export type SignedInFieldTexts = Record<
  Exclude<FieldProblem, keyof typeof visitorTexts | NewPasswordProblem | ConsentProblem>,
  Text
>
export const addFieldTexts = (more: NewPasswordTexts | ConsentTexts | SignedInFieldTexts) =>
  void Object.assign(texts, more)

export const fieldText = (problem: FieldProblem): Text => texts[problem] ?? visitorTexts.format

/** Problems whose texts do not name their field, so a summary must name it. */
export const unnamedProblems: ReadonlySet<FieldProblem> = new Set([
  'required',
  'too-short',
  'too-long',
  'format',
  'unknown-field',
])
