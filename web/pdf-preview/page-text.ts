/** A run of letters on a page, as pdf.js describes it. */
export type TextPiece = {
  str: string
  /** Transformation from the run's own units to the page's. */
  transform: number[]
  width: number
  height: number
  hasEOL: boolean
}

type Letter = { piece: TextPiece; at: number }
/** The text of a page in one line, for the search in any spelling of spaces and capitals, with where each letter comes from. */
export type TextLine = { text: string; letters: (Letter | undefined)[]; folded: string }
export type Match = { from: number; to: number }

const fold = (text: string) => text.normalize('NFC').toLowerCase()

export function joinPieces(pieces: readonly TextPiece[]): TextLine {
  const letters: (Letter | undefined)[] = []
  let folded = ''
  let text = ''
  const add = (character: string, letter: Letter | undefined) => {
    if (/\s/.test(character)) {
      if (folded.endsWith(' ') || !folded) return
      folded += ' '
      letters.push(letter)
      return
    }
    for (const unit of fold(character).split('')) {
      folded += unit
      letters.push(letter)
    }
  }
  for (const piece of pieces) {
    let at = 0
    for (const character of piece.str) {
      add(character, { piece, at })
      at += character.length
    }
    text += piece.str
    if (piece.hasEOL) {
      add(' ', undefined)
      text += '\n'
    }
  }
  return { text, letters, folded }
}

/** Finds all matches of a text, without overlaps. */
export function findIn({ folded }: TextLine, text: string): Match[] {
  const wanted = fold(text).replace(/\s+/g, ' ').trim()
  const matches: Match[] = []
  if (!wanted) return matches
  for (let from = folded.indexOf(wanted); from >= 0; from = folded.indexOf(wanted, from + wanted.length))
    matches.push({ from, to: from + wanted.length })
  return matches
}

type PrintedLine = { text: string; y: number; height: number; end: number }
export type Paragraph = {
  text: string
  /** Whether it is printed larger than the rest of the page, as a heading is. */
  isLarge: boolean
}

/**
 * Returns the paragraphs of a page, for a container too narrow for its lines: a line that reaches the right edge of the text continues in
 * the next one.
 */
export function findParagraphs(pieces: readonly TextPiece[]): Paragraph[] {
  const lines = printedLines(pieces)
  const edge = Math.max(...lines.map(({ end }) => end))
  const usual = lines.map(({ height }) => height).toSorted((one, other) => one - other)[lines.length >> 1] ?? 0
  const paragraphs: Paragraph[] = []
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const last = paragraphs.at(-1)
    if (before && last && goesOn(before, line, edge)) last.text += ` ${line.text}`
    else paragraphs.push({ text: line.text, isLarge: line.height > usual * 1.1 })
  }
  return paragraphs
}

function goesOn(line: PrintedLine, next: PrintedLine, edge: number) {
  const down = line.y - next.y
  const isSameSize = Math.abs(line.height - next.height) < line.height / 10
  return isSameSize && line.end > edge * 0.85 && down > 0 && down < line.height * 1.9
}

/** Joins the runs of text into lines, and keeps apart a text that is far from the one before it, as in a table. */
function printedLines(pieces: readonly TextPiece[]): PrintedLine[] {
  const lines: PrintedLine[] = []
  let line: PrintedLine | undefined
  for (const { str, transform, width, height, hasEOL } of pieces) {
    const [, , , , x = 0, y = 0] = transform
    if (str.trim()) {
      if (!line || Math.abs(line.y - y) > line.height / 2) lines.push((line = { text: '', y, height, end: x }))
      else if (x - line.end > height * 1.5) line.text = `${line.text.trimEnd()}\u2003`
      line.text += str
      line.end = x + width
    } else if (line && str) line.text += ' '
    if (hasEOL) line = undefined
  }
  return lines.map((each) => ({ ...each, text: each.text.replaceAll(/ +/g, ' ').trim() }))
}

type Point = [number, number]

/** Returns the corners, on the page, of the part of each run that a match covers. */
export function matchCorners({ letters }: TextLine, { from, to }: Match): Point[][] {
  const parts = new Map<TextPiece, { first: number; last: number }>()
  for (const letter of letters.slice(from, to)) {
    if (!letter) continue
    const part = parts.get(letter.piece)
    if (part) part.last = letter.at
    else parts.set(letter.piece, { first: letter.at, last: letter.at })
  }
  return [...parts].map(([{ str, transform, width, height }, { first, last }]) => {
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
    const along = unit(a, b)
    const up = unit(c, d)
    const point = (right: number, above: number): Point => [
      x + along[0] * right + up[0] * above,
      y + along[1] * right + up[1] * above,
    ]
    const [start, end] = [(width * first) / str.length, (width * (last + 1)) / str.length]
    return [point(start, height), point(end, height), point(end, -height / 4), point(start, -height / 4)]
  })
}

const unit = (x: number, y: number): Point => {
  const length = Math.hypot(x, y) || 1
  return [x / length, y / length]
}
