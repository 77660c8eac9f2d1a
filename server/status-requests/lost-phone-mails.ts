import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

type Answer = {
  /** Undefined where nothing can be suspended by a link. */
  token: string | undefined
  /** The signatures that can be suspended now. */
  certificates: number
  hasSeals: boolean
}

const minutes = limits.link.lostPhone / 60

/**
 * The mail to a customer who has lost the phone (STP-7), with the link or the number to call. The token is in the fragment of the address, and so in no request of
 * the page, log or referrer.
 */
export function lostPhoneMail(settings: Settings, locale: Locale, answer: Answer) {
  const { brand, publicUrl } = settings
  const { token } = answer
  const text = (token === undefined ? withoutLink : withLink)(brand.phone, answer)[locale]
  const url = `${publicUrl}${inLocale(locale, pages.lostPhone.path)}#${token}`
  return renderMail(locale, brand, { ...text, ...(token !== undefined && { action: { label: labels[locale], url } }) })
}

const labels = { pl: 'Zawieś certyfikaty', en: 'Suspend certificates' }

const opening = {
  pl: 'Ktoś – mamy nadzieję, że Ty – zgłasza utratę telefonu.',
  en: 'Someone – we hope it’s you – has reported a lost phone.',
}

const withLink = (phone: string, { hasSeals }: Answer) => ({
  pl: {
    subject: 'zawieś certyfikaty po utracie telefonu',
    paragraphs: [
      opening.pl,
      'Otwórz link i\u00a0podaj numer dokumentu tożsamości, a\u00a0zlecimy zawieszenie wszystkich Twoich podpisów i\u00a0wylogujemy Cię ze wszystkich urządzeń.',
      ...(hasSeals ? [`Pieczęci organizacji link nie zawiesi. Zadzwoń w\u00a0ich sprawie: ${phone}.`] : []),
      `Link działa ${minutes}\u00a0minut i\u00a0tylko raz.`,
    ],
    note: `Jeśli to nie Ty, nie rób nic: bez numeru dokumentu nikt niczego nie zawiesi. Pytania? Zadzwoń: ${phone}.`,
  },
  en: {
    subject: 'suspend your certificates after losing your phone',
    paragraphs: [
      opening.en,
      'Open the link and enter the number of your identity document. We’ll then request the suspension of all your signatures and sign you out on all devices.',
      ...(hasSeals ? [`The link doesn’t suspend the seals of organisations. Call us about those: ${phone}.`] : []),
      `You can use the link once. It expires in ${minutes}\u00a0minutes.`,
    ],
    note: `If this wasn’t you, you don’t need to do anything: nobody can suspend anything without the number of your document. Questions? Call ${phone}.`,
  },
})

const withoutLink = (phone: string, { certificates }: Answer) => ({
  pl: {
    subject: 'zadzwoń do nas po utracie telefonu',
    paragraphs: [
      opening.pl,
      certificates
        ? 'Nie znamy numeru Twojego dokumentu tożsamości, więc nie możemy zawiesić certyfikatów przez internet.'
        : 'Na Twoim koncie nie ma teraz podpisu, który można zawiesić przez internet.',
      `Zadzwoń od razu: ${phone}. Zawiesimy to, czego ktoś inny mógłby użyć, i\u00a0zmienimy numer telefonu.`,
    ],
    note: 'Jeśli to nie Ty, nie rób nic: nic się nie zmieniło.',
  },
  en: {
    subject: 'call us about your lost phone',
    paragraphs: [
      opening.en,
      certificates
        ? 'We don’t know the number of your identity document, so we can’t suspend your certificates online.'
        : 'There’s no signature in your account that can be suspended online right now.',
      `Call us right away: ${phone}. We’ll suspend whatever someone else could use, and change your phone number.`,
    ],
    note: 'If this wasn’t you, you don’t need to do anything: nothing has changed.',
  },
})
