import fc from 'fast-check'

/** Generates copies of the bytes with up to `most` of them changed. */
export const damagedBytes = (whole: Uint8Array, most: number) =>
  fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: most }).map((changes) => {
    const bytes = Uint8Array.from(whole)
    for (const [index, byte] of changes) bytes[index] = byte
    return bytes
  })

/** Calls a check, which throws, with the bytes damaged in this many ways. */
export const checkDamaged = (whole: Uint8Array, most: number, numRuns: number, check: (bytes: Uint8Array) => void) =>
  fc.assert(
    fc.property(damagedBytes(whole, most), (bytes) => check(bytes)),
    { numRuns },
  )
