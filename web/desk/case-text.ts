import { featureOfCase, type CaseAction, type CaseKind } from '../../contract/desk/desk-cases.ts'
import { caseWaits, type CaseWait } from '../../contract/desk/desk-products.ts'
import type { DocumentStatus } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import type { RenewalState } from '../../contract/renewal.ts'
import type { CaseStatus } from '../../contract/vouchers.ts'
import { isOff } from '../app/config.ts'

export const caseKindText: Record<CaseKind, Text> = {
  renewal: { pl: 'Odnowienie podpisu', en: 'Renewal of a signature' },
  document: { pl: 'Dokument do podpisu', en: 'Document to sign' },
  voucher: { pl: 'Sprawa z\u00a0vouchera', en: 'Voucher case' },
}

const whoText: Record<(typeof caseWaits)[CaseWait], Text> = {
  customer: { pl: 'Czeka na klienta', en: 'Waiting for the customer' },
  provider: { pl: 'Czeka na dostawcę', en: 'Waiting for the provider' },
  'signing-service': { pl: 'Czeka na usługę podpisu', en: 'Waiting for the signing service' },
}
export const waitsFor = (wait: CaseWait): Text => whoText[caseWaits[wait]]

const isCaseOff = (kind: CaseKind) => isOff(featureOfCase[kind])

/** Returns that the customer gets a mail about a decision, with a space before it; nothing while such cases are off (ERR-5). */
export const mailFollows = (kind: CaseKind): Text =>
  isCaseOff(kind) ? { pl: '', en: '' } : { pl: ' Klient dostanie e-mail.', en: ' The customer gets an e-mail.' }

/** Returns what a case waits for, and what helps. */
export function caseWaitText(kind: CaseKind, wait: CaseWait): { what: Text; help: Text } {
  const { what, help, helpOff = help } = waitTexts[wait]
  // The issued certificate is in the list of signatures.
  if (!(wait === 'renewal-app' ? isOff('signatures') : isCaseOff(kind))) return { what, help }
  return { what, help: caseWaits[wait] === 'customer' ? cannotGoOn : helpOff }
}

const cannotGoOn: Text = {
  pl: 'Ta część portalu jest wyłączona, więc klient nie może iść dalej.',
  en: 'This part of the portal is switched off, so the customer can’t go on.',
}

/** `helpOff`: what helps while such cases are off, if it is something else. */
const waitTexts: Record<CaseWait, { what: Text; help: Text; helpOff?: Text }> = {
  'renewal-choices': {
    what: { pl: 'Klient wybiera ustawienia odnowienia.', en: 'The customer chooses the options of the renewal.' },
    help: {
      pl: 'Klient wraca do odnowienia ze strony głównej portalu.',
      en: 'The customer goes on with the renewal from the home page of the portal.',
    },
  },
  'renewal-data': {
    what: { pl: 'Klient sprawdza i\u00a0potwierdza swoje dane.', en: 'The customer checks and confirms their data.' },
    help: {
      pl: 'Jeśli dane są błędne, klient podaje w\u00a0odnowieniu nowy dokument tożsamości.',
      en: 'If the data are wrong, the customer enters another identity document in the renewal.',
    },
  },
  'renewal-signature': {
    what: { pl: 'Klient podpisuje umowę kodem SMS.', en: 'The customer signs the agreement with an SMS code.' },
    help: {
      pl: 'Umowa czeka w\u00a0odnowieniu. Jeśli SMS nie dotarł, sprawdź przyczynę na karcie klienta.',
      en: 'The agreement is in the renewal. If no text message came, the page of the customer has the cause.',
    },
  },
  'renewal-signature-again': {
    what: {
      pl: 'Poprzedni podpis się nie udał. Klient podpisuje umowę nowym kodem.',
      en: 'The signature has failed. The customer signs the agreement with a new code.',
    },
    help: {
      pl: 'Klient otwiera odnowienie i\u00a0zamawia nowy kod. Możesz mu o\u00a0tym przypomnieć.',
      en: 'The customer opens the renewal and asks for a new code. You can remind them.',
    },
  },
  'renewal-app': {
    what: {
      pl: 'Certyfikat jest wydany. Klient łączy go z\u00a0aplikacją.',
      en: 'The certificate is issued. The customer connects it to the app.',
    },
    help: { pl: 'Klient robi to na liście podpisów.', en: 'The customer does so from the list of signatures.' },
  },
  'identity-check': {
    what: {
      pl: 'Nowy dokument tożsamości czeka na sprawdzenie.',
      en: 'The new identity document has not been checked yet.',
    },
    help: {
      pl: 'Sprawdza go dostawca. Klient dostanie e-mail z\u00a0wynikiem.',
      en: 'The provider checks it. The customer gets the result by e-mail.',
    },
    helpOff: { pl: 'Sprawdza go dostawca.', en: 'The provider checks it.' },
  },
  agreement: {
    what: { pl: 'Umowa odnowienia jest przygotowywana.', en: 'The agreement of the renewal is being made.' },
    help: {
      pl: 'Przygotowuje ją system dostawcy. Jeśli trwa to dłużej niż kilka minut, zgłoś to administratorowi.',
      en: 'The provider’s system makes it. If it takes more than a few minutes, tell an administrator.',
    },
  },
  certificate: {
    what: {
      pl: 'Umowa jest podpisana, certyfikat czeka na wydanie.',
      en: 'The agreement is signed, and the certificate is to be issued.',
    },
    help: {
      pl: 'Certyfikat wydaje dostawca. Klient dostanie e-mail, gdy będzie gotowy.',
      en: 'The provider issues the certificate. The customer gets an e-mail when it’s ready.',
    },
  },
  'signing-service': {
    what: {
      pl: 'Kod jest poprawny, a\u00a0podpis pod umową jeszcze nie powstał.',
      en: 'The code was right, and the agreement has no signature yet.',
    },
    help: {
      pl: 'Portal ponawia próbę sam. Możesz ją ponowić od razu albo umożliwić klientowi podpisanie nowym kodem.',
      en: 'The portal tries again by itself. You can have it try now, or let the customer sign with a new code.',
    },
    helpOff: { pl: 'Portal ponawia próbę sam.', en: 'The portal tries again by itself.' },
  },
  'document-content': {
    what: { pl: 'Dokument jest przygotowywany.', en: 'The document is being made.' },
    help: { pl: 'Dodaje go system dostawcy.', en: 'The provider’s system files it.' },
  },
  'document-signature': {
    what: { pl: 'Dokument czeka na podpis klienta.', en: 'The document is to be signed by the customer.' },
    help: {
      pl: 'Jest na stronie „Dokumenty”. Możesz przypomnieć o\u00a0nim e-mailem.',
      en: 'It is on the “Documents” page. You can remind the customer by e-mail.',
    },
  },
  'document-upload': {
    what: {
      pl: 'Klient pobrał dokument; czeka on na podpis.',
      en: 'The customer has downloaded the document, which is to be signed.',
    },
    help: {
      pl: 'Kod otwierający plik jest w\u00a0e-mailu; klient może zamówić nowy kod na stronie „Dokumenty”.',
      en: 'The code that opens the file is in an e-mail; the customer can ask for it again on the “Documents” page.',
    },
  },
  'document-check': {
    what: {
      pl: 'Klient podpisał dokument, który czeka na sprawdzenie.',
      en: 'The customer has signed the document, which is being checked.',
    },
    help: { pl: 'Sprawdza go i\u00a0podpisuje dostawca.', en: 'The provider checks and signs it.' },
  },
  'document-end': {
    what: { pl: 'Dokument ma podpisy obu stron.', en: 'The document has the signatures of both sides.' },
    help: {
      pl: 'Klient może go pobrać. Sprawę zamyka dostawca.',
      en: 'The customer can download it. The provider closes the case.',
    },
    helpOff: { pl: 'Sprawę zamyka dostawca.', en: 'The provider closes the case.' },
  },
  'voucher-case': {
    what: { pl: 'Sprawa jest w\u00a0toku u\u00a0dostawcy.', en: 'The provider is working on the case.' },
    help: {
      pl: 'Następny krok należy do dostawcy, który skontaktuje się z\u00a0klientem.',
      en: 'The provider takes the next step and contacts the customer.',
    },
  },
}

