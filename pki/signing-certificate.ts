import { hash } from 'node:crypto'
import {
  AsnArray,
  AsnIntegerArrayBufferConverter,
  AsnProp,
  AsnPropTypes,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, GeneralNames } from '@peculiar/asn1-x509'
import { readDer, writeDer } from './der.ts'
import { sameBytes } from './pdf-bytes.ts'
import type { PathCertificate } from './path-certificate.ts'
import { digestNames } from './signature-check.ts'

/** The attribute that ties a signature to its certificate: RFC 5035 §3 (version 2) and RFC 2634 §5.4 (version 1, SHA-1). */
export const idSigningCertificateV1 = '1.2.840.113549.1.9.16.2.12'

class IssuerSerial {
  issuer = new GeneralNames()
  serialNumber = new ArrayBuffer(0)
}
AsnProp({ type: GeneralNames })(IssuerSerial.prototype, 'issuer')
AsnProp({ type: AsnPropTypes.Integer, converter: AsnIntegerArrayBufferConverter })(
  IssuerSerial.prototype,
  'serialNumber',
)

class CertificateIdV1 {
  certHash = new OctetString()
  issuerSerial?: IssuerSerial
}
AsnProp({ type: OctetString })(CertificateIdV1.prototype, 'certHash')
AsnProp({ type: IssuerSerial, optional: true })(CertificateIdV1.prototype, 'issuerSerial')

class CertificateIdV2 {
  hashAlgorithm?: AlgorithmIdentifier
  certHash = new OctetString()
  issuerSerial?: IssuerSerial
}
AsnProp({ type: AlgorithmIdentifier, optional: true })(CertificateIdV2.prototype, 'hashAlgorithm')
AsnProp({ type: OctetString })(CertificateIdV2.prototype, 'certHash')
AsnProp({ type: IssuerSerial, optional: true })(CertificateIdV2.prototype, 'issuerSerial')

class CertificateIdsV1 extends AsnArray<CertificateIdV1> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: CertificateIdV1 })(CertificateIdsV1)
class CertificateIdsV2 extends AsnArray<CertificateIdV2> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: CertificateIdV2 })(CertificateIdsV2)

class SigningCertificateV1 {
  certs = new CertificateIdsV1()
  policies?: ArrayBuffer
}
AsnProp({ type: CertificateIdsV1 })(SigningCertificateV1.prototype, 'certs')
AsnProp({ type: AsnPropTypes.Any, optional: true })(SigningCertificateV1.prototype, 'policies')
class SigningCertificateV2 {
  certs = new CertificateIdsV2()
  policies?: ArrayBuffer
}
AsnProp({ type: CertificateIdsV2 })(SigningCertificateV2.prototype, 'certs')
AsnProp({ type: AsnPropTypes.Any, optional: true })(SigningCertificateV2.prototype, 'policies')

/** Whether the attribute's first entry, which is the signer's, fits a certificate. Throws DerError for an attribute that cannot be read. */
export function namesCertificate(value: Uint8Array, version: 1 | 2, certificate: PathCertificate) {
  const [first] = readDer(value, version === 2 ? SigningCertificateV2 : SigningCertificateV1).certs
  if (!first) return false
  const named = first instanceof CertificateIdV2 ? first.hashAlgorithm?.algorithm : undefined
  const digest = version === 1 ? 'sha1' : named === undefined ? 'sha256' : digestNames.get(named)
  if (digest === undefined) return false
  if (!sameBytes(new Uint8Array(first.certHash.buffer), hash(digest, certificate.der, 'buffer'))) return false
  if (!first.issuerSerial) return true
  const { issuer, serialNumber } = first.issuerSerial
  const names = [...issuer].flatMap(({ directoryName }) => (directoryName ? [writeDer(directoryName)] : []))
  return (
    sameBytes(new Uint8Array(serialNumber), certificate.serialNumber) &&
    names.some((name) => sameBytes(name, certificate.issuer))
  )
}
