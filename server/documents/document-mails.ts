import type { Text } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { refusalText } from '../../contract/refusal-text.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { signsHere, type DocumentCaseRow } from './document-case-store.ts'

/** The occasions of a mail about a case (DOC-3, DOC-6). */
export type DocumentNews =
  | { news: 'waiting' | 'received' | 'countersigned' | 'canceled' }
  | { news: 'access-code'; code: string }
  | { news: 'refused'; refusal: NonNullable<DocumentCaseRow['refusal']> }

/** Notifies the owner of a case by mail, in the transaction of the change (R92), unless the page of documents is off (ERR-5). */
export async function notifyOfDocument(tx: Tx, portal: Portal, row: DocumentCaseRow, event: DocumentNews) {
  const { keys, settings } = portal
  if (settings.featuresOff.includes('documents')) return
  const mail = documentMail(settings, row, event, signsHere(portal, row))
  await enqueue(tx, keys, { channel: 'mail', to: row.email, ...mail })
}

type DocumentText = { subject: Text; paragraphs: (Text | { code: string })[]; note?: Text }

/** The values that the texts name. */
type About = {
  document: string
  company: string
  phone: string
  isSignedHere: boolean
  /** The access code, in the mail that sends it. */
  code?: string
  /** The reason, in the mail about a refusal. */
  refusal?: NonNullable<DocumentCaseRow['refusal']>
}

const texts: Record<DocumentNews['news'], (about: About) => DocumentText> = {
  waiting: ({ company, document, isSignedHere }) => ({
    subject: { pl: 'dokument do podpisania', en: 'a document to sign' },
    paragraphs: [
      {
        pl: `${company} przesyła Ci do podpisania dokument ${document}.`,
        en: `${company} has sent you document ${document} to sign.`,
      },
      {
        pl: `${isSignedHere ? 'Podpisz go w\u00a0portalu albo pobierz.' : 'Pobierz go z\u00a0portalu, podpisz w\u00a0swoim programie i\u00a0prześlij.'} Plik jest zaszyfrowany: po pobraniu wyślemy e-mailem kod, który go otwiera.`,
        en: `${isSignedHere ? 'Sign it in the portal, or download it.' : 'Download it from the portal, sign it in your own software and upload it.'} The file is encrypted: once you’ve downloaded it, we’ll e-mail you the code that opens it.`,
      },
    ],
  }),
  'access-code': ({ document, phone, code = '' }) => ({
    subject: { pl: 'kod do dokumentu', en: 'your document code' },
    paragraphs: [
      { pl: `Kod do dokumentu ${document}:`, en: `Code for document ${document}:` },
      { code },
      {
        pl: 'Wpisz go w\u00a0portalu, aby otworzyć dokument. Jeśli otwierasz pobrany plik, wpisz go z\u00a0myślnikami, gdy program zapyta o\u00a0hasło.',
        en: 'Enter it in the portal to open the document. If you’re opening the downloaded file, enter it with the dashes when your software asks for a password.',
      },
    ],
    note: {
      pl: `Nie podawaj nikomu tego kodu. To nie Ty otwierasz ten dokument? Zadzwoń: ${phone}.`,
      en: `Don’t share this code with anyone. Didn’t open this document? Call ${phone}.`,
    },
  }),
  received: ({ company, document }) => ({
    subject: { pl: 'mamy podpisany dokument', en: 'we have your signed document' },
    paragraphs: [
      {
        pl: `Dotarł do nas podpisany dokument ${document}. ${company} teraz go sprawdza.`,
        en: `We’ve received your signed document ${document}. ${company} is checking it now.`,
      },
      { pl: 'Napiszemy o\u00a0wyniku.', en: 'We’ll e-mail you the result.' },
    ],
  }),
  countersigned: ({ document }) => ({
    subject: { pl: 'dokument sprawdzony i\u00a0podpisany', en: 'document checked and signed' },
    paragraphs: [
      {
        pl: `Potwierdziliśmy Twój podpis na dokumencie ${document} i\u00a0dodaliśmy własny.`,
        en: `We’ve confirmed your signature on document ${document} and added our own.`,
      },
      {
        pl: 'Dokument z\u00a0podpisami obu stron pobierzesz z\u00a0portalu.',
        en: 'You can download the document, signed by both sides, from the portal.',
      },
    ],
  }),
  canceled: ({ document, phone }) => ({
    subject: { pl: 'sprawa została anulowana', en: 'your case was cancelled' },
    paragraphs: [
      {
        pl: `Anulowaliśmy sprawę dokumentu ${document}. Nie musisz nic robić.`,
        en: `We’ve cancelled the case for document ${document}. You don’t need to do anything.`,
      },
    ],
    note: { pl: `Pytania? Zadzwoń: ${phone}.`, en: `Questions? Call ${phone}.` },
  }),
  refused: ({ document, phone, refusal }) => {
    const { why, advice } = refusalText[refusal?.reason ?? 'other']
    return {
      subject: { pl: 'nie mogliśmy przyjąć dokumentu', en: 'we couldn’t accept your document' },
      paragraphs: [
        {
          pl: `Podpisany dokument ${document} nie przeszedł weryfikacji. ${why.pl}`,
          en: `Your signed document ${document} didn’t pass our checks. ${why.en}`,
        },
        ...(refusal?.note ? [refusal.note] : []),
        {
          pl: `${advice.pl} Ta sprawa jest zamknięta. Zadzwoń (${phone}), a\u00a0prześlemy Ci dokument jeszcze raz.`,
          en: `${advice.en} This case is closed. Call us on ${phone} and we’ll send you the document again.`,
        },
      ],
    }
  },
}

function documentMail(
  { brand, publicUrl }: Settings,
  { locale, document }: DocumentCaseRow,
  event: DocumentNews,
  isSignedHere: boolean,
) {
  const about = { ...event, document, isSignedHere, company: brand.company, phone: brand.phone }
  const { subject, paragraphs, note } = texts[event.news](about)
  return renderMail(locale, brand, {
    subject: subject[locale],
    paragraphs: paragraphs.map((text) => ('code' in text ? text : text[locale])),
    action: {
      label: { pl: 'Zobacz dokumenty', en: 'View your documents' }[locale],
      url: publicUrl + inLocale(locale, pages.documents.path),
    },
    ...(note && { note: note[locale] }),
  })
}
