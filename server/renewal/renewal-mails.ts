import type { Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { agreementName } from '../../contract/product-text.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail, pageLink } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { RenewalRow } from './renewal-store.ts'

const newsThatAsksToContinue: readonly RenewalNews[] = ['unsigned', 'document-confirmed', 'document-refused']

export type RenewalNews = 'signed' | 'unsigned' | 'issued' | 'failed' | 'document-confirmed' | 'document-refused'

/**
 * Notifies the owner of a renewal by mail, in the transaction of the change (R92). While renewals are off, nothing asks
 * the customer to go on (ERR-5).
 */
export async function notifyOfRenewal(
  tx: Tx,
  { keys, settings }: Portal,
  { id, person }: Pick<RenewalRow, 'id' | 'person'>,
  news: RenewalNews,
) {
  if (settings.featuresOff.includes('renewal') && newsThatAsksToContinue.includes(news)) return
  const { brand } = settings
  const { locale, email } = person
  const { subject, paragraphs, note } = textsOf(settings)[news]
  const mail = renderMail(locale, brand, {
    subject: subject[locale],
    paragraphs: paragraphs.map((text) => text[locale]),
    ...pageLink(
      settings,
      locale,
      'renewal',
      { pl: 'Zobacz odnowienie', en: 'View your renewal' }[locale],
      pages.renewal.path.replace(':uid', id),
    ),
    ...(note && { note: note[locale] }),
  })
  await enqueue(tx, keys, { channel: 'mail', to: email, ...mail })
}

const textsOf = ({
  brand: { company, phone },
  featuresOff,
}: Portal['settings']): Record<RenewalNews, { subject: Text; paragraphs: Text[]; note?: Text }> => ({
  signed: {
    subject: { pl: 'umowa podpisana', en: 'agreement signed' },
    paragraphs: [
      { pl: `„${agreementName.pl}” jest podpisana.`, en: `Your “${agreementName.en}” is signed.` },
      {
        pl: `${company} wydaje teraz certyfikat. Napiszemy, gdy będzie gotowy.`,
        en: `${company} is now issuing the certificate. We’ll e-mail you when it’s ready.`,
      },
    ],
    note: {
      pl: `To nie Twój podpis pod umową? Zadzwoń od razu: ${phone}.`,
      en: `Didn’t sign this agreement? Call us right away: ${phone}.`,
    },
  },
  unsigned: {
    subject: { pl: 'umowa nie została podpisana', en: 'agreement not signed' },
    paragraphs: [
      {
        pl: `Mimo poprawnego kodu SMS nie udało się podpisać umowy „${agreementName.pl}”. Nic nie zostało podpisane.`,
        en: `Your text-message code was correct, but your “${agreementName.en}” couldn’t be signed. Nothing has been signed.`,
      },
      {
        pl: 'Umowa czeka w\u00a0portalu. Podpisz ją nowym kodem.',
        en: 'The agreement is waiting in the portal. Sign it again with a new code.',
      },
    ],
    note: { pl: `Pytania? Zadzwoń: ${phone}.`, en: `Questions? Call ${phone}.` },
  },
  issued: {
    subject: { pl: 'nowy podpis jest gotowy', en: 'your new signature is ready' },
    paragraphs: [
      { pl: 'Wydaliśmy Ci nowy certyfikat podpisu.', en: 'We’ve issued your new certificate.' },
      ...(featuresOff.includes('signatures')
        ? []
        : [
            {
              pl: 'W\u00a0portalu sprawdzisz, od kiedy działa, i\u00a0połączysz go z\u00a0aplikacją.',
              en: 'In the portal you can see when it becomes valid, and connect it to the app.',
            },
          ]),
    ],
  },
  failed: {
    subject: { pl: 'nie mogliśmy wydać certyfikatu', en: 'we couldn’t issue the certificate' },
    paragraphs: [
      {
        pl: `${company} nie może wydać nowego certyfikatu. Obecny działa bez zmian.`,
        en: `${company} can’t issue the new certificate. Your current one works as before.`,
      },
    ],
    note: { pl: `Zadzwoń: ${phone}. Powiemy, co dalej.`, en: `Call ${phone}. We’ll tell you what happens next.` },
  },
  'document-confirmed': {
    subject: { pl: 'dokument tożsamości potwierdzony', en: 'identity document confirmed' },
    paragraphs: [
      {
        pl: 'Potwierdziliśmy nowe dane dokumentu tożsamości. Możesz wrócić do odnowienia.',
        en: 'We’ve confirmed the new details of your identity document. You can continue with the renewal.',
      },
    ],
  },
  'document-refused': {
    subject: { pl: 'sprawdź dane dokumentu tożsamości', en: 'check the details of your identity document' },
    paragraphs: [
      {
        pl: 'Nie mogliśmy potwierdzić nowych danych dokumentu tożsamości. Wpisz je jeszcze raz.',
        en: 'We couldn’t confirm the new details of your identity document. Enter them again.',
      },
    ],
    note: { pl: `Pytania? Zadzwoń: ${phone}.`, en: `Questions? Call ${phone}.` },
  },
})
