import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { derIdentifier, derValue } from '../../../pki/asn1/der.ts'
import { authorityRights, cn, holder } from '../../../pki/testing/pades-authorities.ts'

const name = cn('One name for all')
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-521' })

/**
 * Chains of eight certificates that certify each other: one name for all, two certificates for each key, so that each has several valid
 * issuers and none leads to an anchor.
 */
export function tangledChains(count = 8): Uint8Array[][] {
  const layers = Array.from({ length: 5 }, newKeys)
  return Array.from({ length: count }, () =>
    layers.slice(0, 4).flatMap((keys, layer) => {
      const issuer = { ...holder({ name, extensions: [], keys }), privateKey: layers[layer + 1]!.privateKey }
      return [1, 2].map(() => holder({ name, extensions: authorityRights(), keys }, issuer).certificate)
    }),
  )
}

/** A certificate with an RSA key of 16,384 bits and an exponent of 64; that its modulus is no product of primes, nothing checks. */
export function hugeKeyCertificate(): Uint8Array {
  const odd = (bytes: number) => derValue(0x02, new Uint8Array(bytes).fill(0x7f))
  const key = derValue(0x03, Uint8Array.of(0), derValue(0x30, odd(2048), odd(8)))
  const spki = derValue(0x30, derValue(0x30, derIdentifier('1.2.840.113549.1.1.1'), derValue(0x05)), key)
  const publicKey = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  return holder({ name, extensions: authorityRights(), keys: { publicKey, privateKey: newKeys().privateKey } })
    .certificate
}

/** Bytes that cost the readers of certificates, CMS and CBOR most, each within 12 kB. */
export function hostileBytes(): [string, Uint8Array][] {
  const nested = (tag: number, depth: number) => {
    let value: Uint8Array = derValue(0x05)
    for (let i = 0; i < depth; i++) value = derValue(tag, value)
    return value
  }
  return [
    ['a certificate with a huge key', hugeKeyCertificate()],
    ['a tangled certificate', tangledChains(1)[0]![0]!],
    ['nested DER', nested(0x30, 3000)],
    ['DER of many values', derValue(0x30, ...Array.from({ length: 5000 }, () => derValue(0x05)))],
    ['BER of indefinite length', new Uint8Array(12_000).map((_, i) => (i % 2 ? 0x80 : 0x30))],
    ['a long object identifier', derValue(0x30, derValue(0x06, new Uint8Array(11_000).fill(0xff)))],
    ['nested CBOR', new Uint8Array(12_000).fill(0x81)],
    [
      'a CBOR map of many keys',
      Uint8Array.of(
        0xb9,
        0x17,
        0x70,
        ...Array.from({ length: 6000 }, (_, i) => [0x19, i >> 8, i & 255, 0])
          .flat()
          .slice(0, 11_900),
      ),
    ],
  ]
}
