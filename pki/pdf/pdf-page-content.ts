import { joined } from '../bytes.ts'
import { fontLimits, readFont, type FontLimits, type FontMetrics } from './pdf-font-metrics.ts'
import {
  concat,
  emptyBox,
  intersection,
  isEmpty,
  mapped,
  spread,
  union,
  type Box,
  type Matrix,
} from './pdf-geometry.ts'
import type { PdfObject } from './pdf-object.ts'
import { isRegular, isSpace, PdfError, PdfParser } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { isDictionary, isName, isReference, isString, nameOf, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/**
 * Calls `paint` with boxes, in default user space, that contain everything that content streams paint (ISO 32000-1 §8
 * and §9): too large rather than too small, and all of `area` if uncertain. Ends with true when `paint` returns true.
 */
export function paintedBoxes(
  pdf: Pdf,
  { streams, resources, area }: PaintedContent,
  limits: ContentLimits,
  paint: (box: Box) => boolean,
): boolean {
  const reader = new ContentReader(pdf, area, limits, paint)
  try {
    reader.streams(streams, resources)
  } catch (error) {
    if (error === done) return true
    if (error instanceof PdfError) return paint(area)
    throw error
  }
  return false
}

type PaintedContent = {
  streams: PdfObject[]
  resources: PdfValue | undefined
  /** The visible part of the page; a plain background over nearly all of it is ignored. */
  area: Box
}

/** Numbers of operators and bytes that may still be read of one file before it counts as painting anywhere, and the limits of its fonts. */
export type ContentLimits = { operators: number; bytes: number } & FontLimits

export const contentLimits = (): ContentLimits => ({ operators: maxOperators, bytes: maxBytes, ...fontLimits() })

/** Thrown to stop reading. */
const done = new Error('The reading is complete')

const maxOperators = 400_000
const maxBytes = 64 << 20
const maxFormDepth = 12
const maxOperands = 5000
/** Share of the area: covering a plain background hides nothing. */
const backgroundShare = 0.95

type GraphicsState = {
  matrix: Matrix
  clip: Box
  lineWidth: number
  hasPattern: boolean
  font: FontMetrics | undefined
  size: number
  characterSpacing: number
  wordSpacing: number
  scale: number
  leading: number
  rise: number
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]

class ContentReader {
  readonly #pdf: Pdf
  readonly #area: Box
  readonly #limits: ContentLimits
  readonly #paint: (box: Box) => boolean
  #depth = 0
  #state: GraphicsState
  #saved: GraphicsState[] = []
  #resources: PdfDictionary | undefined
  /** The start of the text line, and the minimum and maximum distance of the next character from it. */
  #line: Matrix = identity
  #advance: [number, number] = [0, 0]
  /** The boxes of the current path's segments, and of the whole path. */
  #parts: Box[] = []
  #bounds: Box = emptyBox
  #point: [number, number] = [0, 0]
  #isRectangle = false
  #clips = false

  constructor(pdf: Pdf, area: Box, limits: ContentLimits, paint: (box: Box) => boolean) {
    this.#pdf = pdf
    this.#area = area
    this.#limits = limits
    this.#paint = paint
    this.#state = {
      matrix: identity,
      clip: area,
      lineWidth: 1,
      hasPattern: false,
      font: undefined,
      size: 0,
      characterSpacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
    }
  }

  /** Reads the content streams of a page as one. */
  streams(streams: PdfObject[], resources: PdfValue | undefined) {
    const found = this.#pdf.resolve(resources)
    const before = this.#resources
    this.#resources = isDictionary(found) ? found : before
    const parts = streams.map((stream) => {
      const { data, rest } = this.#pdf.decode(stream)
      if (rest.length > 0) throw new PdfError('A content stream has an unsupported filter')
      this.#limits.bytes -= data.length
      if (this.#limits.bytes < 0) throw new PdfError('A content stream is too long', 'too-costly')
      return data
    })
    const [single, second] = parts
    this.#read(single && !second ? single : joined(parts.flatMap((part) => [part, Uint8Array.of(0x0a)])))
    this.#resources = before
  }

  #read(bytes: Uint8Array) {
    const parser = new PdfParser(bytes, 0)
    let operands: PdfValue[] = []
    for (;;) {
      parser.skipSpace()
      if (parser.position >= bytes.length) return
      const word = operatorAt(bytes, parser.position)
      if (word === undefined || word === 'true' || word === 'false' || word === 'null') {
        operands.push(parser.value())
        if (operands.length > maxOperands) throw new PdfError('A content stream has too many operands', 'too-costly')
        continue
      }
      parser.position += word.length
      if (--this.#limits.operators < 0) throw new PdfError('A content stream has too many operators', 'too-costly')
      if (word === 'BI') this.#inlineImage(parser)
      else this.#operator(word, operands)
      operands = []
    }
  }

  /**
   * Runs an operator with exactly the operands that it takes. With too many or too few, some readers use the first ones, some the last
   * ones, and some none.
   */
  #operator(word: string, operands: PdfValue[]) {
    const operator = graphics.get(word)
    if (!operator && !harmless.has(word)) throw new PdfError(`The operator ${word} is unknown`)
    if (!operator) return
    const [shape, run] = operator
    if (shape !== 'any' && operands.map(kindOf).join('') !== shape)
      throw new PdfError(`The operator ${word} has unexpected operands`)
    run(
      this,
      operands.filter((operand) => typeof operand === 'number'),
      operands,
    )
  }

  #put(box: Box) {
    const visible = intersection(box, this.#state.clip)
    if (!isEmpty(visible) && this.#paint(visible)) throw done
  }

  save() {
    this.#saved.push({ ...this.#state })
    if (this.#saved.length > 1000) throw new PdfError('A content stream saves its state too often')
  }

  restore() {
    this.#state = this.#saved.pop() ?? this.#state
  }

  transform(numbers: number[]) {
    this.#state.matrix = concat(matrixOf(numbers), this.#state.matrix)
  }

  set(values: Partial<GraphicsState>) {
    Object.assign(this.#state, values)
    return this
  }

  // Paths

  move([x = 0, y = 0]: number[]) {
    this.#point = [x, y]
    this.#isRectangle = false
  }

  /** Adds a line, or a curve, which stays within the box of its points. */
  lineTo(numbers: number[]) {
    const points = [...this.#point, ...numbers]
    const box = mapped(boxOf(points), this.#state.matrix)
    this.#addPart(box)
    this.#point = [numbers.at(-2) ?? 0, numbers.at(-1) ?? 0]
    this.#isRectangle = false
  }

  rectangle([x = 0, y = 0, width = 0, height = 0]: number[]) {
    this.#isRectangle = this.#parts.length === 0
    const wasRectangle = this.#isRectangle
    const sides = [
      [x, y, x + width, y],
      [x, y, x, y + height],
      [x + width, y, x + width, y + height],
      [x, y + height, x + width, y + height],
    ]
    for (const side of sides) this.#addPart(mapped(boxOf(side), this.#state.matrix))
    this.#point = [x, y]
    this.#isRectangle = wasRectangle
  }

  #addPart(box: Box) {
    if (this.#parts.push(box) > maxOperators) throw new PdfError('A path is too long', 'too-costly')
    this.#bounds = union(this.#bounds, box)
  }

  clipNext() {
    this.#clips = true
  }

  endPath({ isFilled = false, isStroked = false }) {
    const { matrix, lineWidth, hasPattern } = this.#state
    if (isStroked && this.#parts.length > 0) {
      const [a, b, c, d] = matrix
      const width = lineWidth * Math.max(Math.hypot(a, b), Math.hypot(c, d)) + 1
      for (const part of this.#parts) this.#put(spread(part, width))
    }
    const isBackground = this.#isRectangle && !hasPattern && this.#isNearlyAll(this.#bounds)
    if (isFilled && !isBackground && this.#parts.length > 0) this.#put(spread(this.#bounds, 0.5))
    // Readers differ in how they clip to a path without an area.
    const clip = intersection(this.#state.clip, this.#bounds)
    if (this.#clips && !isEmpty(this.#bounds)) this.#state.clip = clip
    this.#parts = []
    this.#bounds = emptyBox
    this.#clips = false
    this.#isRectangle = false
  }

  #isNearlyAll(box: Box) {
    const [left, bottom, right, top] = intersection(box, this.#area)
    const [a, b, c, d] = this.#area
    return (right - left) * (top - bottom) >= backgroundShare * (c - a) * (d - b)
  }

  // Text

  beginText() {
    this.#line = identity
    this.#advance = [0, 0]
  }

  textMatrix(numbers: number[]) {
    this.#line = matrixOf(numbers)
    this.#advance = [0, 0]
  }

  nextLine([x = 0, y = 0]: number[]) {
    this.#line = concat([1, 0, 0, 1, x, y], this.#line)
    this.#advance = [0, 0]
  }

  leadLine() {
    this.nextLine([0, -this.#state.leading])
    return this
  }

  font([name, size]: PdfValue[]) {
    this.#state.font = readFont(this.#pdf, this.#resource('Font', nameOf(name)), this.#limits)
    this.#state.size = typeof size === 'number' ? size : 0
  }

  show(text: PdfValue | undefined) {
    for (const item of Array.isArray(text) ? text : [text ?? null]) {
      if (typeof item === 'number') this.#move((-item / 1000) * this.#state.size * this.#state.scale)
      else if (isString(item)) this.#showString(item.bytes)
    }
  }

  #move(by: number) {
    this.#advance = [this.#advance[0] + by, this.#advance[1] + by]
  }

  #showString(bytes: Uint8Array) {
    const { font, size, scale, rise, matrix, clip } = this.#state
    if (!font || font.isUnbounded) return this.#put(clip)
    const before = this.#advance
    const ends = [before[0] + this.#width(font, bytes, 0), before[1] + this.#width(font, bytes, 1)]
    this.#advance = [Math.min(...ends), Math.max(...ends)]
    const overhang = Math.abs(0.3 * size * scale)
    const heights = [rise + font.descent * size, rise + font.ascent * size]
    const box: Box = [
      Math.min(...before, ...this.#advance) - overhang,
      Math.min(...heights),
      Math.max(...before, ...this.#advance) + overhang,
      Math.max(...heights),
    ]
    this.#put(mapped(box, concat(this.#line, matrix)))
  }

  /** Returns the minimum (0) or maximum (1) width of a string. */
  #width(font: FontMetrics, bytes: Uint8Array, bound: 0 | 1) {
    const { size, scale, characterSpacing, wordSpacing } = this.#state
    let width = 0
    for (const { widths, isSpace: isBlank } of font.characters(bytes)) {
      const ends = widths.map(
        (glyphWidth) => (glyphWidth * size + characterSpacing + (isBlank ? wordSpacing : 0)) * scale,
      )
      width += bound === 0 ? Math.min(...ends) : Math.max(...ends)
    }
    return width
  }

  // Objects

  draw(name: string | undefined) {
    const reference = this.#resource('XObject', name)
    const object = isReference(reference) ? this.#pdf.object(reference.number) : undefined
    if (!object?.data || !isDictionary(object.value)) throw new PdfError('A painted XObject is not a stream')
    if (!isName(this.#pdf.resolve(object.value.get('Subtype')), 'Form')) return this.#unitSquare()
    if (++this.#depth > maxFormDepth) throw new PdfError('Forms are nested too deeply', 'too-costly')
    this.save()
    const depth = this.#saved.length
    const matrix = numbersOf(this.#pdf, object.value.get('Matrix'))
    if (matrix.length === 6) this.transform(matrix)
    const text = [this.#line, this.#advance] as const
    this.streams([object], object.value.get('Resources'))
    this.#line = text[0]
    this.#advance = text[1]
    if (this.#saved.length < depth) throw new PdfError('A form restores a state that it has not saved')
    this.#saved.length = depth
    this.restore()
    this.#depth--
  }

  #unitSquare() {
    this.#put(mapped([0, 0, 1, 1], this.#state.matrix))
  }

  /** Reads an inline image, whose data end at `EI` between white space (§8.9.7). Some readers end them at any `EI`. */
  #inlineImage(parser: PdfParser) {
    const { bytes } = parser
    while (!parser.take('ID')) parser.value()
    for (let at = parser.position + 1; at < bytes.length; at++)
      if (bytes[at] === 0x45 && bytes[at + 1] === 0x49 && !isRegular(bytes[at + 2])) {
        if (!isSpace(bytes[at - 1])) break
        parser.position = at + 2
        return this.#unitSquare()
      }
    throw new PdfError('An inline image does not end')
  }

  shade() {
    this.#put(this.#state.clip)
  }

  /** Applies a graphics state dictionary (§8.4.5), which may set the line width and the font. */
  extendedState(name: string | undefined) {
    const state = this.#pdf.resolve(this.#resource('ExtGState', name))
    if (!isDictionary(state)) throw new PdfError('A graphics state dictionary is missing')
    const width = this.#pdf.resolve(state.get('LW'))
    if (typeof width === 'number') this.#state.lineWidth = width
    if (state.has('Font')) this.#state.font = undefined
  }

  /** Readers look up resources that a form does not name in its surroundings, so a missing one is an error. */
  #resource(kind: string, name: string | undefined) {
    const all = this.#pdf.resolve(this.#resources?.get(kind))
    const found = isDictionary(all) && name !== undefined ? all.get(name) : undefined
    if (found === undefined) throw new PdfError(`A resource /${kind} is missing`)
    return found
  }
}

type Operator = (reader: ContentReader, numbers: number[], operands: PdfValue[]) => unknown

const color: Operator = (reader, _, operands) => reader.set({ hasPattern: nameOf(operands.at(-1)) !== undefined })
const endPath =
  (how: { isFilled?: boolean; isStroked?: boolean }): Operator =>
  (reader) =>
    reader.endPath(how)
const curve: Operator = (reader, numbers) => reader.lineTo(numbers)

/** The operators of ISO 32000-1 table 51, each with the types of its operands. */
const graphics = new Map<string, [operands: string, Operator]>([
  ['q', ['', (reader) => reader.save()]],
  ['Q', ['', (reader) => reader.restore()]],
  ['cm', ['111111', (reader, numbers) => reader.transform(numbers)]],
  ['w', ['1', (reader, [width = 1]) => reader.set({ lineWidth: width })]],
  ['gs', ['/', (reader, _, [name]) => reader.extendedState(nameOf(name))]],
  ['m', ['11', (reader, numbers) => reader.move(numbers)]],
  ['l', ['11', curve]],
  ['c', ['111111', curve]],
  ['v', ['1111', curve]],
  ['y', ['1111', curve]],
  ['re', ['1111', (reader, numbers) => reader.rectangle(numbers)]],
  ['W', ['', (reader) => reader.clipNext()]],
  ['W*', ['', (reader) => reader.clipNext()]],
  ['n', ['', endPath({})]],
  ['S', ['', endPath({ isStroked: true })]],
  ['s', ['', endPath({ isStroked: true })]],
  ['f', ['', endPath({ isFilled: true })]],
  ['F', ['', endPath({ isFilled: true })]],
  ['f*', ['', endPath({ isFilled: true })]],
  ['B', ['', endPath({ isFilled: true, isStroked: true })]],
  ['B*', ['', endPath({ isFilled: true, isStroked: true })]],
  ['b', ['', endPath({ isFilled: true, isStroked: true })]],
  ['b*', ['', endPath({ isFilled: true, isStroked: true })]],
  ['sh', ['/', (reader) => reader.shade()]],
  ['Do', ['/', (reader, _, [name]) => reader.draw(nameOf(name))]],
  ['g', ['any', color]],
  ['rg', ['any', color]],
  ['k', ['any', color]],
  ['cs', ['any', (reader, _, [name]) => reader.set({ hasPattern: nameOf(name) === 'Pattern' })]],
  ['sc', ['any', color]],
  ['scn', ['any', color]],
  ['BT', ['', (reader) => reader.beginText()]],
  ['Tc', ['1', (reader, [value = 0]) => reader.set({ characterSpacing: value })]],
  ['Tw', ['1', (reader, [value = 0]) => reader.set({ wordSpacing: value })]],
  ['Tz', ['1', (reader, [value = 100]) => reader.set({ scale: value / 100 })]],
  ['TL', ['1', (reader, [value = 0]) => reader.set({ leading: value })]],
  ['Ts', ['1', (reader, [value = 0]) => reader.set({ rise: value })]],
  ['Tf', ['/1', (reader, _, operands) => reader.font(operands)]],
  ['Td', ['11', (reader, numbers) => reader.nextLine(numbers)]],
  ['TD', ['11', (reader, numbers) => reader.set({ leading: -(numbers[1] ?? 0) }).nextLine(numbers)]],
  ['Tm', ['111111', (reader, numbers) => reader.textMatrix(numbers)]],
  ['T*', ['', (reader) => reader.leadLine()]],
  ['Tj', ['(', (reader, _, [text]) => reader.show(text)]],
  ['TJ', ['[', (reader, _, [text]) => reader.show(text)]],
  ["'", ['(', (reader, _, [text]) => reader.leadLine().show(text)]],
  [
    '"',
    [
      '11(',
      (reader, [wordSpacing = 0, characterSpacing = 0], operands) =>
        reader.set({ wordSpacing, characterSpacing }).leadLine().show(operands[2]),
    ],
  ],
])

/** Returns the kind of an operand: a number, a name, a string, an array, or anything else. */
function kindOf(operand: PdfValue) {
  if (typeof operand === 'number') return '1'
  if (isString(operand)) return '('
  if (Array.isArray(operand)) return '['
  return nameOf(operand) === undefined ? '?' : '/'
}

/** Operators that paint nothing, or change only the colour and style. */
const harmless = new Set('h J j M d ri i CS SC SCN G RG K ET Tr BMC BDC EMC MP DP BX EX d0 d1'.split(' '))

/** Returns the operator at a position; undefined if there is an operand. */
function operatorAt(bytes: Uint8Array, at: number) {
  let end = at
  // Operators are short; numbers and everything that begins with a delimiter are operands.
  while (isRegular(bytes[end]) && end - at < 12) end++
  const word = String.fromCharCode(...bytes.subarray(at, end))
  return word === '' || /^[\d+.-]/.test(word) ? undefined : word
}

function matrixOf([a, b, c, d, e, f]: number[]): Matrix {
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined)
    throw new PdfError('A matrix has six numbers')
  return [a, b, c, d, e, f]
}

function boxOf(points: number[]): Box {
  const xs = points.filter((_, index) => index % 2 === 0)
  const ys = points.filter((_, index) => index % 2 === 1)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

function numbersOf(pdf: Pdf, value: PdfValue | undefined) {
  const items = pdf.resolve(value)
  return Array.isArray(items) ? items.map((item) => pdf.resolve(item)).filter((item) => typeof item === 'number') : []
}
