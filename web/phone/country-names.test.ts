import { expect, test } from 'vitest'
import { type Locale, locales } from '../../contract/enums.ts'
import { phoneCountries } from '../../contract/rules/phone.ts'
import { countryRows, searchCountries } from './country-names.ts'

const found = (query: string, locale: Locale = 'pl') =>
  searchCountries(countryRows(locale), query).map(({ country }) => country)

test('PHO-1 every country is listed once with a name in both languages and its code: Poland first, then by name', () => {
  for (const locale of locales) {
    const rows = countryRows(locale)
    expect(rows.map(({ country }) => country).toSorted()).toEqual(phoneCountries().toSorted())
    for (const row of rows) {
      expect(row.name, row.country).not.toBe(row.country)
      expect(row.code, row.country).toMatch(/^\d{1,3}$/)
    }
    const [first, ...rest] = rows.map(({ name }) => name)
    expect(first).toBe({ pl: 'Polska', en: 'Poland' }[locale])
    expect(rest).toEqual(rest.toSorted(new Intl.Collator(locale).compare))
  }
})

test('PHO-1 a country is found by its name in either language, its own name, its two letters and its code', () => {
  for (const query of ['Niemcy', 'germany', 'Deutsch', 'niem', '49', '+49', '0049', ' NIEMCY '])
    for (const locale of locales) expect([query, locale, found(query, locale)[0]]).toEqual([query, locale, 'DE'])
  expect(found('pl')[0]).toBe('PL')
  expect(found('Ελλάδα')).toEqual(['GR'])
  expect(found('日本')).toEqual(['JP'])
})

test('PHO-1 marks and case are forgiven, words within a name are found, and nonsense finds nothing', () => {
  expect(found('lotwa')).toEqual(['LV'])
  expect(found('ŁOTWA')).toEqual(['LV'])
  expect(found('wegry')).toEqual(['HU'])
  expect(found('magyar')).toEqual(['HU'])
  expect(found('kingdom', 'en')).toEqual(['GB'])
  expect(found('xyzzy')).toEqual([])
  expect(found('')).toHaveLength(phoneCountries().length)
})

test('PHO-1 of countries that share a code, the best known comes first', () => {
  expect([found('+1')[0], found('+7')[0], found('+44')[0], found('0039')[0]]).toEqual(['US', 'RU', 'GB', 'IT'])
  expect(found('+44')).toEqual(expect.arrayContaining(['GG', 'IM', 'JE']))
})
