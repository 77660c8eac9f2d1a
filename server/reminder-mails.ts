import type { Locale } from '../contract/enums.ts'
import { inLocale, pages } from '../contract/pages.ts'
import { daysBetween } from '../contract/warsaw-time.ts'
import { calendarFile } from './calendar-file.ts'
import { momentIn } from './mail-moments.ts'
import { renderMail } from './mail-template.ts'
import type { Settings } from './portal.ts'

type About = {
  id: string
  validTo: Date
  now: Date
  locale: Locale
  product: 'app' | 'card' | 'file'
  renewal: string | null
}

const tags = { pl: 'pl-PL', en: 'en-GB' } as const

/** Says when the certificate ends and how it is renewed, with the end as a calendar file. Nobody is named: mails are passed on. */
export function reminderMail(
  { brand, publicUrl, featuresOff }: Settings,
  { id, validTo, now, locale, ...about }: About,
) {
  const renews = !featuresOff.includes('renewal')
  const renewal = renews ? about.renewal : null
  const { product } = about
  const way = renewal ? 'begun' : product === 'app' && !renews ? 'elsewhere' : product
  const say = (pl: string, en: string) => ({ pl, en })[locale]
  const end = momentIn(locale, validTo)
  const when = new Intl.RelativeTimeFormat(tags[locale], { numeric: 'auto' })
    .format(daysBetween(now, validTo), 'day')
    .replace(/^(za|in) /, '$1\u00a0')
  const url =
    publicUrl + inLocale(locale, renewal ? pages.renewal.path.replace(':uid', renewal) : pages.signatures.path)
  const subject = say(
    `${brand.product}: Twój podpis wygasa ${when}`,
    `${brand.product}: your signature expires ${when}`,
  )
  const after = say(
    'Po tym terminie nie da się go odnowić: trzeba kupić nowy podpis i\u00a0ponownie potwierdzić tożsamość.',
    'After that it cannot be renewed: you would have to buy a new signature and confirm your identity again.',
  )
  const mail = renderMail(locale, brand, {
    subject,
    paragraphs: [
      say(
        `Certyfikat Twojego podpisu ${where[product].pl} jest ważny do ${end}.`,
        `The certificate of your signature ${where[product].en} is valid until ${end}.`,
      ),
      waysOn(way)[locale],
      after,
    ],
    action: renewal
      ? { label: say('Dokończ odnowienie', 'Finish the renewal'), url }
      : way === 'elsewhere'
        ? { label: say('Zobacz podpis', 'See the signature'), url }
        : { label: say('Odnów podpis', 'Renew the signature'), url },
    note: say(
      `Przypomnienia możesz ograniczyć w\u00a0Moich danych. W\u00a0załączniku jest termin do kalendarza. Pytania? Zadzwoń: ${brand.phone}.`,
      `You can cut down on reminders in My data. The date is attached for your calendar. Questions? Call ${brand.phone}.`,
    ),
  })
  const calendar = calendarFile({
    uid: `signature-${id}@${new URL(publicUrl).hostname}`,
    at: validTo,
    writtenAt: now,
    summary: say(`${brand.product}: podpis wygasa`, `${brand.product}: your signature expires`),
    description: `${waysOn(way)[locale]} ${after}`,
    url,
    // At the end itself it would be too late to renew; what is past already would ring at once.
    alarms: [168, 24, 2].filter((hours) => validTo.getTime() - hours * 3_600_000 > now.getTime()),
  })
  return {
    ...mail,
    attachment: {
      name: say('koniec-podpisu.ics', 'signature-end.ics'),
      type: 'text/calendar; charset=utf-8',
      content: calendar.toString(),
    },
  }
}

/** Whoever has several has to know which. */
const where = {
  app: { pl: 'w\u00a0aplikacji mobilnej', en: 'in the mobile app' },
  card: { pl: 'na karcie', en: 'on a card' },
  file: { pl: 'w\u00a0pliku', en: 'in a file' },
}

const waysOn = (way: About['product'] | 'begun' | 'elsewhere') =>
  ({
    begun: {
      pl: 'Odnowienie jest rozpoczęte. Wróć do niego i\u00a0podpisz umowę.',
      en: 'Its renewal has been started. Go back to it and sign the agreement.',
    },
    app: {
      pl: 'Kup kod odnowienia i\u00a0wpisz go w\u00a0portalu. To zajmie około 10\u00a0minut, najlepiej nie w\u00a0ostatniej chwili.',
      en: 'Buy a renewal code and enter it in the portal. It takes about 10\u00a0minutes; do not leave it to the last moment.',
    },
    card: {
      pl: 'Podpis na karcie odnowisz u\u00a0nas: w\u00a0portalu zobaczysz, gdzie to zamówić.',
      en: 'A signature on a card is renewed with us: the portal shows where to order it.',
    },
    file: {
      pl: 'Podpis w\u00a0pliku odnowisz u\u00a0nas: w\u00a0portalu zobaczysz, gdzie to zamówić.',
      en: 'A signature in a file is renewed with us: the portal shows where to order it.',
    },
    elsewhere: {
      pl: 'Odnowisz go u\u00a0nas: zadzwoń, a\u00a0powiemy, jak go zamówić.',
      en: 'It is renewed with us: call, and we will tell you how to order it.',
    },
  })[way]
