import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKeys, keyIdOf, mac, sameBytes, seal, unseal, UnknownMaster } from './keys.ts'

const keys = deriveKeys(randomBytes(32), [randomBytes(32)])
const place = 'outbox 1'

test('R83 what is sealed for a place opens there, and nowhere else', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii' }).map((text) => `zażółć ${text} 😀`),
      fc.string(),
      fc.string(),
      (plain, here, elsewhere) => {
        fc.pre(here !== elsewhere)
        const sealed = seal(keys, here, plain)
        expect(unseal(keys, here, sealed)).toBe(plain)
        expect(() => unseal(keys, elsewhere, sealed)).toThrow()
      },
    ),
  )
})

test('R83 two rows whose sealed values were swapped both fail to open', () => {
  const one = seal(keys, 'pairing 1', 'secret of one')
  const two = seal(keys, 'pairing 2', 'secret of two')
  expect(() => unseal(keys, 'pairing 1', two)).toThrow()
  expect(() => unseal(keys, 'pairing 2', one)).toThrow()
})

test('R83 every flipped bit is noticed: nonce, content and tag', () => {
  const sealed = seal(keys, place, 'code 123456')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(() => unseal(keys, place, changed)).toThrow()
  }
})

test('R83 a value that was cut, at whichever byte, or lengthened does not open, and a shortened tag is no tag', () => {
  const sealed = seal(keys, place, 'code 123456')
  for (let length = 0; length < sealed.length; length++) {
    expect(() => unseal(keys, place, sealed.subarray(0, length))).toThrow()
    expect(() => unseal(keys, place, sealed.subarray(length + 1))).toThrow()
  }
  expect(() => unseal(keys, place, Buffer.concat([sealed, Buffer.of(0)]))).toThrow()
})

test('R83 the same text is sealed differently each time, and nothing of it shows', () => {
  const sealed = Array.from({ length: 200 }, () => seal(keys, place, 'Anna Nowak 44051401458'))
  expect(new Set(sealed.map((one) => one.toString('hex'))).size).toBe(200)
  expect(new Set(sealed.map((one) => one.subarray(8, 32).toString('hex'))).size).toBe(200)
  for (const one of sealed) expect(one.toString('latin1')).not.toContain('Nowak')
})

test('R82 R83 another master key opens nothing, each purpose has a key of its own, and a short master key is refused', () => {
  const other = deriveKeys(randomBytes(32))
  expect(() => unseal(other, place, seal(keys, place, 'x'))).toThrow()
  const { masters, ...rest } = keys
  const all = [...Object.values(rest), ...masters.flatMap(({ id, secret }) => [id, secret])]
  expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(all.length)
  expect(() => deriveKeys(randomBytes(31))).toThrow(/32 bytes/)
})

test('R82 R83 an older master key still opens, only the current one seals, and which one is told by an id that is not the key', () => {
  const [root, older, newer] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const [before, during, after] = [[older], [newer, older], [newer]].map((masters) => deriveKeys(root, masters)) as [
    typeof keys,
    typeof keys,
    typeof keys,
  ]
  const old = seal(before, place, 'x')
  expect(unseal(during, place, old)).toBe('x')
  expect(() => unseal(after, place, old)).toThrow(UnknownMaster)
  const fresh = seal(during, place, 'x')
  expect(unseal(after, place, fresh)).toBe('x')
  expect(() => unseal(before, place, fresh)).toThrow(keyIdOf(fresh).toString('hex'))
  // What came of the root is the same before and after.
  expect({ ...after, masters: [] }).toEqual({ ...before, masters: [] })
  const ids = during.masters.map(({ id }) => id.toString('hex'))
  for (const secret of [root, older, newer]) expect(ids.some((id) => secret.toString('hex').includes(id))).toBe(false)
  // The id of another key over the same bytes opens nothing.
  expect(() => unseal(during, place, Buffer.concat([keyIdOf(fresh), old.subarray(8)]))).toThrow()
})

test('R22 a MAC tells the parts of its input apart, not only their text', () => {
  const part = fc.string({ maxLength: 6 })
  const parts = fc.array(part, { maxLength: 4 })
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other)
      expect(sameBytes(mac(keys.code, ...one), mac(keys.code, ...other))).toBe(same)
    }),
  )
  const text = fc.string({ minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(text, fc.nat(), (whole, cut) => {
      const at = 1 + (cut % (whole.length - 1))
      expect(mac(keys.code, whole).equals(mac(keys.code, whole.slice(0, at), whole.slice(at)))).toBe(false)
    }),
  )
  expect(mac(keys.code, 'x').equals(mac(keys.budget, 'x'))).toBe(false)
  expect(sameBytes(Buffer.of(1), Buffer.of(1, 2))).toBe(false)
})
