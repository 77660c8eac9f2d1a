import type { Locale, Text } from '../../contract/enums.ts'
import type { Signature } from '../../contract/signatures.ts'
import { formatDate, plural } from '../text/format.ts'
import { timestampsText } from '../text/timestamp-text.ts'

/** A whole sentence; the list of signatures has a shorter one, because the page says the rest. */
export const productSentence: Record<Signature['product'], Text> = {
  app: { pl: 'Podpis kwalifikowany w\u00a0aplikacji mobilnej', en: 'Qualified signature in the mobile app' },
  card: { pl: 'Podpis kwalifikowany na karcie lub tokenie', en: 'Qualified signature on a card or token' },
  file: { pl: 'Podpis kwalifikowany w\u00a0pliku', en: 'Qualified signature in a file' },
}

const thingWord = (count: number) =>
  plural('pl', count, { one: 'rzecz', few: 'rzeczy', many: 'rzeczy', other: 'rzeczy' })

/** Returns the number of notices as text: `Masz 1 rzecz do zrobienia`, `Masz 2 rzeczy do zrobienia`. */
export function noticesText(locale: Locale, count: number) {
  if (locale === 'en')
    return `${count} ${plural('en', count, { one: 'thing needs', other: 'things need' })} your attention.`
  return `Masz ${count}\u00a0${thingWord(count)} do zrobienia.`
}

/** Returns the number of notices besides the two that are shown large, as text: `Jeszcze 3 rzeczy do zrobienia`. */
export const moreText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `Jeszcze ${count}\u00a0${thingWord(count)} do zrobienia`
    : `${count} more ${plural('en', count, { one: 'thing', other: 'things' })} to do`

/** Returns the number of further signatures, which the list of signatures shows, as text: `Jeszcze 12 podpisów`. */
export const furtherText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `Jeszcze ${count}\u00a0${plural('pl', count, { one: 'podpis', few: 'podpisy', many: 'podpisów', other: 'podpisu' })}`
    : `${count} more ${plural('en', count, { one: 'signature', other: 'signatures' })}`

/** Counts in the summary of a service; without `attention` and `begins` nothing is suspended or begins later. */
type Counts = {
  active: number
  inactive: number
  attention?: readonly { reason: string | null }[]
  begins?: string | null
}

/** Returns the counts as text, such as `2 aktywne`; the inactive ones are counted only if nothing is active. */
export const countsText = (locale: Locale, counts: Counts) => statusCounts(locale, 'aktywny', 'zawieszony', counts)

/** Returns the counts of seals as text, such as `1 aktywna, 1 oczekuje`. */
export const sealCountsText = (
  locale: Locale,
  { invitations, ...counts }: Counts & { invitations: readonly unknown[] },
) => statusCounts(locale, 'aktywna', 'zawieszona', { ...counts, waiting: invitations.length })

/** Returns the counts by status as text; `one` and `oneSuspended` have the grammatical gender of the product. */
function statusCounts(
  locale: Locale,
  one: string,
  oneSuspended: string,
  { active, inactive, attention = [], begins, waiting = 0 }: Counts & { waiting?: number },
) {
  const forms = { one, few: 'aktywne', many: 'aktywnych', other: 'aktywne' }
  const suspendedForms = { one: oneSuspended, few: 'zawieszone', many: 'zawieszonych', other: 'zawieszone' }
  const suspended = active ? 0 : attention.filter(({ reason }) => reason === 'suspended').length
  const others = active ? 0 : inactive - suspended
  const otherText =
    others === 1 && begins
      ? { pl: `zacznie działać ${formatDate('pl', begins)}`, en: `starts on ${formatDate('en', begins)}` }
      : { pl: `nie${plural('pl', others, forms)}`, en: 'inactive' }
  const waits = { one: 'oczekuje', few: 'oczekują', many: 'oczekuje', other: 'oczekuje' }
  const parts: [number, Text][] = [
    [active, { pl: plural('pl', active, forms), en: 'active' }],
    [suspended, { pl: plural('pl', suspended, suspendedForms), en: 'suspended' }],
    [others, otherText],
    [waiting, { pl: plural('pl', waiting, waits), en: 'awaiting activation' }],
  ]
  return parts.flatMap(([count, text]) => (count ? `${count} ${text[locale]}` : [])).join(', ')
}

/** Returns the word of `12 dni`, without the number. */
export const dayWord = (locale: Locale, days: number) =>
  locale === 'pl'
    ? plural('pl', days, { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' })
    : plural('en', days, { one: 'day', other: 'days' })

/** Returns the number of remaining timestamps as text, such as `Zostało: 12 480 znaczników`; empty without an account. */
export function leftText(
  locale: Locale,
  { active, inactive, remaining }: { active: number; inactive: number; remaining: number | null },
) {
  if (!active) return inactive ? { pl: 'Konta są wyłączone', en: 'Your accounts are switched off' }[locale] : ''
  if (remaining === null) return { pl: 'Znaczniki bez limitu', en: 'Unlimited timestamps' }[locale]
  return locale === 'pl' ? `Zostało: ${timestampsText(locale, remaining)}` : `${timestampsText(locale, remaining)} left`
}

/** Returns the number of documents to sign as text, such as `2 dokumenty do podpisania`. */
export const toSignText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `${count}\u00a0${plural('pl', count, { one: 'dokument', few: 'dokumenty', many: 'dokumentów', other: 'dokumentu' })} do podpisania`
    : `${count} documents to sign`

/** Returns the number of documents to download as text, such as `2 dokumenty do pobrania`. */
export const toFetchText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `${count}\u00a0${plural('pl', count, { one: 'dokument', few: 'dokumenty', many: 'dokumentów', other: 'dokumentu' })} do pobrania`
    : `${count} documents to download`
