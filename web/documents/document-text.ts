import type { DocumentCase, DocumentStatus, RefusalReason } from '../../contract/documents.ts'
import type { Locale, Text } from '../../contract/enums.ts'

/** Returns the next step for the details of a case; `signHere`: the portal can sign it (DOC-10). */
export const nextOf = ({ status, signHere }: Pick<DocumentCase, 'status' | 'signHere'>): Text =>
  (signHere && signHereText[status]) || nextText[status]

const signHereText: Partial<Record<DocumentStatus, Text>> = {
  'passed-to-subscriber': {
    pl: 'Naciśnij „Przeczytaj i\u00a0podpisz”, przeczytaj dokument i\u00a0podpisz go kodem z\u00a0SMS-a. Kod do dokumentu wyślemy e-mailem.',
    en: 'Press “Read and sign”, read the document, and sign it with the code from a text message. We’ll e-mail you the document code.',
  },
  'subscriber-downloaded': {
    pl: 'Naciśnij „Przeczytaj i\u00a0podpisz” albo podpisz plik swoim programem i\u00a0prześlij go. Kod do dokumentu wysłaliśmy e-mailem.',
    en: 'Press “Read and sign”, or sign the file with your own software and upload it. We’ve e-mailed you the document code.',
  },
}

const nextText: Record<DocumentStatus, Text> = {
  'passed-to-subscriber': {
    pl: 'Pobierz dokument. Kod do dokumentu wyślemy e-mailem.',
    en: 'Download the document. We’ll e-mail you the document code.',
  },
  'subscriber-downloaded': {
    pl: 'Podpisz dokument i\u00a0prześlij go. Kod do dokumentu wysłaliśmy e-mailem.',
    en: 'Sign the document and upload it. We’ve e-mailed you the document code.',
  },
  'subscriber-uploaded': {
    pl: 'Twój podpis czeka na potwierdzenie dostawcy. Wynik wyślemy e-mailem.',
    en: 'Your signature is waiting for the provider’s confirmation. We’ll e-mail you the result.',
  },
  'issuer-uploaded': {
    pl: 'Dokument ma podpisy obu stron. Pobierz go i\u00a0zachowaj.',
    en: 'Both sides have signed the document. Download it and keep it safe.',
  },
  finished: {
    pl: 'Sprawa jest zakończona. Dokument z\u00a0podpisami obu stron nadal możesz pobrać.',
    en: 'The case is complete. You can still download the document with both signatures.',
  },
  canceled: {
    pl: 'Sprawa jest zamknięta. Nie musisz nic robić.',
    en: 'The case is closed. You don’t need to do anything.',
  },
}

const newCopy = (pl: string, en: string): Text => ({
  pl: `Ta sprawa jest zamknięta. Zadzwoń po nowy egzemplarz, a\u00a0potem podpisz go ${pl}.`,
  en: `This case is closed. Call us for a new copy, then sign it ${en}.`,
})

/** Advice after a refusal: the case is closed, so the customer needs a new one. */
export const afterRefusal: Record<RefusalReason, Text> = {
  'signature-invalid': newCopy(
    'podpisem kwalifikowanym w\u00a0formacie PAdES',
    'with a qualified signature in the PAdES format',
  ),
  'certificate-invalid': newCopy('ważnym certyfikatem', 'with a valid certificate'),
  'other-signer': newCopy('własnym podpisem', 'with your own signature'),
  'other-document': newCopy('w\u00a0nowej sprawie', 'in its new case'),
  changed: newCopy('bez żadnych innych zmian', 'without changing anything else'),
  other: {
    pl: 'Ta sprawa jest zamknięta. Zadzwoń: powiemy, co zrobić.',
    en: 'This case is closed. Call us: we’ll tell you what to do.',
  },
}

/** Returns the object of an action for screen readers, such as `Umowa o podpis, U-20871`. */
export const documentDescription = ({ process, document }: DocumentCase): Text => ({
  pl: `${process.pl}, ${document}`,
  en: `${process.en}, ${document}`,
})

const fileKinds = {
  encrypted: { pl: 'zaszyfrowany', en: 'encrypted' },
  plain: { pl: 'do-podpisu', en: 'to-sign' },
  signed: { pl: 'podpisany', en: 'signed' },
} satisfies Record<string, Text>

/**
 * Returns a file name such as `dokument-U-20871-zaszyfrowany.pdf`, with only those characters of the provider's number that every file
 * system accepts (R49).
 */
export function fileName(locale: Locale, { document }: Pick<DocumentCase, 'document'>, kind: keyof typeof fileKinds) {
  const number = document.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  return `${[{ pl: 'dokument', en: 'document' }[locale], number, fileKinds[kind][locale]].filter(Boolean).join('-')}.pdf`
}
