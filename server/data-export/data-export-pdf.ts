import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import type { Brand } from '../contract/page-config.ts'
import { PaperDocument } from '../pki/paper-document.ts'
import type { OwnAct, OwnData } from './own-data.ts'
import { momentOf, sectionsOf, writtenValue } from './own-data-sections.ts'
import { coloursOf, paled } from './theme.ts'

type Paper = {
  locale: Locale
  brand: Brand
  madeAt: Date
  data: OwnData
  history: AsyncIterable<readonly OwnAct[]>
}

const irisNames = ['iris-a', 'iris-b', 'iris-c'] as const

/** Things between which other requests of this process get their turn. */
const atATime = 10

/** All own data as a tagged PDF (DAT-6, EN 301 549 §10): the same as the JSON, but of the history the newest entries. */
export async function writeOwnDataPaper({ locale, brand, madeAt, data, history }: Paper) {
  const words = text[locale]
  const colours = coloursOf(brand)
  const moment = momentOf(locale, madeAt)
  const paper = new PaperDocument({
    language: locale,
    title: words.title,
    author: brand.company,
    head: [brand.product, words.mark],
    foot: `${brand.company}, ${moment}`,
    createdAt: madeAt,
    brand: { ink: colours['brand-700'], lines: irisNames.map((name) => paled(colours[name], 0.39)) },
  })
  let written = 0
  const pause = async () => {
    if (++written % atATime === 0) await nextTurn()
  }
  paper.title(words.title, words.as(moment))
  paper.notice(words.notice)
  for (const { title, things } of sectionsOf(data)) {
    paper.section(title[locale])
    if (!things.length) paper.paragraph(words.none)
    for (const [index, { name, rows }] of things.entries()) {
      const filled = rows
        .map(([label, value]): [string, string] => [label[locale], writtenValue(locale, value)])
        .filter(([, value]) => value)
      if (name !== undefined) paper.paragraph(`${index + 1}. ${writtenValue(locale, name)}`)
      if (filled.length) paper.table(filled)
      await pause()
    }
  }
  paper.section(words.history)
  let told = 0
  let more = false
  for await (const page of history) {
    const shown = page.slice(0, limits.dataExport.history - told)
    for (let at = 0; at < shown.length; at += atATime) {
      paper.table(shown.slice(at, at + atATime).map((entry) => rowOf(locale, entry)))
      await nextTurn()
    }
    told += shown.length
    more = page.length > shown.length
    if (told === limits.dataExport.history) break
  }
  if (!told) paper.paragraph(words.none)
  if (more || told === limits.dataExport.history) paper.paragraph(words.more(told))
  return paper.finish()
}

const rowOf = (locale: Locale, { at, words, address }: OwnAct): [string, string] => [
  momentOf(locale, at),
  address ? `${words}, ${address}` : words,
]

const text = {
  pl: {
    title: 'Twoje dane',
    mark: 'Kopia danych osobowych',
    as: (moment: string) => `Stan na ${moment}`,
    notice:
      'Wszystko, co portal przechowuje o\u00a0Tobie, bez haseł i\u00a0kluczy. Plik JSON zawiera to samo w\u00a0formie dla programów, a\u00a0także: certyfikaty, treść zgód, zużycie znaczników dzień po dniu, ustawienia odnowień i\u00a0wyniki sprawdzenia plików. Same dokumenty i\u00a0umowy pobierzesz w\u00a0portalu.',
    none: 'Brak danych',
    history: 'Historia aktywności',
    more: (told: number) => `To ${told} najnowszych wpisów. Starsze, jeśli są, zawiera plik JSON.`,
  },
  en: {
    title: 'Your data',
    mark: 'Copy of personal data',
    as: (moment: string) => `As of ${moment}`,
    notice:
      'Everything that the portal keeps about you, without passwords and keys. The JSON file has the same in a form for programs, and also: certificates, the words of consents, the usage of timestamps day by day, the settings of renewals and the checks of files. Documents and agreements themselves you download in the portal.',
    none: 'No data',
    history: 'Activity history',
    more: (told: number) => `These are the newest ${told} entries. Older ones, if there are any, are in the JSON file.`,
  },
}
