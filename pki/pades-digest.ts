import { createHash, type Hash } from 'node:crypto'
import type { Coverage } from './pades-coverage.ts'

/**
 * Digests of what the signatures of one file cover. All begin with the first byte, so that a running digest goes on
 * from one signature's gap to the next's instead of from the start: two signatures cost little more than one.
 */
export function coverageDigests(bytes: Uint8Array) {
  const running = new Map<string, { hash: Hash; at: number }>()
  const known = new Map<string, Uint8Array>()
  return ({ gap, end }: Pick<Coverage, 'gap' | 'end'>) =>
    (name: string) => {
      const key = `${name} ${gap.start} ${gap.end} ${end}`
      const made = known.get(key)
      if (made) return made
      const last = running.get(name)
      const { hash, at } = last && last.at <= gap.start ? last : { hash: createHash(name), at: 0 }
      hash.update(bytes.subarray(at, gap.start))
      running.set(name, { hash, at: gap.start })
      const digest = hash.copy().update(bytes.subarray(gap.end, end)).digest()
      known.set(key, digest)
      return digest
    }
}
