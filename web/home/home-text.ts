import type { Locale, Text } from '../../contract/enums.ts'
import type { Signature } from '../../contract/signatures.ts'
import { plural } from '../text/format.ts'
import { timestampsText } from '../text/timestamp-words.ts'

/** The thing itself in a sentence of its own; the list of signatures is shorter, for there the page says the rest. */
export const productText: Record<Signature['product'], Text> = {
  app: { pl: 'Podpis kwalifikowany w\u00a0aplikacji mobilnej', en: 'Qualified signature in the mobile app' },
  card: { pl: 'Podpis kwalifikowany na karcie', en: 'Qualified signature on a card' },
  file: { pl: 'Podpis kwalifikowany w\u00a0pliku', en: 'Qualified signature in a file' },
}

/** `Czeka na Ciebie 1 sprawa`, `Czekają na Ciebie 2 sprawy`, `Czeka na Ciebie 5 spraw`. */
export function mattersText(locale: Locale, count: number) {
  if (locale === 'en') return `${count} ${plural('en', count, { one: 'matter waits', other: 'matters wait' })} for you.`
  const few = plural('pl', count, { one: '', few: 'few', many: '', other: '' }) === 'few'
  const noun = plural('pl', count, { one: 'sprawa', few: 'sprawy', many: 'spraw', other: 'sprawy' })
  return `${few ? 'Czekają' : 'Czeka'} na Ciebie ${count}\u00a0${noun}.`
}

/** `Jeszcze 3 sprawy`, beside the two that are shown large. */
export const moreText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `Jeszcze ${count}\u00a0${plural('pl', count, { one: 'sprawa', few: 'sprawy', many: 'spraw', other: 'sprawy' })}`
    : `${count} more ${plural('en', count, { one: 'matter', other: 'matters' })}`

/** `Jeszcze 12 podpisów`, of which the list of signatures tells more. */
export const furtherText = (locale: Locale, count: number) =>
  locale === 'pl'
    ? `Jeszcze ${count}\u00a0${plural('pl', count, { one: 'podpis', few: 'podpisy', many: 'podpisów', other: 'podpisu' })}`
    : `${count} more ${plural('en', count, { one: 'signature', other: 'signatures' })}`

/** `2 aktywne, 1 nieaktywny`; what there is none of is not named. */
export function countsText(locale: Locale, { active, inactive }: { active: number; inactive: number }) {
  const words =
    locale === 'pl'
      ? [
          active &&
            `${active} ${plural('pl', active, { one: 'aktywny', few: 'aktywne', many: 'aktywnych', other: 'aktywne' })}`,
          inactive &&
            `${inactive} ${plural('pl', inactive, { one: 'nieaktywny', few: 'nieaktywne', many: 'nieaktywnych', other: 'nieaktywne' })}`,
        ]
      : [active && `${active} active`, inactive && `${inactive} inactive`]
  return words.filter(Boolean).join(', ')
}

/** `1 aktywna, 1 oczekuje`. */
export function sealCountsText(
  locale: Locale,
  { active, inactive, invitations }: { active: number; inactive: number; invitations: readonly unknown[] },
) {
  const waiting = invitations.length
  const words =
    locale === 'pl'
      ? [
          active &&
            `${active} ${plural('pl', active, { one: 'aktywna', few: 'aktywne', many: 'aktywnych', other: 'aktywne' })}`,
          inactive &&
            `${inactive} ${plural('pl', inactive, { one: 'nieaktywna', few: 'nieaktywne', many: 'nieaktywnych', other: 'nieaktywne' })}`,
          waiting &&
            `${waiting} ${plural('pl', waiting, { one: 'oczekuje', few: 'oczekują', many: 'oczekuje', other: 'oczekuje' })}`,
        ]
      : [active && `${active} active`, inactive && `${inactive} inactive`, waiting && `${waiting} to activate`]
  return words.filter(Boolean).join(', ')
}

/** `12 dni`, without the number. */
export const dayWord = (locale: Locale, days: number) =>
  locale === 'pl'
    ? plural('pl', days, { one: 'dzień', few: 'dni', many: 'dni', other: 'dnia' })
    : plural('en', days, { one: 'day', other: 'days' })

/** `Zostało 12 480 znaczników`; nothing for whoever has no account. */
export function leftText(
  locale: Locale,
  { active, inactive, remaining }: { active: number; inactive: number; remaining: number | null },
) {
  if (!active) return inactive ? { pl: 'Konta są wyłączone', en: 'The accounts are switched off' }[locale] : ''
  if (remaining === null) return { pl: 'Znaczniki bez limitu', en: 'Timestamps without a limit' }[locale]
  return locale === 'pl'
    ? `Pozostało: ${timestampsText(locale, remaining)}`
    : `${timestampsText(locale, remaining)} left`
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
