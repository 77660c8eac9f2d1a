import type { Locale } from '../contract/enums.ts'
import { inLocale, pages } from '../contract/pages.ts'
import type { AccountPackage, TimestampPackageKind } from '../contract/timestamps.ts'
import { dayIn, momentIn } from './mail-moments.ts'
import { renderMail } from './mail-template.ts'
import type { Settings } from './portal.ts'

/** `low`: a tenth or less is left · `empty`: nothing is · `ending`: the end of its validity comes near. */
export type PackageNotice = 'low' | 'empty' | 'ending'

/** `others`: what is left in the account's other packages; null without a limit. */
type Told = { notice: PackageNotice; login: string; one: AccountPackage; others: number | null }

const kinds = {
  recurring: { pl: 'cykliczny', en: 'monthly' },
  'one-time': { pl: 'jednorazowy', en: 'one-time' },
  unlimited: { pl: 'bez limitu', en: 'unlimited' },
} satisfies Record<TimestampPackageKind, Record<Locale, string>>

const tags = { pl: 'pl-PL', en: 'en-GB' } as const

export function packageMail({ brand, publicUrl }: Settings, locale: Locale, { notice, login, one, others }: Told) {
  const { product, phone } = brand
  const count = (value: number) => new Intl.NumberFormat(tags[locale], { useGrouping: 'always' }).format(value)
  const day = (instant: string) => dayIn(locale, new Date(instant))
  const minute = (instant: string) => momentIn(locale, new Date(instant))
  const kind = kinds[one.kind][locale]
  const left = one.remaining === null ? undefined : count(one.remaining)
  const size = one.size === null ? undefined : count(one.size)
  const words = {
    pl: {
      subject: {
        low: `${product}: kończą się znaczniki czasu`,
        empty: `${product}: pakiet znaczników czasu jest pusty`,
        ending: `${product}: kończy się ważność pakietu znaczników`,
      },
      what: {
        low: `W\u00a0pakiecie (${kind}) konta ${login} zostało już tylko znaczników: ${left} z\u00a0${size}.`,
        empty: `W\u00a0pakiecie (${kind}) konta ${login} nie ma już znaczników z\u00a0${size}.`,
        ending: `Pakiet (${kind}) konta ${login} jest ważny do ${one.endsAt && minute(one.endsAt)}. ${left === undefined ? '' : `Zostało w\u00a0nim znaczników: ${left}. Po tym terminie przepadną.`}`,
      },
      refill: one.refillsAt && notice !== 'ending' ? `Pakiet odnowi się ${day(one.refillsAt)}.` : undefined,
      others:
        others === null
          ? 'Konto ma też pakiet bez limitu, więc Twoje programy będą dalej dostawać znaczniki.'
          : others > 0
            ? `W\u00a0innych pakietach tego konta są jeszcze znaczniki: ${count(others)}. Twoje programy będą je dalej dostawać.`
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
        ending: `The ${kind} package of the account ${login} is valid until ${one.endsAt && minute(one.endsAt)}. ${left === undefined ? '' : `It still has ${left} timestamps, which are lost after that.`}`,
      },
      refill: one.refillsAt && notice !== 'ending' ? `It is full again on ${day(one.refillsAt)}.` : undefined,
      others:
        others === null
          ? 'The account also has an unlimited package, so your programs go on getting timestamps.'
          : others > 0
            ? `Other packages of this account still hold ${count(others)} timestamps. Your programs go on getting them.`
            : 'This account has no other timestamps. Without any, your programs are refused. Buy another package before that.',
      label: 'See the packages',
      note: `Questions? Call ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: words.subject[notice],
    paragraphs: [words.what[notice].trim(), ...(words.refill ? [words.refill] : []), words.others],
    action: { label: words.label, url: publicUrl + inLocale(locale, pages.timestamps.path) },
    note: words.note,
  })
}
