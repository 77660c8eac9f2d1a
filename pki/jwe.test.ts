import { generateKeyPairSync, webcrypto } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decryptJwe, encryptJwe, readJweKey } from './jwe.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = publicKey.export({ format: 'jwk' })
const read = (over: object) => readJweKey(JSON.stringify({ ...jwk, ...over }))

describe('APP-4 a JWE', () => {
  test('APP-4 is what RFC 7516 says: Web Crypto decrypts it from its parts', async () => {
    const jwe = encryptJwe(read({ kid: 'k-1' }), 'Zażółć')
    const [header, wrapped, iv, encrypted, tag] = jwe.split('.') as [string, string, string, string, string]
    const bytes = (part: string) => Buffer.from(part, 'base64url')
    expect(JSON.parse(bytes(header).toString())).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k-1' })
    expect([bytes(iv).length, bytes(tag).length, bytes(wrapped).length]).toEqual([12, 16, 256])
    const { subtle } = webcrypto
    const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
    const unwrapping = await subtle.importKey(
      'pkcs8',
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      oaep,
      false,
      ['unwrapKey'],
    )
    const key = await subtle.unwrapKey('raw', bytes(wrapped), unwrapping, oaep, 'AES-GCM', true, ['decrypt'])
    expect(Buffer.from(await subtle.exportKey('raw', key))).toHaveLength(32)
    const gcm = { name: 'AES-GCM', iv: bytes(iv), additionalData: Buffer.from(header, 'ascii') }
    const plain = await subtle.decrypt(gcm, key, Buffer.concat([bytes(encrypted), bytes(tag)]))
    expect(Buffer.from(plain).toString()).toBe('Zażółć')
    expect(decryptJwe(privateKey, jwe)).toBe('Zażółć')
  })

  test('APP-4 that was changed in any part is refused, and so are other algorithms', () => {
    const parts = encryptJwe(read({}), 'secret').split('.')
    for (let i = 1; i < parts.length; i++) {
      const changed = parts.with(
        i,
        parts[i]!.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')),
      )
      expect(() => decryptJwe(privateKey, changed.join('.'))).toThrow()
    }
    const header = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url')
    for (const fields of [
      { alg: 'RSA1_5', enc: 'A256GCM' },
      { alg: 'RSA-OAEP-256', enc: 'A256GCM', x: 1 },
    ])
      expect(() => decryptJwe(privateKey, parts.with(0, header(fields)).join('.'))).toThrow()
    expect(() => decryptJwe(privateKey, parts.with(4, parts[4]!.slice(0, 6)).join('.'))).toThrow('not a JWE')
    expect(() => decryptJwe(privateKey, parts.slice(1).join('.'))).toThrow('not a JWE')
  })
})

test.each([
  [
    'not an RSA key',
    JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })),
    'not an RSA key',
  ],
  ['a private key', JSON.stringify(privateKey.export({ format: 'jwk' })), 'private key'],
  ['a key for signatures', JSON.stringify({ ...jwk, use: 'sig' }), 'use'],
  ['a key for another algorithm', JSON.stringify({ ...jwk, alg: 'RSA1_5' }), 'alg'],
  [
    'a short key',
    JSON.stringify(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })),
    '2048',
  ],
  ['no JSON', 'PEM', 'JSON'],
])('APP-1 %s is not used', (_, json, reason) => {
  expect(() => readJweKey(json)).toThrow(reason)
})
