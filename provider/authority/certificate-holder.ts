import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { Certificate, type Name } from '@peculiar/asn1-x509'
import * as z from 'zod/mini'
import { readDer } from '../../pki/asn1/der.ts'

/** A certificate and its private key. */
export type CertificateHolder = {
  name: Name
  /** DER. */
  certificate: Uint8Array
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The stored form: the key as PKCS #8 PEM, the certificate as base64 DER. */
export const StoredHolder = z.strictObject({ key: z.string(), certificate: z.base64() })
export type StoredHolder = z.infer<typeof StoredHolder>

export function certificateHolder(certificate: Uint8Array, privateKey: KeyObject): CertificateHolder {
  const name = readDer(certificate, Certificate).tbsCertificate.subject
  return { name, certificate, privateKey, publicKey: createPublicKey(privateKey) }
}

export function storeHolder({ privateKey, certificate }: CertificateHolder): StoredHolder {
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
  return { key, certificate: Buffer.from(certificate).toString('base64') }
}

export function restoreHolder({ key, certificate }: StoredHolder) {
  return certificateHolder(new Uint8Array(Buffer.from(certificate, 'base64')), createPrivateKey(key))
}
