import { limits } from '../../../contract/limits.ts'
import { ApiError } from '../api-error.ts'
import { mac, sameBytes, type Keys } from '../encryption/keys.ts'

/** A request for one page of a list. */
export type PageRequest = {
  /** The name of the list, with its order and the filters on which positions depend: a cursor works for that list only. */
  list: string
  cursor: string | undefined
  /** Number of rows, as a query has it; the usual one if it does not. */
  size?: string | number | undefined
}

/** A page of a list that is ordered by id. */
export type PageAt = {
  /** The id after which the page begins. */
  after: string | undefined
  size: number
}
export type PageFilters<Name extends string> = Record<Name, string | undefined> & PageAt

/** Reads one page of a list. `rowsAfter` returns at most `size + 1` rows after a position. */
export async function readPage<Row, Position extends object>(
  keys: Keys,
  { list, owner, cursor, size: asked = limits.list.size }: PageRequest & { owner: string },
  rowsAfter: (after: Position | undefined, size: number) => Promise<readonly Row[]>,
  positionOf: (row: Row) => Position,
): Promise<{ rows: Row[]; next: string | null }> {
  const after = cursor === undefined ? undefined : (readCursor(keys, list, owner, cursor) as Position)
  const size = Number(asked)
  const rows = await rowsAfter(after, size)
  const last = rows[size - 1]
  const next = rows.length > size && last !== undefined ? makeCursor(keys, list, owner, positionOf(last)) : null
  return { rows: rows.slice(0, size), next }
}

export const readPageById = <Row extends { id: string }>(
  keys: Keys,
  request: PageRequest & { owner: string },
  rowsAfter: (at: PageAt) => Promise<readonly Row[]>,
) =>
  readPage(
    keys,
    request,
    (after: { id: string } | undefined, size) => rowsAfter({ after: after?.id, size }),
    ({ id }) => ({ id }),
  )

/**
 * Creates a cursor: the position at the end of the last page, signed for one list of one owner, so that a forged or foreign one is refused
 * and never reaches SQL (R36).
 */
export function makeCursor(keys: Keys, list: string, owner: string, position: object): string {
  const body = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${body}.${signatureOf(keys, list, owner, body).toString('base64url')}`
}

/** Signs a cursor with half of the MAC (RFC 2104 §5), because the address of a list has a cursor for each page. */
const signatureOf = (keys: Keys, list: string, owner: string, body: string) =>
  mac(keys.cursor, list, owner, body).subarray(0, 16)

export function readCursor(keys: Keys, list: string, owner: string, cursor: string): object {
  const [body = '', signature = '', ...rest] = cursor.split('.')
  const given = Buffer.from(signature, 'base64url')
  // Re-encoding detects other spellings that base64 decoders accept.
  const isWellFormed = !rest.length && given.toString('base64url') === signature
  if (!isWellFormed || !sameBytes(given, signatureOf(keys, list, owner, body))) throw new ApiError('cursor-refused')
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as object
}
