import { Readable } from 'node:stream'

/**
 * Returns the pieces of a stream. A stream that is not read to its end stays open, so that the sender of too much still gets an answer on
 * the same connection. A stream that fails before it is read does not end the process.
 */
export function piecesOf(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!(content instanceof Readable)) return content
  content.on('error', () => {})
  return content.iterator({ destroyOnReturn: false })
}

/**
 * Yields pieces that only the reader uses, and releases the memory of each when the next is requested. V8 notices memory outside of
 * its heap so late that the pieces of twenty uploads would keep up to 100 MB (R42).
 */
export async function* releasingPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    releaseMemory(piece)
  }
}

/** Releases the memory of a piece, unless it is part of a larger buffer, whose memory cannot be released. */
function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Returns a stream of bytes with the type of its chunks. */
export const chunksOf = (content: Readable): AsyncIterable<Buffer> => content
