import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import type { AccountPackage, TimestampPackageKind } from '../../contract/timestamps.ts'
import { renderMail, dayIn, momentIn } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

/** `low`: a tenth or less remains · `empty`: nothing remains · `ending`: its validity ends soon. */
export type PackageNotice = 'low' | 'empty' | 'ending'

type PackageMail = {
  notice: PackageNotice
  login: string
  accountPackage: AccountPackage
  /** In the account's other packages; null without a limit. */
  remainingElsewhere: number | null
}

/** `in`: the Polish locative. */
export const kindText = {
  recurring: { pl: 'miesięczny', in: 'miesięcznym', en: 'monthly' },
  'one-time': { pl: 'jednorazowy', in: 'jednorazowym', en: 'one-time' },
  unlimited: { pl: 'bez limitu', in: 'bez limitu', en: 'unlimited' },
} satisfies Record<TimestampPackageKind, Record<Locale | 'in', string>>

const tags = { pl: 'pl-PL', en: 'en-GB' } as const

export function packageMail(
  { brand, publicUrl }: Settings,
  locale: Locale,
  { notice, login, accountPackage, remainingElsewhere }: PackageMail,
) {
  const { phone } = brand
  const count = (value: number) => new Intl.NumberFormat(tags[locale], { useGrouping: 'always' }).format(value)
  const day = (instant: string) => dayIn(locale, new Date(instant))
  const minute = (instant: string) => momentIn(locale, new Date(instant))
  const { endsAt, refillsAt } = accountPackage
  const kind = kindText[accountPackage.kind]
  const left = accountPackage.remaining === null ? undefined : count(accountPackage.remaining)
  const size = accountPackage.size === null ? undefined : count(accountPackage.size)
  const texts = {
    pl: {
      subject: {
        low: 'kończą się znaczniki czasu',
        empty: 'pakiet znaczników czasu jest pusty',
        ending: 'pakiet znaczników wkrótce wygaśnie',
      },
      what: {
        low: `W\u00a0pakiecie ${kind.in} konta ${login} zostało tylko ${left} z\u00a0${size} znaczników.`,
        empty: `W\u00a0pakiecie ${kind.in} konta ${login} nie ma już żadnego z\u00a0${size} znaczników.`,
        ending: `Pakiet ${kind.pl} konta ${login} jest ważny do ${endsAt && minute(endsAt)}. ${left === undefined ? '' : `Niewykorzystane znaczniki przepadną (zostało: ${left}).`}`,
      },
      refill: refillsAt && notice !== 'ending' ? `Pakiet odnowi się ${day(refillsAt)}.` : undefined,
      others:
        remainingElsewhere === null
          ? 'Konto ma też pakiet bez limitu, więc Twoje programy nadal będą dostawać znaczniki.'
          : remainingElsewhere > 0
            ? `W\u00a0innych pakietach tego konta są jeszcze znaczniki: ${count(remainingElsewhere)}. Twoje programy nadal będą je dostawać.`
            : 'Na tym koncie nie ma innych znaczników. Kup kolejny pakiet: bez znaczników serwer odrzuca żądania Twoich programów.',
      label: 'Zobacz pakiety',
      note: `Pytania? Zadzwoń: ${phone}.`,
    },
    en: {
      subject: {
        low: 'your timestamps are running out',
        empty: 'a timestamp package is empty',
        ending: 'a timestamp package is about to expire',
      },
      what: {
        low: `The ${kind.en} package on account ${login} has only ${left} of ${size} timestamps left.`,
        empty: `The ${kind.en} package on account ${login} has none of its ${size} timestamps left.`,
        ending: `The ${kind.en} package on account ${login} is valid until ${endsAt && minute(endsAt)}. ${left === undefined ? '' : `Unused timestamps will be lost (${left} left).`}`,
      },
      refill: refillsAt && notice !== 'ending' ? `It refills on ${day(refillsAt)}.` : undefined,
      others:
        remainingElsewhere === null
          ? 'The account also has an unlimited package, so your software will keep getting timestamps.'
          : remainingElsewhere > 0
            ? `There are more timestamps in this account’s other packages (${count(remainingElsewhere)} left), so your software will keep getting them.`
            : 'This account has no other timestamps. Buy another package: without timestamps, your software’s requests are rejected.',
      label: 'View packages',
      note: `Questions? Call ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: texts.subject[notice],
    paragraphs: [texts.what[notice].trim(), ...(texts.refill ? [texts.refill] : []), texts.others],
    action: { label: texts.label, url: publicUrl + inLocale(locale, pages.timestamps.path) },
    note: texts.note,
  })
}
