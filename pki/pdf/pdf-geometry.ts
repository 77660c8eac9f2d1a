// Boxes and matrices of a page, ISO 32000-1 §8.3.

import type { Pdf } from './pdf-read.ts'
import { fourNumbers, isDictionary, type PdfValue } from './pdf-value.ts'

export type Box = readonly [left: number, bottom: number, right: number, top: number]

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Contains no point; its union with another box is that box. */
export const emptyBox: Box = [Infinity, Infinity, -Infinity, -Infinity]

/** Checks whether a box has no area; a visible line is spread before, so that it has one. */
export const isEmpty = ([left, bottom, right, top]: Box) => !(right > left && top > bottom)

export const areaOfBox = (box: Box) => (isEmpty(box) ? 0 : (box[2] - box[0]) * (box[3] - box[1]))

export const intersection = (a: Box, b: Box): Box => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
]

export const union = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]

export const spread = ([left, bottom, right, top]: Box, by: number): Box => [
  left - by,
  bottom - by,
  right + by,
  top + by,
]

/** Applies first `m`, then `n`. */
export const concat = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
]

/** Returns the box around a transformed box. */
export function mapped([left, bottom, right, top]: Box, [a, b, c, d, e, f]: Matrix): Box {
  const xs = [a * left, a * right].flatMap((x) => [x + c * bottom + e, x + c * top + e])
  const ys = [b * left, b * right].flatMap((y) => [y + d * bottom + f, y + d * top + f])
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Reads a rectangle with its corners in any order (§7.9.5); undefined for any other value. */
export function readRectangle(pdf: Pdf, value: PdfValue | undefined): [number, number, number, number] | undefined {
  const list = pdf.resolve(value)
  const numbers = Array.isArray(list) && fourNumbers(list.map((item) => pdf.resolve(item)))
  if (!numbers) return undefined
  const [a, b, c, d] = numbers
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

/** Checks whether a widget has a place on its page; a malformed rectangle counts as one, because readers differ in it. */
export function hasArea(pdf: Pdf, number: number) {
  const widget = pdf.object(number)?.value
  if (!isDictionary(widget) || !widget.has('Rect')) return false
  const box = readRectangle(pdf, widget.get('Rect'))
  return !box || !isEmpty(box)
}
