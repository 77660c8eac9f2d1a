import * as fc from 'fast-check'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, test } from 'vitest'
import { PhoneNumber } from '../fields.ts'
import { limits } from '../limits.ts'
import {
  callingCode,
  countryMeant,
  isInternational,
  isPhoneCountry,
  phoneCountries,
  PhoneEntry,
  parsePhone,
} from './phone.ts'

const country = fc.constantFrom(...phoneCountries())
const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((list) => list.join(''))
/** Characters that occur in numbers, look like those, or break them. */
const unit = fc.constantFrom(...'0123456789+＋()-./～ \u00a0\u202a\n;,٣５xż😀', 'ext.', 'tel:', '\ud800')
/** Returns the number, or the problem of a text that is not a number. */
const outcome = (text: string, selected?: Parameters<typeof parsePhone>[1]) => {
  const read = parsePhone(text, selected)
  return 'number' in read ? read.number : read.problem
}
const entered = (text: unknown) => {
  const { data, error } = PhoneEntry.safeParse(text)
  return data ?? error?.issues[0]?.message
}

test('PHO-1 the mobile number of every country is read in its national and in both international writings, and is E.164', () => {
  expect(phoneCountries()).toHaveLength(245)
  for (const code of phoneCountries()) {
    const expected = `+${callingCode(code)}${examples[code]}`
    const read = parsePhone(examples[code], code)
    expect(read, code).toMatchObject({ number: expected })
    const { national, international } = read as Extract<typeof read, { number: string }>
    expect(isInternational(national), national).toBe(false)
    for (const writing of [national, international, international.replace('+', '00'), expected])
      expect([code, writing, outcome(writing, code)]).toEqual([code, writing, expected])
    expect(Math.max(national.length, international.length)).toBeLessThanOrEqual(limits.phone.fieldLength)
    expect([code, PhoneEntry.safeParse(international).data]).toEqual([code, expected])
    expect(PhoneNumber.safeParse(expected).success, code).toBe(true)
    // Territories without a range of their own are parsed as the country whose code they share.
    const meant = countryMeant(expected, 'PL')
    expect([code, callingCode(meant)]).toEqual([code, callingCode(code)])
  }
})

test.each([
  ['', 'required'],
  ['  \u00a0 ', 'required'],
  ['600 100 417', '+48600100417'],
  ['(600) 100-417', '+48600100417'],
  ['48600100417', '+48600100417'],
  ['0048 600 100 417', '+48600100417'],
  ['(+48) 600 100 417', '+48600100417'],
  ['+44 (0)7924 123456', '+447924123456'],
  ['6', 'phone-incomplete'],
  ['60010', 'phone-incomplete'],
  ['+4', 'phone-incomplete'],
  ['+48', 'phone-incomplete'],
  ['6'.repeat(18), 'too-long'],
  ['600 100', 'phone-incomplete'],
  ['600 100 4', 'phone-incomplete'],
  ['+48 600 100 41', 'phone-incomplete'],
  ['600 100 4178', 'phone-format'],
  ['22 100 20', 'phone-format'],
  ['22 100 20 30', 'phone-format'],
  ['abc', 'phone-format'],
  ['tel. 600 100 417', 'phone-format'],
  ['600 100 417 ext. 5', 'phone-format'],
  ['600 100 41; 7', 'phone-format'],
  ['600 100 41/7', 'phone-format'],
  ['+49 170 1234567 w. 1', 'phone-format'],
  ['+49 170/1234567', '+491701234567'],
  ['+49 (0)170/1234567', '+491701234567'],
  ['+43 (0) 664 / 1234567', '+436641234567'],
  ['(+49) (0)1512/3456789', '+4915123456789'],
  ['0049 (0)170/1234567', '+491701234567'],
  ['+43 664/1234/567', 'phone-format'],
  ['(600 100 417)', '+48600100417'],
  ['(+48 600 100 417)', '+48600100417'],
  ['(600) 100 41', 'phone-incomplete'],
  ['+49 170 1234567 (1)', 'phone-format'],
  ['600 100 41 (7)', 'phone-format'],
  ['600 100 41 (7', 'phone-format'],
  ['+49 170 1234567 (8', 'phone-format'],
  ['+49 170 1234567)8', 'phone-format'],
  ['+49 170 1234567 8-', 'phone-format'],
  ['+49 170 1234567 8.', 'phone-format'],
  ['+49 170 1234567 - 8 -', 'phone-format'],
  ['+49 170 1234567  8 (', 'phone-format'],
  ['+43 664 1234567 (12', 'phone-format'],
  ['+43 664 1234567)12', 'phone-format'],
  ['+43 664 12345 (1234', 'phone-format'],
  ['+49 170 1234567-1', 'phone-format'],
  ['+491701234567.0', 'phone-format'],
  ['+49 170 1234567\n1', 'phone-format'],
  ['600 100 41²', 'phone-format'],
  ['600·100·417', '+48600100417'],
  ['\u202d+48600100417\u202c', '+48600100417'],
  ['٦٠٠\u200b١٠٠−٤١٧', '+48600100417'],
  ['600\t100\t417', '+48600100417'],
  ['600\u2053100\u02d7417\u2043', '+48600100417'],
  ['6\ufe0f\u20e30\ufe0f\u20e30\ufe0f\u20e3 100 417', '+48600100417'],
  ['600 100 417\r\nBcc: x', 'phone-format'],
  ['+999 600 100 417', 'phone-format'],
])('PHO-1 in Poland %j is %s', (text, expected) => {
  expect(outcome(text, 'PL')).toBe(expected)
})

