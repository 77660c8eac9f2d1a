/** A line of NDJSON: its number from 1 on, and how many bytes of the whole it and all before it take, line break included. */
export type Line = {
  number: number
  /** Without the line break; undefined for one that is too long. */
  bytes: Buffer | undefined
  end: number
}

/**
 * The lines of a stream of bytes, blank ones too, as they come: in memory is no more than one of them and what the stream hands
 * over at a time. What ends without a line break is a line all the same.
 */
export async function* linesOf(
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
    // Of a line that is too long nothing is kept but its length.
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

/** Whether nothing but white space is in it (RFC 8259 §2). */
export const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13)
