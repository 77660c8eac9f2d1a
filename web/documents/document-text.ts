import type { DocumentCase, DocumentStatus } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'

/** What comes next, in the details of a case; `signHere` where the portal can sign it (DOC-10). */
export const nextOf = ({ status, signHere }: Pick<DocumentCase, 'status' | 'signHere'>): Text =>
  (signHere && signHereText[status]) || nextText[status]

const signHereText: Partial<Record<DocumentStatus, Text>> = {
  'passed-to-subscriber': {
    pl: 'Naciśnij „Podpisz tutaj”, przeczytaj dokument i\u00a0podpisz go kodem z\u00a0SMS-a. Kod do otwarcia pliku wyślemy e-mailem.',
    en: 'Press “Sign here”, read the document, and sign it with the code from a text message. We will send the code that opens the file by e-mail.',
  },
  'subscriber-downloaded': {
    pl: 'Naciśnij „Podpisz tutaj” albo podpisz plik swoim programem i\u00a0prześlij go. Kod do otwarcia pliku wysłaliśmy e-mailem.',
    en: 'Press “Sign here”, or sign the file with your own program and upload it. We have sent the code that opens the file by e-mail.',
  },
}

const nextText: Record<DocumentStatus, Text> = {
  'passed-to-subscriber': {
    pl: 'Pobierz dokument. Kod do otwarcia pliku wyślemy e-mailem.',
    en: 'Download the document. We will send the code that opens the file by e-mail.',
  },
  'subscriber-downloaded': {
    pl: 'Podpisz dokument i\u00a0prześlij go z\u00a0powrotem. Kod do otwarcia pliku wysłaliśmy e-mailem.',
    en: 'Sign the document and send it back. We have sent the code that opens the file by e-mail.',
  },
  'subscriber-uploaded': {
    pl: 'Sprawdzamy Twój podpis. Wynik wyślemy e-mailem.',
    en: 'We are verifying your signature. We will send the result by e-mail.',
  },
  'issuer-uploaded': {
    pl: 'Dokument ma podpisy obu stron. Pobierz go i\u00a0zachowaj.',
    en: 'The document has the signatures of both sides. Download and keep it.',
  },
  finished: {
    pl: 'Sprawa jest zakończona. Dokument z\u00a0podpisami obu stron nadal możesz pobrać.',
    en: 'The case is completed. You can still download the document with both signatures.',
  },
  canceled: {
    pl: 'Sprawa jest zamknięta. Nie musisz nic robić.',
    en: 'The case is closed. There is nothing for you to do.',
  },
}

/** The case is closed, so the customer needs a new one. */
export const afterRefusal: Text = {
  pl: 'Ta sprawa jest zamknięta. Zadzwoń do nas, a\u00a0przekażemy Ci dokument jeszcze raz.',
  en: 'This case is closed. Call us and we will send you the document again.',
}

/** `Umowa o podpis, U-20871`: the object of an action, for screen readers. */
export const whichText = ({ process, document }: DocumentCase): Text => ({
  pl: `${process.pl}, ${document}`,
  en: `${process.en}, ${document}`,
})
