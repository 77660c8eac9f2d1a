import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import type { AccountPackage, TimestampPackageKind } from '../../contract/timestamps.ts'
import { dayIn, momentIn } from '../platform/messages/mail-dates.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
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

const kinds = {
  recurring: { pl: 'cykliczny', en: 'monthly' },
  'one-time': { pl: 'jednorazowy', en: 'one-time' },
  unlimited: { pl: 'bez limitu', en: 'unlimited' },
} satisfies Record<TimestampPackageKind, Record<Locale, string>>

const tags = { pl: 'pl-PL', en: 'en-GB' } as const

export function packageMail(
  { brand, publicUrl }: Settings,
  locale: Locale,
  { notice, login, accountPackage, remainingElsewhere }: PackageMail,
) {
  const { product, phone } = brand
  const count = (value: number) => new Intl.NumberFormat(tags[locale], { useGrouping: 'always' }).format(value)
  const day = (instant: string) => dayIn(locale, new Date(instant))
  const minute = (instant: string) => momentIn(locale, new Date(instant))
  const { endsAt, refillsAt } = accountPackage
  const kind = kinds[accountPackage.kind][locale]
  const left = accountPackage.remaining === null ? undefined : count(accountPackage.remaining)
  const size = accountPackage.size === null ? undefined : count(accountPackage.size)
  const texts = {
    pl: {
      subject: {
        low: `${product}: kończą się znaczniki czasu`,
        empty: `${product}: pakiet znaczników czasu jest pusty`,
        ending: `${product}: kończy się ważność pakietu znaczników`,
      },
      what: {
        low: `W\u00a0pakiecie (${kind}) konta ${login} zostało już tylko znaczników: ${left} z\u00a0${size}.`,
        empty: `W\u00a0pakiecie (${kind}) konta ${login} nie ma już znaczników z\u00a0${size}.`,
        ending: `Pakiet (${kind}) konta ${login} jest ważny do ${endsAt && minute(endsAt)}. ${left === undefined ? '' : `Zostało w\u00a0nim znaczników: ${left}. Po tym terminie przepadną.`}`,
      },
      refill: refillsAt && notice !== 'ending' ? `Pakiet odnowi się ${day(refillsAt)}.` : undefined,
      others:
        remainingElsewhere === null
          ? 'Konto ma też pakiet bez limitu, więc Twoje programy będą dalej dostawać znaczniki.'
          : remainingElsewhere > 0
            ? `W\u00a0innych pakietach tego konta są jeszcze znaczniki: ${count(remainingElsewhere)}. Twoje programy będą je dalej dostawać.`
            : 'To konto nie ma innych znaczników. Gdy ich zabraknie, Twoje programy dostaną odmowę. Kup kolejny pakiet wcześniej.',
      label: 'Zobacz pakiety',
      note: `Pytania? Zadzwoń: ${phone}.`,
    },
    en: {
      subject: {
        low: `${product}: your timestamps are running out`,
        empty: `${product}: a timestamp package is empty`,
        ending: `${product}: a timestamp package is about to end`,
      },
      what: {
        low: `The ${kind} package of the account ${login} has only ${left} of ${size} timestamps left.`,
        empty: `The ${kind} package of the account ${login} has none of its ${size} timestamps left.`,
        ending: `The ${kind} package of the account ${login} is valid until ${endsAt && minute(endsAt)}. ${left === undefined ? '' : `It still has ${left} timestamps, which are lost after that.`}`,
      },
      refill: refillsAt && notice !== 'ending' ? `It is full again on ${day(refillsAt)}.` : undefined,
      others:
        remainingElsewhere === null
          ? 'The account also has an unlimited package, so your programs go on getting timestamps.'
          : remainingElsewhere > 0
            ? `Other packages of this account still hold ${count(remainingElsewhere)} timestamps. Your programs go on getting them.`
            : 'This account has no other timestamps. Without any, your programs are refused. Buy another package before that.',
      label: 'See the packages',
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
