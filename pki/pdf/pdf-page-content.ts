import { fontBudget, fontOf, type FontBudget, type FontMetrics } from './pdf-font-metrics.ts'
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
import { joined } from './pdf-bytes.ts'
import type { PdfObject } from './pdf-object.ts'
import { isRegular, isSpace, PdfError, PdfParser } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { isDictionary, isName, isReference, isString, nameOf, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/**
 * Calls `paint` with boxes, in default user space, that all which a content stream paints lies in (ISO 32000-1 §8 and
 * §9): rather too large than too small, and the whole of `area` where it cannot be told. Ends when `paint` says true,
 * and says so.
 */
export function paintedBoxes(
  pdf: Pdf,
  { streams, resources, area }: PaintedContent,
  budget: ContentBudget,
  paint: (box: Box) => boolean,
): boolean {
  const reader = new ContentReader(pdf, area, budget, paint)
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
  /** A rectangle of one colour over nearly all of it is none that counts. */
  area: Box
}

/** What may still be read of one file, before it counts as painting anywhere, and the fonts that are known. */
export type ContentBudget = { operators: number; bytes: number } & FontBudget

export const contentBudget = (): ContentBudget => ({ operators: mostOperators, bytes: mostBytes, ...fontBudget() })

/** Thrown to end the reading. */
const done = new Error('Nothing more is asked')

const mostOperators = 400_000
const mostBytes = 64 << 20
const deepestForm = 12
const mostOperands = 5000
/** Of the area: a background of one colour hides nothing, and nothing is lost where it is covered. */
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
  readonly #budget: ContentBudget
  readonly #paint: (box: Box) => boolean
  #depth = 0
  #state: GraphicsState
  #saved: GraphicsState[] = []
  #resources: PdfDictionary | undefined
  /** Where the line began, and how far from there the next character is, at least and at most. */
  #line: Matrix = identity
  #advance: [number, number] = [0, 0]
  /** Of the path: each of its parts, and all of it. */
  #parts: Box[] = []
  #bounds: Box = emptyBox
  #point: [number, number] = [0, 0]
  #isRectangle = false
  #clips = false

  constructor(pdf: Pdf, area: Box, budget: ContentBudget, paint: (box: Box) => boolean) {
    this.#pdf = pdf
    this.#area = area
    this.#budget = budget
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

  /** All parts of a page's content are one. */
  streams(streams: PdfObject[], resources: PdfValue | undefined) {
    const found = this.#pdf.resolve(resources)
    const before = this.#resources
    this.#resources = isDictionary(found) ? found : before
    const parts = streams.map((one) => {
      const { data, rest } = this.#pdf.decode(one)
      if (rest.length > 0) throw new PdfError('A content is packed in a way that is not read here')
      this.#budget.bytes -= data.length
      if (this.#budget.bytes < 0) throw new PdfError('A content is too long', 'too-costly')
      return data
    })
    this.#read(parts.length === 1 ? parts[0]! : joined(parts.flatMap((part) => [part, Uint8Array.of(0x0a)])))
    this.#resources = before
  }

  #read(bytes: Uint8Array) {
    const parser = new PdfParser(bytes, 0)
    let operands: PdfValue[] = []
    for (;;) {
      parser.skipSpace()
      if (parser.position >= bytes.length) return
      const word = wordAt(bytes, parser.position)
      if (word === undefined || word === 'true' || word === 'false' || word === 'null') {
        operands.push(parser.value())
        if (operands.length > mostOperands) throw new PdfError('A content has too many operands', 'too-costly')
        continue
      }
      parser.position += word.length
      if (--this.#budget.operators < 0) throw new PdfError('A content has too many operators', 'too-costly')
      if (word === 'BI') this.#inlineImage(parser)
      else this.#operator(word, operands)
      operands = []
    }
  }

  /** Of operands that are too many or too few some readers take the first ones, some the last ones, and some none. */
  #operator(word: string, operands: PdfValue[]) {
    const operator = graphics.get(word)
    if (!operator && !harmless.has(word)) throw new PdfError(`The operator ${word} is not known`)
    if (!operator) return
    const [shape, run] = operator
    if (shape !== 'any' && operands.map(kindOf).join('') !== shape)
      throw new PdfError(`The operator ${word} has other operands`)
    run(
      this,
      operands.filter((one) => typeof one === 'number'),
      operands,
    )
  }

  #put(box: Box) {
    const seen = intersection(box, this.#state.clip)
    if (!isEmpty(seen) && this.#paint(seen)) throw done
  }

  save() {
    this.#saved.push({ ...this.#state })
    if (this.#saved.length > 1000) throw new PdfError('A content saves its state too often')
  }

  restore() {
    this.#state = this.#saved.pop() ?? this.#state
  }

  transform(numbers: number[]) {
    this.#state.matrix = concat(matrixOf(numbers), this.#state.matrix)
  }

  set(values: Partial<GraphicsState>) {
    Object.assign(this.#state, values)
  }

  // Paths

  move([x = 0, y = 0]: number[]) {
    this.#point = [x, y]
    this.#isRectangle = false
  }

  /** A line, or a curve within its points. */
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
    if (this.#parts.push(box) > mostOperators) throw new PdfError('A path is too long', 'too-costly')
    this.#bounds = union(this.#bounds, box)
  }

  clipNext() {
    this.#clips = true
  }

  endPath({ fill = false, stroke = false }) {
    const { matrix, lineWidth, hasPattern } = this.#state
    if (stroke && this.#parts.length > 0) {
      const [a, b, c, d] = matrix
      const width = lineWidth * Math.max(Math.hypot(a, b), Math.hypot(c, d)) + 1
      for (const part of this.#parts) this.#put(spread(part, width))
    }
    const isBackground = this.#isRectangle && !hasPattern && this.#isNearlyAll(this.#bounds)
    if (fill && !isBackground && this.#parts.length > 0) this.#put(spread(this.#bounds, 0.5))
    // What a path without an area cuts away differs between readers.
    const cut = intersection(this.#state.clip, this.#bounds)
    if (this.#clips && !isEmpty(this.#bounds)) this.#state.clip = cut
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
  }

  font([name, size]: PdfValue[]) {
    this.#state.font = fontOf(this.#pdf, this.#resource('Font', nameOf(name)), this.#budget)
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
    if (!font || font.isUnclear) return this.#put(clip)
    const before = this.#advance
    this.#advance = [before[0] + this.#width(bytes, 0), before[1] + this.#width(bytes, 1)].toSorted(
      (a, b) => a - b,
    ) as [number, number]
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

  /** How far a string goes, at least (0) or at most (1). */
  #width(bytes: Uint8Array, bound: 0 | 1) {
    const { font, size, scale, characterSpacing, wordSpacing } = this.#state
    let width = 0
    for (const { widths, isSpace: isBlank } of font!.characters(bytes)) {
      const ends = widths.map((one) => (one * size + characterSpacing + (isBlank ? wordSpacing : 0)) * scale)
      width += bound === 0 ? Math.min(...ends) : Math.max(...ends)
    }
    return width
  }

  // Objects

  draw(name: string | undefined) {
    const reference = this.#resource('XObject', name)
    const object = isReference(reference) ? this.#pdf.object(reference.number) : undefined
    if (!object?.data || !isDictionary(object.value)) throw new PdfError('What is painted is no stream')
    if (!isName(this.#pdf.resolve(object.value.get('Subtype')), 'Form')) return this.#unitSquare()
    if (++this.#depth > deepestForm) throw new PdfError('Forms are nested too deeply', 'too-costly')
    this.save()
    const depth = this.#saved.length
    const matrix = numbersOf(this.#pdf, object.value.get('Matrix'))
    if (matrix.length === 6) this.transform(matrix)
    const text = [this.#line, this.#advance] as const
    this.streams([object], object.value.get('Resources'))
    this.#line = text[0]
    this.#advance = text[1]
    if (this.#saved.length < depth) throw new PdfError('A form restores what it has not saved')
    this.#saved.length = depth
    this.restore()
    this.#depth--
  }

  #unitSquare() {
    this.#put(mapped([0, 0, 1, 1], this.#state.matrix))
  }

  /** §8.9.7: its data end at `EI` between white space. Some readers end them at any `EI`. */
  #inlineImage(parser: PdfParser) {
    const { bytes } = parser
    while (!parser.take('ID')) parser.value()
    for (let at = parser.position + 1; at < bytes.length; at++)
      if (bytes[at] === 0x45 && bytes[at + 1] === 0x49 && !isRegular(bytes[at + 2])) {
        if (!isSpace(bytes[at - 1])) break
        parser.position = at + 2
        return this.#unitSquare()
      }
    throw new PdfError('An image in a content does not end')
  }

  shade() {
    this.#put(this.#state.clip)
  }

  /** A state of its own, §8.4.5, may set the width of lines and the font. */
  extended(name: string | undefined) {
    const state = this.#pdf.resolve(this.#resource('ExtGState', name))
    if (!isDictionary(state)) throw new PdfError('A state of the graphics is missing')
    const width = this.#pdf.resolve(state.get('LW'))
    if (typeof width === 'number') this.#state.lineWidth = width
    if (state.has('Font')) this.#state.font = undefined
  }

  /** Readers look for what a form does not name in what is around it. */
  #resource(kind: string, name: string | undefined) {
    const all = this.#pdf.resolve(this.#resources?.get(kind))
    const found = isDictionary(all) && name !== undefined ? all.get(name) : undefined
    if (found === undefined) throw new PdfError(`A resource /${kind} is missing`)
    return found
  }
}

type Operator = (reader: ContentReader, numbers: number[], operands: PdfValue[]) => void

const color: Operator = (reader, _, operands) => reader.set({ hasPattern: nameOf(operands.at(-1)) !== undefined })
const closed =
  (how: { fill?: boolean; stroke?: boolean }): Operator =>
  (reader) =>
    reader.endPath(how)
const curve: Operator = (reader, numbers) => reader.lineTo(numbers)

/** ISO 32000-1 table 51, each with the kinds of its operands. */
const graphics = new Map<string, [operands: string, Operator]>([
  ['q', ['', (reader) => reader.save()]],
  ['Q', ['', (reader) => reader.restore()]],
  ['cm', ['111111', (reader, numbers) => reader.transform(numbers)]],
  ['w', ['1', (reader, [width = 1]) => reader.set({ lineWidth: width })]],
  ['gs', ['/', (reader, _, [name]) => reader.extended(nameOf(name))]],
  ['m', ['11', (reader, numbers) => reader.move(numbers)]],
  ['l', ['11', curve]],
  ['c', ['111111', curve]],
  ['v', ['1111', curve]],
  ['y', ['1111', curve]],
  ['re', ['1111', (reader, numbers) => reader.rectangle(numbers)]],
  ['W', ['', (reader) => reader.clipNext()]],
  ['W*', ['', (reader) => reader.clipNext()]],
  ['n', ['', closed({})]],
  ['S', ['', closed({ stroke: true })]],
  ['s', ['', closed({ stroke: true })]],
  ['f', ['', closed({ fill: true })]],
  ['F', ['', closed({ fill: true })]],
  ['f*', ['', closed({ fill: true })]],
  ['B', ['', closed({ fill: true, stroke: true })]],
  ['B*', ['', closed({ fill: true, stroke: true })]],
  ['b', ['', closed({ fill: true, stroke: true })]],
  ['b*', ['', closed({ fill: true, stroke: true })]],
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
  [
    'TD',
    [
      '11',
      (reader, numbers) => {
        reader.set({ leading: -(numbers[1] ?? 0) })
        reader.nextLine(numbers)
      },
    ],
  ],
  ['Tm', ['111111', (reader, numbers) => reader.textMatrix(numbers)]],
  ['T*', ['', (reader) => reader.leadLine()]],
  ['Tj', ['(', (reader, _, [text]) => reader.show(text)]],
  ['TJ', ['[', (reader, _, [text]) => reader.show(text)]],
  [
    "'",
    [
      '(',
      (reader, _, [text]) => {
        reader.leadLine()
        reader.show(text)
      },
    ],
  ],
  [
    '"',
    [
      '11(',
      (reader, [word = 0, character = 0], operands) => {
        reader.set({ wordSpacing: word, characterSpacing: character })
        reader.leadLine()
        reader.show(operands[2])
      },
    ],
  ],
])

/** A number, a name, a string, an array, or anything else. */
const kindOf = (operand: PdfValue) =>
  typeof operand === 'number'
    ? '1'
    : nameOf(operand) !== undefined
      ? '/'
      : isString(operand)
        ? '('
        : Array.isArray(operand)
          ? '['
          : '?'

/** They paint nothing, or change only the colour and the kind of what is painted. */
const harmless = new Set('h J j M d ri i CS SC SCN G RG K ET Tr BMC BDC EMC MP DP BX EX d0 d1'.split(' '))

/** The word that begins here; undefined where a value does. */
function wordAt(bytes: Uint8Array, at: number) {
  let end = at
  // Every operator is short; numbers and all that is in brackets or begins with a stroke are values.
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
  return Array.isArray(items) ? items.map((one) => pdf.resolve(one)).filter((one) => typeof one === 'number') : []
}
