import type { Text } from '../enums.ts'

/** What the provider's staff do at the desk, as the audit trail names it (DSK-6). No page of the customers has these texts. */
export const staffActions = {
  'desk-signed-in': { pl: 'Zalogowano do konsoli', en: 'Signed in to the desk' },
  'desk-sign-in-refused': { pl: 'Odmówiono logowania do konsoli', en: 'Sign-in to the desk refused' },
  'desk-signed-out': { pl: 'Wylogowano z\u00a0konsoli', en: 'Signed out of the desk' },
  'desk-session-revoked': { pl: 'Zakończono sesję w\u00a0konsoli', en: 'Session at the desk ended' },
} as const satisfies Record<string, Text>

export type StaffAction = keyof typeof staffActions
