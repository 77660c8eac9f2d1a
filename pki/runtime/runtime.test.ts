import { createCipheriv, generateKeyPairSync, sign, constants, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exhaustive } from '../../server/testing/breadth.ts'
import * as nodeKeys from './node-public-keys.ts'
import * as node from './node-runtime.ts'
import type { SignatureScheme } from './public-key.ts'
import * as webKeys from './web-public-keys.ts'
import * as web from './web-runtime.ts'

/** Node and browsers have to come to the same verdict (CHK-1), so they have to agree on every one of these. */
const digests = ['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512']
const strong = digests.slice(1)
const text = new TextEncoder().encode('Umowa o świadczenie usług'.repeat(100))

test('CHK-1 both make the same digests, at once and in parts', () => {
  for (const name of [...digests, 'shake256']) {
    expect(web.digest(name, text)).toEqual(node.digest(name, text))
    const [a, b] = [web, node].map((runtime) => {
      const first = runtime.runningDigest(name).update(text.subarray(0, 1000))
      const copy = first.copy()
      return [first.update(text.subarray(1000)).digest(), copy.update(text).digest()]
    })
    expect(a).toEqual(b)
  }
  expect(() => web.digest('md5', text)).toThrow(TypeError)
})

/** A signature, with the scheme in which it was made. */
type Made = { key: KeyObject; signature: Uint8Array; scheme: SignatureScheme }

function* signatures(): Generator<[string, Made]> {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  // One bit more than whole octets, where the encoding of PSS is an octet shorter than the modulus.
  const odd = generateKeyPairSync('rsa', { modulusLength: 2049 })
  for (const digest of strong) {
    const make = (key: typeof rsa, scheme: SignatureScheme): Made => {
      const pss = scheme.pss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: scheme.pss.saltLength }
      return { key: key.publicKey, signature: sign(digest, text, { key: key.privateKey, ...pss }), scheme }
    }
    yield [`RSA with ${digest}`, make(rsa, { digest })]
    for (const saltLength of [0, 20, 32]) {
      yield [`PSS with ${digest} and a salt of ${saltLength}`, make(rsa, { digest, pss: { saltLength } })]
      yield [`PSS of 2049 bits with ${digest} and ${saltLength}`, make(odd, { digest, pss: { saltLength } })]
    }
  }
  const restricted = generateKeyPairSync('rsa-pss', {
    modulusLength: 2048,
    hashAlgorithm: 'sha384',
    mgf1HashAlgorithm: 'sha384',
    // Node takes a number, and its types a string.
    saltLength: 48 as unknown as string,
  })
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }
  yield [
    'a key that is restricted to PSS',
    {
      key: restricted.publicKey,
      signature: sign('sha384', text, { key: restricted.privateKey, ...pss }),
      scheme: { digest: 'sha384', pss: { saltLength: 48 } },
    },
  ]
  for (const namedCurve of ['P-256', 'P-384', 'P-521', 'brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1']) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
    for (const digest of strong)
      for (const encoding of ['der', 'ieee-p1363'] as const)
        yield [
          `${namedCurve} with ${digest} in ${encoding}`,
          {
            key: publicKey,
            signature: sign(digest, text, { key: privateKey, dsaEncoding: encoding }),
            scheme: { digest, encoding },
          },
        ]
  }
  for (const kind of ['ed25519', 'ed448'] as const) {
    const { publicKey, privateKey } = kind === 'ed25519' ? generateKeyPairSync(kind) : generateKeyPairSync('ed448')
    yield [kind, { key: publicKey, signature: sign(null, text, privateKey), scheme: {} }]
  }
}

function outcome(verify: () => boolean) {
  try {
    return verify()
  } catch {
    // The caller treats it as wrong.
    return false
  }
}

