import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { renderMail } from '../messages/mail-template.ts'
import { codeName } from '../messages/sms-text.ts'
import type { Settings } from '../settings.ts'

type CodeMail = { purpose: string; code: string; ordinal: number }

/** A code by mail. It is only in the body, because locked screens show subjects. */
export function codeMail({ brand }: Settings, locale: Locale, { purpose, code, ordinal }: CodeMail) {
  const minutes = limits.code.life / 60
  const name = codeName(locale, ordinal)
  const heading = `${name.charAt(0).toUpperCase()}${name.slice(1)} ${purpose}:`
  const texts = {
    pl: {
      subject: `kod ${purpose}`,
      paragraphs: [heading, { code }, `Jest ważny ${minutes}\u00a0minut. Nie podawaj go nikomu.`],
      note: `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      subject: `code ${purpose}`,
      paragraphs: [heading, { code }, `It’s valid for ${minutes} minutes. Don’t share it.`],
      note: `If this wasn’t you, call us right away: ${brand.phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, texts)
}
