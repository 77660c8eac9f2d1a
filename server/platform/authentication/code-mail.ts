import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { renderMail } from '../messages/mail-template.ts'
import type { Settings } from '../settings.ts'

type CodeMail = { purpose: string; code: string; ordinal: number }

/** A code by mail. It is only in the body, because locked screens show subjects. */
export function codeMail({ brand }: Settings, locale: Locale, { purpose, code, ordinal }: CodeMail) {
  const minutes = limits.code.life / 60
  const texts = {
    pl: {
      subject: `${brand.product}: kod ${purpose}`,
      paragraphs: [`Kod nr ${ordinal} ${purpose}: ${code}`, `Jest ważny ${minutes}\u00a0minut. Nie podawaj go nikomu.`],
      note: `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      subject: `${brand.product}: code ${purpose}`,
      paragraphs: [`Code no. ${ordinal} ${purpose}: ${code}`, `It is valid for ${minutes} minutes. Do not share it.`],
      note: `If this was not you, call us at once: ${brand.phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, texts)
}
