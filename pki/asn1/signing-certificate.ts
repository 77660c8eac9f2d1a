import { digest as digestOf } from '#runtime'
import * as asn1 from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, GeneralNames } from '@peculiar/asn1-x509'
import { readDer, writeDer } from './der.ts'
import { sameBytes } from '../bytes.ts'
import type { PathCertificate } from './path-certificate.ts'
import { digestNames } from '../runtime/pss-parameters.ts'

/** The signing certificate reference: RFC 5035 §3 (version 2) and RFC 2634 §5.4 (version 1, SHA-1). */
export const idSigningCertificateV1 = '1.2.840.113549.1.9.16.2.12'

class IssuerSerial {
  issuer = new GeneralNames()
  serialNumber = new ArrayBuffer(0)
}
asn1.AsnProp({ type: GeneralNames })(IssuerSerial.prototype, 'issuer')
asn1.AsnProp({ type: asn1.AsnPropTypes.Integer, converter: asn1.AsnIntegerArrayBufferConverter })(
  IssuerSerial.prototype,
  'serialNumber',
)

class CertificateIdV1 {
  certHash = new asn1.OctetString()
  issuerSerial?: IssuerSerial
}
asn1.AsnProp({ type: asn1.OctetString })(CertificateIdV1.prototype, 'certHash')
asn1.AsnProp({ type: IssuerSerial, optional: true })(CertificateIdV1.prototype, 'issuerSerial')

class CertificateIdV2 {
  hashAlgorithm?: AlgorithmIdentifier
  certHash = new asn1.OctetString()
  issuerSerial?: IssuerSerial
}
asn1.AsnProp({ type: AlgorithmIdentifier, optional: true })(CertificateIdV2.prototype, 'hashAlgorithm')
asn1.AsnProp({ type: asn1.OctetString })(CertificateIdV2.prototype, 'certHash')
asn1.AsnProp({ type: IssuerSerial, optional: true })(CertificateIdV2.prototype, 'issuerSerial')

class CertificateIdsV1 extends asn1.AsnArray<CertificateIdV1> {}
asn1.AsnType({ type: asn1.AsnTypeTypes.Sequence, itemType: CertificateIdV1 })(CertificateIdsV1)
class CertificateIdsV2 extends asn1.AsnArray<CertificateIdV2> {}
asn1.AsnType({ type: asn1.AsnTypeTypes.Sequence, itemType: CertificateIdV2 })(CertificateIdsV2)

class SigningCertificateV1 {
  certs = new CertificateIdsV1()
  policies?: ArrayBuffer
}
asn1.AsnProp({ type: CertificateIdsV1 })(SigningCertificateV1.prototype, 'certs')
asn1.AsnProp({ type: asn1.AsnPropTypes.Any, optional: true })(SigningCertificateV1.prototype, 'policies')
class SigningCertificateV2 {
  certs = new CertificateIdsV2()
  policies?: ArrayBuffer
}
asn1.AsnProp({ type: CertificateIdsV2 })(SigningCertificateV2.prototype, 'certs')
asn1.AsnProp({ type: asn1.AsnPropTypes.Any, optional: true })(SigningCertificateV2.prototype, 'policies')

/** Whether the first reference, which is the signer's, matches a certificate. Throws DerError for an unreadable attribute. */
export function referencesCertificate(value: Uint8Array, version: 1 | 2, certificate: PathCertificate) {
  const [first] = readDer(value, version === 2 ? SigningCertificateV2 : SigningCertificateV1).certs
  if (!first) return false
  const named = first instanceof CertificateIdV2 ? first.hashAlgorithm?.algorithm : undefined
  const digest = version === 1 ? 'sha1' : named === undefined ? 'sha256' : digestNames.get(named)
  if (digest === undefined) return false
  if (!sameBytes(new Uint8Array(first.certHash.buffer), digestOf(digest, certificate.der))) return false
  if (!first.issuerSerial) return true
  const { issuer, serialNumber } = first.issuerSerial
  const names = [...issuer].flatMap(({ directoryName }) => (directoryName ? [writeDer(directoryName)] : []))
  return (
    sameBytes(new Uint8Array(serialNumber), certificate.serialNumber) &&
    names.some((name) => sameBytes(name, certificate.issuer))
  )
}
