import type { Locale } from '../../contract/enums.ts'
import { callingCode, leadsCode, phoneCountries, type Country } from '../../contract/rules/phone.ts'
import { countryIn } from '../text/identifier-text.ts'

/** The portal's own country is first. */
export const homeCountry: Country = 'PL'

/** One row of the country list. `native` is the name that its people use, in `language`; empty when it is the same. */
export type CountryRow = {
  country: Country
  name: string
  native: string
  language: string
  code: string
  /** Texts that a search looks through, each folded. */
  parts: readonly string[]
}

export const countryName = (locale: Locale, country: Country) => countryIn(locale, country) || country

/** Normalises case, diacritics and the one Polish letter that does not decompose, so that `Łódź` and `lodz` match. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l').trim()

const made = new Map<Locale, readonly CountryRow[]>()

/**
 * Returns every country with a calling code: the portal's own first, then by name. The rows are made once per language, when a list is
 * opened.
 */
export function countryRows(locale: Locale): readonly CountryRow[] {
  const known = made.get(locale)
  if (known) return known
  const { compare } = new Intl.Collator(locale)
  const rows = phoneCountries()
    .map((country) => rowOf(locale, country))
    .toSorted((a, b) => compare(a.name, b.name))
  const sorted = rows.toSorted((a, b) => Number(b.country === homeCountry) - Number(a.country === homeCountry))
  made.set(locale, sorted)
  return sorted
}

function rowOf(locale: Locale, country: Country): CountryRow {
  // The likely language of a territory is CLDR's, which every browser carries.
  const { language } = new Intl.Locale('und', { region: country }).maximize()
  const [name, own, code] = [countryName(locale, country), countryIn(language, country), callingCode(country)]
  const translated = countryName(locale === 'pl' ? 'en' : 'pl', country)
  const parts = [name, translated, own, country, code, `+${code}`, `00${code}`].map(fold)
  return { country, name, native: own === name ? '' : own, language, code, parts }
}

/**
 * Finds the rows that match a search: first those with a part that begins with it, then those with a word that does; of countries that
 * share a code, the one it is known for comes first. A name may be typed in either language or in that of the country, and a code with or
 * without + or 00 (PHO-1).
 */
export function searchCountries(rows: readonly CountryRow[], query: string): readonly CountryRow[] {
  const wanted = fold(query)
  if (!wanted) return rows
  const begins = rows.filter(({ parts }) => parts.some((part) => part.startsWith(wanted)))
  const within = rows.filter((row) => !begins.includes(row) && row.parts.some((part) => part.includes(` ${wanted}`)))
  const known = /\d/.test(wanted) ? begins.filter(({ country }) => leadsCode(country)) : []
  return [...new Set([...known, ...begins, ...within])]
}
