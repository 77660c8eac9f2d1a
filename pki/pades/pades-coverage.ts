import { runningDigest } from '#runtime'
import { berLength } from '../asn1/der.ts'
import { fromHex, hexOf, joined, type RunningDigest } from '../bytes.ts'
import type { Pdf } from '../pdf/pdf-read.ts'
import type { FoundSignature } from '../pdf/pdf-signature-fields.ts'
import { fourNumbers, type PdfValue } from '../pdf/pdf-value.ts'
import { isTail } from '../pdf/pdf-xref.ts'
import type { SignatureProblem } from './pades-report.ts'

/** Bytes that a signature covers: everything from the first byte to `end` except the gap with its own contents. */
export type Coverage = {
  gap: { start: number; end: number }
  end: number
  revision: number
  /** The message in the gap, and whether only zeros follow it. */
  message: Uint8Array
  isPadded: boolean
}

type Refused = { problem: SignatureProblem; detail: string }

const refused = (problem: SignatureProblem, detail: string): Refused => ({ problem, detail })

/**
 * Checks the coverage of a signature: it covers a whole revision except for its own /Contents (ISO 32000-1
 * §12.8.1, EN 319 142-1 §5.3), and its dictionary has not been replaced since.
 */
export function findCoverage(pdf: Pdf, { dictionary, object, contents }: FoundSignature): Coverage | Refused {
  const { bytes, revisions } = pdf
  if (!dictionary || !object) return refused('signature-damaged', 'the field leads to no dictionary')
  const range = byteRange(dictionary.get('ByteRange'), bytes.length)
  if (!range) return refused('byte-range-malformed', 'the byte range is not four numbers within the file')
  const { gap, end } = range
  if (!contents || contents.start !== gap.start || contents.end !== gap.end)
    return refused('byte-range-gap', 'the gap is not the contents of the signature')
  if (object.start >= gap.start || object.end <= gap.end)
    return refused('byte-range-gap', 'the gap is outside of the signature')
  const digits = bytes.subarray(gap.start + 1, gap.end - 1)
  const message = bytes[gap.start] === 0x3c ? fromHex(digits) : undefined
  if (!message) return refused('byte-range-gap', 'the contents are not only hexadecimal digits')
  const revision = revisions.findIndex((added) => added.end <= end && isTail(bytes, added.end, end))
  if (revision < 0) return refused('byte-range-partial', 'the covered bytes do not end with a revision')
  if (pdf.at(revision).object(object.number)?.start !== object.start)
    return refused('signature-replaced', 'the signature was another object when it was made')
  const length = berLength(message)
  if (length <= 0 || length > message.length) return refused('cms-unreadable', 'the contents are not a message')
  const rest = message.subarray(length)
  return { gap, end, revision, message: message.subarray(0, length), isPadded: rest.every((byte) => byte === 0) }
}

function byteRange(value: PdfValue | undefined, size: number) {
  const range = Array.isArray(value) && fourNumbers(value)
  if (!range || !range.every((number) => Number.isInteger(number) && number >= 0)) return undefined
  const [start, length, next, remaining] = range
  if (start !== 0 || length === 0 || remaining === 0 || length >= next || next + remaining > size) return undefined
  return { gap: { start: length, end: next }, end: next + remaining }
}

export type FileDigests = {
  /** Returns the hexadecimal SHA-256 of the first bytes of the file. */
  ofFirst: (length: number) => string
  /** Returns the digest of what a signature covers, by the name of its algorithm. */
  ofCoverage: (coverage: Pick<Coverage, 'gap' | 'end'>) => (name: string) => Uint8Array
  /** Returns the bytes that a signature covers. */
  dataOf: (coverage: Pick<Coverage, 'gap' | 'end'>) => Uint8Array
}

/**
 * Computes digests of the issued part of a file and of the bytes that its signatures cover. All begin with the first byte, so hash states
 * are stored at the ends of revisions and of earlier digests and continued: many digests cost little more than one.
 */
export function fileDigests({ bytes, revisions }: Pick<Pdf, 'bytes' | 'revisions'>): FileDigests {
  const states = new Map<string, { hash: RunningDigest; at: number }[]>()
  const digests = new Map<string, Uint8Array>()

  /** Returns the stored hash states of an algorithm in ascending order. */
  function statesOf(name: string) {
    const known = states.get(name) ?? []
    states.set(name, known)
    return known
  }

  function afterFirst(name: string, length: number): RunningDigest {
    const all = statesOf(name)
    const next = all.findLastIndex(({ at }) => at <= length) + 1
    let { hash, at: from } = all[next - 1] ?? { hash: runningDigest(name), at: 0 }
    const further = []
    for (const at of [...revisions.map(({ end }) => end), length]) {
      if (at <= from || at > length) continue
      hash = hash.copy().update(bytes.subarray(from, at))
      further.push({ hash, at })
      from = at
    }
    all.splice(next, 0, ...further)
    return hash.copy()
  }

  return {
    ofFirst: (length) => hexOf(afterFirst('sha256', length).digest()),
    ofCoverage:
      ({ gap, end }) =>
      (name) => {
        const key = `${name} ${gap.start} ${gap.end} ${end}`
        const digest = digests.get(key) ?? afterFirst(name, gap.start).update(bytes.subarray(gap.end, end)).digest()
        digests.set(key, digest)
        return digest
      },
    dataOf: ({ gap, end }) => joined([bytes.subarray(0, gap.start), bytes.subarray(gap.end, end)]),
  }
}