test('PHO-1 a leading + or 00 is the international mode, also after spaces and brackets', () => {
  for (const text of ['+', '+48', ' +48', '(+48)', '0048', '00', '＋48'])
    expect([text, isInternational(text)]).toEqual([text, true])
  for (const text of ['', '0', '048', '48', '6+48', 'a+48'])
    expect([text, isInternational(text)]).toEqual([text, false])
})

test('PHO-1 a code that is being typed means its country as soon as it is whole, and keeps one that shares it', () => {
  expect(countryMeant('+4', 'PL')).toBe('PL')
  expect(countryMeant('+49', 'PL')).toBe('DE')
  expect(countryMeant('0049 15', 'PL')).toBe('DE')
  expect(countryMeant('+1', 'PL')).toBe('US')
  expect(countryMeant('+1', 'CA')).toBe('CA')
  expect(countryMeant('+1 506 234 5678', 'US')).toBe('CA')
})

test('PHO-1 a national number has 2 to 17 digits, in every country', () => {
  const [min, max] = [2, 17]
  fc.assert(
    fc.property(country, digits(1, min - 1), fc.constantFrom('', '+'), (selected, text, plus) => {
      expect(outcome(plus + text, selected)).toBe('phone-incomplete')
    }),
  )
  fc.assert(
    // A calling code may come before the number.
    fc.property(country, digits(max + 4, 60), fc.constantFrom('', '+'), (selected, text, plus) => {
      expect(outcome(plus + text.replace(/^0*/, '9'), selected)).toBe('too-long')
    }),
  )
  fc.assert(
    fc.property(country, digits(1, 20), (selected, text) => {
      const read = parsePhone(text, selected)
      if (!('number' in read)) return
      const national = read.number.length - 1 - callingCode(read.country).length
      expect(national).toBeGreaterThanOrEqual(min)
      expect(national).toBeLessThanOrEqual(max)
    }),
  )
})

test('PHO-1 text beyond 250 characters is ignored, however much of it there is', () => {
  fc.assert(
    fc.property(country, fc.string({ maxLength: 2000 }), (selected, more) => {
      const own = examples[selected].padEnd(limits.phone.pastedLength)
      expect(outcome(own + more, selected)).toBe(outcome(examples[selected], selected))
    }),
  )
  const international = '+48600100417'.padEnd(limits.phone.pastedLength)
  expect(entered(`${international}${'9'.repeat(100_000)}`)).toBe('+48600100417')
  // The last of the 250 counts.
  expect(entered(`${international.slice(1)}9`)).not.toBe('+48600100417')
})

test('R26 R27 every input gives one number in E.164 of one country, or a problem', () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 300, unit }),
    fc
      .tuple(fc.constantFrom('+', '00', '＋', ''), digits(0, 30), fc.string({ maxLength: 5, unit }))
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const out = entered(text)
      expect(out).toMatch(/^(?:\+[1-9]\d{6,14}|required|too-long|phone-format|phone-incomplete)$/)
      if (out!.startsWith('+')) expect(entered(out)).toBe(out)
    }),
    { numRuns: 2000 },
  )
  for (const [what, number] of [
    ['satellite', '+881612345678'],
    ['universal free', '+80012345678'],
    ['universal premium', '+979123456789'],
    ['shared cost', '+80812345678'],
    ['international network', '+883510012345678'],
  ] as const)
    expect([what, entered(number)]).toEqual([what, 'phone-format'])
})

test('PHO-1 a national number needs its country, and anything but a text counts as missing', () => {
  for (const text of ['600100417', '48600100417']) expect(entered(text)).toBe('phone-format')
  for (const value of [undefined, null, 600100417, ['+48600100417'], {}]) expect(entered(value)).toBe('required')
  expect(entered('')).toBe('required')
})

test('PHO-2 only a country with phone numbers is one', () => {
  for (const code of ['PL', 'XK', 'GG']) expect(isPhoneCountry(code)).toBe(true)
  for (const code of ['ZZ', 'EU', 'pl', '', 'toString', '__proto__', 'constructor'])
    expect([code, isPhoneCountry(code)]).toEqual([code, false])
})
