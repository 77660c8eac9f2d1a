import type { Locale, Text } from '../../contract/enums.ts'
import type { Signature } from '../../contract/signatures.ts'
import { plural } from '../text/format.ts'
import { timestampsText } from '../text/timestamp-text.ts'

/** A whole sentence; the list of signatures has a shorter one, because the page says the rest. */
export const productText: Record<Signature['product'], Text> = {
  app: { pl: 'Podpis kwalifikowany w\u00a0aplikacji mobilnej', en: 'Qualified signature in the mobile app' },
  card: { pl: 'Podpis kwalifikowany na karcie lub tokenie', en: 'Qualified signature on a card or token' },
  file: { pl: 'Podpis kwalifikowany w\u00a0pliku', en: 'Qualified signature in a file' },
}

const thingWord = (count: number) =>
  plural('pl', count, { one: 'rzecz', few: 'rzeczy', many: 'rzeczy', other: 'rzeczy' })

/** `Masz 1 rzecz do zrobienia`, `Masz 2 rzeczy do zrobienia`. */
export function noticesText(locale: Locale, count: number) {
  if (locale === 'en')
    return `${count} ${plural('en', count, { one: 'thing needs', other: 'things need' })} your attention.`
  return `Masz ${count}\u00a0${thingWord(count)} do zrobienia.`
}

/** `Jeszcze 3 rzeczy do zrobienia`, next to the two that are shown large. */
export const moreText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `Jeszcze ${count}\u00a0${thingWord(count)} do zrobienia`
    : `${count} more ${plural('en', count, { one: 'thing', other: 'things' })}`

/** `Jeszcze 12 podpisów`, which the list of signatures shows. */
export const furtherText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `Jeszcze ${count}\u00a0${plural('pl', count, { one: 'podpis', few: 'podpisy', many: 'podpisów', other: 'podpisu' })}`
    : `${count} more ${plural('en', count, { one: 'signature', other: 'signatures' })}`

/** `2 aktywne`; the inactive ones are counted only where nothing is active. */
export const countsText = (locale: Locale, counts: { active: number; inactive: number }) =>
  statusCounts(locale, 'aktywny', counts)

/** `1 aktywna, 1 oczekuje`. */
export const sealCountsText = (
  locale: Locale,
  { invitations, ...counts }: { active: number; inactive: number; invitations: readonly unknown[] },
) => statusCounts(locale, 'aktywna', { ...counts, waiting: invitations.length })

type StatusCounts = { active: number; inactive: number; waiting?: number }

/** `singular` has the grammatical gender of the product. */
function statusCounts(locale: Locale, singular: string, { active, inactive, waiting = 0 }: StatusCounts) {
  const forms = { one: singular, few: 'aktywne', many: 'aktywnych', other: 'aktywne' }
  const waits = { one: 'oczekuje', few: 'oczekują', many: 'oczekuje', other: 'oczekuje' }
  const parts: [number, Text][] = [
    [active, { pl: plural('pl', active, forms), en: 'active' }],
    [active ? 0 : inactive, { pl: `nie${plural('pl', inactive, forms)}`, en: 'inactive' }],
    [waiting, { pl: plural('pl', waiting, waits), en: 'awaiting activation' }],
  ]
  return parts.flatMap(([count, text]) => (count ? `${count} ${text[locale]}` : [])).join(', ')
}

/** `12 dni`, without the number. */
export const dayWord = (locale: Locale, days: number) =>
  locale === 'pl'
    ? plural('pl', days, { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' })
    : plural('en', days, { one: 'day', other: 'days' })

/** `Zostało: 12 480 znaczników`; undefined without an account. */
export function leftText(
  locale: Locale,
  { active, inactive, remaining }: { active: number; inactive: number; remaining: number | null },
) {
  if (!active) return inactive ? { pl: 'Konta są wyłączone', en: 'Your accounts are switched off' }[locale] : ''
  if (remaining === null) return { pl: 'Znaczniki bez limitu', en: 'Unlimited timestamps' }[locale]
  return locale === 'pl' ? `Zostało: ${timestampsText(locale, remaining)}` : `${timestampsText(locale, remaining)} left`
}

/** `2 dokumenty do podpisania`. */
export const toSignText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `${count}\u00a0${plural('pl', count, { one: 'dokument', few: 'dokumenty', many: 'dokumentów', other: 'dokumentu' })} do podpisania`
    : `${count} documents to sign`

/** `2 dokumenty do pobrania`. */
export const toFetchText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `${count}\u00a0${plural('pl', count, { one: 'dokument', few: 'dokumenty', many: 'dokumentów', other: 'dokumentu' })} do pobrania`
    : `${count} documents to download`
