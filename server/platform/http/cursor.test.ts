import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeCursor, readCursor } from './cursor.ts'
import { deriveKeys } from './keys.ts'

const keys = deriveKeys(randomBytes(32))
const position = [0, 1_800_000_000.123, crypto.randomUUID()]
const cursor = makeCursor(keys, 'signatures', 'owner', position)
const refused = expect.objectContaining({ code: 'cursor-refused' }) as unknown

const verdict = (text: string, list = 'signatures', owner = 'owner', with_ = keys) => {
  try {
    return readCursor(with_, list, owner, text)
  } catch (error) {
    return error
  }
}

test('R36 a cursor tells the position that it was made for', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
        ),
        { minLength: 1, maxLength: 5 },
      ),
      (any) => {
        expect(verdict(makeCursor(keys, 'signatures', 'owner', any))).toEqual(any)
      },
    ),
  )
})

test('R36 a cursor with any one byte changed, taken away or put in is refused', () => {
  const characters = ['A', 'z', '0', '-', '_', '.', '=', ' ', '/', '+', '%', '\u0000', 'ą']
  for (let i = 0; i <= cursor.length; i++) {
    const variants = [
      ...characters.flatMap((c) => [
        cursor.slice(0, i) + c + cursor.slice(i + 1),
        cursor.slice(0, i) + c + cursor.slice(i),
      ]),
      cursor.slice(0, i) + cursor.slice(i + 1),
    ]
    for (const changed of variants.filter((one) => one !== cursor))
      expect([changed, verdict(changed)]).toEqual([changed, refused])
  }
})

test('R36 a cursor of another list, another owner or another portal is refused', () => {
  expect(verdict(cursor, 'documents')).toEqual(refused)
  expect(verdict(cursor, 'signatures', 'somebody else')).toEqual(refused)
  expect(verdict(cursor, 'signatures', 'owner', deriveKeys(randomBytes(32)))).toEqual(refused)
  // Parts are told apart by their lengths, so none can lend a letter to its neighbour.
  expect(verdict(makeCursor(keys, 'signaturesx', 'owner', position), 'signatures', 'xowner')).toEqual(refused)
})

test('R36 what was never a cursor is refused in the same way', () => {
  const bodyOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [, signature] = cursor.split('.')
  for (const text of [
    '',
    '.',
    '..',
    'x',
    `.${signature}`,
    `${bodyOf(position)}.`,
    `${bodyOf([0, 0, "' or 1=1 --"])}.${signature}`,
    `${cursor}.`,
    `${cursor}.${signature}`,
    ` ${cursor}`,
    bodyOf({ __proto__: {} }),
  ])
    expect([text, verdict(text)]).toEqual([text, refused])
})
