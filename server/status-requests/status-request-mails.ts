import type { Locale, Text } from '../../contract/enums.ts'
import { productPhrase } from '../../contract/product-text.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import type { Tx } from '../platform/database/database.ts'
import { renderMail, pageLink, momentIn } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import { isChosenCountry } from '../platform/messages/sms-policy.ts'
import { statusRequestedBySms } from '../platform/messages/sms-text.ts'
import type { Portal } from '../platform/portal.ts'
import { listRecipients, targetOf, type NoticedCertificate, type StatusRequestRow } from './status-request-store.ts'

type News = 'requested' | 'done' | 'refused'

/**
 * Notifies the owner of a signature, or every active Administrator of a seal, in the transaction of the change (STP-6).
 * A text message says only that something was requested, while somebody who did not request it can still act. The
 * report of a lost phone has one mail for all of its requests, and no text message (STP-7).
 */
export async function notifyOfRequest(tx: Tx, portal: Portal, request: StatusRequestRow, news: News): Promise<void> {
  if (news === 'requested' && request.reason === 'phone-lost') return
  const { keys, settings } = portal
  const target = targetOf(request)
  for (const { locale, email, phone, ...certificate } of await listRecipients(tx, keys, target)) {
    const mail = mailOf(portal, request, news, { locale, kind: target.kind, ...certificate })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...mail })
    if (news === 'requested' && phone !== null && isChosenCountry(settings, phone)) {
      const text = statusRequestedBySms(settings, locale, request.change)
      await enqueue(tx, keys, { channel: 'sms', kind: 'notice', to: phone, text })
    }
  }
}

type Addressee = { locale: Locale; kind: 'signature' | 'seal' } & NoticedCertificate

/** Writes a mail that names nobody, because mails are forwarded. */
function mailOf(
  { settings }: Portal,
  { change, deadline, note }: StatusRequestRow,
  news: News,
  { locale, kind, product, organisation, validTo }: Addressee,
) {
  const { brand } = settings
  const { subjects, paragraphs } = texts[news]
  const what = `${nouns[kind][locale]} ${productPhrase[product][locale]}${organisation === null ? '' : `, ${organisation}`}`
  const end = momentIn(locale, validTo)
  return renderMail(locale, brand, {
    subject: subjects[change][locale],
    paragraphs: [
      { pl: `Certyfikat: ${what}, ważny do ${end}.`, en: `Certificate: ${what}, valid until ${end}.` }[locale],
      ...paragraphs({ change, company: brand.company, deadline: momentIn(locale, deadline) }).map(
        (text) => text[locale],
      ),
      ...(note ? [note[locale]] : []),
    ],
    ...pageLink(
      settings,
      locale,
      kind === 'signature' ? 'signatures' : 'seals',
      { pl: 'Zobacz certyfikat', en: 'View the certificate' }[locale],
    ),
    note: {
      pl: `${news === 'refused' ? 'Pytania? Zadzwoń' : 'To nie Ty? Zadzwoń od razu'}: ${brand.phone}.`,
      en: `${news === 'refused' ? 'Questions? Call' : 'Not you? Call us right away:'} ${brand.phone}.`,
    }[locale],
  })
}

const nouns = { signature: { pl: 'podpis', en: 'signature' }, seal: { pl: 'pieczęć', en: 'seal' } }

const consequences: Record<StatusChange, Text> = {
  suspend: {
    pl: 'Podpisy i\u00a0pieczęcie złożone tym certyfikatem podczas zawieszenia są nieważne.',
    en: 'Signatures and seals made with this certificate during the suspension aren’t valid.',
  },
  resume: { pl: 'Certyfikatu można znowu używać.', en: 'The certificate can be used again.' },
  revoke: {
    pl: 'Unieważnionego certyfikatu nie można przywrócić. To, co podpisano nim wcześniej, jest nadal ważne.',
    en: 'A revoked certificate can’t be restored. What was signed with it before is still valid.',
  },
}

type Context = { change: StatusChange; company: string; deadline: string }

const texts: Record<News, { subjects: Record<StatusChange, Text>; paragraphs: (context: Context) => Text[] }> = {
  requested: {
    subjects: {
      suspend: { pl: 'zlecono zawieszenie certyfikatu', en: 'suspension of a certificate requested' },
      resume: { pl: 'zlecono cofnięcie zawieszenia certyfikatu', en: 'end of a suspension requested' },
      revoke: { pl: 'zlecono unieważnienie certyfikatu', en: 'revocation of a certificate requested' },
    },
    paragraphs: ({ company, deadline }) => [
      {
        pl: `${company} zmieni jego status najpóźniej ${deadline}. Wtedy napiszemy jeszcze raz.`,
        en: `${company} will change its status by ${deadline} at the latest. We’ll e-mail you again then.`,
      },
    ],
  },
  done: {
    subjects: {
      suspend: { pl: 'certyfikat jest zawieszony', en: 'certificate suspended' },
      resume: { pl: 'zawieszenie certyfikatu cofnięte', en: 'suspension of the certificate ended' },
      revoke: { pl: 'certyfikat jest unieważniony', en: 'certificate revoked' },
    },
    paragraphs: ({ change }) => [consequences[change]],
  },
  refused: {
    subjects: {
      suspend: { pl: 'certyfikat nie został zawieszony', en: 'certificate not suspended' },
      resume: { pl: 'zawieszenie certyfikatu nie zostało cofnięte', en: 'suspension of the certificate not ended' },
      revoke: { pl: 'certyfikat nie został unieważniony', en: 'certificate not revoked' },
    },
    paragraphs: ({ company }) => [
      {
        pl: `${company} nie może zmienić jego statusu. Nic się nie zmieniło.`,
        en: `${company} can’t change its status. Nothing has changed.`,
      },
    ],
  },
}
