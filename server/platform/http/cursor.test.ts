import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCursor, readCursor } from './cursor.ts'
import { deriveKeys } from '../encryption/keys.ts'

const keys = deriveKeys(randomBytes(32))
const position = { rank: 0, time: 1_800_000_000.123, id: crypto.randomUUID() }
const cursor = makeCursor(keys, 'signatures', 'owner', position)
const refused = expect.objectContaining({ code: 'cursor-refused' }) as unknown

const verdict = (text: string, list = 'signatures', owner = 'owner', by = keys) => {
  try {
    return readCursor(by, list, owner, text)
  } catch (error) {
    return error
  }
}

test('R36 a cursor returns the position it was made for', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)
  const name = fc.stringMatching(/^[a-z]{1,8}$/)
  const positions = fc.dictionary(name, fc.oneof(fc.string(), number), { minKeys: 1, maxKeys: 5 })
  fc.assert(
    fc.property(positions, (any) => {
      expect(verdict(makeCursor(keys, 'signatures', 'owner', any))).toEqual(any)
    }),
  )
})

test('R36 a cursor with any one byte changed, removed or inserted is refused', () => {
  const characters = ['A', 'z', '0', '-', '_', '.', '=', ' ', '/', '+', '%', '\u0000', 'ą']
  for (let i = 0; i <= cursor.length; i++) {
    const [before, after, rest] = [cursor.slice(0, i), cursor.slice(i), cursor.slice(i + 1)]
    const variants = characters.flatMap((c) => [before + c + rest, before + c + after])
    for (const changed of [...variants, before + rest].filter((variant) => variant !== cursor))
      expect([changed, verdict(changed)]).toEqual([changed, refused])
  }
})

test('R36 a cursor of another list, another owner or another portal is refused', () => {
  expect(verdict(cursor, 'documents')).toEqual(refused)
  expect(verdict(cursor, 'signatures', 'somebody else')).toEqual(refused)
  expect(verdict(cursor, 'signatures', 'owner', deriveKeys(randomBytes(32)))).toEqual(refused)
  // The MAC includes the lengths of the parts, so no letter can move from one to the next.
  expect(verdict(makeCursor(keys, 'signaturesx', 'owner', position), 'signatures', 'xowner')).toEqual(refused)
})

test('R36 any other text is refused in the same way', () => {
  const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [, signature] = cursor.split('.')
  const forged = [`${bodyOf(position)}.`, `${bodyOf([0, 0, "' or 1=1 --"])}.${signature}`, bodyOf({ __proto__: {} })]
  const damaged = [`.${signature}`, `${cursor}.`, `${cursor}.${signature}`, ` ${cursor}`]
  for (const text of ['', '.', '..', 'x', ...forged, ...damaged]) expect([text, verdict(text)]).toEqual([text, refused])
})
