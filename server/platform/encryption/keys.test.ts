import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKeys, keyIdOf, mac, sameBytes, encrypt, decrypt, UnknownMasterKeyError } from './keys.ts'

const keys = deriveKeys(randomBytes(32), [randomBytes(32)])
const context = 'outbox 1'

test('R83 a value encrypted for a context can be decrypted there and nowhere else', () => {
  const text = fc.string({ unit: 'grapheme-ascii' }).map((ascii) => `zażółć ${ascii} 😀`)
  fc.assert(
    fc.property(text, fc.string(), fc.string(), (plain, here, elsewhere) => {
      fc.pre(here !== elsewhere)
      const encrypted = encrypt(keys, here, plain)
      expect(decrypt(keys, here, encrypted)).toBe(plain)
      expect(() => decrypt(keys, elsewhere, encrypted)).toThrow()
    }),
  )
})

test('R83 a value with any bit flipped, truncated at any byte or extended does not decrypt', () => {
  const encrypted = encrypt(keys, context, 'code 123456')
  const changed = Array.from({ length: encrypted.length * 8 }, (_, bit) =>
    encrypted.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
  )
  const cut = Array.from(encrypted, (_, at) => [encrypted.subarray(0, at), encrypted.subarray(at + 1)])
  for (const wrong of [...changed, ...cut.flat(), Buffer.concat([encrypted, Buffer.of(0)])])
    expect(() => decrypt(keys, context, Buffer.from(wrong))).toThrow()
})

test('R83 the same text is encrypted differently each time, and does not appear in the result', () => {
  const encrypted = Array.from({ length: 200 }, () => encrypt(keys, context, 'Anna Nowak 44051401458'))
  expect(new Set(encrypted.map((value) => value.toString('hex'))).size).toBe(200)
  expect(new Set(encrypted.map((value) => value.subarray(8, 32).toString('hex'))).size).toBe(200)
  for (const value of encrypted) expect(value.toString('latin1')).not.toContain('Nowak')
})

test('R82 R83 another master key decrypts nothing, each purpose has its own key, and a short master key is refused', () => {
  const otherKeys = deriveKeys(randomBytes(32))
  expect(() => decrypt(otherKeys, context, encrypt(keys, context, 'x'))).toThrow()
  const { masters, ...rest } = keys
  const all = [...Object.values(rest), ...masters.flatMap(({ id, secret }) => [id, secret])]
  expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(all.length)
  expect(() => deriveKeys(randomBytes(31))).toThrow(/32 bytes/)
})

test('R82 R83 an older master key still decrypts, only the current one encrypts, and the id in a value, which is not the key, names its master key', () => {
  const [root, older, newer] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const [before, during, after] = [
    deriveKeys(root, [older]),
    deriveKeys(root, [newer, older]),
    deriveKeys(root, [newer]),
  ]
  const old = encrypt(before, context, 'x')
  expect(decrypt(during, context, old)).toBe('x')
  expect(() => decrypt(after, context, old)).toThrow(UnknownMasterKeyError)
  const fresh = encrypt(during, context, 'x')
  expect(decrypt(after, context, fresh)).toBe('x')
  expect(() => decrypt(before, context, fresh)).toThrow(keyIdOf(fresh).toString('hex'))
  // Keys derived from the root stay the same.
  expect({ ...after, masters: [] }).toEqual({ ...before, masters: [] })
  const ids = during.masters.map(({ id }) => id.toString('hex'))
  for (const secret of [root, older, newer]) expect(ids.some((id) => secret.toString('hex').includes(id))).toBe(false)
  // With the id of another key, the same bytes do not decrypt.
  expect(() => decrypt(during, context, Buffer.concat([keyIdOf(fresh), old.subarray(8)]))).toThrow()
})

test('R22 a MAC distinguishes the parts of its input, not only their text', () => {
  const part = fc.string({ maxLength: 6 })
  const parts = fc.array(part, { maxLength: 4 })
  fc.assert(
    fc.property(parts, parts, (left, right) => {
      const same = JSON.stringify(left) === JSON.stringify(right)
      expect(sameBytes(mac(keys.code, ...left), mac(keys.code, ...right))).toBe(same)
    }),
  )
  const text = fc.string({ minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(text, fc.nat(), (whole, cut) => {
      const at = 1 + (cut % (whole.length - 1))
      expect(mac(keys.code, whole).equals(mac(keys.code, whole.slice(0, at), whole.slice(at)))).toBe(false)
    }),
  )
  expect(mac(keys.code, 'x').equals(mac(keys.rateLimit, 'x'))).toBe(false)
  expect(sameBytes(Buffer.of(1), Buffer.of(1, 2))).toBe(false)
})
