import { Failed } from './failure.ts'
import { mac, sameBytes, type Keys } from './keys.ts'

/**
 * Cursors of lists: where the last page ended, signed for one list of one owner, so that a made-up or borrowed one
 * is refused and none reaches SQL (R36).
 */
export function makeCursor(keys: Keys, list: string, owner: string, position: readonly (string | number)[]): string {
  const body = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${body}.${mac(keys.cursor, list, owner, body).toString('base64url')}`
}

export function readCursor(keys: Keys, list: string, owner: string, cursor: string): (string | number)[] {
  const [body = '', signature = '', ...rest] = cursor.split('.')
  const given = Buffer.from(signature, 'base64url')
  // Re-encoding tells apart the spellings that base64 decoders forgive.
  if (
    rest.length ||
    given.toString('base64url') !== signature ||
    !sameBytes(given, mac(keys.cursor, list, owner, body))
  )
    throw new Failed('cursor-refused')
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as (string | number)[]
}
