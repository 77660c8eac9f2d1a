import { PdfError } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { isDictionary, nameOf, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** Upper bounds for the characters of a font, relative to its size (ISO 32000-1 §9.2 to §9.7). */
export type FontMetrics = {
  /** Whether the font may paint anywhere. */
  isUnbounded: boolean
  ascent: number
  descent: number
  /** Returns the width of each character, or its minimum and maximum. */
  characters: (bytes: Uint8Array) => Iterable<{ widths: number[]; isSpace: boolean }>
}

const unbounded: FontMetrics = { isUnbounded: true, ascent: 0, descent: 0, characters: () => [] }

/** Bounds for characters without a width; the standard fonts are not wider. */
const unknown = [0, 1.1]

/** The fonts of a file read so far, and how many more widths may be read. */
export type FontLimits = { fonts: Map<PdfDictionary, FontMetrics>; widths: number }

/** The widths of 15 complete fonts. */
const maxWidths = 1_000_000

export const fontLimits = (): FontLimits => ({ fonts: new Map(), widths: maxWidths })

/** Throws PdfError when a limit is exceeded. */
export function readFont(pdf: Pdf, reference: PdfValue, limits: FontLimits): FontMetrics {
  const font = pdf.resolve(reference)
  if (!isDictionary(font)) return unbounded
  const known = limits.fonts.get(font)
  if (known) return known
  const kind = nameOf(pdf.resolve(font.get('Subtype')))
  const found =
    kind === 'Type3' ? unbounded : kind === 'Type0' ? composite(pdf, font, limits) : simple(pdf, font, limits)
  limits.fonts.set(font, found)
  return found
}

function spendWidths(limits: FontLimits, widths: number) {
  limits.widths -= widths
  if (limits.widths < 0) throw new PdfError('The fonts have too many widths', 'too-costly')
}

function simple(pdf: Pdf, font: PdfDictionary, limits: FontLimits): FontMetrics {
  spendWidths(limits, 256)
  const widths = pdf.resolve(font.get('Widths'))
  const first = pdf.resolve(font.get('FirstChar'))
  const descriptor = pdf.resolve(font.get('FontDescriptor'))
  const missing = isDictionary(descriptor) ? pdf.resolve(descriptor.get('MissingWidth')) : undefined
  const widthOf = (code: number) => {
    if (!Array.isArray(widths) || typeof first !== 'number') return unknown
    const width = pdf.resolve(widths[code - first])
    if (typeof width === 'number') return [width / 1000]
    return typeof missing === 'number' ? [missing / 1000] : unknown
  }
  const known = Array.from({ length: 256 }, (_, code) => ({ widths: widthOf(code), isSpace: code === 0x20 }))
  return {
    ...heights(pdf, descriptor),
    isUnbounded: false,
    characters: (bytes) => Array.from(bytes, (byte) => known[byte] ?? { widths: unknown, isSpace: false }),
  }
}

/**
 * Returns the metrics of a composite font: two bytes per character with Identity-H; for other encodings only the maximum width is known.
 */
function composite(pdf: Pdf, font: PdfDictionary, limits: FontLimits): FontMetrics {
  const encoding = nameOf(pdf.resolve(font.get('Encoding')))
  const descendants = pdf.resolve(font.get('DescendantFonts'))
  const descendant = pdf.resolve(Array.isArray(descendants) ? descendants[0] : undefined)
  // An embedded or a vertical encoding.
  if (encoding === undefined || encoding.endsWith('V') || !isDictionary(descendant)) return unbounded
  const fallback = pdf.resolve(descendant.get('DW'))
  const defaultWidth = typeof fallback === 'number' ? fallback / 1000 : 1
  const widths = readWidths(pdf, descendant, limits)
  const widest = [...widths.values()].reduce(
    (widestSoFar, width) => Math.max(widestSoFar, width),
    Math.max(defaultWidth, 1),
  )
  function* characters(bytes: Uint8Array) {
    const isPlain = encoding === 'Identity-H'
    for (let at = 0; at < bytes.length; at += isPlain ? 2 : 1) {
      const width = widths.get((bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)) ?? defaultWidth
      // In an unknown encoding a single blank byte may count as a space.
      yield { widths: isPlain ? [width] : [0, widest], isSpace: !isPlain && bytes[at] === 0x20 }
    }
  }
  return { ...heights(pdf, pdf.resolve(descendant.get('FontDescriptor'))), isUnbounded: false, characters }
}

/** Reads the widths of a composite font: `first [w …]` or `first last w` (§9.7.4.3). */
function readWidths(pdf: Pdf, descendant: PdfDictionary, limits: FontLimits) {
  const found = new Map<number, number>()
  const list = pdf.resolve(descendant.get('W'))
  if (Array.isArray(list)) spendWidths(limits, list.length)
  const items = Array.isArray(list) ? list.map((item) => pdf.resolve(item)) : []
  for (let at = 0; at + 1 < items.length;) {
    const [first, next, width] = [items[at], items[at + 1], items[at + 2]]
    if (typeof first !== 'number') break
    if (Array.isArray(next)) {
      spendWidths(limits, next.length)
      for (const [index, cidWidth] of next.entries()) set(found, first + index, pdf.resolve(cidWidth))
      at += 2
    } else {
      if (typeof next !== 'number' || next - first > 65_535) break
      spendWidths(limits, Math.max(0, next - first))
      for (let cid = first; cid <= next; cid++) set(found, cid, width)
      at += 3
    }
  }
  return found
}

function set(widths: Map<number, number>, cid: number, width: PdfValue | undefined) {
  if (typeof width === 'number') widths.set(cid, width / 1000)
}

/** Returns the heights of a font; its bounding box counts if it is larger than the usual heights. */
function heights(pdf: Pdf, descriptor: PdfValue | undefined) {
  const box = isDictionary(descriptor) ? pdf.resolve(descriptor.get('FontBBox')) : undefined
  const [, bottom = 0, , top = 0] = Array.isArray(box) ? box.map((item) => pdf.resolve(item)) : []
  const within = (value: PdfValue | undefined) => (typeof value === 'number' ? Math.min(3, Math.abs(value) / 1000) : 0)
  return { ascent: Math.max(1.1, within(top)), descent: -Math.max(0.4, within(bottom)) }
}
