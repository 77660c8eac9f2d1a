import { type KeyObject, constants, sign } from 'node:crypto'
import { OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { derValue, readDer, writeDer } from './der.ts'
import { sha256, signatureAlgorithm, usualAlgorithm, type SigningAlgorithm } from './signature-algorithm.ts'

export type CertificateParts = {
  serialNumber: Uint8Array<ArrayBuffer>
  issuer: x509.Name
  subject: x509.Name
  notBefore: Date
  notAfter: Date
  publicKey: KeyObject
  extensions: x509.Extension[]
}

export function signBytes(
  privateKey: KeyObject,
  bytes: Uint8Array,
  { scheme, digest }: SigningAlgorithm = usualAlgorithm(privateKey),
): Uint8Array<ArrayBuffer> {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return new Uint8Array(sign(digest, bytes, { key: privateKey, ...(scheme === 'rsa-pss' && pss) }))
}

/** Writes a version 3 certificate (RFC 5280 §4.1), signed with the issuer's private key. */
export function writeCertificate(parts: CertificateParts, issuerKey: KeyObject) {
  const signature = signatureAlgorithm(issuerKey)
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: parts.serialNumber.buffer,
    signature,
    issuer: parts.issuer,
    validity: new x509.Validity({ notBefore: parts.notBefore, notAfter: parts.notAfter }),
    subject: parts.subject,
    subjectPublicKeyInfo: publicKeyInfo(parts.publicKey),
    extensions: new x509.Extensions(parts.extensions),
  })
  const signatureValue = signBytes(issuerKey, writeDer(tbsCertificate)).buffer
  return writeDer(new x509.Certificate({ tbsCertificate, signatureAlgorithm: signature, signatureValue }))
}

/** Creates an extension of a certificate, a revocation list or an OCSP message; `value` is a structure or its DER. */
export function extension(extnID: string, value: object | Uint8Array, critical = false) {
  const der = value instanceof Uint8Array ? value : writeDer(value)
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(der) })
}

/** Computes the key identifier of a public key (RFC 7093 §2, method 1). */
export const keyIdentifier = (publicKey: KeyObject) => sha256(publicKeyBits(publicKeyInfo(publicKey))).slice(0, 20)

export const publicKeyInfo = (publicKey: KeyObject) =>
  readDer(publicKey.export({ format: 'der', type: 'spki' }), x509.SubjectPublicKeyInfo)

/** Returns the input of issuer key hashes: the bit string without its tag, length and unused bits (RFC 6960 §4.1.1). */
export const publicKeyBits = (info: x509.SubjectPublicKeyInfo) => new Uint8Array(info.subjectPublicKey)

/** Encodes a positive integer in the fewest octets with a leading zero bit (X.690 §8.3.2). */
export function derInteger(value: bigint) {
  const hex = value.toString(16)
  const octets = hex.padStart(hex.length + (hex.length % 2), '0')
  return derValue(0x02, Buffer.from(octets >= '8' ? `00${octets}` : octets, 'hex'))
}
