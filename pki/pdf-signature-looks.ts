import { areaOfBox, emptyBox, intersection, isEmpty, spread, type Box } from './pdf-geometry.ts'
import { latin1 } from './pdf-bytes.ts'
import { contentBudget, paintedBoxes, type ContentBudget } from './pdf-page-content.ts'
import { arrayAt, pagesOf, type PageLeaf, type Pdf } from './pdf-read.ts'
import { isDictionary, isName, isReference, isWholeReal, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** What the looks of signatures cover: whether any of a page's content, and which part of a page (1 for all of it) together. */
export type SignatureLooks = { covers: boolean; share: number }

/** Each is looked at, and compared with all that the pages paint; 50 signatures have 100 objects. */
const mostWidgets = 200
/** Programs that write an empty look write less than this. */
const longestBlank = 4096

/**
 * Judges what the given widgets paint (ISO 32000-1 §12.5.5): whoever makes a signature says what it looks like, and
 * so may write over what is signed. What cannot be told counts as covered.
 */
export function signatureLooks(pdf: Pdf, widgets: ReadonlySet<number>): SignatureLooks {
  if (widgets.size > mostWidgets) return { covers: true, share: 0 }
  const looks = new Map<number, Box | undefined>()
  for (const number of widgets) {
    const box = lookOf(pdf, pdf.object(number)?.value)
    if (box !== 'nothing') looks.set(number, box)
  }
  const result = { covers: false, share: 0 }
  if (looks.size === 0) return result
  const budget = contentBudget()
  for (const leaf of pagesOf(pdf)) {
    const shown = arrayAt(pdf, leaf.page, 'Annots').filter((item) => isReference(item) && looks.has(item.number))
    if (shown.length === 0) continue
    const area = visibleArea(pdf, leaf)
    const boxes = shown.map((item) => intersection(looks.get((item as { number: number }).number) ?? area, area))
    result.share += boxes.reduce((sum, box) => sum + areaOfBox(box), 0) / Math.max(1, areaOfBox(area))
    const isCovered = (box: Box) => boxes.some((one) => !isEmpty(intersection(one, box)))
    result.covers ||= covers(pdf, leaf, { area, looks, budget }, isCovered)
  }
  return result
}

function covers(
  pdf: Pdf,
  { page, inherited }: PageLeaf,
  { area, looks, budget }: { area: Box; looks: ReadonlyMap<number, unknown>; budget: ContentBudget },
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
  }
  return paintedBoxes(pdf, content, budget, isCovered)
}

/** §14.11.2: what is shown of a page. Readers leave out a box of no size. */
function visibleArea(pdf: Pdf, { inherited }: PageLeaf): Box {
  const media = rectangleOf(pdf, inherited.get('MediaBox')) ?? everything
  const shown = intersection(media, rectangleOf(pdf, inherited.get('CropBox')) ?? media)
  return [shown, media].find((box) => !isEmpty(box)) ?? everything
}

const everything: Box = [-1e6, -1e6, 1e6, 1e6]

/** In any order of its corners (§7.9.5); undefined for what is no rectangle. */
export function rectangleOf(pdf: Pdf, value: PdfValue | undefined): [number, number, number, number] | undefined {
  const list = pdf.resolve(value)
  const numbers = Array.isArray(list) ? list.map((one) => pdf.resolve(one)) : []
  if (numbers.length !== 4 || !numbers.every((one) => typeof one === 'number')) return undefined
  const [a, b, c, d] = numbers as [number, number, number, number]
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

/** Table 165: hidden in print and on the screen; the two by which an annotation does not stay in its rectangle. */
const hidden = 2
const unsteady = 8 | 16

/** Undefined where readers may see other flags than these: each makes an integer of other numbers in its own way. */
function flagsOf(pdf: Pdf, annotation: PdfDictionary) {
  if (!annotation.has('F')) return 0
  const flags = pdf.resolve(annotation.get('F'))
  const isPlain = typeof flags === 'number' && Number.isInteger(flags) && flags >= 0 && flags < 2 ** 31
  return isPlain && !isWholeReal(annotation, 'F') ? flags : undefined
}

const isSteady = (flags: number | undefined) => flags !== undefined && (flags & unsteady) === 0

/**
 * Where a widget may paint, which is within its rectangle; undefined where it may be anywhere. A flag by which it is
 * hidden is no excuse: a signer who wants nothing to be seen has no need of a look.
 */
export function lookOf(pdf: Pdf, widget: PdfValue | undefined): Box | undefined | 'nothing' {
  if (!isDictionary(widget) || !hasLook(pdf, widget)) return 'nothing'
  const box = rectangleOf(pdf, widget.get('Rect'))
  if (!box || !isSteady(flagsOf(pdf, widget))) return undefined
  return isEmpty(box) ? 'nothing' : box
}

/** Anything but blanks, for any of its states, or a colour that readers draw themselves. What it does is not asked. */
function hasLook(pdf: Pdf, widget: PdfDictionary) {
  const [colors, looks] = ['MK', 'AP'].map((key) => entriesOf(pdf, widget.get(key)))
  if (!colors || !looks) return true
  const hasColor = ['BG', 'BC'].some((key) => {
    const color = colors.get(key) ?? null
    const parts = pdf.resolve(color)
    return color !== null && !(Array.isArray(parts) && parts.length === 0)
  })
  return hasColor || [...looks.values()].some((look) => !isBlank(pdf, look))
}

/** Undefined for what is there and is no dictionary: some readers follow references that lead nowhere by the letter. */
function entriesOf(pdf: Pdf, value: PdfValue = null): PdfDictionary | undefined {
  const entries = pdf.resolve(value)
  if (isDictionary(entries)) return entries
  return value === null ? new Map() : undefined
}

/** Only what every reader reads in the same way is known to be blank. */
function isBlank(pdf: Pdf, look: PdfValue) {
  if (look === null) return true
  const stream = isReference(look) ? pdf.object(look.number) : undefined
  if (!isReference(look) || stream?.generation !== look.generation) return false
  if (!stream.data || stream.data.length > longestBlank || !isDictionary(stream.value)) return false
  if (stream.value.has('Filter') || stream.value.has('F')) return false
  return /^(?:[\0\t\n\f\r ]|%[ -~]*(?:[\r\n]|$))*$/.test(latin1(stream.data))
}

/** What readers draw of an annotation without a look of its own has sizes of their own. */
function annotationBox(pdf: Pdf, annotation: PdfValue, area: Box): Box {
  if (!isDictionary(annotation)) return emptyBox
  const flags = flagsOf(pdf, annotation)
  if (((flags ?? 0) & hidden) !== 0) return emptyBox
  const kind = pdf.resolve(annotation.get('Subtype'))
  const isInside = annotation.has('AP') || ['Link', 'Widget', 'Popup'].some((name) => isName(kind, name))
  const box = rectangleOf(pdf, annotation.get('Rect'))
  if (!box || !isInside) return area
  return isSteady(flags) ? box : spread(box, 100)
}
