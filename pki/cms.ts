import { createPublicKey } from 'node:crypto'
import { AsnArray, AsnProp, AsnPropTypes, AsnType, AsnTypeTypes, OctetString } from '@peculiar/asn1-schema'
import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  id_contentType,
  id_data,
  id_messageDigest,
  id_signedData,
  IssuerAndSerialNumber,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms'
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509'
import { readDer, writeDer } from './der.ts'
import { idSha256, sha256, signatureAlgorithm } from './signature-algorithm.ts'

/** RFC 5035 §3. The library lacks these classes; see qc-statements.ts for the form. SHA-256 is the default and left out. */
const idSigningCertificateV2 = '1.2.840.113549.1.9.16.2.47'

class EssCertIdV2 {
  certHash = new OctetString()
}
AsnProp({ type: OctetString })(EssCertIdV2.prototype, 'certHash')

class EssCertIdsV2 extends AsnArray<EssCertIdV2> {}
AsnType({ type: AsnTypeTypes.Sequence, itemType: EssCertIdV2 })(EssCertIdsV2)

class SigningCertificateV2 {
  certs = new EssCertIdsV2()
}
AsnProp({ type: EssCertIdsV2 })(SigningCertificateV2.prototype, 'certs')

class ContentType {
  value = id_data
}
AsnType({ type: AsnTypeTypes.Choice })(ContentType)
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(ContentType.prototype, 'value')

class SignedAttributes extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(SignedAttributes)

/**
 * The attributes to be signed for a content with this SHA-256 digest, as the DER set whose bytes the signature is made
 * over (RFC 5652 §5.4): content type, message digest and signing certificate. There is no signing time, which PAdES
 * keeps in the PDF (ETSI EN 319 142-1 §6.3).
 */
export function signedAttributes({ digest, certificate }: { digest: Uint8Array; certificate: Uint8Array }) {
  const certId = Object.assign(new EssCertIdV2(), { certHash: new OctetString(sha256(certificate)) })
  const signingCertificate = Object.assign(new SigningCertificateV2(), { certs: new EssCertIdsV2([certId]) })
  const attributes = [
    attribute(id_contentType, new ContentType()),
    attribute(id_messageDigest, new OctetString(digest)),
    attribute(idSigningCertificateV2, signingCertificate),
  ]
  // X.690 §11.6: the elements of a set stand in the order of their encodings.
  const inOrder = attributes.toSorted((a, b) => Buffer.compare(writeDer(a), writeDer(b)))
  return writeDer(new SignedAttributes(inOrder))
}

function attribute(attrType: string, value: object) {
  return new Attribute({ attrType, attrValues: [writeDer(value).buffer] })
}

/** A detached CMS SignedData (RFC 5652) of one signer; all parts are DER, the signature is over `attributes`. */
export function signedData(parts: {
  attributes: Uint8Array
  signature: Uint8Array
  certificate: Uint8Array
  chain: Uint8Array[]
}) {
  const certificates = [parts.certificate, ...parts.chain].map(sameCertificate)
  const { issuer, serialNumber } = certificates[0]!.tbsCertificate
  const key = createPublicKey({
    key: Buffer.from(writeDer(certificates[0]!.tbsCertificate.subjectPublicKeyInfo)),
    format: 'der',
    type: 'spki',
  })
  const digestAlgorithm = new AlgorithmIdentifier({ algorithm: idSha256 })
  const signer = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
    digestAlgorithm,
    signedAttrs: [...readDer(parts.attributes, SignedAttributes)],
    signatureAlgorithm: signatureAlgorithm(key),
    signature: new OctetString(parts.signature),
  })
  const content = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([digestAlgorithm]),
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id_data }),
    certificates: new CertificateSet(certificates.map((certificate) => new CertificateChoices({ certificate }))),
    signerInfos: new SignerInfos([signer]),
  })
  return writeDer(new ContentInfo({ contentType: id_signedData, content: writeDer(content).buffer }))
}

/** The library writes certificates anew; one that would not come out byte for byte must not go into a signature. */
function sameCertificate(der: Uint8Array) {
  const certificate = readDer(der, Certificate)
  if (Buffer.compare(writeDer(certificate), der) !== 0) throw new TypeError('The certificate is not in canonical DER')
  return certificate
}
