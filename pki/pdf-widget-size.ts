import { pagesOf, type Pdf } from './pdf-read.ts'
import { isDictionary, isReference, type PdfValue } from './pdf-value.ts'
import type { FoundSignature } from './pdf-signature-fields.ts'

/** Which part of a page (1 for all of it) the largest widget of a signature covers. */
export function largestWidget(pdf: Pdf, { fields }: FoundSignature) {
  const areas = fields.flatMap(({ widgets }) => widgets).map((number) => areaOf(pdf, number))
  const largest = Math.max(0, ...areas)
  if (largest === 0) return 0
  const smallest = pagesOf(pdf, 1).map(({ inherited }) => area(pdf, inherited.get('MediaBox')))
  return largest / Math.max(1, ...smallest)
}

/** In square points; zero for what is no widget. */
export function areaOf(pdf: Pdf, number: number) {
  const widget = pdf.object(number)?.value
  return isDictionary(widget) ? area(pdf, widget.get('Rect')) : 0
}

function area(pdf: Pdf, rectangle: PdfValue | undefined) {
  const box = pdf.resolve(rectangle)
  const numbers = Array.isArray(box) ? box.map((one) => (isReference(one) ? pdf.resolve(one) : one)) : []
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers.map((one) => (typeof one === 'number' ? one : 0))
  return Math.abs((right - left) * (top - bottom))
}
