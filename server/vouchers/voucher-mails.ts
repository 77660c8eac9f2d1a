import type { Locale, Text } from '../contract/enums.ts'
import { inLocale, pages } from '../contract/pages.ts'
import type { VoucherProcess } from '../contract/vouchers.ts'
import type { Tx } from './db.ts'
import { renderMail } from './mail-template.ts'
import { enqueue } from './outbox.ts'
import type { Portal, Settings } from './portal.ts'

/** What a customer is told of a case by e-mail: that it is open, and how it has ended (VCH-3, VCH-4). */
export type CaseNews = {
  news: 'opened' | 'finished-successfully' | 'finished-unsuccessfully'
  number: string
  process: VoucherProcess
  email: string
  locale: Locale
  /** The provider's own words. */
  note: Text | null
}

const applications: Record<VoucherProcess, Text> = {
  'cloud-certificate': { pl: 'wniosek o\u00a0certyfikat w\u00a0chmurze', en: 'application for a cloud certificate' },
  'card-certificate': { pl: 'wniosek o\u00a0certyfikat na karcie', en: 'application for a card certificate' },
  'cloud-seal': { pl: 'wniosek o\u00a0pieczęć w\u00a0chmurze', en: 'application for a cloud seal' },
  'card-seal': { pl: 'wniosek o\u00a0pieczęć na karcie', en: 'application for a card seal' },
}

/** Tells the owner of a case, in the transaction of what it tells of (R92). */
export async function tellOfCase(tx: Tx, { keys, settings }: Portal, told: CaseNews): Promise<void> {
  await enqueue(tx, keys, { channel: 'mail', to: told.email, ...caseMail(settings, told) })
}

function caseMail({ brand, publicUrl }: Settings, { news, number, process, locale, note }: CaseNews) {
  const { product, company, phone } = brand
  const { pl, en } = applications[process]
  const words: Record<CaseNews['news'], { subject: Text; paragraphs: Text[] }> = {
    opened: {
      subject: { pl: `${product}: sprawa ${number} jest otwarta`, en: `${product}: the case ${number} is open` },
      paragraphs: [
        {
          pl: `Kod voucher został użyty. Sprawa ${number}: ${pl}.`,
          en: `Your voucher code was used. Case ${number}: ${en}.`,
        },
        {
          pl: `${company} skontaktuje się z\u00a0Tobą w\u00a0sprawie dalszych kroków.`,
          en: `${company} will contact you about the next steps.`,
        },
      ],
    },
    'finished-successfully': {
      subject: {
        pl: `${product}: sprawa ${number} zakończona pomyślnie`,
        en: `${product}: the case ${number} has finished successfully`,
      },
      paragraphs: [
        {
          pl: `Sprawa ${number} (${pl}) zakończyła się pomyślnie.`,
          en: `The case ${number} (${en}) has finished successfully.`,
        },
      ],
    },
    'finished-unsuccessfully': {
      subject: {
        pl: `${product}: sprawa ${number} zakończona niepomyślnie`,
        en: `${product}: the case ${number} has finished unsuccessfully`,
      },
      paragraphs: [
        {
          pl: `Sprawa ${number} (${pl}) zakończyła się niepomyślnie.`,
          en: `The case ${number} (${en}) has finished unsuccessfully.`,
        },
        {
          pl: `Zadzwoń do nas (${phone}) i\u00a0podaj numer sprawy, a\u00a0powiemy, co zrobić dalej.`,
          en: `Call us (${phone}) with the number of the case and we will tell you what to do next.`,
        },
      ],
    },
  }
  const { subject, paragraphs } = words[news]
  return renderMail(locale, brand, {
    subject: subject[locale],
    paragraphs: [...paragraphs, ...(note ? [note] : [])].map((text) => text[locale]),
    action: {
      label: { pl: 'Zobacz swoje sprawy', en: 'See your cases' }[locale],
      url: publicUrl + inLocale(locale, pages.myCases.path),
    },
    note: {
      pl: `To nie Twoja sprawa albo masz pytania? Zadzwoń: ${phone}.`,
      en: `Not your case, or questions? Call ${phone}.`,
    }[locale],
  })
}