export const renewalStateText: Record<RenewalState, Text> = {
  parameters: { pl: 'Wybór ustawień', en: 'Choosing the options' },
  'personal-data': { pl: 'Potwierdzanie danych', en: 'Confirming the data' },
  signing: { pl: 'Podpisywanie umowy', en: 'Signing the agreement' },
  authorised: { pl: 'Umowa jest podpisywana', en: 'Agreement being signed' },
  signed: { pl: 'Umowa podpisana', en: 'Agreement signed' },
  issued: { pl: 'Certyfikat wydany', en: 'Certificate issued' },
  finished: { pl: 'Zakończone', en: 'Completed' },
  declined: { pl: 'Klient odmówił podpisu', en: 'Declined by the customer' },
  expired: { pl: 'Wygasło', en: 'Expired' },
  failed: { pl: 'Certyfikatu nie wydano', en: 'Certificate not issued' },
}

export const documentStateText: Record<DocumentStatus, Text> = {
  'passed-to-subscriber': { pl: 'Przekazany klientowi', en: 'Passed to the customer' },
  'subscriber-downloaded': { pl: 'Pobrany', en: 'Downloaded' },
  'subscriber-uploaded': { pl: 'Podpisany przez klienta', en: 'Signed by the customer' },
  'issuer-uploaded': { pl: 'Podpisany przez obie strony', en: 'Signed by both sides' },
  finished: { pl: 'Zakończony', en: 'Completed' },
  canceled: { pl: 'Anulowany', en: 'Cancelled' },
}

export const refusedText: Text = { pl: 'Odrzucony', en: 'Refused' }

export const voucherStateText: Record<CaseStatus, Text> = {
  'in-progress': { pl: 'W\u00a0toku', en: 'In progress' },
  'finished-successfully': { pl: 'Zakończona', en: 'Completed' },
  'finished-unsuccessfully': { pl: 'Niezrealizowana', en: 'Unsuccessful' },
}

export function caseStateText(kind: CaseKind, state: string, isRefused: boolean): Text {
  if (kind === 'renewal') return renewalStateText[state as RenewalState]
  if (kind === 'voucher') return voucherStateText[state as CaseStatus]
  return isRefused ? refusedText : documentStateText[state as DocumentStatus]
}

export const caseActionText: Record<CaseAction, { label: Text; done: Text }> = {
  'send-notice': {
    label: { pl: 'Wyślij powiadomienie ponownie', en: 'Send the notice again' },
    done: { pl: 'Powiadomienie wysłane.', en: 'The notice was sent.' },
  },
  'retry-signing': {
    label: { pl: 'Ponów zlecenie w\u00a0usłudze podpisu', en: 'Ask the signing service again' },
    done: { pl: 'Zlecenie ponowione.', en: 'The signing service has been asked again.' },
  },
  'sign-again': {
    label: { pl: 'Pozwól podpisać nowym kodem', en: 'Let the customer sign again' },
    done: {
      pl: 'Klient może podpisać umowę nowym kodem. Wysłaliśmy mu e-mail.',
      en: 'The customer can sign the agreement with a new code. We have sent an e-mail.',
    },
  },
}
