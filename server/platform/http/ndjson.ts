/** A line of NDJSON. */
export type Line = {
  /** The number of the line; the first has 1. */
  number: number
  /** The line without its line break; undefined if the line is too long. */
  bytes: Buffer | undefined
  /** The position after the line and its line break, in bytes. */
  end: number
}

/**
 * Yields the lines of a stream of bytes as they arrive, blank ones too. At most one line and one piece of the stream are in memory. The
 * last line needs no line break.
 */
export async function* readLines(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  longest: number,
): AsyncGenerator<Line> {
  let number = 0
  let end = 0
  let begun: Buffer[] = []
  let length = 0
  const take = (part: Buffer) => {
    end += part.length
    length += part.length
    // Only the length of a line that is too long is kept.
    if (length > longest) begun = []
    else begun.push(part)
  }
  const finish = (): Line => {
    const line = { number: ++number, bytes: length > longest ? undefined : Buffer.concat(begun), end }
    begun = []
    length = 0
    return line
  }
  for await (const piece of pieces) {
    let from = 0
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, from)) {
      take(piece.subarray(from, at))
      end++
      yield finish()
      from = at + 1
    }
    take(piece.subarray(from))
  }
  if (length) yield finish()
}

/** Checks whether a line contains only white space (RFC 8259 §2). */
export const isBlankLine = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13)
