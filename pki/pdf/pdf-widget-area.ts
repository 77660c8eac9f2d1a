import type { Pdf } from './pdf-read.ts'
import { isDictionary, isReference } from './pdf-value.ts'

/** The area of a widget's rectangle in square points; zero if it has none. */
export function areaOf(pdf: Pdf, number: number) {
  const widget = pdf.object(number)?.value
  const box = isDictionary(widget) ? pdf.resolve(widget.get('Rect')) : null
  const numbers = Array.isArray(box) ? box.map((item) => (isReference(item) ? pdf.resolve(item) : item)) : []
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers.map((item) => (typeof item === 'number' ? item : 0))
  return Math.abs((right - left) * (top - bottom))
}
