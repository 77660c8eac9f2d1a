import type { Locale } from '../contract/enums.ts'
import type { Settings } from './portal.ts'

/**
 * One of the two SMS that the portal sends; neither holds anything a person typed (R75). What the code is for and which
 * message of the operation it is (PSD2 RTS art. 5), and the code bound to our origin in the last line, so that a phone fills it in on no other site.
 */
export function textBySms(
  settings: Settings,
  locale: Locale,
  { act, code, ordinal }: { act: string; code: string; ordinal: number },
): string {
  const name = settings.brand.product
  const host = new URL(settings.publicUrl).hostname
  const sentence =
    locale === 'pl'
      ? `${name}: kod nr ${ordinal} ${act}: ${code}. Wazny 10 min. Nie podawaj go nikomu.`
      : `${name}: code no. ${ordinal} ${act}: ${code}. Valid 10 min. Do not share it.`
  return `${sentence}\n@${host} #${code}`
}

/** What a number is told that was the account's until now (DAT-5). */
export const numberChangedBySms = ({ brand }: Settings, locale: Locale): string =>
  locale === 'pl'
    ? `${brand.product}: ten numer nie dostaje juz kodow, konto ma nowy numer telefonu. To nie Ty? Zadzwon: ${brand.phone}`
    : `${brand.product}: this number gets no more codes, the account has a new phone number. Not you? Call ${brand.phone}`
