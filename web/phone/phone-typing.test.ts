import * as fc from 'fast-check'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { callingCode, isPhoneCountry, phoneCountries, PhoneEntry } from '../../contract/rules/phone.ts'
import { formatted, shownFor, extractPastedNumber, parsePhoneText, withoutCode } from './phone-typing.ts'

/** Characters of numbers, similar ones, and ones that break them. */
const unit = fc.constantFrom(...'0123456789+＋()-./～ \u00a0\u202a\n;,٣５xż😀', 'ext.', 'tel:', '\ud800')
const country = fc.constantFrom(...phoneCountries())

test('PHO-1 a national number is of the chosen country, an international one says its own', () => {
  expect(parsePhoneText('600 100 417', 'PL')).toEqual({ country: 'PL', value: '+48600100417' })
  expect(parsePhoneText('+44 7911 123456', 'PL')).toEqual({ country: 'GG', value: '+447911123456' })
  expect(parsePhoneText('004915112345678', 'PL')).toEqual({ country: 'DE', value: '+4915112345678' })
  expect(parsePhoneText('+4', 'PL')).toEqual({ country: 'PL', value: '+4' })
  expect(parsePhoneText('  ', 'PL')).toEqual({ country: 'PL', value: '' })
})

test('PHO-1 what is not right yet reaches the schema so that it finds what is wrong', () => {
  const problem = (text: string) => PhoneEntry.safeParse(parsePhoneText(text, 'PL').value).error?.issues[0]?.message
  expect(problem('')).toBe('required')
  expect(problem('60010')).toBe('phone-incomplete')
  expect(problem('+48 60010')).toBe('phone-incomplete')
  expect(problem('6'.repeat(20))).toBe('too-long')
  expect(problem('sześćset')).toBe('phone-format')
})

test('PHO-1 leaving the field formats a number in its own mode, and leaves anything else as it is', () => {
  expect(formatted('600100417', 'PL')).toBe('600 100 417')
  expect(formatted('+48600100417', 'PL')).toBe('+48 600 100 417')
  expect(formatted('0048600100417', 'PL')).toBe('+48 600 100 417')
  expect(formatted('60010', 'PL')).toBe('60010')
  expect(formatted('abc', 'PL')).toBe('abc')
  for (const region of phoneCountries()) {
    const text = formatted(examples[region], region)
    expect([region, formatted(text, region), parsePhoneText(text, region).value]).toEqual([
      region,
      text,
      `+${callingCode(region)}${examples[region]}`,
    ])
  }
})

test('PHO-1 a value is shown so that it is understood as the same value', () => {
  for (const region of phoneCountries()) {
    const value = `+${callingCode(region)}${examples[region]}`
    const shown = shownFor(value, 'PL')
    expect([region, parsePhoneText(shown.text, shown.country).value]).toEqual([region, value])
  }
  expect(shownFor('+48 60010', 'DE')).toEqual({ country: 'PL', text: '+48 60010' })
  expect(shownFor('', 'DE')).toEqual({ country: 'DE', text: '' })
})

test('PHO-1 another country takes the digits over, but not the code of the one before', () => {
  expect(withoutCode('600 100 417', 'PL')).toBe('600 100 417')
  expect(withoutCode('+48 600 100 417', 'PL')).toBe('600100417')
  expect(withoutCode('0048600', 'PL')).toBe('600')
  expect(withoutCode('+4', 'PL')).toBe('')
})

test('PHO-1 the field holds at most 25 characters, and only the first 250 of a pasted text are read', () => {
  expect(extractPastedNumber('600 100 417', 25)).toBeUndefined()
  expect(extractPastedNumber(`${'x'.repeat(limits.phone.pastedLength - 2)}6001`, 25)).toBe('60')
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), fc.nat(limits.phone.fieldLength), (text, room) => {
      const tidy = extractPastedNumber(text, room) ?? text
      expect(tidy.length).toBeLessThanOrEqual(room)
    }),
  )
})

test.each([
  ['Tel.: \u202a+48 600 100 417\u202c', '+48 600 100 417'],
  ['(+48) 600-100-417 (kom.)', '(+48) 600-100-417'],
  ['600 100 417 wew. 5', '600 100 417'],
  ['+49 170 1234567 wew. 1', '+49 170 1234567'],
  ['+49 170 1234567#12', '+49 170 1234567'],
  ['tel:+48-600-100-417;ext=1', '+48-600-100-417'],
  ['600 100 417 / 601 200 300', '600 100 417'],
  ['٦٠٠١٠٠٤١٧', '600100417'],
  ['24h: 600 100 417', '600 100 417'],
  ['600 100 417\n601 200 300', '600 100 417'],
  ['+49 170 1234567²', '+49 170 1234567'],
  ['600 100 417\u2028601 200 300', '600 100 417'],
  ['00-950 Warszawa, tel. 600 100 417', '600 100 417'],
  // A country's code goes with what is behind it, whatever is between them.
  ['+420\t601100417', '+420 601100417'],
  ['+420\n601100417', '+420 601100417'],
  ['+420 / 601 100 417', '+420 601 100 417'],
  ['+420; 601100417', '+420 601100417'],
  ['(+420) tel. 601100417 wew. 5', '(+420) 601100417'],
  ['00420\t601100417', '00420 601100417'],
  ['+44\t7911123456', '+44 7911123456'],
  ['+420\t60110041', '+420 60110041'],
  // No whole number before the other digits, or nothing that says where it ends.
  ['kom. 600 100 41; 7', '600 100 41; 7'],
  ['+43 664/1234/567', undefined],
  ['+43 664 1234,567', undefined],
  ['+49 170/1234567', undefined],
  ['600 100 41 w. 7', undefined],
  ['kom. 600 100 41\t7', '600 100 41; 7'],
  ['600 100 41\n7', '600 100 41; 7'],
  ['+48 600\u2028100\u2028417', '+48 600; 100; 417'],
  ['tel. +49 (0)170 / 1234567', '+49 (0)170 / 1234567'],
  ['+49 170 / 600100417', undefined],
  ['brak', undefined],
])('PHO-1 of the pasted text „%s” the field takes „%s”', (pasted, taken) => {
  expect(extractPastedNumber(pasted, limits.phone.fieldLength, 'PL')).toBe(taken)
})

test('PHO-1 nothing that is typed throws, and no value is longer than what is read', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400, unit }), country, (text, chosen) => {
      const { country: meant, value } = parsePhoneText(text, chosen)
      expect(isPhoneCountry(meant)).toBe(true)
      expect(value.length).toBeLessThanOrEqual(limits.phone.pastedLength + 5)
      expect(typeof formatted(text, chosen)).toBe('string')
      expect(shownFor(text, chosen).text.length).toBeLessThanOrEqual(limits.phone.fieldLength)
    }),
  )
})
