import { hash } from 'node:crypto'
import type { FileDigests } from './pades-digest.ts'
import type { DocumentProblem, IssuedFile, IssuedMatch } from './pades-report.ts'
import { activeContent } from './pdf-active-content.ts'
import { nodeInflate } from './pdf-cipher-node.ts'
import type { Change } from './pdf-changes.ts'
import { openPdf, type Pdf } from './pdf-read.ts'
import { readersDiffer } from './pdf-readers.ts'
import { contentDifference } from './pdf-same-content.ts'
import { isTail } from './pdf-xref.ts'

/** A form of the issued document that is here as a whole. */
export const issuedFile = (content: Uint8Array): Required<IssuedFile> => ({
  length: content.length,
  sha256: hash('sha256', content),
  content,
})

export type IssuedResult = {
  match: IssuedMatch
  /** The revision that was issued; -1 where the file is not one that was. */
  revision: number
  problem?: { code: DocumentProblem; detail: string }
}

/**
 * Steps 4 and 12: whether a file goes on from the very bytes of an issued one, or shows the same in other bytes; and
 * whether nothing but signatures came after that. The bytes are known by their length and digest; only what has other
 * bytes is compared, for which the content is needed.
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
    const bad = changesSince(revision).find(({ allowed }) => !allowed)?.detail ?? readersDiffer(pdf, revision + 1)
    if (!bad) return { match: 'same-bytes', revision }
    return { match: 'same-bytes', revision, problem: { code: 'changed-before-signing', detail: bad } }
  }
  const active = activeContent(pdf)
  if (active) return { match: 'other', revision: -1, problem: { code: 'active-content', detail: active } }
  const contents = issued.flatMap(({ content }) => content ?? [])
  const isUndecided = contents.length === 0
  const difference = isUndecided
    ? 'nothing was given to compare it with'
    : (readersDiffer(pdf, 0) ?? differenceFrom(pdf, contents))
  if (difference === undefined) return { match: 'same-content', revision: -1 }
  const match = isUndecided ? 'undecided' : 'other'
  return { match, revision: -1, problem: { code: 'other-document', detail: difference } }
}

/** The last of the differences, if the file differs from every one; issued files that are encrypted are compared by their bytes alone. */
function differenceFrom(pdf: Pdf, contents: Uint8Array[]) {
  let difference: string | undefined = 'it is another file'
  for (const content of contents) {
    const other = openPdf(content, { inflate: nodeInflate, unlock: () => undefined })
    if (other.trailer.has('Encrypt')) continue
    difference = contentDifference(other, pdf)
    if (difference === undefined) return undefined
  }
  return difference
}
