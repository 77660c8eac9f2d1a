import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as identifiers from './identifier-numbers.ts'

const { isPesel, isNip, isPolishIdCard, isPolishPassport } = identifiers
const judges = { isPesel, isNip, isPolishIdCard, isPolishPassport }

test('VAL-4 the samples of the specification have the results that it states', () => {
  const samples = [
    ['isPesel', '44051401458', '44051401358'],
    ['isNip', '1234563218', '1234563217'],
    ['isPolishIdCard', 'ABA300000', 'ABA300001'],
    ['isPolishPassport', 'ZS0000177', 'ZS0000178'],
  ] as const
  for (const [judge, good, bad] of samples)
    expect([judge, judges[judge](good), judges[judge](bad)]).toEqual([judge, true, false])
  expect(identifiers.isMobileIdCard('MAAB91234')).toBe(true)
})

test('VAL-4 a wrong form is refused: length, letters, spaces, other digits, lower case', () => {
  for (const text of ['', '4405140145', '440514014580', ' 44051401458', '4405140145O', '٤٤٠٥١٤٠١٤٥٨', '44051401458\n'])
    expect([text, isPesel(text)]).toEqual([text, false])
  // The remainder is 10, which is not a digit.
  expect(isNip('1000000160')).toBe(false)
  for (const text of ['', '123456321', '12345632180', '123-456-32-18', '123456321x']) expect(isNip(text)).toBe(false)
  for (const text of ['aba300000', 'ABA 300000', 'AB3000000', 'ABA30000', 'ĄBA300000', 'ABA300000\n'])
    expect([text, isPolishIdCard(text)]).toEqual([text, false])
  for (const text of ['zs0000177', 'ZS 0000177', 'ZSA000177', 'ZS000177']) expect(isPolishPassport(text)).toBe(false)
  for (const text of ['RR1234567', 'XY0000000']) expect(identifiers.isResidenceCard(text)).toBe(true)
  for (const text of ['R1234567', 'RR123456', 'rr1234567']) expect(identifiers.isResidenceCard(text)).toBe(false)
  for (const text of ['AAAB91234', 'MAAB9123', 'MAAB912345']) expect(identifiers.isMobileIdCard(text)).toBe(false)
  for (const text of ['533401372', 'C01X00T47', 'AB123']) expect(identifiers.isForeignDocument(text)).toBe(true)
  for (const text of ['AB12', 'A'.repeat(16), 'C01X-00T47', 'c01x00t47'])
    expect(identifiers.isForeignDocument(text)).toBe(false)
})

const digits = (length: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
const letters = (length: number) =>
  fc.array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), { minLength: length, maxLength: length })
const sum = (values: number[], weights: number[]) => weights.reduce((all, weight, i) => all + weight * values[i]!, 0)
const valueOf = (sign: string) => (/\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 55)
const put = (text: string, at: number, sign: string) => text.slice(0, at) + sign + text.slice(at + 1)

const day = fc.date({ min: new Date('1800-01-01'), max: new Date('2299-12-31'), noInvalidDate: true })
const addedToMonth: Record<string, number> = { '18': 80, '19': 0, '20': 20, '21': 40, '22': 60 }

const checkedPesel = (ten: string) =>
  `${ten}${(10 - (sum([...ten].map(Number), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10}`

/** A PESEL and its birth date, computed from the rule. */
const pesel = fc.tuple(day, digits(4)).map(([date, tail]) => {
  const birthDate = date.toISOString().slice(0, 10)
  const [year, month, dayOfMonth] = birthDate.split('-') as [string, string, string]
  const coded = String(Number(month) + addedToMonth[year.slice(0, 2)]!).padStart(2, '0')
  const ten = year.slice(2) + coded + dayOfMonth + tail.join('')
  return { number: checkedPesel(ten), birthDate }
})
const nip = digits(9)
  .map((nine) => ({ nine, check: sum(nine, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 }))
  .filter(({ check }) => check < 10)
  .map(({ nine, check }) => `${nine.join('')}${check}`)
/** Generates document numbers. The check digit follows the letters and has the weight 9, so that it is the sum of all others. */
const documentOf = (ofLetters: number, ofDigits: number) =>
  fc.tuple(letters(ofLetters), digits(ofDigits)).map(([series, number]) => {
    const check = sum([...series.map(valueOf), ...number], [7, 3, 1, 7, 3, 1, 7, 3]) % 10
    return `${series.join('')}${check}${number.join('')}`
  })

test('VAL-4 a PESEL of each of the five centuries is valid, and has its birth date', () => {
  fc.assert(
    fc.property(pesel, ({ number, birthDate }) => {
      expect([number, identifiers.birthDateOfPesel(number)]).toEqual([number, birthDate])
    }),
  )
})

/** The weights of a number, with its check digit, and the divisor of the sum. */
const scales = {
  isPesel: { weights: [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], modulus: 10 },
  isNip: { weights: [6, 5, 7, 2, 3, 4, 5, 6, 7, -1], modulus: 11 },
  isPolishIdCard: { weights: [7, 3, 1, 9, 7, 3, 1, 7, 3], modulus: 10 },
  isPolishPassport: { weights: [7, 3, 9, 1, 7, 3, 1, 7, 3], modulus: 10 },
}
const samplesOf = {
  isPesel: pesel.map(({ number }) => number),
  isNip: nip,
  isPolishIdCard: documentOf(3, 5),
  isPolishPassport: documentOf(2, 6),
}

test.each(Object.keys(judges) as (keyof typeof judges)[])(
  'VAL-4 %s takes each number, and finds every error that its check digit can find',
  (name) => {
    const { weights, modulus } = scales[name]
    const seen = { found: 0, blind: 0 }
    const judge = (text: string, change: number) => {
      const canFind = change % modulus !== 0
      seen[canFind ? 'found' : 'blind'] += 1
      // The date of a PESEL may reveal more errors than its check digit.
      if (canFind || name !== 'isPesel') expect([text, judges[name](text)]).toEqual([text, !canFind])
    }
    const isDigit = (sign: string) => /\d/.test(sign)
    fc.assert(
      fc.property(samplesOf[name], (number) => {
        expect([number, judges[name](number)]).toEqual([number, true])
        const signs = [...number]
        for (const [at, sign] of signs.entries()) {
          for (const wrong of isDigit(sign) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
            if (wrong !== sign) judge(put(number, at, wrong), weights[at]! * (valueOf(wrong) - valueOf(sign)))
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

test('VAL-4 DAT-2 a number is accepted as people write it: spaces, dashes of any kind, small and full-width letters', () => {
  for (const text of [
    'ABA300000',
    ' aba 300 000 ',
    'ABA-300–000',
    'aba\u00a0300000',
    'ＡＢＡ３０００００',
    'ABA\t300000',
  ])
    expect(identifiers.plainNumber(text)).toBe('ABA300000')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(identifiers.plainNumber(identifiers.plainNumber(text))).toBe(identifiers.plainNumber(text))
    }),
  )
})

test('VAL-4 a PESEL of a day that does not exist is refused for every check digit', () => {
  // 1900 was not a leap year, 2000 (months from 21 on) was.
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
    expect([date, isPesel(checkedPesel(`${date}0145`))]).toEqual([date, good])
})
