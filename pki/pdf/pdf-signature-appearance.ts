import { latin1 } from '../bytes.ts'
import { areaOfBox, emptyBox, intersection, isEmpty, readRectangle, spread, type Box } from './pdf-geometry.ts'
import { contentLimits, paintedBoxes, type ContentLimits } from './pdf-page-content.ts'
import { arrayAt, listPages, type PageLeaf, type Pdf } from './pdf-read.ts'
import { isDictionary, isName, isReference, isWholeReal, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** Coverage by signature appearances: whether they cover any page content, and which share of a page in total (1 for a whole page). */
export type SignatureAppearance = { covers: boolean; share: number }

/** The most widgets, since each is compared with everything that the pages paint; 50 signatures have 100 objects. */
const maxWidgets = 200
/** The longest stream that can be empty; those of signing programs are shorter. */
const maxBlankLength = 4096

/**
 * Determines what the given widgets paint (ISO 32000-1 §12.5.5), because the signer chooses the appearance and could
 * cover the signed content with it. Anything uncertain counts as covered.
 */
export function signatureAppearance(pdf: Pdf, widgets: ReadonlySet<number>): SignatureAppearance {
  if (widgets.size > maxWidgets) return { covers: true, share: 0 }
  const appearances = new Map<number, Box | undefined>()
  for (const number of widgets) {
    const box = appearanceBox(pdf, pdf.object(number)?.value)
    if (box !== 'nothing') appearances.set(number, box)
  }
  const result = { covers: false, share: 0 }
  if (appearances.size === 0) return result
  const limits = contentLimits()
  for (const leaf of listPages(pdf)) {
    const shown = arrayAt(pdf, leaf.page, 'Annots').flatMap((item) =>
      isReference(item) && appearances.has(item.number) ? [item.number] : [],
    )
    if (shown.length === 0) continue
    const area = visibleArea(pdf, leaf)
    const boxes = shown.map((number) => intersection(appearances.get(number) ?? area, area))
    result.share += boxes.reduce((sum, box) => sum + areaOfBox(box), 0) / Math.max(1, areaOfBox(area))
    const isCovered = (box: Box) => boxes.some((covering) => !isEmpty(intersection(covering, box)))
    result.covers ||= covers(pdf, leaf, { area, appearances, limits }, isCovered)
  }
  return result
}

function covers(
  pdf: Pdf,
  { page, inherited }: PageLeaf,
  { area, appearances, limits }: { area: Box; appearances: ReadonlyMap<number, unknown>; limits: ContentLimits },
  isCovered: (box: Box) => boolean,
) {
  const annotations = arrayAt(pdf, page, 'Annots').filter((item) => !isReference(item) || !appearances.has(item.number))
  if (annotations.some((item) => isCovered(annotationBox(pdf, pdf.resolve(item), area)))) return true
  const contents = pdf.resolve(page.get('Contents'))
  const parts = Array.isArray(contents) ? contents : [page.get('Contents') ?? null]
  const streams = parts.flatMap((part) => (isReference(part) ? [pdf.object(part.number)] : []))
  if (streams.some((stream) => stream && !stream.data)) return isCovered(area)
  const content = {
    streams: streams.flatMap((stream) => (stream ? [stream] : [])),
    resources: inherited.get('Resources'),
    area,
  }
  return paintedBoxes(pdf, content, limits, isCovered)
}

/** Returns the visible part of a page (§14.11.2). Readers ignore an empty box. */
function visibleArea(pdf: Pdf, { inherited }: PageLeaf): Box {
  const media = readRectangle(pdf, inherited.get('MediaBox')) ?? everything
  const shown = intersection(media, readRectangle(pdf, inherited.get('CropBox')) ?? media)
  return [shown, media].find((box) => !isEmpty(box)) ?? everything
}

const everything: Box = [-1e6, -1e6, 1e6, 1e6]

/** Table 165: the flag for hidden, and the two (NoZoom, NoRotate) by which an annotation may exceed its rectangle. */
const hidden = 2
const noZoomOrRotate = 8 | 16

/** Returns the flags of an annotation; undefined for numbers that readers convert to an integer in different ways. */
function flagsOf(pdf: Pdf, annotation: PdfDictionary) {
  if (!annotation.has('F')) return 0
  const flags = pdf.resolve(annotation.get('F'))
  const isPlain = typeof flags === 'number' && Number.isInteger(flags) && flags >= 0 && flags < 2 ** 31
  return isPlain && !isWholeReal(annotation, 'F') ? flags : undefined
}

const staysInRectangle = (flags: number | undefined) => flags !== undefined && (flags & noZoomOrRotate) === 0

/**
 * Returns the rectangle in which a widget may paint; undefined if it may paint anywhere. The hidden flag is ignored: an invisible signature
 * needs no appearance.
 */
export function appearanceBox(pdf: Pdf, widget: PdfValue | undefined): Box | undefined | 'nothing' {
  if (!isDictionary(widget) || !hasAppearance(pdf, widget)) return 'nothing'
  const box = readRectangle(pdf, widget.get('Rect'))
  if (!box || !staysInRectangle(flagsOf(pdf, widget))) return undefined
  return isEmpty(box) ? 'nothing' : box
}

/** Checks whether any state has a stream that is not blank, or readers draw a colour. The stream is not interpreted. */
function hasAppearance(pdf: Pdf, widget: PdfDictionary) {
  const [colors, streams] = ['MK', 'AP'].map((key) => entriesOf(pdf, widget.get(key)))
  if (!colors || !streams) return true
  const hasColor = ['BG', 'BC'].some((key) => {
    const color = colors.get(key) ?? null
    const parts = pdf.resolve(color)
    return color !== null && !(Array.isArray(parts) && parts.length === 0)
  })
  return hasColor || [...streams.values()].some((stream) => !isBlank(pdf, stream))
}

/** Returns the entries of a dictionary; undefined for a value that is not one: some readers repair dangling references. */
function entriesOf(pdf: Pdf, value: PdfValue = null): PdfDictionary | undefined {
  const entries = pdf.resolve(value)
  if (isDictionary(entries)) return entries
  return value === null ? new Map() : undefined
}

/** Checks whether every reader finds an appearance stream blank. */
function isBlank(pdf: Pdf, reference: PdfValue) {
  if (reference === null) return true
  const stream = isReference(reference) ? pdf.object(reference.number) : undefined
  if (!isReference(reference) || stream?.generation !== reference.generation) return false
  if (!stream.data || stream.data.length > maxBlankLength || !isDictionary(stream.value)) return false
  if (stream.value.has('Filter') || stream.value.has('F')) return false
  return /^(?:[\0\t\n\f\r ]|%[ -~]*(?:[\r\n]|$))*$/.test(latin1(stream.data))
}

/** Returns the box of an annotation. Readers choose the size of annotations without an appearance stream. */
function annotationBox(pdf: Pdf, annotation: PdfValue, area: Box): Box {
  if (!isDictionary(annotation)) return emptyBox
  const flags = flagsOf(pdf, annotation)
  if (((flags ?? 0) & hidden) !== 0) return emptyBox
  const kind = pdf.resolve(annotation.get('Subtype'))
  const isInside = annotation.has('AP') || ['Link', 'Widget', 'Popup'].some((name) => isName(kind, name))
  const box = readRectangle(pdf, annotation.get('Rect'))
  if (!box || !isInside) return area
  return staysInRectangle(flags) ? box : spread(box, 100)
}
