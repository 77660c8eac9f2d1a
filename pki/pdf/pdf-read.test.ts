import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, latin1 } from '../bytes.ts'
import { checkDamaged } from '../testing/damaged-bytes.ts'
import { fileOf } from '../testing/pades-authorities.ts'
import { PdfError, PdfParser } from './pdf-parser.ts'
import { firstPage, openPdf } from './pdf-read.ts'
import {
  pdfDate,
  pdfDictionary,
  pdfName,
  pdfReference,
  pdfSyntax,
  pdfText,
  withEntries,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'

const parse = (text: string) => new PdfParser(Buffer.from(text, 'latin1'), 0).value()
const string = (text: string) => ({ kind: 'string', bytes: Uint8Array.from(Buffer.from(text, 'latin1')) })

test.each<[string, unknown]>([
  ['null', null],
  ['true', true],
  ['-17', -17],
  ['+.5', 0.5],
  ['4.', 4],
  ['/Name', pdfName('Name')],
  ['/A#20B#23', pdfName('A B#')],
  ['(plain (nested) text)', string('plain (nested) text')],
  ['(\\n\\)\\050\\53\\0053\\x)', string('\n)(+\u00053x')],
  ['(a\\\r\nb\r\nc)', string('ab\nc')],
  ['<48 65 6C6c 6>', string('Hell`')],
  ['12 0 R', pdfReference(12)],
  ['[1 2 0 R 3 0 4]', [1, pdfReference(2), 3, 0, 4]],
  [
    '% remark\n<</A 1/B[]/C<</D(x)>>>>',
    new Map<string, unknown>([
      ['A', 1],
      ['B', []],
      ['C', new Map([['D', string('x')]])],
    ]),
  ],
])('DOC-8 %j is read by the letter of ISO 32000', (text, value) => {
  expect(parse(text)).toEqual(value)
})

test.each([
  '',
  'nul',
  '--1',
  '1e5',
  '12345678901',
  '(open',
  '<4x>',
  '<48',
  '[1 2',
  '<</A 1',
  '<</A 1/A 2>>',
  '<<1 2>>',
  '/A#2',
  ')',
  '['.repeat(200),
])('DOC-8 %j is refused', (text) => {
  expect(() => parse(text)).toThrow(PdfError)
})

test('DOC-8 every value is written so that it is read again', () => {
  const { value } = fc.letrec<{ value: PdfValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.integer({ min: -2_000_000_000, max: 2_000_000_000 }),
      fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)) }).map(pdfName),
      fc.uint8Array().map((bytes) => ({ kind: 'string' as const, bytes })),
      fc.tuple(fc.nat(9_999_999), fc.nat(65_535)).map(([number, generation]) => pdfReference(number, generation)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.string({ unit: 'grapheme-ascii' }), tie('value')), { maxLength: 4 })
        .map((entries) => new Map(entries)),
    ),
  }))
  fc.assert(
    fc.property(value, (any) => {
      expect(parse(pdfSyntax(any))).toEqual(any)
    }),
    { numRuns: 300 },
  )
})

test('DOC-8 numbers, texts and dates are written as readers expect them', () => {
  expect([0.1, -0.000_000_4, 1.25e-9, 595.303937007874, 1_234_567_890].map(pdfSyntax)).toEqual([
    '0.1',
    '-0.0000004',
    '0.00000000125',
    '595.303937007874',
    '1234567890',
  ])
  expect(pdfText('plain')).toEqual(string('plain'))
  expect(pdfText('żółć')).toEqual(string('\xfe\xff\x01\x7c\x00\xf3\x01\x42\x01\x07'))
  expect(pdfDate(new Date('2026-11-21T10:05:09.876Z'))).toEqual(string('D:20261121100509Z'))
})

test('SGN-26 what was read is written so that every reader sees the same', () => {
  const source = '<</Rotate 90.0 /Xx [8.0 -1 0.5] /Yy (a\rb) /Zz <</A 2.0>>>>'
  const value = parse(source) as PdfDictionary
  expect(pdfSyntax(value)).toBe(source)
  expect(pdfSyntax(withEntries(value, { Rotate: 0 }))).toBe(source.replace('90.0', '0'))
})

const simple = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Page/Parent 2 0 R>>']

test('DOC-8 a small file leads to its first page', () => {
  const { reference, page } = firstPage(openPdf(fileOf(simple)))
  expect(reference).toEqual(pdfReference(3))
  expect(page).toEqual(pdfDictionary({ Type: pdfName('Page'), Parent: pdfReference(2) }))
})

test.each<[string, (file: string) => string]>([
  ['no header', (file) => file.slice(1)],
  ['bytes behind its end', (file) => `${file}junk`],
  ['no startxref', (file) => file.replace('startxref', 'startxxxx')],
  ['a startxref beyond its end', (file) => file.replace(/startxref\n\d+/, 'startxref\n999999')],
  [
    'a table that is one byte off',
    (file) => file.replace(/startxref\n(\d+)/, (_, at) => `startxref\n${Number(at) + 1}`),
  ],
  [
    'an object that is elsewhere',
    (file) =>
      file.replace('%PDF-1.7\n', '%PDF-1.7\n\n').replace(/startxref\n(\d+)/, (_, at) => `startxref\n${Number(at) + 1}`),
  ],
  [
    'a table in a circle',
    (file) => file.replace(/\/Root 1 0 R>>\nstartxref\n(\d+)/, '/Root 1 0 R/Prev $1>>\nstartxref\n$1'),
  ],
  ['encryption', (file) => file.replace('/Root 1 0 R', '/Root 1 0 R/Encrypt 1 0 R')],
  ['a hybrid table', (file) => file.replace('/Root 1 0 R', '/Root 1 0 R/XRefStm 12')],
  ['a page tree in a circle', (file) => file.replace('/Type/Page/Parent 2 0 R', '/Type/Page_/Kids[2 0 R]')],
  ['an object without end', (file) => file.replace('endobj', 'endxxx')],
])('DOC-8 a file with %s is refused', (_, change) => {
  expect(() => firstPage(openPdf(bytesOf(change(latin1(fileOf(simple))))))).toThrow(PdfError)
})

function outcomeOf(bytes: Uint8Array) {
  try {
    firstPage(openPdf(bytes))
    return 'read'
  } catch (error) {
    return error instanceof Error ? error.name : error
  }
}

test('DOC-8 any damage ends in an answer or a PdfError, never in a loop', () => {
  const whole = fileOf(simple)
  checkDamaged(whole, 4, 3000, (bytes) => {
    expect(['read', 'PdfError']).toContain(outcomeOf(bytes))
  })
})
