import { intersection, isEmpty, readRectangle, type Box, type Matrix } from './pdf-geometry.ts'
import { arrayAt, type Pdf, type PageLeaf } from './pdf-read.ts'
import { listFields, numbersOf } from './pdf-signature-fields.ts'
import { fourNumbers, isDictionary, isReference } from './pdf-value.ts'
import { signaturePlaces, type SignaturePlace } from './signature-places.ts'

/** Distance from the edges of the page in points, and the largest share of its width or height that the image takes. */
const margin = 28
const maxImageShare = 0.45

/**
 * Returns the rectangle of a widget (ISO 32000-1 §12.5.2) that shows an image of this size upright at a place, and the matrix of its
 * appearance: a page may be rotated (§7.7.3.3) and cropped. A small page gets a smaller image. If a signature is already shown there, the
 * nearest free place above or below is used, next to a signature; if there is none, the place itself.
 */
export function placeOnPage(
  pdf: Pdf,
  leaf: PageLeaf,
  place: SignaturePlace,
  size: { width: number; height: number },
): { rect: Box; matrix: Matrix } {
  const { page: entries, inherited } = leaf
  const page = visibleBox(pdf, inherited)
  const rotate = pdf.resolve(inherited.get('Rotate'))
  const quarter = typeof rotate === 'number' ? ((Math.round(rotate / 90) % 4) + 4) % 4 : 0
  const [left, bottom, right, top] = page
  const [wide, high] = quarter % 2 ? [top - bottom, right - left] : [right - left, top - bottom]
  // How many points a unit of the page is (table 30).
  const given = pdf.resolve(entries.get('UserUnit'))
  const unit = typeof given === 'number' && given > 0 ? given : 1
  const scale = Math.min(1 / unit, (wide * maxImageShare) / size.width, (high * maxImageShare) / size.height)
  const [width, height] = [size.width * scale, size.height * scale]
  const edge = Math.min(margin / unit, wide / 20, high / 20)
  const at = signaturePlaces.indexOf(place)
  // From the upper left corner of the page as it is shown.
  const x = edge + ((at % 3) / 2) * (wide - 2 * edge - width)
  const lowest = high - edge - height
  const usual = edge + (Math.floor(at / 3) / 2) * (lowest - edge)
  const rectAt = (y: number, tall = height): Box => {
    const rects: [Box, Box, Box, Box] = [
      [left + x, top - y - tall, left + x + width, top - y],
      [left + y, bottom + x, left + y + tall, bottom + x + width],
      [right - x - width, bottom + y, right - x, bottom + y + tall],
      [right - y - tall, top - x - width, right - y, top - x],
    ]
    return rects[quarter]!.map((value) => Math.round(value * 100) / 100) as [number, number, number, number]
  }
  const spanOf = ([a, b, c, d]: Box): Span => {
    const spans: Span[] = [
      [top - d, top - b],
      [a - left, c - left],
      [b - bottom, d - bottom],
      [right - c, right - a],
    ]
    return spans[quarter]!
  }
  const column = rectAt(0, high)
  const taken = signatureBoxes(pdf, leaf).filter((box) => !isEmpty(intersection(column, box)))
  const y = nearestFree(usual, taken.map(spanOf), { from: edge, to: lowest, length: height, gap: edge / 4 })
  return { rect: rectAt(y ?? usual), matrix: upright[quarter]! }
}

/** Start and end, measured from the upper edge of the page as it is shown. */
type Span = readonly [number, number]

/** Finds the free start nearest to `wanted` for this length: `wanted` itself, or one next to a taken span; undefined if nothing is free. */
function nearestFree(
  wanted: number,
  taken: readonly Span[],
  { from, to, length, gap }: { from: number; to: number; length: number; gap: number },
): number | undefined {
  let nearest: number | undefined
  let first = from
  // A page may show thousands, so each is looked at once.
  for (const [start, end] of [...taken.toSorted((a, b) => a[0] - b[0]), [Infinity, Infinity] as const]) {
    const last = Math.min(start - gap - length, to)
    const found = Math.min(Math.max(wanted, first), last)
    if (first <= last && !(Math.abs(found - wanted) >= Math.abs((nearest ?? Infinity) - wanted))) nearest = found
    first = Math.max(first, end + gap)
  }
  return nearest
}

/** Returns the boxes in which a page shows signatures, or fields for them. */
function signatureBoxes(pdf: Pdf, { page }: PageLeaf): Box[] {
  const widgets = new Set(
    listFields(pdf)
      .filter(({ isSignature }) => isSignature)
      .flatMap(numbersOf),
  )
  return arrayAt(pdf, page, 'Annots').flatMap((item) => {
    const widget = isReference(item) && widgets.has(item.number) ? pdf.resolve(item) : null
    const box = isDictionary(widget) ? readRectangle(pdf, widget.get('Rect')) : undefined
    return box && !isEmpty(box) ? [box] : []
  })
}

/** Matrices by quarters of a turn, clockwise, by which the page is shown. */
const upright: Matrix[] = [
  [1, 0, 0, 1, 0, 0],
  [0, 1, -1, 0, 0, 0],
  [-1, 0, 0, -1, 0, 0],
  [0, -1, 1, 0, 0, 0],
]

/** US Letter, where a page states no size. */
const usual: Box = [0, 0, 612, 792]

function visibleBox(pdf: Pdf, inherited: PageLeaf['inherited']): Box {
  const boxAt = (key: string) => {
    const numbers = fourNumbers(arrayAt(pdf, inherited, key).map((item) => pdf.resolve(item)))
    if (!numbers) return undefined
    const [a, b, c, d] = numbers
    const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
    return isEmpty(box) ? undefined : box
  }
  const media = boxAt('MediaBox') ?? usual
  const crop = boxAt('CropBox')
  const shown = crop ? intersection(media, crop) : media
  return isEmpty(shown) ? media : shown
}
