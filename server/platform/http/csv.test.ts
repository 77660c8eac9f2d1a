import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

/** What a file has between the quotes of its only cell. */
const cell = (text: string) => csvOf([[text]], ';').slice('\ufeff"'.length, -'"\r\n'.length)

/** How a program splits a file at the separator that it expects; it takes quotes within a cell off. */
const splitAt = (file: string, separator: string) =>
  file.split(/\r\n|[\r\n]/).flatMap((line) => line.split(separator).map((part) => part.replaceAll('"', '').trim()))

test.each([
  'x,=1+1,y',
  'x;=1+1;y',
  'x\t=1+1',
  'x, @SUM(A1)',
  'x;\u00a0-1+1',
  'x,"=1+1"',
  'x," +1',
  'x\r=1+1',
  'x\n=1+1',
  '=1+1',
  ' =1+1',
  '\u3000@SUM(A1)',
  '"=1+1"',
  '\t=1+1',
  '\t\t-1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  'x,＝1+1',
  '﹦1+1',
  '\u200b=1+1',
  '\u3164=1+1',
  '⁼1+1',
])('R76 no cell begins as a formula, whatever separator the spreadsheet expects: %j', (text) => {
  for (const written of [',', ';'] as const) {
    const file = csvOf([['Jan', text, 'Nowak']], written).slice(1)
    for (const expected of [',', ';', '\t'])
      expect(splitAt(file, expected).filter((part) => /^[\p{Cf}\u3164]*[=+\-@＝＋－＠﹦⁼]/u.test(part))).toEqual([])
  }
})

test('R76 the mark is where the formula would begin, and other text is as it was', () => {
  expect(cell('+48 600 100 417')).toBe(`'+48 600 100 417`)
  expect(cell('Jan, +48 600 100 417')).toBe(`Jan, '+48 600 100 417`)
  expect(cell('\tx')).toBe(`'\tx`)
  for (const plain of ['a@mail.example', 'Nowak-Kos', 'Jan; Anna, x=1', '2026-11-21 14:05:09', `x,'=1`])
    expect(cell(plain)).toBe(plain)
  expect(cell('the “=” in "a,b"')).toBe('the “=” in ""a,b""')
})

test('R76 a long run of blanks is written at once', () => {
  const blanks = '\t'.repeat(200_000)
  expect(cell(blanks)).toBe(`'${blanks}`)
})
