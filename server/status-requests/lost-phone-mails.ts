import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { lostPhoneLink } from '../../contract/lost-phone-link.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { productPhrase } from '../../contract/product-text.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { renderMail, pageLink, momentIn } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

type Answer = {
  /** The token of the link; undefined where nothing can be suspended by a link. */
  token: string | undefined
  /** The number of signatures that can be suspended now. */
  certificates: number
  hasSeals: boolean
}

const minutes = limits.link.lostPhone / 60

/**
 * Writes the mail to a customer who has lost the phone (STP-7), with the link or the number to call. The token is in the fragment of the
 * address, and so in no request of the page, log or referrer.
 */
export function lostPhoneMail(settings: Settings, locale: Locale, answer: Answer) {
  const { brand, publicUrl } = settings
  const { token } = answer
  const text = (token === undefined ? withoutLink : withLink)(brand.phone, answer)[locale]
  const url = `${publicUrl}${inLocale(locale, pages.lostPhone.path)}${lostPhoneLink.before}${token}`
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
    note: `Jeśli to nie Ty, nie rób nic: bez numeru dokumentu nikt niczego nie zawiesi. Ktoś ma dostęp do Twojej skrzynki? Zadzwoń od razu: ${phone}.`,
  },
  en: {
    subject: 'suspend your certificates after losing your phone',
    paragraphs: [
      opening.en,
      'Open the link and enter the number of your identity document. We’ll then request the suspension of all your signatures and sign you out on all devices.',
      ...(hasSeals ? [`The link doesn’t suspend the seals of organisations. Call us about those: ${phone}.`] : []),
      `You can use the link once. It expires in ${minutes}\u00a0minutes.`,
    ],
    note: `If this wasn’t you, you don’t need to do anything: nobody can suspend anything without the number of your document. Does someone have access to your mailbox? Call us right away: ${phone}.`,
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

type Reported = {
  requested: readonly { product: SignatureProduct; organisation: string | null; validTo: Date; deadline: Date }[]
  seals: readonly string[]
}

/** Number of certificates or organisations that a mail names; it counts the others. */
const maxNamed = 20

function named(locale: Locale, names: readonly string[]): string[] {
  const others = names.length - maxNamed
  return [
    ...names.slice(0, maxNamed),
    ...(others > 0 ? [{ pl: `i\u00a0jeszcze ${others}`, en: `and ${others} more` }[locale]] : []),
  ]
}

/** Tells the customer what the report has done and has not, and what to do next, in one mail for all certificates. */
export function lossReportedMail({ brand, featuresOff }: Settings, locale: Locale, { requested, seals }: Reported) {
  const { phone, company } = brand
  const certificates = named(
    locale,
    requested.map(({ product, organisation, validTo }) => {
      const what = { pl: 'podpis', en: 'signature' }[locale]
      const until = { pl: 'ważny do', en: 'valid until' }[locale]
      const whose = organisation === null ? '' : `, ${organisation}`
      return `– ${what} ${productPhrase[product][locale]}${whose}, ${until} ${momentIn(locale, validTo)}`
    }),
  )
  const [first] = requested
  const isOne = requested.length === 1
  const sealNames = named(locale, seals).join('; ')
  const areSealsOff = featuresOff.includes('seals')
  const text = {
    pl: {
      subject: 'zgłoszono utratę telefonu',
      paragraphs: [
        ...(first
          ? [
              'Zlecono zawieszenie:',
              ...certificates,
              `${company} zrobi to najpóźniej ${momentIn(locale, first.deadline)}. Wtedy napiszemy jeszcze raz. Już teraz nikt nie użyje ${isOne ? 'go' : 'ich'} w\u00a0portalu.`,
            ]
          : ['Twoje podpisy są już zawieszone albo czekają na zawieszenie. Kod z\u00a0telefonu już tego nie cofnie.']),
        'Wylogowaliśmy Cię ze wszystkich urządzeń.',
        ...(seals.length
          ? [
              `${endSentence(`Pieczęcie nie są zawieszone: ${sealNames}`)} ${areSealsOff ? 'Zadzwoń do nas' : 'Poproś administratora pieczęci, aby usunął Twój dostęp, albo zadzwoń do nas'}.`,
            ]
          : []),
        'Zablokuj kartę SIM u\u00a0swojego operatora.',
      ],
      note: `To nie Ty? Zadzwoń od razu: ${phone}. Pod tym numerem cofniemy też zawieszenie i\u00a0zmienimy numer telefonu.`,
    },
    en: {
      subject: 'loss of your phone reported',
      paragraphs: [
        ...(first
          ? [
              'We’ve requested the suspension of:',
              ...certificates,
              `${company} will suspend ${isOne ? 'it' : 'them'} by ${momentIn(locale, first.deadline)} at the latest. We’ll e-mail you again then. Nobody can use ${isOne ? 'it' : 'them'} in the portal from now on.`,
            ]
          : ['Your signatures are already suspended, or about to be. A code from the phone can no longer end that.']),
        'You’ve been signed out on all devices.',
        ...(seals.length
          ? [
              `${endSentence(`Seals aren’t suspended: ${sealNames}`)} ${areSealsOff ? 'Call us' : 'Ask the seal’s administrator to remove your access, or call us'}.`,
            ]
          : []),
        'Ask your mobile network to block the SIM card.',
      ],
      note: `Wasn’t it you? Call us right away: ${phone}. We also end the suspension and change your phone number on this number.`,
    },
  }[locale]
  return renderMail(locale, brand, text)
}

/** Tells another Administrator of seals that the customer can use. It names nobody, because mails are forwarded. */
export function fellowLossMail(settings: Settings, locale: Locale, organisations: readonly string[]) {
  const { brand, featuresOff } = settings
  const areSealsOff = featuresOff.includes('seals')
  const which = named(locale, organisations).join('; ')
  const isOne = organisations.length === 1
  const text = {
    pl: {
      subject: 'osoba z\u00a0dostępem do pieczęci zgłosiła utratę telefonu',
      paragraphs: [
        isOne
          ? `Ktoś, kto ma dostęp do pieczęci ${which}, zgłosił utratę telefonu. Pieczęć nie jest zawieszona.`
          : `Ktoś, kto ma dostęp do Twoich pieczęci, zgłosił utratę telefonu. ${endSentence(`Pieczęcie nie są zawieszone: ${which}`)}`,
        areSealsOff
          ? `Zadzwoń do nas, abyśmy usunęli dostęp tej osoby: ${brand.phone}.`
          : isOne
            ? 'Usuń dostęp tej osoby, a\u00a0jeśli trzeba, zawieś pieczęć.'
            : 'Usuń dostęp tej osoby, a\u00a0jeśli trzeba, zawieś pieczęcie.',
      ],
      label: 'Zobacz pieczęcie',
    },
    en: {
      subject: 'a person with access to a seal has lost a phone',
      paragraphs: [
        isOne
          ? `Someone who has access to the seal of ${which} has reported a lost phone. The seal isn’t suspended.`
          : `Someone who has access to your seals has reported a lost phone. ${endSentence(`The seals aren’t suspended: ${which}`)}`,
        areSealsOff
          ? `Call us to have that person’s access removed: ${brand.phone}.`
          : isOne
            ? 'Remove that person’s access, and suspend the seal if necessary.'
            : 'Remove that person’s access, and suspend the seals if necessary.',
      ],
      label: 'View the seals',
    },
  }[locale]
  return renderMail(locale, brand, { ...text, ...pageLink(settings, locale, 'seals', text.label) })
}

/** Tells the customer that no more numbers are compared. `suspended`: signatures that are, or are about to be, by an earlier request. */
export function numbersSpentMail({ brand }: Settings, locale: Locale, suspended: number) {
  const text = {
    pl: {
      subject: 'za dużo błędnych numerów dokumentu',
      paragraphs: [
        'Po zgłoszeniu utraty telefonu ktoś podał pięć razy błędny numer Twojego dokumentu. Przez 24\u00a0godziny nie sprawdzamy kolejnych numerów.',
        suspended
          ? 'Wcześniejsze zawieszenia pozostają bez zmian. Teraz nie zawiesiliśmy niczego więcej.'
          : 'Niczego nie zawiesiliśmy.',
        `Zadzwoń od razu: ${brand.phone}. Zawiesimy certyfikaty przez telefon.`,
      ],
    },
    en: {
      subject: 'too many wrong document numbers',
      paragraphs: [
        'After a phone was reported lost, someone entered a wrong number for your document five times. We won’t check more numbers for 24\u00a0hours.',
        suspended
          ? 'Earlier suspensions are unchanged. We haven’t suspended anything else now.'
          : 'We haven’t suspended anything.',
        `Call us right away: ${brand.phone}. We’ll suspend your certificates by phone.`,
      ],
    },
  }[locale]
  return renderMail(locale, brand, text)
}
