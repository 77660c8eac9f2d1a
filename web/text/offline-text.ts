/** Text for a missing connection, kept apart from the texts of other failures, because the login page has it from the start. */
export const offlineText = {
  pl: 'Nie ma połączenia z\u00a0portalem. Sprawdź połączenie z\u00a0internetem i\u00a0spróbuj ponownie.',
  en: 'We can’t reach the portal. Check your internet connection and try again.',
}
