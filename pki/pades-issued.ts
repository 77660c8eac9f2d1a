import type { DocumentProblem, IssuedMatch } from './pades-report.ts'
import { activeContent } from './pdf-active-content.ts'
import { nodeInflate } from './pdf-cipher-node.ts'
import type { Change } from './pdf-changes.ts'
import { openPdf, type Pdf } from './pdf-read.ts'
import { readersDiffer } from './pdf-readers.ts'
import { contentDifference } from './pdf-same-content.ts'
import { isTail } from './pdf-xref.ts'

export type IssuedResult = {
  match: IssuedMatch
  /** The revision that was issued; -1 where the file is not one that was. */
  revision: number
  problem?: { code: DocumentProblem; detail: string }
}

/**
 * Steps 4 and 12: whether a file goes on from the very bytes of an issued one, or shows the same in other bytes; and
 * whether nothing but signatures came after that.
 */
export function matchIssued(
  pdf: Pdf,
  issued: Uint8Array[] | undefined,
  changesSince: (revision: number) => Change[],
): IssuedResult {
  if (!issued) return { match: 'not-asked', revision: -1 }
  for (const file of issued) {
    const revision = pdf.revisions.findIndex(({ end }) => isTail(pdf.bytes, end, file.length))
    if (revision < 0 || Buffer.compare(pdf.bytes.subarray(0, file.length), file) !== 0) continue
    const bad = changesSince(revision).find(({ allowed }) => !allowed)?.detail ?? readersDiffer(pdf, revision + 1)
    if (!bad) return { match: 'same-bytes', revision }
    return { match: 'same-bytes', revision, problem: { code: 'changed-before-signing', detail: bad } }
  }
  const active = activeContent(pdf)
  if (active) return { match: 'other', revision: -1, problem: { code: 'active-content', detail: active } }
  const difference = readersDiffer(pdf, 0) ?? differenceFrom(pdf, issued)
  if (difference === undefined) return { match: 'same-content', revision: -1 }
  return { match: 'other', revision: -1, problem: { code: 'other-document', detail: difference } }
}

/** The last of the differences, if the file differs from every one; issued files that are encrypted are compared by their bytes alone. */
function differenceFrom(pdf: Pdf, issued: Uint8Array[]) {
  let difference: string | undefined = 'it is another file'
  for (const file of issued) {
    const other = openPdf(file, { inflate: nodeInflate, unlock: () => undefined })
    if (other.trailer.has('Encrypt')) continue
    difference = contentDifference(other, pdf)
    if (difference === undefined) return undefined
  }
  return difference
}
