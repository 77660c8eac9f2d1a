import { expect, test } from 'vitest'
import { Identification } from './identification.ts'

const polish = {
  nationality: 'PL',
  identifierType: 'PNO',
  issuingCountry: 'PL',
  identificationNumber: '44051401458',
  birthDate: '1944-05-14',
  birthPlace: 'Łódź',
  document: { type: 'DO', number: 'ABA300000', validTo: '2031-05-02', issuedBy: 'Prezydent m.st. Warszawy' },
}
type Change = { [field: string]: unknown; document?: Record<string, unknown> }
/** Returns the paths of the fields that are refused. */
const refused = ({ document, ...change }: Change) => {
  const result = Identification.safeParse({ ...polish, ...change, document: { ...polish.document, ...document } })
  return result.success ? [] : [...new Set(result.error.issues.map(({ path }) => path.join('.')))]
}

test('DAT-1 VAL-4 whole identification data passes, with and without an expiry of the document', () => {
  expect(Identification.parse(polish)).toEqual(polish)
  expect(refused({ document: { validTo: null } })).toEqual([])
})

test('DAT-1 VAL-4 numbers of every kind are judged by the register they are from', () => {
  const identifiers: [string, string | null, string, boolean][] = [
    ['PNO', 'PL', '44051401458', true],
    ['PNO', 'PL', '44051401358', false],
    ['PNO', 'CZ', '4405141458', true],
    ['TIN', 'PL', '1234563218', true],
    ['TIN', 'PL', '1234563217', false],
    ['TIN', 'DE', '12345678911', true],
    ['PAS', 'PL', 'ZS0000177', true],
    ['PAS', 'PL', 'ZS0000178', false],
    ['PAS', 'GB', '533401372', true],
    ['PAS', 'GB', '53-3401372', false],
    ['IDC', 'PL', 'ABA300000', true],
    ['IDC', 'PL', 'ABA300001', false],
    ['IDC', 'DE', 'L01X00T47', true],
    ['ECN', null, 'Z-1000', true],
    ['ECN', null, 'z-1000', false],
  ]
  for (const [identifierType, issuingCountry, identificationNumber, good] of identifiers)
    expect([
      identifierType,
      identificationNumber,
      refused({ identifierType, issuingCountry, identificationNumber }),
    ]).toEqual([identifierType, identificationNumber, good ? [] : ['identificationNumber']])
})

test('DAT-1 VAL-4 documents are judged by kind, and Polish ones of Polish citizens by their check digits', () => {
  const documents: [string, string, string, boolean][] = [
    ['PL', 'DO', 'ABA300000', true],
    ['PL', 'DO', 'ABA300001', false],
    ['PL', 'PA', 'ZS0000177', true],
    ['PL', 'PA', 'ZS0000178', false],
    ['PL', 'MD', 'MAAB91234', true],
    ['PL', 'MD', 'AAAB91234', false],
    ['GB', 'PA', '533401372', true],
    ['DE', 'DO', 'L01X00T47', true],
    ['DE', 'DO', 'L01', false],
    ['UA', 'KP', 'RR1234567', true],
    ['UA', 'KP', 'RRR234567', false],
  ]
  for (const [nationality, type, number, good] of documents)
    expect([type, number, refused({ nationality, document: { type, number } })]).toEqual([
      type,
      number,
      good ? [] : ['document.number'],
    ])
})

test('DAT-1 VAL-4 a birth date is a day of the calendar, and the one of a PESEL', () => {
  expect(refused({ birthDate: '1944-05-15' })).toEqual(['birthDate'])
  expect(refused({ birthDate: '1944-02-30' })).toEqual(['birthDate'])
  expect(refused({ birthDate: '14.05.1944' })).toEqual(['birthDate'])
  // The numbers of other countries contain no birth date that we know of.
  expect(refused({ issuingCountry: 'CZ', birthDate: '1944-05-15' })).toEqual([])
})

test('DAT-1 every number but the provider’s own has a country, and nothing else is taken', () => {
  expect(refused({ issuingCountry: null })).toEqual(['issuingCountry'])
  expect(refused({ identifierType: 'ECN' })).toEqual(['issuingCountry'])
  expect(refused({ nationality: 'pl' })).toEqual(['nationality'])
  expect(refused({ nationality: 'POL' })).toEqual(['nationality'])
  expect(refused({ birthPlace: '' })).toEqual(['birthPlace'])
  expect(refused({ birthPlace: 'Łódź\r\nBcc: x' })).toEqual(['birthPlace'])
  expect(refused({ document: { type: 'XX' } })).toEqual(['document.type'])
  expect(refused({ document: { validTo: '2031-02-30' } })).toEqual(['document.validTo'])
  expect(refused({ document: { country: 'PL' } })).toEqual(['document'])
  expect(refused({ religion: 'none' })).toEqual([''])
})
