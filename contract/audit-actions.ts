import type { InternalAction } from './desk/internal-actions.ts'
import type { StaffAction } from './desk/staff-actions.ts'
import { type Text, keysOf } from './enums.ts'

export const auditActionKinds = ['sign-in', 'security', 'personal-data', 'certificates', 'documents'] as const
export type AuditActionKind = (typeof auditActionKinds)[number]

type Labels = Text & { kind: AuditActionKind }
const labels =
  (kind: Labels['kind']) =>
  (pl: string, en: string): Labels => ({ kind, pl, en })
const signIn = labels('sign-in')
const security = labels('security')
const data = labels('personal-data')
const certificates = labels('certificates')
const documents = labels('documents')

/**
 * The audit actions that a customer's history may show, each with its label there (AUT-9); those of the portal itself are in
 * `desk/internal-actions.ts`, so that no page of the customers has their texts. Auditors read the names on the left: never
 * rename one.
 */
export const auditActions = {
  'sign-in-refused': signIn('Próba logowania nie powiodła się: błędne hasło', 'Sign-in attempt failed: wrong password'),
  'sign-in-limit-reached': signIn(
    'Wstrzymano logowanie: za dużo błędnych haseł',
    'Sign-in paused: too many wrong passwords',
  ),
  'sign-in-finished': signIn('Zalogowano do portalu', 'Signed in to the portal'),
  'signed-out': signIn('Wylogowano', 'Signed out'),
  'session-extended': signIn('Przedłużono sesję', 'Session extended'),
  'session-ended': signIn('Wylogowano, bo zalogowano się gdzie indziej', 'Signed out: you signed in elsewhere'),
  'session-revoked': signIn('Zakończono inną sesję', 'Another session ended'),
  'code-sent': security('Wysłano kod SMS', 'Text-message code sent'),
  'code-refused': security('Wpisano błędny kod SMS', 'Wrong text-message code entered'),
  'code-limit-reached': security(
    'Unieważniono kod SMS po zbyt wielu błędach',
    'Text-message code cancelled after too many wrong attempts',
  ),
  'step-up-confirmed': security('Potwierdzono ważną czynność', 'Important action confirmed'),
  'passkey-added': security('Dodano klucz dostępu', 'Passkey added'),
  'passkey-renamed': security('Zmieniono nazwę klucza dostępu', 'Passkey renamed'),
  'passkey-removed': security('Usunięto klucz dostępu', 'Passkey removed'),
  'passkey-refused': security('Odrzucono klucz dostępu', 'Passkey refused'),
  'account-blocked': security('Zablokowano konto', 'Account blocked'),
  'account-unblocked': security('Odblokowano konto', 'Account unblocked'),
  'password-reset-requested': security(
    'Poproszono o\u00a0link do ustawienia nowego hasła',
    'Link for a new password requested',
  ),
  'lost-phone-link-requested': security(
    'Poproszono o\u00a0link po utracie telefonu',
    'Link for a lost phone requested',
  ),
  'lost-phone-document-refused': security(
    'Wpisano błędny numer dokumentu po utracie telefonu',
    'Wrong document number entered for a lost phone',
  ),
  'lost-phone-confirmed': security(
    'Zgłoszono utratę telefonu i\u00a0wylogowano ze wszystkich urządzeń',
    'Lost phone reported and all devices signed out',
  ),
  'password-set': security('Ustawiono hasło', 'Password set'),
  'password-changed': security('Zmieniono hasło', 'Password changed'),
  'customer-created': data('Założono konto', 'Account created'),
  'customer-updated': data('Zmieniono dane konta', 'Account data changed'),
  'customer-invited': data('Wysłano zaproszenie do portalu', 'Invitation to the portal sent'),
  'registration-requested': data('Poproszono o\u00a0założenie konta', 'Account requested'),
  'data-read-by-support': data('Pracownik pomocy odczytał Twoje dane', 'A support employee read your data'),
  'customer-erased': data('Usunięto dane konta', 'Account data erased'),
  'evidence-removed': data(
    'Usunięto dowody po czasie ich przechowywania',
    'Evidence removed after its retention period',
  ),
  'consent-given': data('Udzielono zgody', 'Consent given'),
  'consent-withdrawn': data('Wycofano zgodę', 'Consent withdrawn'),
  'activity-exported': data('Pobrano historię aktywności', 'Activity history downloaded'),
  'signature-reminder-sent': certificates(
    'Wysłano przypomnienie o\u00a0wygaśnięciu certyfikatu',
    'Certificate expiry reminder sent',
  ),
  'seal-recipient-named': certificates(
    'Podano drugi adres do przypomnień o\u00a0pieczęci',
    'Second address for seal reminders named',
  ),
  'seal-recipient-removed': certificates(
    'Usunięto drugi adres do przypomnień o\u00a0pieczęci',
    'Second address for seal reminders removed',
  ),
  'seal-reminder-sent': certificates('Wysłano przypomnienie o\u00a0wygaśnięciu pieczęci', 'Seal expiry reminder sent'),
  'reminders-switched': data(
    'Zmieniono przypomnienia o\u00a0wygaśnięciu certyfikatów',
    'Certificate expiry reminders changed',
  ),
  'calendar-address-made': data('Utworzono adres kalendarza', 'Calendar link created'),
  'calendar-address-revoked': data('Unieważniono adres kalendarza', 'Calendar link turned off'),
  'signature-stored': certificates('Zaktualizowano dane podpisu', 'Signature data updated'),
  'agreement-stored': certificates('Dodano umowę', 'Agreement added'),
  'agreement-downloaded': certificates('Pobrano umowę', 'Agreement downloaded'),
  'certificate-downloaded': certificates('Pobrano certyfikat', 'Certificate downloaded'),
  'pairing-started': certificates('Pokazano kod QR aplikacji', 'QR code for the app shown'),
  'pairing-requested': certificates('Poproszono o\u00a0kod QR aplikacji', 'QR code for the app requested'),
  'activation-stored': certificates('Przygotowano kod QR aplikacji', 'QR code for the app prepared'),
  'activation-secret-read': certificates(
    'Dostawca odczytał zaszyfrowany klucz aplikacji',
    'Encrypted app key read by the provider',
  ),
  'activation-secret-removed': certificates(
    'Usunięto klucz aplikacji z\u00a0portalu',
    'App key deleted from the portal',
  ),
  'pairing-confirmed': certificates('Połączono aplikację', 'App connected'),
  'pairing-refused': certificates('Wpisano błędny kod z\u00a0aplikacji', 'Wrong code from the app entered'),
  'suspension-requested': certificates('Zlecono zawieszenie certyfikatu', 'Suspension of a certificate requested'),
  'resumption-requested': certificates(
    'Zlecono cofnięcie zawieszenia certyfikatu',
    'End of the suspension of a certificate requested',
  ),
  'revocation-requested': certificates('Zlecono unieważnienie certyfikatu', 'Revocation of a certificate requested'),
  'certificate-suspended': certificates('Zawieszono certyfikat', 'Certificate suspended'),
  'certificate-resumed': certificates('Cofnięto zawieszenie certyfikatu', 'Suspension of a certificate ended'),
  'certificate-revoked': certificates('Unieważniono certyfikat', 'Certificate revoked'),
  'status-request-refused': certificates(
    'Odmówiono zmiany statusu certyfikatu',
    'Change of the status of a certificate refused',
  ),
  'status-request-replaced': certificates(
    'Zlecenie zmiany statusu zastąpiono innym',
    'Requested change of the status replaced by another',
  ),
  'suspension-kept': certificates(
    'Po utracie telefonu zawieszenia certyfikatu nie cofnie już kod',
    'After the lost phone, a code can no longer end the suspension of a certificate',
  ),
  'seal-stored': certificates('Zaktualizowano dane pieczęci', 'Seal data updated'),
  'seal-user-stored': certificates('Zaktualizowano dane użytkownika pieczęci', 'Seal user data updated'),
  'seal-users-exported': certificates('Pobrano listę użytkowników pieczęci', 'List of seal users downloaded'),
  'seal-user-invited': certificates('Zaproszono użytkownika pieczęci', 'Seal user invited'),
  'seal-user-removed': certificates('Usunięto użytkownika pieczęci', 'Seal user removed'),
  'seal-access-activated': certificates('Aktywowano dostęp do pieczęci', 'Access to a seal activated'),
  'timestamp-account-stored': certificates('Zaktualizowano dane konta znaczników', 'Timestamp account data updated'),
  'timestamp-package-stored': certificates('Zaktualizowano dane pakietu znaczników', 'Timestamp package data updated'),
  'timestamp-notice-sent': certificates('Wysłano przypomnienie o\u00a0pakiecie', 'Package reminder sent'),
  'timestamp-password-asked': certificates(
    'Zlecono zmianę hasła konta znaczników',
    'Change of a timestamp account password requested',
  ),
  'timestamp-password-changed': certificates('Zmieniono hasło konta znaczników', 'Timestamp account password changed'),
  'voucher-redeemed': certificates('Użyto kodu voucher', 'Voucher code used'),
  'voucher-code-refused': certificates('Wpisano błędny kod voucher', 'Wrong voucher code entered'),
  'voucher-limit-reached': certificates(
    'Wstrzymano wpisywanie kodów voucher: za dużo błędnych',
    'Voucher codes paused: too many wrong ones',
  ),
  'voucher-case-moved': certificates('Zmienił się status sprawy', 'Status of a case changed'),
  'document-case-stored': documents('Dodano sprawę z\u00a0dokumentem', 'Case with a document added'),
  'document-stored': documents('Dodano dokument', 'Document added'),
  'document-downloaded': documents('Pobrano dokument', 'Document downloaded'),
  'document-code-sent': documents('Wysłano kod do dokumentu', 'Document code sent'),
  'document-upload-checked': documents('Sprawdzono podpisany plik', 'Signed file checked'),
  'document-upload-confirmed': documents('Przesłano podpisany dokument', 'Signed document uploaded'),
  'document-signing-started': documents('Rozpoczęto podpisywanie dokumentu', 'Signing of a document started'),
  'document-signing-voided': documents(
    'Zakończono podpisywanie dokumentu bez podpisu',
    'Signing of a document ended without a signature',
  ),
  'document-signing-failed': documents('Nie udało się podpisać dokumentu', 'Signing of a document failed'),
  'document-signed-in-place': documents('Podpisano dokument w\u00a0portalu', 'Document signed in the portal'),
  'file-signing-started': documents('Rozpoczęto podpisywanie plików', 'Signing of files started'),
  'file-signing-confirmed': documents('Potwierdzono podpisanie plików', 'Signing of files confirmed'),
  'file-signing-voided': documents(
    'Zakończono podpisywanie plików bez podpisu',
    'Signing of files ended without a signature',
  ),
  'file-signing-failed': documents('Nie udało się podpisać plików', 'Signing of files failed'),
  'files-signed': documents('Podpisano pliki', 'Files signed'),
  'document-upload-fetched': documents('Dostawca odebrał dokument', 'Document received by the provider'),
  'document-upload-refused': documents('Odrzucono podpisany dokument', 'Signed document rejected'),
  'document-countersigned': documents('Dostawca podpisał dokument', 'Document signed by the provider'),
  'document-finished': documents('Zakończono sprawę z\u00a0dokumentem', 'Case with a document completed'),
  'document-canceled': documents('Anulowano sprawę z\u00a0dokumentem', 'Case with a document cancelled'),
  'document-signed-downloaded': documents(
    'Pobrano dokument podpisany przez obie strony',
    'Document signed by both sides downloaded',
  ),
  'data-export-requested': data('Zlecono kopię wszystkich danych', 'Copy of all your data requested'),
  'data-export-made': data('Przygotowano kopię wszystkich danych', 'Copy of all your data prepared'),
  'data-export-downloaded': data('Pobrano kopię wszystkich danych', 'Copy of all your data downloaded'),
  'data-export-removed': data('Usunięto kopię wszystkich danych', 'Copy of all your data removed'),
  'personal-data-revealed': data('Pokazano zasłonięte dane', 'Masked data shown'),
  'phone-change-started': data('Rozpoczęto zmianę numeru telefonu', 'Phone number change started'),
  'phone-change-canceled': data('Przerwano zmianę numeru telefonu', 'Phone number change cancelled'),
  'phone-change-blocked': data(
    'Zablokowano zmianę numeru telefonu: za dużo błędnych wpisów',
    'Phone number change blocked: too many wrong entries',
  ),
  'phone-document-confirmed': data('Potwierdzono numer dokumentu', 'Document number confirmed'),
  'phone-document-refused': data('Wpisano błędny numer dokumentu', 'Wrong document number entered'),
  'phone-email-confirmed': data('Potwierdzono kod z\u00a0e-maila', 'Code from the e-mail confirmed'),
  'phone-confirmed': data('Potwierdzono numer telefonu', 'Phone number confirmed'),
  'phone-corrected': data(
    'Poprawiono numer telefonu przed potwierdzeniem',
    'Phone number corrected before its confirmation',
  ),
  'customer-contact-changed': data(
    'Dostawca zmienił e-mail lub numer telefonu, sesje zakończono',
    'E-mail or phone number changed by the provider, sessions ended',
  ),
  'phone-changed': data('Zmieniono numer telefonu', 'Phone number changed'),
  'signing-awaited': documents(
    'Usługa podpisu poprosiła o\u00a0potwierdzenie',
    'Signing service asked for a confirmation',
  ),
  'signing-cancelled': documents(
    'Przerwano potwierdzanie w\u00a0usłudze podpisu',
    'Confirmation at the signing service cancelled',
  ),
  'signing-refused': documents('Usługa podpisu odmówiła podpisania', 'Signing service refused to sign'),
  'signing-voided': documents('Zakończono podpisywanie bez podpisu', 'Signing ended without a signature'),
  'renewal-opened': certificates('Rozpoczęto odnowienie podpisu', 'Renewal of a signature started'),
  'renewal-parameters-fixed': certificates('Wybrano ustawienia odnowienia', 'Renewal options chosen'),
  'renewal-document-entered': certificates(
    'Podano dokument tożsamości do odnowienia',
    'Identity document for a renewal entered',
  ),
  'renewal-document-judged': certificates(
    'Sprawdzono dokument tożsamości do odnowienia',
    'Identity document for a renewal checked',
  ),
  'renewal-shortening-accepted': certificates('Zaakceptowano krótszą ważność', 'Shorter validity accepted'),
  'renewal-data-confirmed': certificates('Potwierdzono dane do odnowienia', 'Data for a renewal confirmed'),
  'renewal-returned': certificates('Wrócono do danych odnowienia', 'Returned to the data of a renewal'),
  'renewal-agreement-stored': certificates('Przygotowano umowę odnowienia', 'Renewal agreement prepared'),
  'renewal-agreement-downloaded': certificates('Pobrano umowę odnowienia', 'Renewal agreement downloaded'),
  'renewal-agreement-archived': certificates('Odnowiono znacznik czasu umowy', 'Timestamp of an agreement renewed'),
  'renewal-code-bound': certificates('Wysłano kod do podpisania umowy', 'Code to sign the agreement sent'),
  'renewal-code-unbound': certificates(
    'Umowa zmieniła się przed podpisaniem',
    'Agreement changed before it was signed',
  ),
  'renewal-authorised': certificates('Zlecono podpis umowy odnowienia', 'Signing of the renewal agreement requested'),
  'renewal-declined': certificates(
    'Odmówiono podpisania umowy odnowienia',
    'Signing of the renewal agreement declined',
  ),
  'renewal-signed': certificates('Podpisano umowę odnowienia', 'Renewal agreement signed'),
  'renewal-signing-failed': certificates(
    'Nie udało się podpisać umowy odnowienia',
    'Signing of the renewal agreement failed',
  ),
  'renewal-issued': certificates('Wydano nowy certyfikat', 'New certificate issued'),
  'renewal-failed': certificates('Odnowienie nie powiodło się', 'Renewal failed'),
  'renewal-expired': certificates('Odnowienie wygasło', 'Renewal expired'),
  'renewal-finished': certificates('Zakończono odnowienie', 'Renewal completed'),
  'filed-object-removed': certificates('Usunięto dane dodane przez pomyłkę', 'Data added by mistake was removed'),
} as const satisfies Record<string, Labels>

/** An action that a customer's history may show. */
export type ShownAction = keyof typeof auditActions
export type AuditAction = ShownAction | InternalAction | StaffAction

/** Returns the actions that a history shows: all of them, or those of one kind. */
export const auditActionsOf = (kind?: AuditActionKind): ShownAction[] =>
  keysOf(auditActions).filter((action) => kind === undefined || auditActions[action].kind === kind)
