import { Readable } from 'node:stream'

/**
 * What comes in, piece by piece, as it is asked for. A stream that is left early stays open, so that the sender of too much
 * is still told so over the same connection; and one that breaks before anybody reads it does not end the process.
 */
export function piecesOf(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!(content instanceof Readable)) return content
  content.on('error', () => {})
  return content.iterator({ destroyOnReturn: false })
}

/**
 * Hands on what is nobody's but the reader's, and gives the memory of each piece back when the next is asked for. V8 counts
 * what lies outside of its heap so late that the pieces of twenty uploads would wait in it for the collector, up to 100 MB (R42).
 */
export async function* usedUp(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    giveBack(piece)
  }
}

/** Of a piece that shares its memory with others nothing can be given back. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
