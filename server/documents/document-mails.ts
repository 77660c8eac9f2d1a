import type { Locale, Text } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import type { CaseRow } from './document-case-store.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'

/** The occasions of a mail about a case (DOC-3, DOC-6). */
export type DocumentNews =
  | { news: 'waiting' | 'received' | 'countersigned' | 'canceled' }
  | { news: 'access-code'; code: string }
  | { news: 'refused'; refusal: NonNullable<CaseRow['refusal']> }

/** Notifies the owner of a case by mail, in the transaction of the change (R92). */
export async function notifyOfDocument(tx: Tx, { keys, settings }: Portal, row: CaseRow, event: DocumentNews) {
  await enqueue(tx, keys, { channel: 'mail', to: row.email, ...documentMail(settings, row, event) })
}

function documentMail({ brand, publicUrl }: Settings, { locale, document }: CaseRow, event: DocumentNews) {
  const { product, company, phone } = brand
  const texts: { subject: Text; paragraphs: Text[]; note?: Text } = {
    waiting: () => ({
      subject: { pl: `${product}: dokument do podpisania`, en: `${product}: a document to sign` },
      paragraphs: [
        {
          pl: `${company} przesyła Ci do podpisania dokument ${document}.`,
          en: `${company} sends you the document ${document} to sign.`,
        },
        {
          pl: 'Pobierz go z\u00a0portalu. Plik jest zaszyfrowany: po pobraniu wyślemy e-mailem kod, który go otwiera.',
          en: 'Download it from the portal. The file is encrypted: once you have downloaded it, we send the code that opens it by e-mail.',
        },
      ],
    }),
    'access-code': () => {
      const code = event.news === 'access-code' ? event.code : ''
      return {
        subject: { pl: `${product}: kod dostępu do dokumentu`, en: `${product}: access code of your document` },
        paragraphs: [
          { pl: `Kod dostępu do dokumentu ${document}:`, en: `Access code of the document ${document}:` },
          { pl: code, en: code },
          {
            pl: 'Wpisz go razem z\u00a0myślnikami, gdy program zapyta o\u00a0hasło do pliku.',
            en: 'Enter it with its dashes when your program asks for the password of the file.',
          },
        ],
        note: {
          pl: `Nikomu nie podawaj tego kodu. Nie pobierano tego dokumentu? Zadzwoń: ${phone}.`,
          en: `Do not give this code to anyone. Did you not download this document? Call ${phone}.`,
        },
      }
    },
    received: () => ({
      subject: { pl: `${product}: mamy podpisany dokument`, en: `${product}: we have your signed document` },
      paragraphs: [
        {
          pl: `Dotarł do nas podpisany dokument ${document}. ${company} teraz go sprawdza.`,
          en: `Your signed document ${document} has reached us. ${company} is verifying it now.`,
        },
        { pl: 'O\u00a0wyniku napiszemy.', en: 'We will write to you about the result.' },
      ],
    }),
    countersigned: () => ({
      subject: {
        pl: `${product}: dokument sprawdzony i\u00a0podpisany`,
        en: `${product}: document verified and signed`,
      },
      paragraphs: [
        {
          pl: `${company} potwierdza Twój podpis na dokumencie ${document} i\u00a0dodaje własny.`,
          en: `${company} confirms your signature on the document ${document} and has added its own.`,
        },
        {
          pl: 'Dokument z\u00a0podpisami obu stron możesz pobrać z\u00a0portalu.',
          en: 'You can download the document with the signatures of both sides from the portal.',
        },
      ],
    }),
    canceled: () => ({
      subject: { pl: `${product}: sprawa została anulowana`, en: `${product}: the case was cancelled` },
      paragraphs: [
        {
          pl: `${company} anuluje sprawę dokumentu ${document}. Nie trzeba nic robić.`,
          en: `${company} has cancelled the case of the document ${document}. There is nothing to do.`,
        },
      ],
      note: { pl: `Pytania? Zadzwoń: ${phone}.`, en: `Questions? Call ${phone}.` },
    }),
    refused: () => {
      const refusal = event.news === 'refused' ? event.refusal : undefined
      const { why, advice } = refusalText[refusal?.reason ?? 'other']
      return {
        subject: {
          pl: `${product}: nie mogliśmy przyjąć dokumentu`,
          en: `${product}: we could not take your document`,
        },
        paragraphs: [
          {
            pl: `Podpisany dokument ${document} nie przeszedł weryfikacji. ${why.pl}`,
            en: `The signed document ${document} did not pass verification. ${why.en}`,
          },
          ...(refusal?.note ? [refusal.note] : []),
          {
            pl: `${advice.pl} Ta sprawa jest zamknięta. Zadzwoń do nas, a\u00a0przekażemy Ci dokument jeszcze raz.`,
            en: `${advice.en} This case is closed. Call us and we will send you the document again.`,
          },
        ],
        note: { pl: `Pytania? Zadzwoń: ${phone}.`, en: `Questions? Call ${phone}.` },
      }
    },
  }[event.news]()
  return inLanguage(locale, { brand, url: publicUrl + inLocale(locale, pages.documents.path) }, texts)
}

function inLanguage(
  locale: Locale,
  { brand, url }: { brand: Settings['brand']; url: string },
  { subject, paragraphs, note }: { subject: Text; paragraphs: Text[]; note?: Text },
) {
  return renderMail(locale, brand, {
    subject: subject[locale],
    paragraphs: paragraphs.map((text) => text[locale]),
    action: { label: { pl: 'Zobacz dokumenty', en: 'See your documents' }[locale], url },
    ...(note ? { note: note[locale] } : {}),
  })
}
