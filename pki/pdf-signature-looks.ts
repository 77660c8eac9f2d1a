import { areaOfBox, emptyBox, intersection, isEmpty, spread, type Box } from './pdf-geometry.ts'
import { paintedBoxes } from './pdf-page-content.ts'
import { arrayAt, pagesOf, type PageLeaf, type Pdf } from './pdf-read.ts'
import { isDictionary, isName, isReference, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** What the looks of signatures cover: whether any of a page's content, and which part of a page (1 for all of it) together. */
export type SignatureLooks = { covers: boolean; share: number }

/** Each is looked at, and compared with all that the pages paint; 50 signatures have 100 objects. */
const mostWidgets = 200
const mostOperators = 20_000

/**
 * Judges what the given widgets paint (ISO 32000-1 §12.5.5): whoever makes a signature says what it looks like, and
 * so may write over what is signed. What cannot be told counts as covered.
 */
export function signatureLooks(pdf: Pdf, widgets: ReadonlySet<number>): SignatureLooks {
  if (widgets.size > mostWidgets) return { covers: true, share: 0 }
  const looks = new Map<number, Box | undefined>()
  for (const number of widgets) {
    const box = paintedArea(pdf, pdf.object(number)?.value)
    if (box !== 'nothing') looks.set(number, box)
  }
  const result = { covers: false, share: 0 }
  if (looks.size === 0) return result
  for (const leaf of pagesOf(pdf)) {
    const shown = arrayAt(pdf, leaf.page, 'Annots').filter((item) => isReference(item) && looks.has(item.number))
    if (shown.length === 0) continue
    const area = visibleArea(pdf, leaf)
    const boxes = shown.map((item) => intersection(looks.get((item as { number: number }).number) ?? area, area))
    result.share += boxes.reduce((sum, box) => sum + areaOfBox(box), 0) / Math.max(1, areaOfBox(area))
    const isCovered = (box: Box) => boxes.some((one) => !isEmpty(intersection(one, box)))
    result.covers ||= covers(pdf, leaf, area, looks, isCovered)
  }
  return result
}

function covers(
  pdf: Pdf,
  { page, inherited }: PageLeaf,
  area: Box,
  looks: ReadonlyMap<number, unknown>,
  isCovered: (box: Box) => boolean,
) {
  const others = arrayAt(pdf, page, 'Annots').filter((item) => !isReference(item) || !looks.has(item.number))
  if (others.some((item) => isCovered(annotationBox(pdf, pdf.resolve(item), area)))) return true
  const contents = pdf.resolve(page.get('Contents'))
  const parts = Array.isArray(contents) ? contents : [page.get('Contents') ?? null]
  const streams = parts.flatMap((part) => (isReference(part) ? [pdf.object(part.number)] : []))
  if (streams.some((stream) => stream && !stream.data)) return isCovered(area)
  const content = {
    streams: streams.flatMap((stream) => (stream ? [stream] : [])),
    resources: inherited.get('Resources'),
    area,
    background: true,
  }
  return paintedBoxes(pdf, content, isCovered)
}

/** §14.11.2: what is shown of a page. */
function visibleArea(pdf: Pdf, { inherited }: PageLeaf): Box {
  const media = rectangleOf(pdf, inherited.get('MediaBox')) ?? everything
  return intersection(media, rectangleOf(pdf, inherited.get('CropBox')) ?? media)
}

const everything: Box = [-1e6, -1e6, 1e6, 1e6]

/** In any order of its corners (§7.9.5); undefined for what is no rectangle. */
function rectangleOf(pdf: Pdf, value: PdfValue | undefined): Box | undefined {
  const list = pdf.resolve(value)
  const numbers = Array.isArray(list) ? list.map((one) => pdf.resolve(one)) : []
  if (numbers.length !== 4 || !numbers.every((one) => typeof one === 'number')) return undefined
  const [a, b, c, d] = numbers as [number, number, number, number]
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

/** Table 165: hidden in print and on the screen; the two by which an annotation does not stay in its rectangle. */
const hidden = 2
const unsteady = 8 | 16

const flagsOf = (pdf: Pdf, annotation: PdfDictionary) => {
  const flags = pdf.resolve(annotation.get('F'))
  return typeof flags === 'number' ? flags : 0
}

/** Where a widget paints, which is within its rectangle; undefined where it may be anywhere. */
function paintedArea(pdf: Pdf, widget: PdfValue | undefined): Box | undefined | 'nothing' {
  if (!isDictionary(widget) || (flagsOf(pdf, widget) & hidden) !== 0) return 'nothing'
  if (!hasLook(pdf, widget)) return 'nothing'
  const box = rectangleOf(pdf, widget.get('Rect'))
  if (!box || (flagsOf(pdf, widget) & unsteady) !== 0) return undefined
  return isEmpty(box) ? 'nothing' : box
}

/** A stream that paints, several for several states, or a colour that readers draw themselves. */
function hasLook(pdf: Pdf, widget: PdfDictionary) {
  const colors = pdf.resolve(widget.get('MK'))
  if (isDictionary(colors) && ['BG', 'BC'].some((key) => arrayAt(pdf, colors, key).length > 0)) return true
  const looks = pdf.resolve(widget.get('AP'))
  const reference = isDictionary(looks) ? looks.get('N') : undefined
  const normal = pdf.resolve(reference)
  if (!isReference(reference)) return normal !== null
  const stream = pdf.object(reference.number)
  if (!stream?.data || !isDictionary(normal)) return normal !== null
  const content = { streams: [stream], resources: normal.get('Resources'), area: everything, operators: mostOperators }
  return paintedBoxes(pdf, content, () => true)
}

/** What readers draw of an annotation without a look of its own has sizes of their own. */
function annotationBox(pdf: Pdf, annotation: PdfValue, area: Box): Box {
  if (!isDictionary(annotation) || (flagsOf(pdf, annotation) & hidden) !== 0) return emptyBox
  const kind = pdf.resolve(annotation.get('Subtype'))
  const isSteady = annotation.has('AP') || ['Link', 'Widget', 'Popup'].some((name) => isName(kind, name))
  const box = rectangleOf(pdf, annotation.get('Rect'))
  if (!box || !isSteady) return area
  if ((flagsOf(pdf, annotation) & unsteady) !== 0) return spread(box, 100)
  return box
}
