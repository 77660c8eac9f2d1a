import type { Text } from '../enums.ts'

/** Actions of the portal itself and of its operators, which no customer's history shows. No page of the customers has these texts. */
export const internalActions = {
  'seal-recipient-confirmed': {
    pl: 'Potwierdzony adres do przypomnień o\u00a0pieczęci',
    en: 'Address for seal reminders confirmed',
  },
  'seal-recipient-refused': { pl: 'Odrzucone przypomnienia o\u00a0pieczęci', en: 'Seal reminders refused' },
  'seal-recipient-reminded': { pl: 'Przypomnienie na drugi adres', en: 'Reminder to a second address' },
  'voucher-codes-stored': { pl: 'Nowe kody voucher lub odnowienia', en: 'New voucher or renewal codes' },
  'data-read': { pl: 'Odczytane dane', en: 'Data read' },
  'customers-searched': { pl: 'Wyszukiwanie klientów', en: 'Search for customers' },
  'client-key-made': { pl: 'Nowy klucz dostawcy', en: 'New client key' },
  'client-key-rotated': { pl: 'Wymieniony klucz dostawcy', en: 'Client key rotated' },
  'client-key-revoked': { pl: 'Unieważniony klucz dostawcy', en: 'Client key revoked' },
  'software-stored': { pl: 'Zmienione oprogramowanie', en: 'Software changed' },
  'software-removed': { pl: 'Usunięte oprogramowanie', en: 'Software removed' },
  'webhook-stored': { pl: 'Zmieniony webhook', en: 'Webhook changed' },
  'webhook-removed': { pl: 'Usunięty webhook', en: 'Webhook removed' },
  'webhook-secret-drawn': { pl: 'Nowy sekret webhooka', en: 'New secret of a webhook' },
  'webhook-replayed': { pl: 'Ponowione zdarzenia webhooka', en: 'Events of a webhook sent again' },
  'webhook-dead-letters-dropped': { pl: 'Porzucone zdarzenia webhooka', en: 'Events of a webhook dropped' },
  'messages-resent': { pl: 'Ponowione wiadomości', en: 'Messages sent again' },
  'messages-dropped': { pl: 'Porzucone wiadomości', en: 'Messages dropped' },
  'audit-months-detached': { pl: 'Odłączone miesiące dziennika', en: 'Months of the audit trail detached' },
  'audit-head-signed': { pl: 'Podpisany koniec dziennika', en: 'End of the audit trail signed' },
  'keys-rotated': { pl: 'Wymienione klucze', en: 'Keys rotated' },
  'alarm-raised': { pl: 'Alarm', en: 'Alarm raised' },
} as const satisfies Record<string, Text>

export type InternalAction = keyof typeof internalActions
