import type { Locale } from '../contract/enums.ts'
import type { Settings } from './portal.ts'

/**
 * The one SMS the portal sends. What it is for and which message of the operation it is (PSD2 RTS art. 5), and the
 * code bound to our origin in the last line, so that a phone fills it in on no other site. Nothing a person typed (R75).
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