test.runIf(exhaustive).each([...signatures()])(
  'CHK-1 both accept %s, and nothing else',
  (_, { key, signature, scheme }) => {
    const spki = new Uint8Array(key.export({ format: 'der', type: 'spki' }))
    const keys = [nodeKeys, webKeys].map(({ readPublicKey }) => readPublicKey(spki))
    const [byNode, byWeb] = keys.map(({ verify: _verify, ...described }) => described)
    expect(byWeb).toEqual(byNode)
    const changed = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))
    const tries: [Uint8Array, Uint8Array, SignatureScheme][] = [
      [changed(text, 0), signature, scheme],
      ...[0, 1, 5, signature.length >> 1, signature.length - 1].map((at): [Uint8Array, Uint8Array, SignatureScheme] => [
        text,
        changed(signature, at),
        scheme,
      ]),
      [text, signature.subarray(1), scheme],
      [text, new Uint8Array([0, ...signature]), scheme],
      [text, new Uint8Array([...signature, 0]), scheme],
      [text, new Uint8Array(signature.length), scheme],
      [text, new Uint8Array(signature.length).fill(255), scheme],
      [text, new Uint8Array(), scheme],
      [
        text,
        signature,
        { ...scheme, ...(scheme.digest && { digest: scheme.digest === 'sha256' ? 'sha512' : 'sha256' }) },
      ],
      [text, signature, { ...scheme, ...(scheme.pss && { pss: { saltLength: scheme.pss.saltLength + 1 } }) }],
    ]
    for (const { verify } of keys) expect(verify(text, signature, scheme)).toBe(true)
    for (const [data, given, how] of tries) {
      const [a, b] = keys.map(({ verify }) => outcome(() => verify(data, given, how)))
      expect(b).toBe(a)
    }
  },
)

test('CHK-1 both refuse an RSA signature whose leading zero octet is missing', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2049 })
  const scheme = { digest: 'sha256', pss: { saltLength: 32 } }
  const key = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  let signature = sign('sha256', text, key)
  while (signature[0] !== 0) signature = sign('sha256', text, key)
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  for (const { verify } of [nodeKeys, webKeys].map(({ readPublicKey }) => readPublicKey(spki))) {
    expect(verify(text, signature, scheme)).toBe(true)
    expect(verify(text, signature.subarray(1), scheme)).toBe(false)
  }
})

test('CHK-1 both refuse the same keys', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  const offCurve = spki.slice()
  offCurve[spki.length - 1]! ^= 1
  for (const bad of [offCurve, spki.subarray(1), spki.subarray(0, -1), new Uint8Array()])
    for (const { readPublicKey } of [nodeKeys, webKeys]) expect(() => readPublicKey(bad)).toThrow()
})

test('CHK-1 both encrypt and decrypt alike, and notice wrong padding', () => {
  const [key, iv] = [new Uint8Array(32).fill(7), new Uint8Array(16).fill(9)]
  for (const { encryptAes, decryptAes } of [node, web]) {
    for (const length of [0, 1, 15, 16, 17, 1000]) {
      const encrypted = encryptAes(key, iv, text.subarray(0, length), true)
      expect(encrypted).toEqual(node.encryptAes(key, iv, text.subarray(0, length), true))
      expect(decryptAes(key, iv, encrypted, true)).toEqual(text.slice(0, length))
    }
    const blocks = text.slice(0, 160)
    const aes = createCipheriv('aes-128-cbc', key.subarray(0, 16), iv).setAutoPadding(false)
    const encrypted = encryptAes(key.subarray(0, 16), iv, blocks, false)
    expect(encrypted).toEqual(new Uint8Array(aes.update(blocks)))
    expect(decryptAes(key.subarray(0, 16), iv, encrypted, false)).toEqual(blocks)
    expect(() => decryptAes(key.subarray(0, 16), iv, encrypted, true)).toThrow()
    expect(() => decryptAes(key, iv, encrypted.subarray(1), false)).toThrow()
  }
})

test('CHK-1 both inflate alike, up to the limit, and refuse what is damaged', () => {
  const bytes = new Uint8Array(readFileSync(import.meta.filename))
  const packed = new Uint8Array(deflateSync(bytes))
  const bomb = new Uint8Array(deflateSync(new Uint8Array(1 << 20)))
  for (const { inflate } of [node, web]) {
    expect(new Uint8Array(inflate(packed, bytes.length))).toEqual(bytes)
    // Readers ignore what follows the stream.
    expect(new Uint8Array(inflate(new Uint8Array([...packed, 10, 13]), bytes.length))).toEqual(bytes)
    expect(() => inflate(packed, bytes.length - 1)).toThrow(RangeError)
    expect(() => inflate(bomb, 1000)).toThrow(RangeError)
    const wrongSum = packed.slice()
    wrongSum[packed.length - 1]! ^= 1
    for (const damaged of [packed.subarray(0, -1), packed.subarray(2), wrongSum, new Uint8Array(), bytes]) {
      let thrown: unknown
      try {
        inflate(damaged, 1 << 24)
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(Error)
      expect(thrown).not.toBeInstanceOf(RangeError)
    }
  }
})
