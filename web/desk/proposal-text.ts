import type { ProposalKind } from '../../contract/desk/desk-customers.ts'
import type { ProposalProblem } from '../../contract/desk/desk-proposals.ts'
import type { Text } from '../../contract/enums.ts'
import { hasFailedWith } from '../calls/api.ts'

export const proposalKindText: Record<ProposalKind, Text> = {
  email: { pl: 'Nowy adres e-mail', en: 'New e-mail address' },
  phone: { pl: 'Nowy numer telefonu', en: 'New phone number' },
  erasure: { pl: 'Usunięcie danych klienta', en: 'Erasure of the customer' },
  hold: { pl: 'Wstrzymanie usunięcia danych', en: 'Legal hold' },
  'hold-release': { pl: 'Zniesienie wstrzymania usunięcia', en: 'Release of the legal hold' },
}

export const proposeText: Record<ProposalKind, Text> = {
  email: { pl: 'Zmień e-mail', en: 'Change e-mail' },
  phone: { pl: 'Zmień telefon', en: 'Change phone' },
  erasure: { pl: 'Usuń dane', en: 'Erase' },
  hold: { pl: 'Wstrzymaj usunięcie', en: 'Set a legal hold' },
  'hold-release': { pl: 'Znieś wstrzymanie', en: 'Release the legal hold' },
}

const ofContact = {
  pl: 'Klient zostanie wylogowany i\u00a0dostanie wiadomość na dotychczasowy adres i numer. Przez czas ustalony przez operatora nie wyślemy mu linku do hasła; obecne hasło zadziała od razu.',
  en: 'The customer is signed out and gets a message at the present address and number. For the time that the operator has set, no password link is sent; the present password works at once.',
}
/** Effect of a proposal once it is approved. */
export const effectText: Record<ProposalKind, Text> = {
  email: ofContact,
  phone: ofContact,
  erasure: {
    pl: 'Konto i\u00a0dane osobowe zostaną usunięte od razu i\u00a0na zawsze. Dowody, które musimy przechowywać, zachowamy bez nazwiska i\u00a0danych kontaktowych.',
    en: 'The account and the personal data are deleted at once, and for good. Evidence that has to be kept stays, without name and contact details.',
  },
  hold: {
    pl: 'Danych klienta nie będzie można usunąć, dopóki dwie osoby nie zniosą wstrzymania.',
    en: 'The customer can’t be erased until two people release the hold.',
  },
  'hold-release': { pl: 'Dane klienta znów będzie można usunąć.', en: 'The customer can be erased again.' },
}

const problemText: Record<ProposalProblem, Text> = {
  'open-already': {
    pl: 'Taka propozycja już czeka na zatwierdzenie.',
    en: 'A proposal of this kind already waits for approval.',
  },
  unchanged: { pl: 'Klient ma już takie dane. Wpisz inne.', en: 'The customer has this already. Enter another one.' },
  unconfirmed: {
    pl: 'Ta rejestracja nie jest potwierdzona, więc nic się w\u00a0niej nie zmienia.',
    en: 'This registration isn’t confirmed, so nothing can change in it.',
  },
  'held-already': { pl: 'Usunięcie danych tego klienta jest wstrzymane.', en: 'This customer is under a legal hold.' },
  'not-held': { pl: 'Usunięcie danych nie jest już wstrzymane.', en: 'There is no legal hold any more.' },
  own: { pl: 'O\u00a0własnej propozycji decyduje inna osoba.', en: 'Another person decides about your own proposal.' },
  'not-own': { pl: 'Propozycję wycofuje tylko jej autor.', en: 'Only the person who proposed it can withdraw it.' },
  decided: {
    pl: 'Tę propozycję już rozpatrzono albo wycofano.',
    en: 'This proposal was already decided or withdrawn.',
  },
  expired: { pl: 'Ta propozycja wygasła. Trzeba złożyć nową.', en: 'This proposal has expired. Propose it again.' },
  void: {
    pl: 'Dane klienta zmieniły się od złożenia propozycji, więc straciła ważność. Nic się nie zmieniło. Sprawdź klienta i\u00a0zaproponuj zmianę ponownie.',
    en: 'The customer’s data have changed since it was proposed, so it is void and nothing was changed. Check the customer, and propose it again.',
  },
}
const isProblem = (reason: string | undefined): reason is ProposalProblem =>
  reason !== undefined && reason in problemText

/** Returns the reason why a call about a proposal failed, where the desk knows more than the common text says. */
export function proposalFailure(error: unknown): Text | undefined {
  if (hasFailedWith(error, 'state-passed') && isProblem(error.problem.reason)) return problemText[error.problem.reason]
  if (hasFailedWith(error, 'login-taken'))
    return {
      pl: 'Tego adresu używa już inne konto. Odrzuć propozycję i\u00a0podaj powód.',
      en: 'Another account has this address. Refuse the proposal, and say why.',
    }
  if (hasFailedWith(error, 'customer-in-use'))
    return error.problem.reason === 'legal-hold'
      ? {
          pl: 'Usunięcie danych jest wstrzymane. Najpierw dwie osoby muszą znieść wstrzymanie.',
          en: 'The customer is under a legal hold, which two people have to release first.',
        }
      : {
          pl: 'Klient ma jeszcze czynne usługi. Najpierw trzeba je zakończyć.',
          en: 'The customer still has active services. End them first.',
        }
  return undefined
}
