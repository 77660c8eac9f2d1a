import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  birthDateOfPesel,
  isForeignDocument,
  isMobileIdCard,
  isNip,
  isPesel,
  isPolishIdCard,
  isPolishPassport,
  isResidenceCard,
  plainNumber,
} from './identifier-numbers.ts'

const judges = { isPesel, isNip, isPolishIdCard, isPolishPassport }

test('VAL-4 the samples of the specification are judged as it says', () => {
  const samples = [
    ['isPesel', '44051401458', '44051401358'],
    ['isNip', '1234563218', '1234563217'],
    ['isPolishIdCard', 'ABA300000', 'ABA300001'],
    ['isPolishPassport', 'ZS0000177', 'ZS0000178'],
  ] as const
  for (const [judge, good, bad] of samples)
    expect([judge, judges[judge](good), judges[judge](bad)]).toEqual([judge, true, false])
  expect(isMobileIdCard('MAAB91234')).toBe(true)
})

test('VAL-4 what is not of the form of a number is none: length, letters, spaces, other digits, lower case', () => {
  for (const text of ['', '4405140145', '440514014580', ' 44051401458', '4405140145O', '٤٤٠٥١٤٠١٤٥٨', '44051401458\n'])
    expect([text, isPesel(text)]).toEqual([text, false])
  // Its sum leaves 10, which is no digit.
  expect(isNip('1000000160')).toBe(false)
  for (const text of ['', '123456321', '12345632180', '123-456-32-18', '123456321x']) expect(isNip(text)).toBe(false)
  for (const text of ['aba300000', 'ABA 300000', 'AB3000000', 'ABA30000', 'ĄBA300000', 'ABA300000\n'])
    expect([text, isPolishIdCard(text)]).toEqual([text, false])
  for (const text of ['zs0000177', 'ZS 0000177', 'ZSA000177', 'ZS000177']) expect(isPolishPassport(text)).toBe(false)
  for (const text of ['RR1234567', 'XY0000000']) expect(isResidenceCard(text)).toBe(true)
  for (const text of ['R1234567', 'RR123456', 'rr1234567']) expect(isResidenceCard(text)).toBe(false)
  for (const text of ['AAAB91234', 'MAAB9123', 'MAAB912345']) expect(isMobileIdCard(text)).toBe(false)
  for (const text of ['533401372', 'C01X00T47', 'AB123']) expect(isForeignDocument(text)).toBe(true)
  for (const text of ['AB12', 'A'.repeat(16), 'C01X-00T47', 'c01x00t47']) expect(isForeignDocument(text)).toBe(false)
})

const digits = (length: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
const letters = (length: number) =>
  fc.array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), { minLength: length, maxLength: length })
const sum = (values: number[], weights: number[]) => weights.reduce((all, weight, i) => all + weight * values[i]!, 0)
const valueOf = (sign: string) => (/\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 55)
const put = (text: string, at: number, sign: string) => text.slice(0, at) + sign + text.slice(at + 1)

const day = fc.date({ min: new Date('1800-01-01'), max: new Date('2299-12-31'), noInvalidDate: true })
const addedToMonth: Record<string, number> = { '18': 80, '19': 0, '20': 20, '21': 40, '22': 60 }

