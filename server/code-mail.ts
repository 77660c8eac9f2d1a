import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { renderMail } from './mail-template.ts'
import type { Settings } from './portal.ts'

type Said = { act: string; code: string; ordinal: number }

/** A code by mail. It stands in the body alone: subjects are shown on locked screens. */
export function codeMail({ brand }: Settings, locale: Locale, { act, code, ordinal }: Said) {
  const minutes = limits.code.life / 60
  const words = {
    pl: {
      subject: `${brand.product}: kod ${act}`,
      paragraphs: [`Kod nr ${ordinal} ${act}: ${code}`, `Jest ważny ${minutes}\u00a0minut. Nie podawaj go nikomu.`],
      note: `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      subject: `${brand.product}: code ${act}`,
      paragraphs: [`Code no. ${ordinal} ${act}: ${code}`, `It is valid for ${minutes} minutes. Do not share it.`],
      note: `If this was not you, call us at once: ${brand.phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, words)
}
