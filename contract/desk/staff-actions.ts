import type { Text } from '../enums.ts'

/** What the provider's staff do at the desk, as the audit trail names it (DSK-6). No page of the customers has these texts. */
export const staffActions = {
  'desk-signed-in': { pl: 'Zalogowano do konsoli', en: 'Signed in to the desk' },
  'desk-sign-in-refused': { pl: 'Odmówiono logowania do konsoli', en: 'Sign-in to the desk refused' },
  'desk-signed-out': { pl: 'Wylogowano z\u00a0konsoli', en: 'Signed out of the desk' },
  'desk-session-revoked': { pl: 'Zakończono sesję w\u00a0konsoli', en: 'Session at the desk ended' },
  'desk-searched': { pl: 'Wyszukano klienta w\u00a0konsoli', en: 'Customer searched for at the desk' },
  'desk-customer-read': { pl: 'Odczytano zamaskowane dane klienta', en: 'Masked data of a customer read' },
  'desk-customer-unmasked': { pl: 'Odczytano pełne dane klienta', en: 'Whole data of a customer read' },
  'desk-wrong-codes-reset': {
    pl: 'Wyzerowano licznik błędnych kodów klienta',
    en: 'Count of wrong codes of a customer reset',
  },
  'desk-sessions-ended': { pl: 'Zakończono sesje klienta', en: 'Sessions of a customer ended' },
  'desk-password-link-sent': { pl: 'Wysłano klientowi link do hasła', en: 'Link for a password sent to a customer' },
} as const satisfies Record<string, Text>

export type StaffAction = keyof typeof staffActions
