import { createHash, type Hash } from 'node:crypto'
import type { Coverage } from './pades-coverage.ts'
import type { Pdf } from './pdf-read.ts'

export type FileDigests = {
  /** SHA-256 of the first bytes of the file, in hexadecimal digits. */
  ofFirst: (length: number) => string
  /** By the name of the algorithm, of what one signature covers. */
  ofCoverage: (coverage: Pick<Coverage, 'gap' | 'end'>) => (name: string) => Uint8Array
}

/**
 * Digests of what was issued and of what the signatures of one file cover. All begin with the first byte, so states are
 * kept where revisions end and where they were asked for, and go on from there: many digests cost little more than one.
 */
export function fileDigests({ bytes, revisions }: Pick<Pdf, 'bytes' | 'revisions'>): FileDigests {
  const states = new Map<string, { hash: Hash; at: number }[]>()
  const known = new Map<string, Uint8Array>()

  /** Ascending. */
  function statesOf(name: string) {
    const made = states.get(name) ?? [{ hash: createHash(name), at: 0 }]
    states.set(name, made)
    return made
  }

  function afterFirst(name: string, length: number): Hash {
    const all = statesOf(name)
    const next = all.findLastIndex(({ at }) => at <= length) + 1
    let { hash, at: from } = all[next - 1]!
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
    ofFirst: (length) => afterFirst('sha256', length).digest('hex'),
    ofCoverage:
      ({ gap, end }) =>
      (name) => {
        const key = `${name} ${gap.start} ${gap.end} ${end}`
        const digest = known.get(key) ?? afterFirst(name, gap.start).update(bytes.subarray(gap.end, end)).digest()
        known.set(key, digest)
        return digest
      },
  }
}
