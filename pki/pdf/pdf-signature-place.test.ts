import { expect, test } from 'vitest'
import { exhaustive } from '../../server/testing/breadth.ts'
import { fileOf } from '../testing/pades-authorities.ts'
import { processorTime } from '../testing/processor-time.ts'
import type { Matrix } from './pdf-geometry.ts'
import { firstPage, openPdf } from './pdf-read.ts'
import { placeOnPage } from './pdf-signature-place.ts'
import { signaturePlaces } from './signature-places.ts'

const size = { width: 200, height: 64 }

/** Places a signature on a page with these entries. `shown`: rectangles in which the page already shows signatures. */
function placed(entries: string, place: (typeof signaturePlaces)[number], shown: readonly (readonly number[])[] = []) {
  const fields = shown.map((_, index) => `${index + 4} 0 R`).join(' ')
  const pdf = openPdf(
    fileOf([
      `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields}]>>>>`,
      `<</Type/Pages/Kids[3 0 R]/Count 1>>`,
      `<</Type/Page/Parent 2 0 R${entries}/Annots[${fields}]>>`,
      ...shown.map(
        (rect, index) => `<</Type/Annot/Subtype/Widget/FT/Sig/T(S${index})/P 3 0 R/Rect[${rect.join(' ')}]>>`,
      ),
    ]),
  )
  return placeOnPage(pdf, firstPage(pdf), place, size)
}

/** Position of a page's point, from the lower left corner, in a reader that turns the page clockwise (ISO 32000-1 table 30). */
const turns: { [rotate: number]: (x: number, y: number, width: number, height: number) => [number, number] } = {
  0: (x, y) => [x, y],
  90: (x, y, width) => [y, width - x],
  180: (x, y, width, height) => [width - x, height - y],
  270: (x, y, _, height) => [height - y, x],
}
const directionOf = ([a, b]: Matrix) => [a, b]

const boxes = [
  ['an A4 page', '/MediaBox[0 0 595 842]', [0, 0, 595, 842]],
  [
    'a cropped page whose corner is elsewhere',
    '/MediaBox[-100 -50 900 950]/CropBox[10 20 610 720]',
    [10, 20, 610, 720],
  ],
  ['a small page', '/MediaBox[0 0 120 90]', [0, 0, 120, 90]],
] as const

for (const [what, entries, [left, bottom, right, top]] of boxes)
  test.each([0, 90, 180, 270])(`SGN-24 on ${what} that is turned by %i the image is upright at its place`, (rotate) => {
    const [width, height] = [right - left, top - bottom]
    const [wide, high] = rotate % 180 ? [height, width] : [width, height]
    for (const [at, place] of signaturePlaces.entries()) {
      const { rect, matrix } = placed(`${entries}/Rotate ${rotate}`, place)
      const corners = [
        [rect[0], rect[1]],
        [rect[2], rect[3]],
      ].map(([x, y]) => turns[rotate]!(x! - left, y! - bottom, width, height))
      const [x1, x2] = corners.map(([x]) => x).toSorted((a, b) => a - b) as [number, number]
      const [y1, y2] = corners.map(([, y]) => y).toSorted((a, b) => a - b) as [number, number]
      // Within the page, in the form of the image, and in its third.
      expect([x1 > 0, x2 < wide, y1 > 0, y2 < high]).toEqual([true, true, true, true])
      expect((x2 - x1) / (y2 - y1)).toBeCloseTo(size.width / size.height, 1)
      const [x, y] = [(x1 + x2) / 2 / wide, 1 - (y1 + y2) / 2 / high]
      expect([Math.floor(x * 3), Math.floor(y * 3)]).toEqual([at % 3, Math.floor(at / 3)])
      // The direction of its letters on the page, as it is shown.
      const [a, b] = directionOf(matrix)
      const [fromX, fromY] = turns[rotate]!(0, 0, width, height)
      const [toX, toY] = turns[rotate]!(a!, b!, width, height)
      expect([toX - fromX, toY - fromY]).toEqual([1, 0])
    }
  })

test.each([0, 90, 180, 270])(
  'SGN-24 on a page turned by %i a gap that is just large enough is found, and of two the nearer',
  (rotate) => {
    // As it is shown: two bars over the whole width, from the upper edge, with gaps of 90 and 100 around the upper one.
    const [wide, high] = [600, 800]
    const shownAt = (y: number, tall: number) =>
      ({
        0: [0, high - y - tall, wide, high - y],
        90: [y, 0, y + tall, wide],
        180: [0, y, wide, y + tall],
        270: [high - y - tall, 0, high - y, wide],
      })[rotate]!
    const page = `/Rotate ${rotate}/MediaBox[0 0 ${rotate % 180 ? `${high} ${wide}` : `${wide} ${high}`}]`
    const bars = [shownAt(118, 200), shownAt(418, 382)]
    const fromTop = ([a, b, c, d]: readonly number[]) => ({ 0: high - d!, 90: a!, 180: b!, 270: high - c! })[rotate]!
    for (const [place, from, to] of [
      ['bottom-right', 318, 418],
      ['middle', 318, 418],
      ['top-left', 0, 118],
    ] as const) {
      const y = fromTop(placed(page, place, bars).rect)
      expect([place, y >= from, y + size.height <= to]).toEqual([place, true, true])
    }
    // Where nothing is free, it is where it was wanted.
    const full = [shownAt(0, high)]
    expect(placed(page, 'middle', full).rect).toEqual(placed(page, 'middle').rect)
  },
)

test('SGN-24 a page of any height with thousands of signatures is searched once', () => {
  const shown = Array.from({ length: 4000 }, (_, i) => [0, i * 3, 600, i * 3 + 2])
  const spent = processorTime()
  const { rect } = placed('/MediaBox[0 0 600 1000000]', 'bottom-left', shown)
  expect(rect[1]).toBeGreaterThan(12_000)
  expect(rect[1]).toBeLessThan(12_100)
  expect(spent()).toBeLessThan(exhaustive ? 3 : 60)
})

test('SGN-24 a page without a size, or with one that is no rectangle, is as large as readers take it', () => {
  for (const entries of ['', '/MediaBox[0 0 0 0]', '/MediaBox[0 0 595]']) {
    const { rect } = placed(entries, 'bottom-right')
    expect([rect[2] < 612, rect[2] > 500, rect[1] > 0]).toEqual([true, true, true])
  }
})

test('SGN-24 a page whose unit is larger than a point shows the image as large as any other, and as far from its edges', () => {
  const usual = placed('/MediaBox[0 0 600 800]', 'bottom-left').rect
  const scaled = placed('/MediaBox[0 0 300 400]/UserUnit 2', 'bottom-left').rect
  expect(scaled.map((value) => value * 2)).toEqual(usual)
  for (const wrong of ['0', '-2', '(2)', 'null'])
    expect(placed(`/MediaBox[0 0 600 800]/UserUnit ${wrong}`, 'bottom-left').rect).toEqual(usual)
})
