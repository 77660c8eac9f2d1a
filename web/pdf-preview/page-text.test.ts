import { expect, test } from 'vitest'
import { findIn, joinPieces, findParagraphs, matchCorners } from './page-text.ts'

const piece = (str: string, x: number, hasEOL = false) => ({
  str,
  transform: [10, 0, 0, 10, x, 700],
  width: str.length * 5,
  height: 10,
  hasEOL,
})

test('DOC-12 text is found in any spelling of capitals and spaces, across runs and lines', () => {
  const line = joinPieces([piece('Umowa o kwali', 0), piece('fikowany', 65, true), piece('Podpis  i ŻÓŁĆ', 0)])
  expect(findIn(line, 'KWALIFIKOWANY podpis i żółć')).toHaveLength(1)
  expect(findIn(line, 'umowa')).toEqual([{ from: 0, to: 5 }])
  expect(findIn(line, 'o')).toHaveLength(4)
  expect(findIn(line, '  ')).toEqual([])
  expect(findIn(line, 'aneks')).toEqual([])
})

test('DOC-12 a place covers the letters that were found, in each run', () => {
  const line = joinPieces([piece('Umowa o kwali', 0), piece('fikowany', 65)])
  const [match] = findIn(line, 'kwalifik')
  expect(matchCorners(line, match!)).toEqual([
    [
      [40, 710],
      [65, 710],
      [65, 697.5],
      [40, 697.5],
    ],
    [
      [65, 710],
      [80, 710],
      [80, 697.5],
      [65, 697.5],
    ],
  ])
})

test('DOC-12 lines of one paragraph are joined, and headings, short lines, gaps and the columns of a table are not', () => {
  const at = (str: string, x: number, y: number, size = 10) => ({
    str,
    transform: [size, 0, 0, size, x, y],
    width: str.length * 5,
    height: size,
    hasEOL: true,
  })
  const long = 'x'.repeat(80)
  expect(
    findParagraphs([
      at('Umowa o podpis', 50, 760, 20),
      at(long, 50, 720),
      at('ostatni wiersz.', 50, 706),
      at('Krótki wiersz', 50, 692),
      { ...at('Klient', 50, 678), hasEOL: false },
      { ...at(' ', 80, 678), width: 100, height: 0, hasEOL: false },
      at('Małgorzata', 180, 678),
      at(long, 50, 664),
      at('Po odstępie', 50, 620),
    ]),
  ).toEqual([
    { text: 'Umowa o podpis', isLarge: true },
    ...[`${long} ostatni wiersz.`, 'Krótki wiersz', 'Klient\u2003Małgorzata', long, 'Po odstępie'].map((text) => ({
      text,
      isLarge: false,
    })),
  ])
  expect(findParagraphs([])).toEqual([])
})
