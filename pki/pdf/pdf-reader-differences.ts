import { indexOfText, latin1 } from '../bytes.ts'
import { readObjectAt } from './pdf-object.ts'
import { isDigit, isRegular, isSpace, PdfParser } from './pdf-parser.ts'
import type { Pdf } from './pdf-read.ts'
import { integerAt, isDictionary } from './pdf-value.ts'
import { forEachEntry, type Revision } from './pdf-xref.ts'

/**
 * Explains why readers may see other objects than this strict one, from a revision (counted from 0) on, for experts; undefined if all see
 * the same. Some repair a file that they cannot read, and then use the last object of each number in its bytes; some use the hidden objects
 * of hybrid files, and some do not.
 */
export function readerDifference(pdf: Pdf, since: number): string | undefined {
  const revisions = pdf.revisions.slice(since)
  if (revisions.some(({ sections }) => sections.some(({ isHybrid }) => isHybrid)))
    return 'it is a hybrid file, in which readers find different objects'
  if (since === 0 && revisions.some(isBeyondSize)) return 'it has objects beyond its size'
  if (since === 0 && isLinearized(pdf)) return 'it is linearized'
  return repairDifference(pdf, since)
}

/** Explains why readers that repair a file may see other objects. Hybrid files do not count: office programs still write them. */
export function repairDifference(pdf: Pdf, since: number): string | undefined {
  const revisions = pdf.revisions.slice(since)
  const [first] = revisions
  if (!first) return undefined
  const sections = revisions.flatMap((revision) => revision.sections)
  return hiddenObject(pdf, first.start, sections) ?? hiddenTrailer(pdf, first.start, sections)
}

/** Checks whether a revision has objects beyond the size, which some readers treat as missing (§7.5.5). */
const isBeyondSize = ({ sections }: Revision) =>
  sections.some(({ layers, trailer }) =>
    layers.flat().some(({ first, kinds }) => first + kinds.length > (integerAt(trailer, 'Size') ?? 0)),
  )

type Sections = Revision['sections']

/** Finds an object that no table leads to, or that is no longer the last one of its number. */
function hiddenObject(pdf: Pdf, start: number, sections: Sections) {
  const heads = new Set<number>()
  for (const { layers, offset, hidden } of sections) {
    heads.add(offset).add(hidden?.start ?? offset)
    forEachEntry(layers, (_, kind, head) => {
      if (kind === 1) heads.add(head)
    })
  }
  for (const { head, number } of headsIn(pdf.bytes, start)) {
    if (!heads.has(head)) return `an object at byte ${head} is not in any table`
    const entry = pdf.entry(number)
    if (sections.some(({ offset }) => offset === head)) continue
    if (entry === 'free' || !('offset' in entry) || entry.offset < head) return `object ${number} was added and removed`
  }
  return undefined
}

/** Yields everything that a reader might take for the beginning of an object: two numbers and `obj`. */
function* headsIn(bytes: Uint8Array, start: number) {
  for (let at = indexOfText(bytes, 'obj', start); at >= 0; at = indexOfText(bytes, 'obj', at + 3)) {
    let i = at - 1
    const back = (is: (byte: number | undefined) => boolean) => {
      const from = i
      while (i >= start && is(bytes[i])) i--
      return from - i
    }
    back(isSpace)
    if (back(isDigit) === 0 || back(isSpace) === 0) continue
    const end = i + 1
    if (back(isDigit) === 0) continue
    yield { head: i + 1, number: Number(latin1(bytes, Math.max(i + 1, end - 12), end)) }
  }
}

/** Finds a line that begins with `trailer` outside every section: readers that repair files use its catalog. */
function hiddenTrailer({ bytes }: Pdf, start: number, sections: Sections) {
  for (let at = indexOfText(bytes, 'trailer', start); at >= 0; at = indexOfText(bytes, 'trailer', at + 7)) {
    if (isRegular(bytes[at + 7])) continue
    let i = at - 1
    while (i >= start && (bytes[i] === 0x20 || bytes[i] === 0x09 || bytes[i] === 0x0c || bytes[i] === 0)) i--
    const isAtLineStart = i < start || bytes[i] === 0x0a || bytes[i] === 0x0d
    if (isAtLineStart && !sections.some(({ offset, sectionEnd }) => at > offset && at < sectionEnd))
      return `a trailer at byte ${at} does not belong to a table`
  }
  return undefined
}

/**
 * Checks whether a file is linearized. Readers use the page hints only if the file has the stated length (Annex F); a signed one is longer.
 */
function isLinearized(pdf: Pdf) {
  const parser = new PdfParser(pdf.bytes, 0)
  parser.skipSpace()
  if (!isDigit(pdf.bytes[parser.position])) return false
  const limits = { parsed: pdf.bytes.length, inflated: 0 }
  const { value } = readObjectAt(pdf.bytes, parser.position, limits, pdf.resolve)
  return isDictionary(value) && value.has('Linearized') && value.get('L') === pdf.bytes.length
}
