import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { Brand } from '../../contract/page-config.ts'
import { openPaper } from '../../paper/paper.ts'
import { coloursOf, mixWithPaper } from '../platform/brand/theme.ts'
import { momentOf, type ExportedSection, type ExportedValue } from '../platform/exported-data.ts'
import type { HistoryEntry } from './data-export-store.ts'

type Contents = {
  locale: Locale
  brand: Brand
  madeAt: Date
  sections: readonly ExportedSection[]
  history: AsyncIterable<readonly HistoryEntry[]>
}

const irisNames = ['iris-a', 'iris-b', 'iris-c'] as const

/** Number of things after which other requests of this process get their turn. */
const thingsPerTurn = 10

/**
 * Writes the copy of all data as a tagged PDF (DAT-6, EN 301 549 §10): the same as the JSON, but with only the newest entries of the
 * history.
 */
export async function writeDataExportPdf({ locale, brand, madeAt, sections, history }: Contents) {
  const text = texts[locale]
  const colours = coloursOf(brand)
  const moment = momentOf(locale, madeAt)
  const paper = await openPaper({
    language: locale,
    title: text.title,
    author: brand.company,
    head: [brand.product, text.mark],
    foot: `${brand.company}, ${moment}`,
    createdAt: madeAt,
    brand: { ink: colours['brand-700'], lines: irisNames.map((name) => mixWithPaper(colours[name], 0.39)) },
  })
  let written = 0
  const pause = async () => {
    if (++written % thingsPerTurn === 0) await nextTurn()
  }
  paper.title(text.title, text.as(moment))
  paper.notice(text.notice)
  for (const { title, things } of sections) {
    paper.section(title[locale])
    if (!things.length) paper.paragraph(text.none)
    for (const [index, { name, rows }] of things.entries()) {
      const filled = rows
        .map(([label, value]): [string, string] => [label[locale], writtenValue(locale, value)])
        .filter(([, value]) => value)
      if (name !== undefined) paper.paragraph(`${index + 1}. ${writtenValue(locale, name)}`)
      if (filled.length) paper.table(filled)
      await pause()
    }
  }
  paper.section(text.history)
  let shownCount = 0
  let hasMore = false
  for await (const page of history) {
    const shown = page.slice(0, limits.dataExport.pdfEntries - shownCount)
    for (let at = 0; at < shown.length; at += thingsPerTurn) {
      paper.table(shown.slice(at, at + thingsPerTurn).map((entry) => rowOf(locale, entry)))
      await nextTurn()
    }
    shownCount += shown.length
    hasMore = page.length > shown.length
    if (shownCount === limits.dataExport.pdfEntries) break
  }
  if (!shownCount) paper.paragraph(text.none)
  if (hasMore || shownCount === limits.dataExport.pdfEntries) paper.paragraph(text.more(shownCount))
  return paper.finish()
}

const writtenValue = (locale: Locale, value: ExportedValue): string => {
  if (value === null) return ''
  if (value instanceof Date) return momentOf(locale, value)
  return typeof value === 'object' ? value[locale] : String(value)
}

const rowOf = (locale: Locale, { at, words: text, address }: HistoryEntry): [string, string] => [
  momentOf(locale, at),
  address ? `${text}, ${address}` : text,
]

const texts = {
  pl: {
    title: 'Twoje dane',
    mark: 'Kopia danych osobowych',
    as: (moment: string) => `Stan na ${moment}`,
    notice:
      'Wszystko, co portal przechowuje o\u00a0Tobie, bez haseł i\u00a0kluczy. Plik JSON zawiera to samo w\u00a0formie dla programów, a\u00a0także: certyfikaty, treść zgód, zużycie znaczników dzień po dniu, ustawienia odnowień i\u00a0wyniki sprawdzenia plików. Same dokumenty i\u00a0umowy pobierzesz w\u00a0portalu.',
    none: 'Brak danych',
    history: 'Historia aktywności',
    more: (count: number) => `To ${count} najnowszych wpisów. Starsze, jeśli są, zawiera plik JSON.`,
  },
  en: {
    title: 'Your data',
    mark: 'Copy of personal data',
    as: (moment: string) => `As of ${moment}`,
    notice:
      'Everything the portal keeps about you, except passwords and keys. The JSON file has the same data in a format for software, plus your certificates, the wording of your consents, daily timestamp usage, renewal options and the results of file checks. You can download the documents and agreements themselves in the portal.',
    none: 'No data',
    history: 'Activity history',
    more: (count: number) => `These are the newest ${count} entries. Any older ones are in the JSON file.`,
  },
}
