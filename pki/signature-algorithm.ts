import { createHash, sign, type KeyObject } from 'node:crypto'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'

export const idSha256 = '2.16.840.1.101.3.4.2.1'

export function sha256(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

/** SHA-256 with the kind of key given, private or public: RSA PKCS #1 v1.5 (RFC 4055 §5) or ECDSA (RFC 5758 §3.2). */
export function signatureAlgorithm(key: KeyObject) {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null })
    case 'ec':
      return new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
    default:
      throw new TypeError(`No signature algorithm for keys of kind ${key.asymmetricKeyType}`)
  }
}

export function signBytes(privateKey: KeyObject, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sign('sha256', bytes, privateKey))
}
