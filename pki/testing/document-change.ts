/** Whether a changed document looks different from the issued one: `maybe` depends on the file and on the reader. */
export type Visibility = 'yes' | 'no' | 'maybe'

export type ChangedDocument = {
  bytes: Uint8Array
  what: string
  visible: Visibility
  /** Where the signature is shown, in default user space of its page (counted from 0). */
  areas: { page: number; rect: readonly number[] }[]
}

/** Reproducible random numbers. */
export type Random = {
  below: (limit: number) => number
  pick: <T>(list: readonly T[]) => T
  chance: (part: number) => boolean
}

export function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  const next = () => {
    // A step of mulberry32, whose low bits are as random as the high ones.
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: (list) => list[below(list.length)]!, chance: (part) => next() < part }
}
