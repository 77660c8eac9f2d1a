import type { Text } from '../enums.ts'

/** Actions of the provider's staff at the desk, as the audit trail names them (DSK-6). No page of the customers has these texts. */
export const staffActions = {
  'desk-signed-in': { pl: 'Zalogowano do konsoli', en: 'Signed in to the desk' },
  'desk-sign-in-refused': { pl: 'Odrzucono logowanie do konsoli', en: 'Sign-in to the desk refused' },
  'desk-signed-out': { pl: 'Wylogowano z\u00a0konsoli', en: 'Signed out of the desk' },
  'desk-session-revoked': { pl: 'Zakończono sesję w\u00a0konsoli', en: 'Session at the desk ended' },
  'desk-searched': { pl: 'Wyszukano klienta w\u00a0konsoli', en: 'Customer searched for at the desk' },
  'desk-customer-read': { pl: 'Odczytano zamaskowane dane klienta', en: 'Masked data of a customer read' },
  'desk-customer-unmasked': { pl: 'Odczytano pełne dane klienta', en: 'Full data of a customer read' },
  'desk-wrong-codes-reset': {
    pl: 'Wyzerowano licznik błędnych kodów klienta',
    en: 'Customer’s wrong-code count reset',
  },
  'desk-sessions-ended': { pl: 'Zakończono sesje klienta', en: 'Sessions of a customer ended' },
  'desk-trail-read': { pl: 'Odczytano dziennik w\u00a0konsoli', en: 'Audit trail read at the desk' },
  'desk-trail-exported': { pl: 'Pobrano dziennik z\u00a0konsoli', en: 'Audit trail exported at the desk' },
  'desk-trail-verified': { pl: 'Sprawdzono łańcuch dziennika', en: 'Chain of the audit trail verified' },
  'desk-change-proposed': { pl: 'Zaproponowano zmianę danych klienta', en: 'Change to a customer proposed' },
  'desk-change-read': { pl: 'Odczytano proponowaną zmianę', en: 'Proposed change read' },
  'desk-change-unmasked': {
    pl: 'Odczytano pełne dane proponowanej zmiany',
    en: 'Full data of a proposed change read',
  },
  'desk-change-approved': { pl: 'Zatwierdzono zmianę danych klienta', en: 'Change to a customer approved' },
  'desk-change-refused': { pl: 'Odrzucono zmianę danych klienta', en: 'Change to a customer refused' },
  'desk-change-void': {
    pl: 'Unieważniono propozycję, bo dane klienta się zmieniły',
    en: 'Proposal void, because the data of the customer had changed',
  },
  'desk-change-withdrawn': { pl: 'Wycofano propozycję zmiany', en: 'Proposed change withdrawn' },
  'customer-held': { pl: 'Wstrzymano usunięcie danych klienta', en: 'Legal hold placed on a customer' },
  'customer-hold-released': { pl: 'Zniesiono wstrzymanie usunięcia danych', en: 'Legal hold on a customer released' },
  'desk-password-link-sent': {
    pl: 'Wysłano klientowi link do ustawienia hasła',
    en: 'Password link sent to a customer',
  },
  'desk-case-read': { pl: 'Odczytano sprawę klienta', en: 'Customer’s case read' },
  'desk-tasks-read': { pl: 'Odczytano listę zadań', en: 'List of tasks read' },
  'desk-identity-unmasked': {
    pl: 'Odczytano dokument tożsamości klienta',
    en: 'Customer’s identity document read',
  },
  'desk-notice-resent': { pl: 'Wysłano ponownie powiadomienie o\u00a0sprawie', en: 'Notice about a case sent again' },
  'desk-signing-retried': {
    pl: 'Ponowiono zlecenie w\u00a0usłudze podpisu',
    en: 'Signing service asked again',
  },
  'desk-signing-reopened': {
    pl: 'Umożliwiono klientowi ponowne podpisanie umowy',
    en: 'Customer allowed to sign the agreement again',
  },
  'desk-messages-resent': {
    pl: 'Wysłano ponownie niedoręczone wiadomości',
    en: 'Undelivered messages sent again',
  },
  'desk-invitation-resent': {
    pl: 'Wysłano ponownie zaproszenie do pieczęci',
    en: 'Invitation to a seal sent again',
  },
  'desk-action-refused': {
    pl: 'Odmówiono czynności w\u00a0konsoli',
    en: 'Action at the desk refused',
  },
  'desk-object-moved': {
    pl: 'Przeniesiono błędnie przypisany obiekt między klientami',
    en: 'Misfiled object moved between customers',
  },
  'desk-checks-requested': { pl: 'Zlecono sprawdzenie usług portalu', en: 'Checks of the portal’s services requested' },
  'desk-codes-read': { pl: 'Odczytano kody', en: 'Codes read' },
  'desk-code-withdrawn': { pl: 'Wycofano kod', en: 'Code withdrawn' },
  'desk-messages-read': { pl: 'Odczytano niedoręczone wiadomości', en: 'Undelivered messages read' },
} as const satisfies Record<string, Text>

export type StaffAction = keyof typeof staffActions
