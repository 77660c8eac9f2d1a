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
