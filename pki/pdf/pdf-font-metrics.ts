import { PdfError } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { isDictionary, nameOf, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** How wide and high the characters of a font are at most, in parts of its size (ISO 32000-1 §9.2 to §9.7). */
export type FontMetrics = {
  /** A font that may paint anything anywhere. */
  isUnclear: boolean
  ascent: number
  descent: number
  /** Each character's width: one, or the least and the greatest that it may have. */
  characters: (bytes: Uint8Array) => Iterable<{ widths: number[]; isSpace: boolean }>
}

const unclear: FontMetrics = { isUnclear: true, ascent: 0, descent: 0, characters: () => [] }

/** Where a font says nothing of a character: those of the fonts that every reader has are not wider. */
const unknown = [0, 1.1]

/** The fonts of a file that are known, and how many widths may still be read of others. */
export type FontBudget = { fonts: Map<PdfDictionary, FontMetrics>; widths: number }

/** Those of 15 fonts with all characters. */
const mostWidths = 1_000_000

export const fontBudget = (): FontBudget => ({ fonts: new Map(), widths: mostWidths })

/** Throws PdfError where the budget is spent. */
export function fontOf(pdf: Pdf, reference: PdfValue, budget: FontBudget): FontMetrics {
  const font = pdf.resolve(reference)
  if (!isDictionary(font)) return unclear
  const known = budget.fonts.get(font)
  if (known) return known
  const kind = nameOf(pdf.resolve(font.get('Subtype')))
  const found = kind === 'Type3' ? unclear : kind === 'Type0' ? composite(pdf, font, budget) : simple(pdf, font, budget)
  budget.fonts.set(font, found)
  return found
}

function spendWidths(budget: FontBudget, widths: number) {
  budget.widths -= widths
  if (budget.widths < 0) throw new PdfError('The fonts have too many widths', 'too-costly')
}

function simple(pdf: Pdf, font: PdfDictionary, budget: FontBudget): FontMetrics {
  spendWidths(budget, 256)
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
    isUnclear: false,
    characters: (bytes) => Array.from(bytes, (byte) => known[byte]!),
  }
}

/** Two bytes a character where the font says so; of other encodings only the greatest width is known. */
function composite(pdf: Pdf, font: PdfDictionary, budget: FontBudget): FontMetrics {
  const encoding = nameOf(pdf.resolve(font.get('Encoding')))
  const descendants = pdf.resolve(font.get('DescendantFonts'))
  const descendant = pdf.resolve(Array.isArray(descendants) ? descendants[0] : undefined)
  // An encoding of its own, or one from top to bottom.
  if (encoding === undefined || encoding.endsWith('V') || !isDictionary(descendant)) return unclear
  const usual = pdf.resolve(descendant.get('DW'))
  const usualWidth = typeof usual === 'number' ? usual / 1000 : 1
  const widths = widthsOf(pdf, descendant, budget)
  const widest = [...widths.values()].reduce((most, one) => Math.max(most, one), Math.max(usualWidth, 1))
  function* characters(bytes: Uint8Array) {
    const isPlain = encoding === 'Identity-H'
    for (let at = 0; at < bytes.length; at += isPlain ? 2 : 1) {
      const width = widths.get(bytes[at]! * 256 + (bytes[at + 1] ?? 0)) ?? usualWidth
      // A single byte that is a blank may count as one where the encoding is not known.
      yield { widths: isPlain ? [width] : [0, widest], isSpace: !isPlain && bytes[at] === 0x20 }
    }
  }
  return { ...heights(pdf, pdf.resolve(descendant.get('FontDescriptor'))), isUnclear: false, characters }
}

/** §9.7.4.3: `first [w …]` or `first last w`. */
function widthsOf(pdf: Pdf, descendant: PdfDictionary, budget: FontBudget) {
  const found = new Map<number, number>()
  const list = pdf.resolve(descendant.get('W'))
  if (Array.isArray(list)) spendWidths(budget, list.length)
  const items = Array.isArray(list) ? list.map((one) => pdf.resolve(one)) : []
  for (let at = 0; at + 1 < items.length;) {
    const [first, next, width] = [items[at], items[at + 1], items[at + 2]]
    if (typeof first !== 'number') break
    if (Array.isArray(next)) {
      spendWidths(budget, next.length)
      for (const [index, one] of next.entries()) set(found, first + index, pdf.resolve(one))
      at += 2
    } else {
      if (typeof next !== 'number' || next - first > 65_535) break
      spendWidths(budget, Math.max(0, next - first))
      for (let cid = first; cid <= next; cid++) set(found, cid, width)
      at += 3
    }
  }
  return found
}

function set(widths: Map<number, number>, cid: number, width: PdfValue | undefined) {
  if (typeof width === 'number') widths.set(cid, width / 1000)
}

/** What a font says of the box around all its characters counts where it is larger than usual. */
function heights(pdf: Pdf, descriptor: PdfValue | undefined) {
  const box = isDictionary(descriptor) ? pdf.resolve(descriptor.get('FontBBox')) : undefined
  const [, bottom = 0, , top = 0] = Array.isArray(box) ? box.map((one) => pdf.resolve(one)) : []
  const within = (value: PdfValue | undefined) => (typeof value === 'number' ? Math.min(3, Math.abs(value) / 1000) : 0)
  return { ascent: Math.max(1.1, within(top)), descent: -Math.max(0.4, within(bottom)) }
}
