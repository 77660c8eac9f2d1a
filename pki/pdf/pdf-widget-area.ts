import type { Pdf } from './pdf-read.ts'
import { isDictionary, isReference } from './pdf-value.ts'

/** The area of a widget's rectangle in square points; zero for what is no widget. */
export function areaOf(pdf: Pdf, number: number) {
  const widget = pdf.object(number)?.value
  const box = isDictionary(widget) ? pdf.resolve(widget.get('Rect')) : null
  const numbers = Array.isArray(box) ? box.map((one) => (isReference(one) ? pdf.resolve(one) : one)) : []
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers.map((one) => (typeof one === 'number' ? one : 0))
  return Math.abs((right - left) * (top - bottom))
}
