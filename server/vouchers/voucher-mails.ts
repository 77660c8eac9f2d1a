import type { Locale, Text } from '../../contract/enums.ts'
import { processText, type VoucherProcess } from '../../contract/vouchers.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail, pageLink } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'

/** The content of a mail to a customer about a case: that it is open, or how it has ended (VCH-3, VCH-4). */
export type CaseNotice = {
  event: 'opened' | 'finished-successfully' | 'finished-unsuccessfully'
  number: string
  process: VoucherProcess
  email: string
  locale: Locale
  /** The provider's own words. */
  note: Text | null
}

/** Returns the name of a process as written within a sentence. */
const inSentence = (name: string) => name[0]!.toLowerCase() + name.slice(1)

/** Notifies the owner of a case, in the transaction that changes it (R92). */
export async function notifyOfCase(tx: Tx, { keys, settings }: Portal, notice: CaseNotice): Promise<void> {
  await enqueue(tx, keys, { channel: 'mail', to: notice.email, ...caseMail(settings, notice) })
}

function caseMail(settings: Settings, { event, number, process, locale, note }: CaseNotice) {
  const { brand } = settings
  const { phone } = brand
  const [pl, en] = [inSentence(processText[process].pl), inSentence(processText[process].en)]
  const texts: Record<CaseNotice['event'], { subject: Text; paragraphs: Text[] }> = {
    opened: {
      subject: { pl: `sprawa ${number} jest otwarta`, en: `case ${number} is open` },
      paragraphs: [
        {
          pl: `Użyto Twojego kodu voucher. Otworzyliśmy sprawę ${number}: ${pl}.`,
          en: `Your voucher code was used. We’ve opened case ${number}: ${en}.`,
        },
        {
          pl: 'Skontaktujemy się z\u00a0Tobą i\u00a0powiemy, co dalej.',
          en: 'We’ll contact you about the next steps.',
        },
      ],
    },
    'finished-successfully': {
      subject: { pl: `sprawa ${number} jest zakończona`, en: `case ${number} is complete` },
      paragraphs: [{ pl: `Sprawa ${number} (${pl}) jest zakończona.`, en: `Case ${number} (${en}) is complete.` }],
    },
    'finished-unsuccessfully': {
      subject: { pl: `sprawy ${number} nie zrealizowano`, en: `case ${number} was unsuccessful` },
      paragraphs: [
        { pl: `Sprawy ${number} (${pl}) nie udało się zrealizować.`, en: `Case ${number} (${en}) was unsuccessful.` },
        {
          pl: `Zadzwoń (${phone}) i\u00a0podaj numer sprawy: powiemy, co zrobić dalej.`,
          en: `Call us on ${phone}, give the case number, and we’ll tell you what to do next.`,
        },
      ],
    },
  }
  const { subject, paragraphs } = texts[event]
  return renderMail(locale, brand, {
    subject: subject[locale],
    paragraphs: [...paragraphs, ...(note ? [note] : [])].map((text) => text[locale]),
    ...pageLink(settings, locale, 'myCases', { pl: 'Zobacz swoje sprawy', en: 'View your cases' }[locale]),
    note: {
      pl: `To nie Twoja sprawa? Masz pytania? Zadzwoń: ${phone}.`,
      en: `Not your case? Any questions? Call ${phone}.`,
    }[locale],
  })
}
