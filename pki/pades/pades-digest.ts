import { runningDigest } from '#runtime'
import { hexOf, joined } from '../bytes.ts'
import type { RunningDigest } from '../runtime/running-digest.ts'
import type { Coverage } from './pades-coverage.ts'
import type { Pdf } from '../pdf/pdf-read.ts'

export type FileDigests = {
  /** The hexadecimal SHA-256 of the first bytes of the file. */
  ofFirst: (length: number) => string
  /** The digest of what a signature covers, by the name of its algorithm. */
  ofCoverage: (coverage: Pick<Coverage, 'gap' | 'end'>) => (name: string) => Uint8Array
  /** These bytes themselves. */
  dataOf: (coverage: Pick<Coverage, 'gap' | 'end'>) => Uint8Array
}

/**
 * Digests of the issued part of a file and of what its signatures cover. All begin with the first byte, so hash states
 * are stored at the ends of revisions and of earlier digests and continued: many digests cost little more than one.
 */
export function fileDigests({ bytes, revisions }: Pick<Pdf, 'bytes' | 'revisions'>): FileDigests {
  const states = new Map<string, { hash: RunningDigest; at: number }[]>()
  const digests = new Map<string, Uint8Array>()

  /** Ascending. */
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
