import type { DocumentProblem, IssuedMatch } from './pades-report.ts'
import { activeContent } from './pdf-active-content.ts'
import { nodeInflate } from './pdf-cipher-node.ts'
import type { Change } from './pdf-changes.ts'
import { contentHash } from './pdf-content-hash.ts'
import { openPdf, type Pdf } from './pdf-read.ts'

export type IssuedResult = {
  match: IssuedMatch
  /** The revision that was issued; -1 where the file is not one that was. */
  revision: number
  problem?: { code: DocumentProblem; detail: string }
}

/**
 * Steps 4 and 12: whether a file goes on from the very bytes of an issued one, or has the same pages; and whether
 * nothing but signatures came after that.
 */
export function matchIssued(
  pdf: Pdf,
  issued: Uint8Array[] | undefined,
  changesSince: (revision: number) => Change[],
): IssuedResult {
  if (!issued) return { match: 'not-asked', revision: -1 }
  for (const file of issued) {
    const revision = pdf.revisions.findIndex(({ end }) => end <= file.length && file.length - end <= 2)
    if (revision < 0 || Buffer.compare(pdf.bytes.subarray(0, file.length), file) !== 0) continue
    const bad = changesSince(revision).find(({ allowed }) => !allowed)
    if (!bad) return { match: 'same-bytes', revision }
    return { match: 'same-bytes', revision, problem: { code: 'changed-before-signing', detail: bad.detail } }
  }
  const active = activeContent(pdf)
  if (active) return { match: 'other', revision: -1, problem: { code: 'active-content', detail: active } }
  const hash = contentHash(pdf)
  const isSame = issued.some((file) => hash === knownHash(file))
  if (isSame) return { match: 'same-content', revision: -1 }
  return { match: 'other', revision: -1, problem: { code: 'other-document', detail: 'it has other pages' } }
}

const known = new WeakMap<Uint8Array, string>()

/** Issued files that are encrypted are compared by their bytes alone. */
function knownHash(file: Uint8Array) {
  const before = known.get(file)
  if (before !== undefined) return before
  const pdf = openPdf(file, { inflate: nodeInflate, unlock: () => undefined })
  const hash = pdf.trailer.has('Encrypt') ? 'encrypted' : contentHash(pdf)
  known.set(file, hash)
  return hash
}