/** A PESEL and its birth date, made from the rule rather than by trying. */
const pesel = fc.tuple(day, digits(4)).map(([date, tail]) => {
  const birthDate = date.toISOString().slice(0, 10)
  const [year, month, dayOfMonth] = birthDate.split('-') as [string, string, string]
  const coded = String(Number(month) + addedToMonth[year.slice(0, 2)]!).padStart(2, '0')
  const ten = year.slice(2) + coded + dayOfMonth + tail.join('')
  const check = (10 - (sum([...ten].map(Number), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10
  return { number: `${ten}${check}`, birthDate }
})
const nip = digits(9)
  .map((nine) => ({ nine, check: sum(nine, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 }))
  .filter(({ check }) => check < 10)
  .map(({ nine, check }) => `${nine.join('')}${check}`)
/** The check digit stands after the letters, where its weight is 9, so that it is the sum of all others. */
const idCard = fc.tuple(letters(3), digits(5)).map(([series, number]) => {
  const check = sum([...series.map(valueOf), ...number], [7, 3, 1, 7, 3, 1, 7, 3]) % 10
  return `${series.join('')}${check}${number.join('')}`
})
const passport = fc.tuple(letters(2), digits(6)).map(([series, number]) => {
  const check = sum([...series.map(valueOf), ...number], [7, 3, 1, 7, 3, 1, 7, 3]) % 10
  return `${series.join('')}${check}${number.join('')}`
})

test('VAL-4 every PESEL of five centuries is one, and tells its birth date', () => {
  fc.assert(
    fc.property(pesel, ({ number, birthDate }) => {
      expect([number, birthDateOfPesel(number)]).toEqual([number, birthDate])
    }),
  )
})

test('VAL-4 every number with its check digit passes, and one digit mistyped never does', () => {
  const numbers = fc.oneof(
    fc.tuple(
      fc.constant('isPesel' as const),
      pesel.map(({ number }) => number),
    ),
    fc.tuple(fc.constant('isNip' as const), nip),
    fc.tuple(fc.constant('isPolishIdCard' as const), idCard),
    fc.tuple(fc.constant('isPolishPassport' as const), passport),
  )
  fc.assert(
    fc.property(numbers, fc.nat(10), fc.integer({ min: 1, max: 9 }), ([judge, number], place, shift) => {
      expect([number, judges[judge](number)]).toEqual([number, true])
      const places = [...number].flatMap((sign, i) => (/\d/.test(sign) ? [i] : []))
      const at = places[place % places.length]!
      const mistyped = put(number, at, String((Number(number[at]) + shift) % 10))
      expect([mistyped, judges[judge](mistyped)]).toEqual([mistyped, false])
    }),
    { numRuns: 400 },
  )
})

/** What a number is weighed by, its check digit included, and by what the sum is divided. */
const scales = {
  isPesel: { weights: [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], modulus: 10 },
  isNip: { weights: [6, 5, 7, 2, 3, 4, 5, 6, 7, -1], modulus: 11 },
  isPolishIdCard: { weights: [7, 3, 1, 9, 7, 3, 1, 7, 3], modulus: 10 },
  isPolishPassport: { weights: [7, 3, 9, 1, 7, 3, 1, 7, 3], modulus: 10 },
}
const samplesOf = {
  isPesel: pesel.map(({ number }) => number),
  isNip: nip,
  isPolishIdCard: idCard,
  isPolishPassport: passport,
}

test.each(Object.keys(judges) as (keyof typeof judges)[])(
  'VAL-4 %s finds every wrong sign, and every two neighbours that were swapped, which the check digit can find; and no other where nothing but the digit tells',
  (name) => {
    const { weights, modulus } = scales[name]
    const seen = { found: 0, blind: 0 }
    const judge = (text: string, change: number) => {
      const canFind = change % modulus !== 0
      seen[canFind ? 'found' : 'blind'] += 1
      // Of a PESEL the calendar may find more than its digit can.
      if (canFind || name !== 'isPesel') expect([text, judges[name](text)]).toEqual([text, !canFind])
    }
    const isDigit = (sign: string) => /\d/.test(sign)
    fc.assert(
      fc.property(samplesOf[name], (number) => {
        const signs = [...number]
        for (const [at, sign] of signs.entries()) {
          for (const other of isDigit(sign) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
            if (other !== sign) judge(put(number, at, other), weights[at]! * (valueOf(other) - valueOf(sign)))
          const next = signs[at + 1]
          if (next !== undefined && next !== sign && isDigit(next) === isDigit(sign))
            judge(
              put(put(number, at, next), at + 1, sign),
              (weights[at]! - weights[at + 1]!) * (valueOf(next) - valueOf(sign)),
            )
        }
      }),
      { numRuns: 50 },
    )
    expect(seen.found).toBeGreaterThan(1000)
  },
)

test('VAL-4 DAT-2 a number is read as people write it: spaces, dashes of any kind, small and full-width letters', () => {
  for (const text of [
    'ABA300000',
    ' aba 300 000 ',
    'ABA-300–000',
    'aba\u00a0300000',
    'ＡＢＡ３０００００',
    'ABA\t300000',
  ])
    expect(plainNumber(text)).toBe('ABA300000')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plainNumber(plainNumber(text))).toBe(plainNumber(text))
    }),
  )
})

test('VAL-4 a PESEL of a day that the calendar does not have is none, whatever its check digit', () => {
  const checked = (ten: string) =>
    `${ten}${(10 - (sum([...ten].map(Number), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10}`
  // 1900 was no leap year, 2000 (its months from 21 on) was.
  const expected = {
    '440514': true,
    '040229': true,
    '042229': true,
    '000229': false,
    '002229': true,
    '990230': false,
    '441314': false,
    '440014': false,
    '440500': false,
  }
  for (const [date, good] of Object.entries(expected))
    expect([date, isPesel(checked(`${date}0145`))]).toEqual([date, good])
})
