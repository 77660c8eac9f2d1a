import type { SignatureProblem } from './pades-report.ts'
import { fromHex } from './pdf-bytes.ts'
import { berLength } from './der.ts'
import type { Pdf } from './pdf-read.ts'
import type { FoundSignature } from './pdf-signature-fields.ts'
import type { PdfValue } from './pdf-value.ts'
import { isTail } from './pdf-xref.ts'

/** What a signature covers: everything from the first byte up to `end`, but for the gap that holds itself. */
export type Coverage = {
  gap: { start: number; end: number }
  end: number
  revision: number
  /** The message in the gap, and whether zeros alone stand behind it. */
  message: Uint8Array
  padded: boolean
}

type Refused = { problem: SignatureProblem; detail: string }

const refused = (problem: SignatureProblem, detail: string): Refused => ({ problem, detail })

/**
 * Steps 6 of the algorithm: what a signature covers (ISO 32000-1 §12.8.1, EN 319 142-1 §5.3) is the whole of one
 * revision but for its own /Contents, and nothing has taken the place of its dictionary since.
 */
export function coverageOf(pdf: Pdf, { dictionary, object, contents }: FoundSignature): Coverage | Refused {
  const { bytes, revisions } = pdf
  if (!dictionary || !object) return refused('signature-damaged', 'the field leads to no dictionary')
  const range = byteRange(dictionary.get('ByteRange'), bytes.length)
  if (!range) return refused('byte-range-malformed', 'the byte range is not four numbers within the file')
  const { gap, end } = range
  if (!contents || contents.start !== gap.start || contents.end !== gap.end)
    return refused('byte-range-gap', 'what is left out is not the contents of the signature')
  if (object.start >= gap.start || object.end <= gap.end)
    return refused('byte-range-gap', 'the signature lies elsewhere')
  const digits = bytes.subarray(gap.start + 1, gap.end - 1)
  const message = bytes[gap.start] === 0x3c ? fromHex(digits) : undefined
  if (!message) return refused('byte-range-gap', 'the contents are not hexadecimal digits alone')
  const revision = revisions.findIndex((one) => one.end <= end && isTail(bytes, one.end, end))
  if (revision < 0) return refused('byte-range-partial', 'what is covered does not end with a revision')
  if (pdf.at(revision).object(object.number)?.start !== object.start)
    return refused('signature-replaced', 'the signature was another object when it was made')
  const length = berLength(message)
  if (length <= 0 || length > message.length) return refused('cms-unreadable', 'the contents are no message')
  const rest = message.subarray(length)
  return { gap, end, revision, message: message.subarray(0, length), padded: rest.every((byte) => byte === 0) }
}

function byteRange(value: PdfValue | undefined, size: number) {
  if (!Array.isArray(value) || value.length !== 4) return undefined
  const [first, before, after, rest] = value
  const numbers = [first, before, after, rest]
  if (!numbers.every((one) => typeof one === 'number' && Number.isInteger(one) && one >= 0)) return undefined
  const [start, length, next, remaining] = numbers as [number, number, number, number]
  if (start !== 0 || length === 0 || remaining === 0 || length >= next || next + remaining > size) return undefined
  return { gap: { start: length, end: next }, end: next + remaining }
}
