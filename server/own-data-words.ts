import type { ConsentKind } from '../contract/consent-statements.ts'
import type { DocumentStatus } from '../contract/documents.ts'
import type { DocumentType, IdentifierType, Locale, Text } from '../contract/enums.ts'
import type { RenewalState } from '../contract/renewal.ts'
import type { CaseStatus, VoucherProcess } from '../contract/vouchers.ts'

/** What the values of the file of all own data are called on paper; its JSON has the words of the database. */
export const productWords: Record<'app' | 'card' | 'file', Text> = {
  app: { pl: 'w\u00a0aplikacji mobilnej', en: 'in the mobile app' },
  card: { pl: 'na karcie', en: 'on a card' },
  file: { pl: 'w\u00a0pliku', en: 'in a file' },
}

export const certificateWords: Record<'good' | 'suspended' | 'revoked', Text> = {
  good: { pl: 'nieodwołany', en: 'not revoked' },
  suspended: { pl: 'zawieszony', en: 'suspended' },
  revoked: { pl: 'unieważniony', en: 'revoked' },
}

export const identifierWords: Record<IdentifierType, Text> = {
  PNO: { pl: 'numer osobisty (PESEL)', en: 'personal number (PESEL)' },
  TIN: { pl: 'numer podatkowy', en: 'tax number' },
  PAS: { pl: 'paszport', en: 'passport' },
  IDC: { pl: 'dowód osobisty', en: 'identity card' },
  ECN: { pl: 'numer od dostawcy', en: 'provider’s number' },
}

export const identityDocumentWords: Record<DocumentType, Text> = {
  DO: { pl: 'dowód osobisty', en: 'identity card' },
  PA: { pl: 'paszport', en: 'passport' },
  KP: { pl: 'karta pobytu', en: 'residence card' },
  MD: { pl: 'mDowód', en: 'mDowód (mobile identity card)' },
}

export const languageWords: Record<Locale, Text> = {
  pl: { pl: 'polski', en: 'Polish' },
  en: { pl: 'angielski', en: 'English' },
}

export const consentWords: Record<ConsentKind, Text> = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Informacja o\u00a0prywatności', en: 'Privacy notice' },
  marketing: { pl: 'Informacje handlowe', en: 'Marketing' },
}

export const roleWords: Record<'administrator' | 'user', Text> = {
  administrator: { pl: 'administrator', en: 'administrator' },
  user: { pl: 'użytkownik', en: 'user' },
}

export const accessWords: Record<'pending' | 'active' | 'deleted', Text> = {
  pending: { pl: 'oczekuje na aktywację', en: 'awaiting activation' },
  active: { pl: 'aktywny', en: 'active' },
  deleted: { pl: 'usunięty', en: 'removed' },
}

export const authenticationWords: Record<'basic' | 'cms', Text> = {
  basic: { pl: 'login i\u00a0hasło (Basic)', en: 'login and password (Basic)' },
  cms: { pl: 'certyfikat (PKCS#7/CMS)', en: 'certificate (PKCS#7/CMS)' },
}

export const packageWords: Record<'recurring' | 'one-time' | 'unlimited', Text> = {
  recurring: { pl: 'cykliczny, co miesiąc', en: 'recurring, monthly' },
  'one-time': { pl: 'jednorazowy', en: 'one-time' },
  unlimited: { pl: 'bez limitu', en: 'unlimited' },
}

export const documentWords: Record<DocumentStatus, Text> = {
  'passed-to-subscriber': { pl: 'przekazany do Ciebie', en: 'sent to you' },
  'subscriber-downloaded': { pl: 'pobrany, czeka na podpis', en: 'downloaded, awaiting signature' },
  'subscriber-uploaded': { pl: 'w\u00a0weryfikacji', en: 'being verified' },
  'issuer-uploaded': { pl: 'gotowy do pobrania', en: 'ready to download' },
  finished: { pl: 'zakończony', en: 'completed' },
  canceled: { pl: 'anulowany', en: 'cancelled' },
}

export const voucherWords: Record<VoucherProcess, Text> = {
  'cloud-certificate': { pl: 'Wniosek o\u00a0certyfikat w\u00a0chmurze', en: 'Cloud certificate application' },
  'card-certificate': { pl: 'Wniosek o\u00a0certyfikat na karcie', en: 'Card certificate application' },
  'cloud-seal': { pl: 'Wniosek o\u00a0pieczęć w\u00a0chmurze', en: 'Cloud seal application' },
  'card-seal': { pl: 'Wniosek o\u00a0pieczęć na karcie', en: 'Card seal application' },
}

export const caseWords: Record<CaseStatus, Text> = {
  'in-progress': { pl: 'w\u00a0toku', en: 'in progress' },
  'finished-successfully': { pl: 'zakończona pomyślnie', en: 'finished successfully' },
  'finished-unsuccessfully': { pl: 'zakończona niepomyślnie', en: 'finished unsuccessfully' },
}

export const renewalWords: Record<RenewalState, Text> = {
  parameters: { pl: 'krok 1: ustawienia', en: 'step 1: settings' },
  'personal-data': { pl: 'krok 2: dane osobowe', en: 'step 2: personal data' },
  signing: { pl: 'krok 3: podpisanie umowy', en: 'step 3: signing of the agreement' },
  authorised: { pl: 'umowa jest podpisywana', en: 'the agreement is being signed' },
  signed: { pl: 'umowa podpisana, certyfikat w\u00a0przygotowaniu', en: 'agreement signed, certificate being issued' },
  issued: { pl: 'certyfikat wydany', en: 'certificate issued' },
  finished: { pl: 'zakończone', en: 'completed' },
  declined: { pl: 'umowa nie została podpisana', en: 'signing declined' },
  expired: { pl: 'czas minął', en: 'expired' },
  failed: { pl: 'certyfikat nie został wydany', en: 'certificate not issued' },
}
