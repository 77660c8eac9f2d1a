import { digest } from '#runtime'
import { hexOf } from '../bytes.ts'
import { activeContent } from '../pdf/pdf-active-content.ts'
import { contentDifference } from '../pdf/pdf-content-difference.ts'
import { openPdf, type Pdf } from '../pdf/pdf-read.ts'
import { readerDifference } from '../pdf/pdf-reader-differences.ts'
import type { Change } from '../pdf/pdf-revision-comparison.ts'
import { isTail } from '../pdf/pdf-xref.ts'
import type { FileDigests } from './pades-coverage.ts'
import type { DocumentProblem, IssuedFile, IssuedMatch } from './pades-report.ts'

/** Returns a form of the issued document with its content. */
export const issuedFile = (content: Uint8Array): Required<IssuedFile> => ({
  length: content.length,
  sha256: hexOf(digest('sha256', content)),
  content,
})

export type IssuedResult = {
  match: IssuedMatch
  /** The issued revision; -1 if the file does not contain one. */
  revision: number
  problem?: { code: DocumentProblem; detail: string }
}

/**
 * Checks whether a file continues the exact bytes of an issued one or shows the same in other bytes, and whether only signatures were
 * added. The bytes are recognised by length and digest; only other files are compared, which needs the issued content.
 */
export function matchIssued(
  pdf: Pdf,
  issued: IssuedFile[] | undefined,
  digests: FileDigests,
  changesSince: (revision: number) => Change[],
): IssuedResult {
  if (!issued) return { match: 'not-asked', revision: -1 }
  for (const { length, sha256 } of issued) {
    if (length > pdf.bytes.length) continue
    const revision = pdf.revisions.findIndex(({ end }) => isTail(pdf.bytes, end, length))
    if (revision < 0 || digests.ofFirst(length) !== sha256) continue
    const forbidden =
      changesSince(revision).find(({ isAllowed }) => !isAllowed)?.detail ?? readerDifference(pdf, revision + 1)
    if (!forbidden) return { match: 'same-bytes', revision }
    return { match: 'same-bytes', revision, problem: { code: 'changed-before-signing', detail: forbidden } }
  }
  const active = activeContent(pdf)
  if (active) return { match: 'other', revision: -1, problem: { code: 'active-content', detail: active } }
  const contents = issued.flatMap(({ content }) => content ?? [])
  const isUndecided = contents.length === 0
  const difference = isUndecided
    ? 'there is no content to compare it with'
    : (readerDifference(pdf, 0) ?? differenceFrom(pdf, contents))
  if (difference === undefined) return { match: 'same-content', revision: -1 }
  const match = isUndecided ? 'undecided' : 'other'
  return { match, revision: -1, problem: { code: 'other-document', detail: difference } }
}

/** Returns the difference from the last issued file if the file differs from all; encrypted ones are compared only by their bytes. */
function differenceFrom(pdf: Pdf, contents: Uint8Array[]) {
  let difference: string | undefined = 'it is another file'
  for (const content of contents) {
    const file = openPdf(content, { unlock: () => undefined })
    if (file.trailer.has('Encrypt')) continue
    difference = contentDifference(file, pdf)
    if (difference === undefined) return undefined
  }
  return difference
}
