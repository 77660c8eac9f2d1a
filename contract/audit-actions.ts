import type { Text } from './enums.ts'
import { keysOf } from './keys-of.ts'

/** The kinds by which an account's history can be filtered. */
export const auditActionKinds = ['sign-in', 'security', 'personal-data', 'certificates', 'documents'] as const
export type AuditActionKind = (typeof auditActionKinds)[number]

/** `internal`: an action of the portal itself, which no customer's history shows. */
type Labels = Text & { kind: AuditActionKind | 'internal' }
const labels =
  (kind: Labels['kind']) =>
  (pl: string, en: string): Labels => ({ kind, pl, en })
const signIn = labels('sign-in')
const security = labels('security')
const data = labels('personal-data')
const certificates = labels('certificates')
const documents = labels('documents')
const internal = labels('internal')

/**
 * The audit actions, each with the label that its customer sees (AUT-9). Auditors read the names on the left: never
 * rename one.
 */
export const auditActions = {
  'sign-in-refused': signIn('Nieudana próba logowania: błędne hasło', 'Failed login attempt: wrong password'),
  'sign-in-limit-reached': signIn(
    'Wstrzymane logowanie: za dużo błędnych haseł',
    'Login paused: too many wrong passwords',
  ),
  'sign-in-finished': signIn('Logowanie do portalu', 'Login to the portal'),
  'signed-out': signIn('Wylogowanie', 'Logout'),
  'session-extended': signIn('Przedłużenie sesji', 'Session extended'),
  'session-ended': signIn('Sesja zakończona, bo zaczęła się nowsza', 'Session ended because a newer one began'),
  'session-revoked': signIn('Zakończona inna sesja', 'Another session ended'),
  'code-sent': security('Wysłany kod SMS', 'Text-message code sent'),
  'code-refused': security('Błędny kod SMS', 'Wrong text-message code'),
  'code-limit-reached': security(
    'Kod SMS unieważniony po zbyt wielu błędach',
    'Text-message code voided after too many mistakes',
  ),
  'step-up-confirmed': security('Potwierdzona ważna czynność', 'Important action confirmed'),
  'passkey-added': security('Dodany klucz dostępu', 'Passkey added'),
  'passkey-renamed': security('Zmieniona nazwa klucza dostępu', 'Passkey renamed'),
  'passkey-removed': security('Usunięty klucz dostępu', 'Passkey removed'),
  'passkey-refused': security('Odrzucony klucz dostępu', 'Passkey refused'),
  'account-blocked': security('Zablokowane konto', 'Account blocked'),
  'account-unblocked': security('Odblokowane konto', 'Account unblocked'),
  'password-reset-requested': security('Prośba o\u00a0link do zmiany hasła', 'Link to change the password requested'),
  'password-set': security('Ustawione hasło', 'Password set'),
  'password-changed': security('Zmienione hasło', 'Password changed'),
  'customer-created': data('Założone konto', 'Account created'),
  'customer-updated': data('Zmienione dane konta', 'Account data changed'),
  'customer-invited': data('Wysłane zaproszenie do portalu', 'Invitation to the portal sent'),
  'registration-requested': data('Prośba o\u00a0założenie konta', 'Request to create an account'),
  'customer-erased': data('Usunięte dane konta', 'Account data erased'),
  'evidence-removed': data('Usunięte dowody po czasie ich przechowywania', 'Evidence removed after its time'),
  'consent-given': data('Udzielona zgoda', 'Consent given'),
  'consent-withdrawn': data('Wycofana zgoda', 'Consent withdrawn'),
  'activity-exported': data('Pobrana historia aktywności', 'Activity history downloaded'),
  'signature-reminder-sent': certificates(
    'Wysłane przypomnienie o\u00a0końcu certyfikatu',
    'Reminder of a certificate’s end sent',
  ),
  'seal-reminder-sent': certificates('Wysłane przypomnienie o\u00a0końcu pieczęci', 'Reminder of a seal’s end sent'),
  'reminders-switched': data('Zmiana przypomnień o\u00a0końcu certyfikatów', 'Reminders of certificates’ ends changed'),
  'signature-stored': certificates('Nowe dane podpisu', 'Signature data updated'),
  'agreement-stored': certificates('Dodana umowa', 'Agreement added'),
  'agreement-downloaded': certificates('Pobrana umowa', 'Agreement downloaded'),
  'certificate-downloaded': certificates('Pobrany certyfikat', 'Certificate downloaded'),
  'pairing-started': certificates('Pokazany kod QR aplikacji', 'QR code for the app shown'),
  'pairing-requested': certificates('Prośba o\u00a0kod QR aplikacji', 'QR code for the app requested'),
  'activation-stored': certificates('Przygotowany kod QR aplikacji', 'QR code for the app prepared'),
  'activation-secret-read': certificates(
    'Zaszyfrowany klucz aplikacji odczytany przez dostawcę',
    'Encrypted key of the app read by the provider',
  ),
  'activation-secret-removed': certificates(
    'Klucz aplikacji usunięty z\u00a0portalu',
    'Key of the app deleted from the portal',
  ),
  'pairing-confirmed': certificates('Połączona aplikacja', 'App connected'),
  'pairing-refused': certificates('Błędny kod z\u00a0aplikacji', 'Wrong code from the app'),
  'seal-stored': certificates('Nowe dane pieczęci', 'Seal data updated'),
  'seal-user-stored': certificates('Nowe dane użytkownika pieczęci', 'Seal user data updated'),
  'seal-user-invited': certificates('Zaproszony użytkownik pieczęci', 'Seal user invited'),
  'seal-user-removed': certificates('Usunięty użytkownik pieczęci', 'Seal user removed'),
  'seal-access-activated': certificates('Aktywowany dostęp do pieczęci', 'Access to a seal activated'),
  'timestamp-account-stored': certificates('Nowe dane konta znaczników', 'Timestamp account data updated'),
  'timestamp-package-stored': certificates('Nowe dane pakietu znaczników', 'Timestamp package data updated'),
  'timestamp-notice-sent': certificates('Wysłane przypomnienie o\u00a0pakiecie', 'Package reminder sent'),
  'timestamp-password-asked': certificates(
    'Zlecona zmiana hasła konta znaczników',
    'Change of a timestamp account password requested',
  ),
  'timestamp-password-changed': certificates('Zmienione hasło konta znaczników', 'Timestamp account password changed'),
  'voucher-codes-stored': internal('Nowe kody voucher', 'New voucher codes'),
  'voucher-redeemed': certificates('Użyty kod voucher', 'Voucher code used'),
  'voucher-code-refused': certificates('Błędny kod voucher', 'Wrong voucher code'),
  'voucher-limit-reached': certificates(
    'Wstrzymane wpisywanie kodów voucher: za dużo błędnych',
    'Voucher codes paused: too many wrong ones',
  ),
  'voucher-case-moved': certificates('Nowy stan sprawy', 'New state of a case'),
  'document-case-stored': documents('Nowa sprawa z\u00a0dokumentem', 'New case with a document'),
  'document-stored': documents('Dodany dokument', 'Document added'),
  'document-downloaded': documents('Pobrany dokument', 'Document downloaded'),
  'document-code-sent': documents('Wysłany kod dostępu do dokumentu', 'Access code of a document sent'),
  'document-upload-checked': documents('Sprawdzony podpisany plik', 'Signed file checked'),
  'document-upload-confirmed': documents('Przesłany podpisany dokument', 'Signed document sent'),
  'document-signing-started': documents('Rozpoczęte podpisywanie dokumentu', 'Signing of a document started'),
  'document-signing-voided': documents('Unieważnione podpisywanie dokumentu', 'Signing of a document voided'),
  'document-signing-failed': documents('Nieudane podpisanie dokumentu', 'Signing of a document failed'),
  'document-signed-in-place': documents('Dokument podpisany w\u00a0portalu', 'Document signed in the portal'),
  'document-upload-fetched': documents('Dokument odebrany przez dostawcę', 'Document received by the provider'),
  'document-upload-refused': documents('Odrzucony podpisany dokument', 'Signed document refused'),
  'document-countersigned': documents('Dokument podpisany przez dostawcę', 'Document signed by the provider'),
  'document-finished': documents('Zakończona sprawa z\u00a0dokumentem', 'Case with a document completed'),
  'document-canceled': documents('Anulowana sprawa z\u00a0dokumentem', 'Case with a document cancelled'),
  'document-signed-downloaded': documents(
    'Pobrany dokument podpisany przez obie strony',
    'Document signed by both sides downloaded',
  ),
  'data-export-requested': data('Zlecony plik ze wszystkimi danymi', 'File of all data requested'),
  'data-export-made': data('Przygotowany plik ze wszystkimi danymi', 'File of all data made'),
  'data-export-downloaded': data('Pobrany plik ze wszystkimi danymi', 'File of all data downloaded'),
  'data-export-removed': data('Usunięty plik ze wszystkimi danymi', 'File of all data removed'),
  'personal-data-revealed': data('Pokazane zasłonięte dane', 'Masked data shown'),
  'phone-change-started': data('Rozpoczęta zmiana numeru telefonu', 'Change of the phone number started'),
  'phone-change-canceled': data('Przerwana zmiana numeru telefonu', 'Change of the phone number cancelled'),
  'phone-change-blocked': data(
    'Zablokowana zmiana numeru telefonu: za dużo błędnych wpisów',
    'Change of the phone number blocked: too many wrong entries',
  ),
  'phone-document-confirmed': data('Potwierdzony numer dokumentu', 'Document number confirmed'),
  'phone-document-refused': data('Błędny numer dokumentu', 'Wrong document number'),
  'phone-email-confirmed': data('Potwierdzony kod z\u00a0e-maila', 'Code from the e-mail confirmed'),
  'phone-confirmed': data('Potwierdzony numer telefonu', 'Phone number confirmed'),
  'phone-corrected': data(
    'Poprawiony numer telefonu przed potwierdzeniem',
    'Phone number corrected before its confirmation',
  ),
  'customer-contact-changed': data(
    'E-mail lub numer telefonu zmieniony przez dostawcę, sesje zakończone',
    'E-mail or phone number changed by the provider, sessions ended',
  ),
  'phone-changed': data('Zmieniony numer telefonu', 'Phone number changed'),
  'signing-awaited': documents('Usługa podpisu czeka na potwierdzenie', 'Signing service awaits a confirmation'),
  'signing-cancelled': documents(
    'Przerwane potwierdzanie w\u00a0usłudze podpisu',
    'Confirmation at the signing service cancelled',
  ),
  'signing-refused': documents('Usługa podpisu nie złożyła podpisu', 'Signing service made no signature'),
  'signing-voided': documents('Unieważnione podpisywanie', 'Signing voided'),
  'renewal-opened': certificates('Rozpoczęte odnowienie podpisu', 'Renewal of a signature started'),
  'renewal-parameters-fixed': certificates('Wybrane ustawienia odnowienia', 'Settings of a renewal chosen'),
  'renewal-document-entered': certificates(
    'Podany dokument tożsamości do odnowienia',
    'Identity document for a renewal entered',
  ),
  'renewal-document-judged': certificates(
    'Sprawdzony dokument tożsamości do odnowienia',
    'Identity document for a renewal checked',
  ),
  'renewal-shortening-accepted': certificates('Zaakceptowana krótsza ważność', 'Shorter validity accepted'),
  'renewal-data-confirmed': certificates('Potwierdzone dane do odnowienia', 'Data for a renewal confirmed'),
  'renewal-returned': certificates('Powrót do danych odnowienia', 'Back to the data of a renewal'),
  'renewal-agreement-stored': certificates('Przygotowana umowa odnowienia', 'Agreement of a renewal prepared'),
  'renewal-agreement-downloaded': certificates('Pobrana umowa odnowienia', 'Agreement of a renewal downloaded'),
  'renewal-agreement-archived': certificates('Odnowiony znacznik czasu umowy', 'Timestamp of an agreement renewed'),
  'renewal-code-bound': certificates('Użyty kod odnowienia', 'Renewal code used'),
  'renewal-code-unbound': certificates('Zwolniony kod odnowienia', 'Renewal code released'),
  'renewal-authorised': certificates('Zlecony podpis umowy odnowienia', 'Signing of a renewal’s agreement ordered'),
  'renewal-declined': certificates('Odmowa podpisania umowy odnowienia', 'Signing of a renewal’s agreement declined'),
  'renewal-signed': certificates('Podpisana umowa odnowienia', 'Agreement of a renewal signed'),
  'renewal-signing-failed': certificates('Nieudany podpis umowy odnowienia', 'Signing of a renewal’s agreement failed'),
  'renewal-issued': certificates('Wydany nowy certyfikat', 'New certificate issued'),
  'renewal-failed': certificates('Nieudane odnowienie', 'Renewal failed'),
  'renewal-expired': certificates('Wygasłe odnowienie', 'Renewal expired'),
  'renewal-finished': certificates('Zakończone odnowienie', 'Renewal completed'),
  'filed-object-removed': certificates('Usunięte dane dodane przez pomyłkę', 'Data that was added by mistake removed'),
  'customers-searched': internal('Wyszukiwanie klientów', 'Search for customers'),
  'client-key-made': internal('Nowy klucz dostawcy', 'New client key'),
  'client-key-rotated': internal('Wymieniony klucz dostawcy', 'Client key rotated'),
  'client-key-revoked': internal('Unieważniony klucz dostawcy', 'Client key revoked'),
  'software-stored': internal('Zmienione oprogramowanie', 'Software changed'),
  'software-removed': internal('Usunięte oprogramowanie', 'Software removed'),
  'webhook-stored': internal('Zmieniony webhook', 'Webhook changed'),
  'webhook-removed': internal('Usunięty webhook', 'Webhook removed'),
  'webhook-secret-drawn': internal('Nowy sekret webhooka', 'New secret of a webhook'),
  'webhook-replayed': internal('Ponowione zdarzenia webhooka', 'Events of a webhook sent again'),
  'webhook-dead-letters-dropped': internal('Porzucone zdarzenia webhooka', 'Events of a webhook dropped'),
  'messages-resent': internal('Ponowione wiadomości', 'Messages sent again'),
  'messages-dropped': internal('Porzucone wiadomości', 'Messages dropped'),
  'audit-months-detached': internal('Odłączone miesiące dziennika', 'Months of the audit trail detached'),
  'audit-head-signed': internal('Podpisany koniec dziennika', 'End of the audit trail signed'),
  'keys-rotated': internal('Wymienione klucze', 'Keys rotated'),
  'alarm-raised': internal('Alarm', 'Alarm raised'),
} as const satisfies Record<string, Labels>

export type AuditAction = keyof typeof auditActions

/** The actions that a history shows: all of them, or those of one kind. */
export const auditActionsOf = (kind?: AuditActionKind): AuditAction[] =>
  keysOf(auditActions).filter((action) =>
    kind ? auditActions[action].kind === kind : auditActions[action].kind !== 'internal',
  )
